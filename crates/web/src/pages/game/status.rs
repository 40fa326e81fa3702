//! The status line of a game: player to move, or result and cause.

use papan_catalog::PlayerSpec;
use papan_pages::game::result;
use papan_rules::{Move, Player, SwapStep};
use papan_view::{BoardView, messages};

use super::GamePageBuilder;
use crate::game::state::{Cause, Ending};

/// The status line and a second line below it.
pub(super) struct StatusView {
    pub(super) text: String,
    pub(super) detail: Option<String>,
}

impl GamePageBuilder<'_> {
    pub(super) fn status(
        &self,
        view: &BoardView,
        seats: &[Player],
        ply: Option<usize>,
    ) -> StatusView {
        let words = self.client.words;
        if let Some(ply) = ply {
            let last = self.state.line.moves().len();
            let text = words.with(
                "web-after-move",
                [
                    ("number", ply.to_string().into()),
                    ("last", last.to_string().into()),
                ],
            );
            return StatusView { text, detail: None };
        }
        if let Some(ending) = &self.state.ending {
            let result = result(words, view, ending.outcome);
            let text = match (seats, ending.outcome.winner()) {
                ([seat], Some(winner)) => {
                    let key = if *seat == winner {
                        "web-you-won"
                    } else {
                        "web-you-lost"
                    };
                    words.with(key, [("result", result.into())])
                }
                _ => result,
            };
            return StatusView {
                text,
                detail: self.cause(ending),
            };
        }
        if self.state.vacant.is_some() {
            return StatusView {
                text: words.text("web-waiting"),
                detail: self.clock_waits(),
            };
        }
        let turn = self.state.actor();
        let side = self.side(view.turn);
        let is_strategy = matches!(self.state.players[turn.index()], PlayerSpec::Strategy(_));
        if let PlayerSpec::Strategy(spec) = &self.state.players[turn.index()]
            && !self.programs.has(spec)
        {
            let name = messages::strategy_name(words, spec);
            return StatusView {
                text: words.with("web-program-away", [("program", name.into())]),
                detail: self.clock_waits(),
            };
        }
        let key = if seats == [turn] {
            "web-your-turn"
        } else if is_strategy {
            "web-thinking"
        } else {
            "web-their-turn"
        };
        let text = words.with(key, [("side", side.clone().into())]);
        let passed = view.passed.then(|| {
            let other = self.side(turn.other());
            words.with("passed", [("side", other.into())])
        });
        let only_pass = self.state.line.legal_moves().as_slice() == [Move::PASS];
        let must_pass = (only_pass && seats.contains(&turn))
            .then(|| words.with("web-must-pass", [("side", side.clone().into())]));
        let opening = match self.state.swap_step() {
            SwapStep::Place { left, .. } => {
                let left = ("left", left.to_string().into());
                Some(words.with("swap-place", [("side", side.clone().into()), left]))
            }
            SwapStep::Choose { .. } => Some(words.text("web-swap-chooses")),
            SwapStep::Over => None,
        };
        StatusView {
            text,
            detail: opening
                .or(must_pass)
                .or(passed)
                .or_else(|| self.clock_waits()),
        }
    }

    /// Says why the clocks stand still before both players have moved.
    fn clock_waits(&self) -> Option<String> {
        let waits = self.state.clock.is_some() && !self.state.clock_runs();
        waits.then(|| self.client.words.text("web-clock-waits"))
    }

    fn cause(&self, ending: &Ending) -> Option<String> {
        let words = self.client.words;
        let cause = ending.cause.as_ref()?;
        if *cause == Cause::Agreed {
            return Some(words.text("web-agreed-draw"));
        }
        let loser = self.side(ending.outcome.winner()?.other());
        Some(match cause {
            Cause::Agreed => return None,
            Cause::Resigned => words.with("web-resigned", [("side", loser.into())]),
            Cause::Time => words.with("out-of-time", [("side", loser.into())]),
            Cause::NoAnswer(reason) => words.with(
                "no-answer",
                [
                    ("player", loser.into()),
                    ("reason", reason.text(words).into()),
                ],
            ),
        })
    }
}
