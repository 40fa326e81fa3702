//! What a client may do beside moving: invite, answer, ask, go elsewhere.

use papan_rules::Player;

use super::{GamePageBuilder, last_strategy_ply};
use crate::game::command::MOST_GREETINGS;
use crate::game::event::Greeting;

/// A button that does something.
pub(crate) struct ActionView {
    pub(crate) path: &'static str,
    pub(crate) text: String,
}

/// A question to the client.
pub(crate) struct AskView {
    pub(crate) path: &'static str,
    pub(crate) question: String,
    pub(crate) answers: Vec<(&'static str, String)>,
}

impl GamePageBuilder<'_> {
    pub(super) fn invitation(&self) -> Option<String> {
        let invitation = self.live.invitation(self.client.secret.as_ref())?;
        Some(format!("{}/join/{}", self.client.origin, invitation.text()))
    }

    pub(super) fn asks(&self, seats: &[Player]) -> Vec<AskView> {
        let words = self.client.words;
        let live = self.live;
        let other_asked = |by: Player| seats.len() == 1 && seats[0] != by;
        let mut asks = Vec::new();
        if self.asks_to_resign && live.turn().is_some() && !seats.is_empty() {
            asks.push(AskView {
                path: "resignation",
                question: words.text("web-resign-sure"),
                answers: vec![("agree", words.text("web-resign-yes"))],
            });
        }
        if let Some((by, _)) = live.asked_back.filter(|(by, _)| other_asked(*by)) {
            asks.push(AskView {
                path: "take-back",
                question: words.with("web-asks-back", [("side", self.side(by).into())]),
                answers: vec![
                    ("agree", words.text("web-agree")),
                    ("decline", words.text("web-decline")),
                ],
            });
        }
        if let Some(by) = live.draw_offer.filter(|by| other_asked(*by)) {
            asks.push(AskView {
                path: "draw",
                question: words.with("web-offers-draw", [("side", self.side(by).into())]),
                answers: vec![
                    ("agree", words.text("web-agree")),
                    ("decline", words.text("web-decline")),
                ],
            });
        }
        let offer = live.rematch_offer.filter(|_| live.rematch.is_none());
        if let Some(by) = offer.filter(|by| other_asked(*by)) {
            asks.push(AskView {
                path: "rematch",
                question: words.with("web-offers-rematch", [("side", self.side(by).into())]),
                answers: vec![
                    ("agree", words.text("web-agree")),
                    ("decline", words.text("web-decline")),
                ],
            });
        }
        asks
    }

    pub(super) fn actions(&self, seats: &[Player]) -> Vec<ActionView> {
        let words = self.client.words;
        let live = self.live;
        let mut actions = Vec::new();
        if seats.is_empty() {
            return actions;
        }
        let mut add = |path, key: &str| {
            let text = words.text(key);
            actions.push(ActionView { path, text });
        };
        let consent = live.needs_consent();
        let has_moved = match seats {
            [only] => live.before_last_move_of(*only).is_some(),
            _ => !live.line.moves().is_empty(),
        };
        let running = !live.is_over() && live.vacant.is_none();
        let at = Some(live.line.moves().len());
        let may_ask = !consent || live.asked_back.is_none() && live.asked_back_at != at;
        if has_moved && may_ask && (running || live.is_over() && !consent) {
            let key = if consent {
                "web-ask-back"
            } else {
                "web-take-back"
            };
            add("take-back", key);
        }
        if running && consent && live.draw_offer.is_none() && live.draw_offered_at != at {
            add("draw", "web-offer-draw");
        }
        let offered = seats.iter().any(|seat| live.rematch_offered[seat.index()]);
        let may_offer = live.rematch_offer.is_none() && !(offered && consent);
        if live.is_over() && live.rematch.is_none() && may_offer {
            add("rematch", "web-rematch");
        }
        actions
    }

    /// What can be said to the other player.
    pub(super) fn greetings(&self, seats: &[Player]) -> Vec<(&'static str, String)> {
        let [me] = seats else {
            return Vec::new();
        };
        let live = self.live;
        let said = live.greetings[me.index()];
        if !live.needs_consent() || live.vacant.is_some() || said >= MOST_GREETINGS {
            return Vec::new();
        }
        let text = |greeting: Greeting| {
            let key = format!("web-greet-{}", greeting.name());
            (greeting.name(), self.client.words.text(&key))
        };
        Greeting::ALL.map(text).into()
    }

    pub(super) fn links(&self, seats: &[Player]) -> Vec<(String, String)> {
        let words = self.client.words;
        let live = self.live;
        let mut links = Vec::new();
        let mut add = |link: String, key: &str| links.push((link, words.text(key)));
        let here = format!("/games/{}", live.id);
        let ply = self
            .ply
            .map_or_else(String::new, |ply| format!("?ply={ply}"));
        if !seats.is_empty() && !live.is_over() && live.vacant.is_none() && !self.asks_to_resign {
            add(format!("{here}?show=resign"), "web-resign");
        }
        if let Some(next) = &live.rematch {
            add(format!("/games/{next}"), "web-to-the-rematch");
        }
        let may_ask = !seats.is_empty() && !live.needs_consent();
        if may_ask && live.turn().is_some_and(|turn| seats.contains(&turn)) {
            add(format!("{here}?show=hint"), "web-hint");
        }
        if live.is_over() || !live.needs_consent() {
            if last_strategy_ply(live).is_some() {
                add(format!("{here}?show=why"), "web-why");
            }
            if live.is_over() && !live.line.moves().is_empty() {
                add(format!("{here}/study/review{ply}"), "web-review");
            }
            add(format!("{here}/study/analysis{ply}"), "web-analyse");
        }
        links
    }
}
