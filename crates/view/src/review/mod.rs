//! A reviewed game as people see it: a table, a curve, a page to walk through.

mod curve;
mod page;
mod text;

pub use curve::Curve;
pub use page::html;
pub use text::{text, value_text};

use std::time::Duration;

use papan_catalog::review::{Judgement, judgements, values};
use papan_catalog::{AnyLine, review::PositionAnalysis};
use papan_rules::{Player, ScoreUnit};
use papan_strategies::Score;

use crate::{Marks, Messages, messages};

/// A game with what a strategy says of it.
pub struct GameReview<'a> {
    /// The game.
    pub line: &'a dyn AnyLine,
    /// Its players, as far as they are known.
    pub players: [String; 2],
    /// Who was asked.
    pub strategy: String,
    /// How long it took.
    pub elapsed: Duration,
    /// What is said of every move.
    pub judgements: Vec<Judgement>,
    /// What every position is worth to the first player.
    pub values: Vec<Option<Score>>,
}

impl<'a> GameReview<'a> {
    /// A line of play with what was found out about its positions, first to last.
    #[must_use]
    pub fn new(
        line: &'a dyn AnyLine,
        strategy: String,
        insights: &[Option<PositionAnalysis>],
    ) -> Self {
        Self {
            players: Default::default(),
            strategy,
            elapsed: Duration::ZERO,
            judgements: judgements(line, insights),
            values: values(line, insights),
            line,
        }
    }

    /// The curve of the game, looked at after `ply` moves.
    #[must_use]
    pub fn curve(&self, ply: Option<usize>) -> Curve<'_> {
        Curve {
            values: &self.values,
            positions: self.line.moves().len() + 1,
            ply,
            mistakes: self.judgements.iter().map(|v| v.mistake).collect(),
        }
    }

    /// How many mistakes each side made, and what they cost where that can be added.
    #[must_use]
    pub fn sides(&self, words: Messages) -> Vec<String> {
        let game = self.line.game();
        let of = |player: Player| {
            let mine = self.judgements.iter();
            let mine =
                mine.filter(move |judgement| judgement.player == player && judgement.mistake);
            let side = messages::side(words, game.pieces(), player, Marks::default());
            let lost: f32 = mine.clone().filter_map(|judgement| judgement.loss).sum();
            let key = match game.properties().score_unit {
                ScoreUnit::Discs => "review-side-discs",
                ScoreUnit::Result => "review-side",
            };
            words.with(
                key,
                [
                    ("side", side.into()),
                    ("mistakes", mine.count().into()),
                    ("lost", format!("{lost:.0}").into()),
                ],
            )
        };
        Player::BOTH.map(of).into()
    }

    /// What is said of a move in as few words as there are, for a column: `good`, `−4`;
    /// nothing where nothing is known.
    #[must_use]
    pub fn short(&self, judgement: &Judgement, words: Messages) -> String {
        let game = self.line.game();
        let (Some(loss), Some(before), Some(after)) =
            (judgement.loss, judgement.before, judgement.after)
        else {
            return String::new();
        };
        match judgement.mistake {
            false => words.text("review-good-move"),
            true if game.properties().score_unit.is_discs() => format!("−{}", lost_text(loss)),
            true => {
                let for_first = |score: Score| match judgement.player {
                    Player::First => score,
                    Player::Second => score.turned(),
                };
                let text = |score| value_text(words, &game, for_first(score));
                format!("{} → {}", text(before), text(after))
            }
        }
    }

    /// What is said of a move in a few words; nothing where nothing is known.
    #[must_use]
    pub fn said(&self, judgement: &Judgement, words: Messages) -> String {
        match judgement.loss.filter(|_| judgement.mistake) {
            None => self.short(judgement, words),
            Some(loss) if self.line.game().properties().score_unit.is_discs() => {
                words.with("review-mistake", [("lost", lost_text(loss).into())])
            }
            Some(_) => {
                let turn = self.short(judgement, words);
                words.with("review-mistake-turn", [("turn", turn.into())])
            }
        }
    }

    /// A move and what is said of it, in a sentence.
    #[must_use]
    pub fn sentence(&self, number: usize, words: Messages) -> String {
        let Some(judgement) = self.judgements.get(number.wrapping_sub(1)) else {
            return String::new();
        };
        let game = self.line.game();
        let said = self.said(judgement, words);
        let better = judgement.better().map(|best| game.show_move(best));
        let key = match (&better, said.as_str()) {
            (_, "") => "review-move",
            (None, _) => "review-judged",
            (Some(_), _) => "review-better",
        };
        let side = messages::side(words, game.pieces(), judgement.player, Marks::default());
        words.with(
            key,
            [
                ("number", number.to_string().into()),
                ("side", side.into()),
                ("move", game.show_move(judgement.mv).into()),
                ("judgement", said.into()),
                ("better", better.unwrap_or_default().into()),
            ],
        )
    }
}

/// What a move cost: whole, or to a tenth.
#[must_use]
pub(crate) fn lost_text(loss: f32) -> String {
    match (loss * 10.0).round() % 10.0 == 0.0 {
        true => format!("{loss:.0}"),
        false => format!("{loss:.1}"),
    }
}
