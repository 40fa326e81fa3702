//! The course of a game as a curve: above the middle the first player is better.

use std::fmt::Write;

use papan_catalog::{AnyGame, AnyLine};
use papan_rules::{Counted, Player};
use papan_strategies::Score;
use papan_view::{Marks, Words, wording};

use crate::studies::Insight;

/// What every position is worth to the first player, as far as it is known.
pub(super) fn values(line: &dyn AnyLine, insights: &[Insight]) -> Vec<Option<Score>> {
    let mut walked = line.clone_line();
    let mut turns = vec![walked.turn()];
    while walked.undo().is_some() {
        turns.push(walked.turn());
    }
    turns.reverse();
    turns
        .iter()
        .zip(insights)
        .map(|(turn, insight)| {
            let over = insight.best.is_none() && line.outcome().is_some();
            let score = match over {
                true => Score::counted(line.game().properties().counted, line.final_score(*turn)),
                false => insight.score?,
            };
            Some(match turn {
                Player::First => score,
                Player::Second => score.turned(),
            })
        })
        .collect()
}

/// A curve to be drawn.
pub(super) struct Curve<'a> {
    pub(super) values: &'a [Option<Score>],
    /// How many there will be.
    pub(super) positions: usize,
    /// The one that is looked at.
    pub(super) ply: usize,
    /// Whether a move was a mistake, first to last.
    pub(super) mistakes: Vec<bool>,
}

impl Curve<'_> {
    /// The largest value, at the edge of the drawing.
    fn most(&self) -> f32 {
        let values = self.values.iter().flatten();
        values.fold(1.0_f32, |most, value| most.max(value.balance().abs()))
    }

    /// What is above, what is below, and how far it reaches.
    pub(super) fn help(&self, words: Words, game: &AnyGame) -> String {
        let side = |player| wording::side(words, game.pieces(), player, Marks::default());
        let key = match game.properties().counted {
            Counted::Discs => "web-curve-help-discs",
            Counted::Result => "web-curve-help",
        };
        words.with(
            key,
            [
                ("first", side(Player::First).into()),
                ("second", side(Player::Second).into()),
                ("most", format!("{:.0}", self.most()).into()),
            ],
        )
    }

    /// The curve as SVG. Every point leads to its position; mistakes are crossed.
    /// All of it is in the table as well, so that nobody needs to see it.
    pub(super) fn draw(&self, at: impl Fn(usize) -> String) -> String {
        const WIDTH: f32 = 640.0;
        const HEIGHT: f32 = 200.0;
        let most = self.most();
        let step = WIDTH / (self.positions.max(2) - 1) as f32;
        let mut points = String::new();
        let mut dots = String::new();
        for (ply, value) in self.values.iter().enumerate() {
            let Some(value) = value else { continue };
            let (x, y) = (
                ply as f32 * step,
                HEIGHT / 2.0 * (1.0 - value.balance() / most),
            );
            let _ = write!(points, "{x:.1},{y:.1} ");
            let link = at(ply).replace('&', "&amp;");
            let mistake = ply
                .checked_sub(1)
                .is_some_and(|index| self.mistakes.get(index) == Some(&true));
            let sign = match mistake {
                true => format!(
                    r#"<path class="mistake" d="M{:.1} {:.1}l12 12m0-12l-12 12"/>"#,
                    x - 6.0,
                    y - 6.0
                ),
                false => format!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="4"/>"#),
            };
            // A stripe as high as the drawing is easier to touch than a dot.
            let _ = write!(
                dots,
                r#"<a href="{link}" tabindex="-1">{sign}<rect class="touch" x="{:.1}" y="-10" width="{step:.1}" height="{}"/></a>"#,
                x - step / 2.0,
                HEIGHT + 20.0
            );
        }
        let (here, middle) = (self.ply as f32 * step, HEIGHT / 2.0);
        format!(
            r#"<svg class="curve" viewBox="-10 -10 {} {}" aria-hidden="true"><line class="middle" x1="0" y1="{middle}" x2="{WIDTH}" y2="{middle}"/><line class="here" x1="{here:.1}" y1="-10" x2="{here:.1}" y2="{}"/><polyline points="{points}"/>{dots}</svg>"#,
            WIDTH + 20.0,
            HEIGHT + 20.0,
            HEIGHT + 10.0,
        )
    }
}
