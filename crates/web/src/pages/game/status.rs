//! How a game stands, in a sentence or two.

use papan_catalog::PlayerSpec;
use papan_rules::{Move, Outcome, Player};
use papan_view::{BoardView, Marks, Messages, messages};

use super::GamePageBuilder;
use crate::game::state::{Cause, Ending};

impl GamePageBuilder<'_> {
    pub(super) fn status(
        &self,
        view: &BoardView,
        seats: &[Player],
        ply: Option<usize>,
    ) -> (String, Option<String>) {
        let words = self.client.words;
        if let Some(ply) = ply {
            let last = self.live.line.moves().len();
            let text = words.with(
                "web-after-move",
                [
                    ("number", ply.to_string().into()),
                    ("last", last.to_string().into()),
                ],
            );
            return (text, None);
        }
        if let Some(ending) = &self.live.ending {
            let result = result(words, view, ending.outcome);
            let own = match (ending.outcome.winner(), seats) {
                (Some(winner), &[seat]) if winner == seat => words.text("web-row-won"),
                (Some(_), [_]) => words.text("web-row-lost"),
                _ => return (result, self.cause(ending)),
            };
            return (format!("{own}. {result}"), self.cause(ending));
        }
        if self.live.vacant.is_some() {
            return (words.text("web-waiting"), None);
        }
        let turn = view.turn;
        let side = self.side(turn);
        let (only_me, strategy) = (
            seats == [turn],
            matches!(self.live.players[turn.index()], PlayerSpec::Strategy(_)),
        );
        let key = match (only_me, strategy) {
            (true, _) => "web-your-turn",
            (_, true) => "web-thinking",
            _ => "web-their-turn",
        };
        let status = words.with(key, [("side", side.clone().into())]);
        let passed = view.passed.then(|| {
            let other = self.side(turn.other());
            words.with("passed", [("side", other.into())])
        });
        let only_pass = self.live.line.legal_moves().as_slice() == [Move::PASS];
        let must_pass = (only_pass && seats.contains(&turn))
            .then(|| words.with("web-must-pass", [("side", side.into())]));
        (status, must_pass.or(passed))
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

/// How a game ended, with the counts where counting decides.
pub(crate) fn result(words: Messages, view: &BoardView, outcome: Outcome) -> String {
    let Some(winner) = outcome.winner() else {
        return words.text("web-draw");
    };
    let side = messages::side(words, view.pieces, winner, Marks::default());
    // Who resigns loses whatever the count.
    let by_count = view.properties.score_unit.is_discs() && view.outcome.is_some();
    if by_count {
        let count = |player: Player| view.counts[player.index()].to_string();
        return words.with(
            "side-wins-discs",
            [
                ("side", side.into()),
                ("winner-count", count(winner).into()),
                ("loser-count", count(winner.other()).into()),
            ],
        );
    }
    words.with("web-side-wins", [("side", side.into())])
}
