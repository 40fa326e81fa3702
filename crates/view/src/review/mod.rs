//! Presentation of a game review: a text table, an evaluation graph, an HTML page.

mod curve;
mod page;
mod text;

pub use curve::Curve;
pub use page::html;
pub use text::{ReviewRow, text, value_text};

use std::time::Duration;

use papan_catalog::review::{Grade, Judgement, accuracy, judgements, values};
use papan_catalog::{AnyLine, review::PositionAnalysis};
use papan_rules::{Player, ScoreUnit};
use papan_strategies::Score;

use crate::{Marks, Messages, messages};

/// A reviewed game.
pub struct GameReview<'a> {
    /// The game.
    pub line: &'a dyn AnyLine,
    /// Its players, as far as they are known.
    pub players: [String; 2],
    /// The strategy that analysed it.
    pub strategy: String,
    /// The time it took, where that is known.
    pub elapsed: Option<Duration>,
    /// The judgement of every move.
    pub judgements: Vec<Judgement>,
    /// The score of every position for the first player.
    pub values: Vec<Option<Score>>,
}

impl<'a> GameReview<'a> {
    /// Creates a review from a line of play and the analyses of its positions.
    #[must_use]
    pub fn new(
        line: &'a dyn AnyLine,
        strategy: String,
        insights: &[Option<PositionAnalysis>],
    ) -> Self {
        Self {
            players: Default::default(),
            strategy,
            elapsed: None,
            judgements: judgements(line, insights),
            values: values(line, insights),
            line,
        }
    }

    /// Returns the evaluation graph, with the position after `ply` moves as the current one.
    #[must_use]
    pub fn curve(&self, ply: Option<usize>) -> Curve<'_> {
        Curve {
            values: &self.values,
            positions: self.line.moves().len() + 1,
            ply,
            grades: self.judgements.iter().map(|v| v.grade).collect(),
        }
    }

    /// Returns for each side the number of graded moves, their cost in discs, and the accuracy.
    #[must_use]
    pub fn sides(&self, messages: Messages) -> Vec<String> {
        let game = self.line.game();
        let of = |player: Player| {
            let mine = self.judgements.iter();
            let mine = mine
                .filter(move |judgement| judgement.player == player && judgement.grade.is_some());
            let side = messages::side(messages, game.pieces(), player, Marks::default());
            let lost: f32 = mine.clone().filter_map(|judgement| judgement.loss).sum();
            let key = match game.properties().score_unit {
                ScoreUnit::Discs => "review-side-discs",
                ScoreUnit::Result => "review-side",
            };
            let graded = messages.with(
                key,
                [
                    ("side", side.into()),
                    ("mistakes", mine.clone().count().into()),
                    ("lost", format!("{lost:.0}").into()),
                ],
            );
            let counts = Grade::ALL.map(|grade| {
                let count = mine
                    .clone()
                    .filter(|judgement| judgement.grade == Some(grade));
                (count.count(), grade.sign())
            });
            let counts: Vec<String> = counts
                .into_iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, sign)| format!("{count} {sign}"))
                .collect();
            let text = if counts.is_empty() {
                graded
            } else {
                format!("{graded} ({})", counts.join(", "))
            };
            match accuracy(&self.judgements, player) {
                None => text,
                Some(accuracy) => messages.with(
                    "review-accuracy",
                    [
                        ("text", text.into()),
                        ("accuracy", format!("{accuracy:.0}").into()),
                    ],
                ),
            }
        };
        Player::BOTH.map(of).into()
    }

    /// Returns the judgement of a move for a table column: `good`, `−4`, or nothing if unknown.
    #[must_use]
    pub fn short(&self, judgement: &Judgement, messages: Messages) -> String {
        let game = self.line.game();
        let (Some(loss), Some(before), Some(after)) =
            (judgement.loss, judgement.before, judgement.after)
        else {
            return String::new();
        };
        if judgement.grade.is_none() {
            return messages.text("review-good-move");
        }
        if game.properties().score_unit.is_discs() {
            return format!("−{}", lost_text(loss));
        }
        let for_first = |score: Score| match judgement.player {
            Player::First => score,
            Player::Second => score.turned(),
        };
        let text = |score| value_text(messages, &game, for_first(score));
        format!("{} → {}", text(before), text(after))
    }

    /// Returns the judgement of a move in a few words, or nothing if unknown.
    #[must_use]
    pub fn said(&self, judgement: &Judgement, messages: Messages) -> String {
        let Some((grade, loss)) = judgement.grade.zip(judgement.loss) else {
            return self.short(judgement, messages);
        };
        let name = grade.name();
        if self.line.game().properties().score_unit.is_discs() {
            return messages.with(
                &format!("review-{name}"),
                [("lost", lost_text(loss).into())],
            );
        }
        let turn = self.short(judgement, messages);
        messages.with(&format!("review-{name}-turn"), [("turn", turn.into())])
    }

    /// Returns a move with its judgement as a sentence.
    #[must_use]
    pub fn sentence(&self, number: usize, messages: Messages) -> String {
        let Some(judgement) = self.judgements.get(number.wrapping_sub(1)) else {
            return String::new();
        };
        let game = self.line.game();
        let said = self.said(judgement, messages);
        let better = judgement.better().map(|best| game.show_move(best));
        let key = match (&better, said.as_str()) {
            (_, "") => "review-move",
            (None, _) => "review-judged",
            (Some(_), _) => "review-better",
        };
        let side = messages::side(messages, game.pieces(), judgement.player, Marks::default());
        messages.with(
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

/// Formats what a move lost: discs, or a share of a win in percent; nothing where it lost nothing.
#[must_use]
pub fn loss_text(unit: ScoreUnit, loss: f32) -> String {
    match unit {
        _ if loss <= 0.0 => String::new(),
        ScoreUnit::Discs => lost_text(loss),
        // A win is worth 1 and a loss -1.
        ScoreUnit::Result => format!("{:.0} %", loss * 50.0),
    }
}

/// Formats a loss: whole, or to a tenth.
#[must_use]
fn lost_text(loss: f32) -> String {
    if (loss * 10.0).round() % 10.0 == 0.0 {
        format!("{loss:.0}")
    } else {
        format!("{loss:.1}")
    }
}
