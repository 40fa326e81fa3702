//! Actions besides moving: invitations, offers and their answers, links.

use papan_pages::game::{ActionView, AskView, InvitationView, LinkView};
use papan_rules::{Player, SwapChoice};
use papan_view::messages::swap_choice;

use super::{GamePageBuilder, last_strategy_ply};
use crate::game::command::MAX_GREETINGS;
use crate::game::event::Greeting;

impl GamePageBuilder<'_> {
    pub(super) fn invitation(&self) -> Option<InvitationView> {
        let invitation = self.state.invitation(self.client.secret.as_ref())?;
        Some(InvitationView {
            link: format!("{}/join/{}", self.client.origin, invitation.text()),
            listed: self.state.listed,
        })
    }

    /// Returns the client's own offers that the opponent has not answered, as sentences.
    pub(super) fn pending(&self, seats: &[Player]) -> Vec<String> {
        let state = self.state;
        let [me] = seats else {
            return Vec::new();
        };
        let rematch_offer = state.rematch_offer.filter(|_| state.rematch.is_none());
        let offers = [
            (state.asked_back.map(|(by, _)| by), "web-pending-take-back"),
            (state.draw_offer, "web-pending-draw"),
            (rematch_offer, "web-pending-rematch"),
        ];
        let mine = offers.into_iter().filter(|(by, _)| *by == Some(*me));
        mine.map(|(_, key)| self.client.words.text(key)).collect()
    }

    pub(super) fn asks(&self, seats: &[Player]) -> Vec<AskView> {
        let words = self.client.words;
        let state = self.state;
        let opponent_asked = |by: Player| seats.len() == 1 && seats[0] != by;
        let mut asks = Vec::new();
        let my_turn = state.turn().is_some_and(|turn| seats.contains(&turn));
        let choices = state.swap_step().choices();
        if my_turn && !choices.is_empty() {
            let answer = |&choice: &SwapChoice| (choice.word(), swap_choice(words, choice));
            asks.push(AskView {
                path: "colour",
                question: words.text("web-swap-choose"),
                answers: choices.iter().map(answer).collect(),
            });
        }
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
        if seats.is_empty() || state.vacant.is_some() {
            return actions;
        }
        let mut add = |path, key: &str, enabled, primary| {
            actions.push(ActionView {
                path,
                text: words.text(key),
                enabled,
                primary,
            });
        };
        let consent = state.needs_consent();
        let has_moved = match seats {
            [only] => state.before_last_move_of(*only).is_some(),
            _ => !state.line.moves().is_empty(),
        };
        let running = !state.is_over();
        let at = Some(state.line.moves().len());
        if state.is_over() && state.rematch.is_none() {
            let offered = seats.iter().any(|seat| state.rematch_offered[seat.index()]);
            let may_offer = state.rematch_offer.is_none() && !(offered && consent);
            add("rematch", "web-rematch", may_offer, may_offer);
        }
        if running && consent {
            let may_ask = state.asked_back.is_none() && state.asked_back_at != at;
            add("take-back", "web-ask-back", has_moved && may_ask, false);
            let may_offer = state.draw_offer.is_none() && state.draw_offered_at != at;
            add("draw", "web-offer-draw", may_offer, false);
        } else if !consent {
            add("take-back", "web-take-back", has_moved, false);
        }
        actions
    }

    /// Returns the link that asks whether to resign, while the game can be resigned.
    pub(super) fn resignation(&self, seats: &[Player]) -> Option<String> {
        let playing = !seats.is_empty() && self.state.turn().is_some();
        playing.then(|| format!("/games/{}?show=resign", self.state.id))
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

    pub(super) fn links(&self, seats: &[Player]) -> Vec<LinkView> {
        let words = self.client.words;
        let state = self.state;
        let mut links = Vec::new();
        let mut add = |url: String, key: &str, primary| {
            links.push(LinkView {
                url,
                text: words.text(key),
                primary,
            });
        };
        let here = format!("/games/{}", state.id);
        let ply = self
            .ply
            .map_or_else(String::new, |ply| format!("?ply={ply}"));
        if let Some(next) = &state.rematch {
            add(format!("/games/{next}"), "web-to-the-rematch", true);
        }
        let may_ask = !seats.is_empty() && !state.needs_consent();
        if may_ask && state.turn().is_some_and(|turn| seats.contains(&turn)) {
            add(format!("{here}?show=hint"), "web-hint", false);
        }
        if state.is_over() || !state.needs_consent() {
            if state.is_over() && !state.line.moves().is_empty() {
                // The main action for a spectator, who cannot play a rematch.
                let primary = seats.is_empty() && state.rematch.is_none();
                add(format!("{here}/study/review{ply}"), "web-review", primary);
            }
            if last_strategy_ply(state).is_some() {
                add(format!("{here}?show=why"), "web-why", false);
            }
            add(format!("{here}/study/analysis{ply}"), "web-analyse", false);
        }
        links
    }
}
