//! What a visitor may do beside moving: invite, answer, ask, go elsewhere.

use papan_rules::Player;

use super::{Shown, last_strategy_ply};

/// A button that does something.
pub(crate) struct ActionView {
    pub(crate) path: &'static str,
    pub(crate) text: String,
}

/// A question to the visitor.
pub(crate) struct AskView {
    pub(crate) path: &'static str,
    pub(crate) question: String,
    pub(crate) answers: Vec<(&'static str, String)>,
}

impl Shown<'_> {
    pub(super) fn invitation(&self, seats: &[Player]) -> Option<String> {
        self.live.vacant?;
        let secret = self.visitor.secret.as_ref().filter(|_| !seats.is_empty())?;
        let invitation = secret.invitation(&self.live.id);
        Some(format!(
            "{}/join/{}",
            self.visitor.origin,
            invitation.text()
        ))
    }

    pub(super) fn asks(&self, seats: &[Player]) -> Vec<AskView> {
        let words = self.visitor.words;
        let live = self.live;
        let other_asked = |by: Player| seats.len() == 1 && seats[0] != by;
        let mut asks = Vec::new();
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
        let offer = live.rematch_offer.filter(|_| live.rematch.is_none());
        if let Some(by) = offer.filter(|by| other_asked(*by)) {
            asks.push(AskView {
                path: "rematch",
                question: words.with("web-offers-rematch", [("side", self.side(by).into())]),
                answers: vec![("agree", words.text("web-agree"))],
            });
        }
        asks
    }

    pub(super) fn actions(&self, seats: &[Player]) -> Vec<ActionView> {
        let words = self.visitor.words;
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
        if has_moved && live.asked_back.is_none() && (running || live.is_over() && !consent) {
            let key = if consent {
                "web-ask-back"
            } else {
                "web-take-back"
            };
            add("take-back", key);
        }
        if running {
            add("resignation", "web-resign");
        }
        if live.is_over() && live.rematch.is_none() && live.rematch_offer.is_none() {
            add("rematch", "web-rematch");
        }
        actions
    }

    pub(super) fn links(&self, seats: &[Player]) -> Vec<(String, String)> {
        let words = self.visitor.words;
        let live = self.live;
        let mut links = Vec::new();
        let mut add = |link: String, key: &str| links.push((link, words.text(key)));
        let here = format!("/games/{}", live.id);
        let ply = self
            .ply
            .map_or_else(String::new, |ply| format!("?ply={ply}"));
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
