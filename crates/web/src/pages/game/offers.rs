//! Actions besides moving: invitations, offers and their answers, links.

use papan_rules::Player;

use super::{GamePageBuilder, last_strategy_ply};
use crate::game::command::MAX_GREETINGS;
use crate::game::event::Greeting;

/// A button that posts to a path below the game.
pub(crate) struct ActionView {
    pub(crate) path: &'static str,
    pub(crate) text: String,
}

/// An offer of the opponent, or a confirmation, with its answers.
pub(crate) struct AskView {
    pub(crate) path: &'static str,
    pub(crate) question: String,
    pub(crate) answers: Vec<(&'static str, String)>,
}

impl GamePageBuilder<'_> {
    pub(super) fn invitation(&self) -> Option<String> {
        let invitation = self.state.invitation(self.client.secret.as_ref())?;
        Some(format!("{}/join/{}", self.client.origin, invitation.text()))
    }

    pub(super) fn asks(&self, seats: &[Player]) -> Vec<AskView> {
        let words = self.client.words;
        let state = self.state;
        let opponent_asked = |by: Player| seats.len() == 1 && seats[0] != by;
        let mut asks = Vec::new();
        if self.confirms_resignation && state.turn().is_some() && !seats.is_empty() {
            asks.push(AskView {
                path: "resignation",
                question: words.text("web-resign-sure"),
                answers: vec![("agree", words.text("web-resign-yes"))],
            });
        }
        if let Some((by, _)) = state.asked_back.filter(|(by, _)| opponent_asked(*by)) {
            asks.push(AskView {
                path: "take-back",
                question: words.with("web-asks-back", [("side", self.side(by).into())]),
                answers: vec![
                    ("agree", words.text("web-agree")),
                    ("decline", words.text("web-decline")),
                ],
            });
        }
        if let Some(by) = state.draw_offer.filter(|by| opponent_asked(*by)) {
            asks.push(AskView {
                path: "draw",
                question: words.with("web-offers-draw", [("side", self.side(by).into())]),
                answers: vec![
                    ("agree", words.text("web-agree")),
                    ("decline", words.text("web-decline")),
                ],
            });
        }
        let offer = state.rematch_offer.filter(|_| state.rematch.is_none());
        if let Some(by) = offer.filter(|by| opponent_asked(*by)) {
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
        let state = self.state;
        let mut actions = Vec::new();
        if seats.is_empty() {
            return actions;
        }
        let mut add = |path, key: &str| {
            let text = words.text(key);
            actions.push(ActionView { path, text });
        };
        let consent = state.needs_consent();
        let has_moved = match seats {
            [only] => state.before_last_move_of(*only).is_some(),
            _ => !state.line.moves().is_empty(),
        };
        let running = !state.is_over() && state.vacant.is_none();
        let at = Some(state.line.moves().len());
        let may_ask = !consent || state.asked_back.is_none() && state.asked_back_at != at;
        if has_moved && may_ask && (running || state.is_over() && !consent) {
            let key = if consent {
                "web-ask-back"
            } else {
                "web-take-back"
            };
            add("take-back", key);
        }
        if running && consent && state.draw_offer.is_none() && state.draw_offered_at != at {
            add("draw", "web-offer-draw");
        }
        let offered = seats.iter().any(|seat| state.rematch_offered[seat.index()]);
        let may_offer = state.rematch_offer.is_none() && !(offered && consent);
        if state.is_over() && state.rematch.is_none() && may_offer {
            add("rematch", "web-rematch");
        }
        actions
    }

    /// Returns the canned messages that may be sent.
    pub(super) fn greetings(&self, seats: &[Player]) -> Vec<(&'static str, String)> {
        let [me] = seats else {
            return Vec::new();
        };
        let state = self.state;
        let sent = state.greetings[me.index()];
        if !state.needs_consent() || state.vacant.is_some() || sent >= MAX_GREETINGS {
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
        let state = self.state;
        let mut links = Vec::new();
        let mut add = |link: String, key: &str| links.push((link, words.text(key)));
        let here = format!("/games/{}", state.id);
        let ply = self
            .ply
            .map_or_else(String::new, |ply| format!("?ply={ply}"));
        if !seats.is_empty()
            && !state.is_over()
            && state.vacant.is_none()
            && !self.confirms_resignation
        {
            add(format!("{here}?show=resign"), "web-resign");
        }
        if let Some(next) = &state.rematch {
            add(format!("/games/{next}"), "web-to-the-rematch");
        }
        let may_ask = !seats.is_empty() && !state.needs_consent();
        if may_ask && state.turn().is_some_and(|turn| seats.contains(&turn)) {
            add(format!("{here}?show=hint"), "web-hint");
        }
        if state.is_over() || !state.needs_consent() {
            if last_strategy_ply(state).is_some() {
                add(format!("{here}?show=why"), "web-why");
            }
            if state.is_over() && !state.line.moves().is_empty() {
                add(format!("{here}/study/review{ply}"), "web-review");
            }
            add(format!("{here}/study/analysis{ply}"), "web-analyse");
        }
        links
    }
}
