//! Evaluation graph of a game as SVG; above the middle the first player is ahead.

use std::fmt::Write;

use papan_catalog::AnyGame;
use papan_catalog::review::Grade;
use papan_rules::{Player, ScoreUnit};
use papan_strategies::Score;

use crate::drawing::escape_xml;
use crate::{Marks, Messages, messages};

/// An evaluation graph.
pub struct Curve<'a> {
    /// Scores of the positions for the first player, as far as they are known.
    pub values: &'a [Option<Score>],
    /// Number of positions, including those not yet analysed.
    pub positions: usize,
    /// The current position.
    pub ply: Option<usize>,
    /// The grade of each move that has one.
    pub grades: Vec<Option<Grade>>,
}

const WIDTH: f32 = 640.0;
const HEIGHT: f32 = 200.0;

/// Stylesheet of a standalone drawing.
const STYLE: &str = ".curve polyline{fill:none;stroke:#1d4ed8;stroke-width:2}\
.curve circle{fill:#1d4ed8}\
.curve .middle{stroke:#52606d;stroke-width:1}\
.curve .here{stroke:#b45309;stroke-width:2}\
.curve .grade{fill:#b91c1c;font:700 18px system-ui,sans-serif;text-anchor:middle}\
.curve .inaccuracy{fill:#b45309}\
.curve .touch{fill:none;pointer-events:all}";

impl Curve<'_> {
    /// Returns the value at the upper edge of the drawing.
    fn most(&self) -> f32 {
        let values = self.values.iter().flatten();
        values.fold(1.0_f32, |most, value| most.max(value.balance().abs()))
    }

    /// Returns the legend: which side is above, and the scale.
    #[must_use]
    pub fn help(&self, messages: Messages, game: &AnyGame) -> String {
        let side = |player| messages::side(messages, game.pieces(), player, Marks::default());
        // A graph without points has no scale.
        let scaled = self.values.iter().any(Option::is_some);
        let key = match game.properties().score_unit {
            ScoreUnit::Discs if scaled => "review-curve-help-discs",
            _ => "review-curve-help",
        };
        messages.with(
            key,
            [
                ("first", side(Player::First).into()),
                ("second", side(Player::Second).into()),
                ("most", format!("{:.0}", self.most()).into()),
            ],
        )
    }

    /// Draws the graph for a page with its own stylesheet. Every point links to its position, and
    /// graded moves have their sign. It is hidden from screen readers, because the table has the same numbers.
    #[must_use]
    pub fn draw(&self, at: impl Fn(usize) -> String) -> String {
        let (points, dots) = self.points(|ply, sign, stripe| {
            let link = escape_xml(&at(ply));
            format!(r#"<a href="{link}" tabindex="-1">{sign}{stripe}</a>"#)
        });
        format!(
            r#"<svg class="curve" viewBox="-10 -10 {} {}" aria-hidden="true">{}<polyline points="{points}"/>{dots}</svg>"#,
            WIDTH + 20.0,
            HEIGHT + 20.0,
            self.frame(),
        )
    }

    /// Draws the graph as a standalone file.
    #[must_use]
    pub fn svg(&self, title: &str) -> String {
        let (points, dots) = self.points(|_, sign, _| sign.to_owned());
        let (width, height) = (WIDTH + 20.0, HEIGHT + 20.0);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"curve\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"-10 -10 {width} {height}\" role=\"img\">\n\
             <title>{}</title>\n<style>{STYLE}</style>\n\
             <rect x=\"-10\" y=\"-10\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
             {}<polyline points=\"{points}\"/>{dots}\n</svg>\n",
            escape_xml(title),
            self.frame(),
        )
    }

    /// Returns the stylesheet of a standalone page.
    pub(super) const fn style() -> &'static str {
        STYLE
    }

    /// Draws the middle line and the current position.
    fn frame(&self) -> String {
        let middle = HEIGHT / 2.0;
        let mut frame =
            format!(r#"<line class="middle" x1="0" y1="{middle}" x2="{WIDTH}" y2="{middle}"/>"#);
        if let Some(ply) = self.ply {
            let here = ply as f32 * self.step();
            let _ = write!(
                frame,
                r#"<line class="here" x1="{here:.1}" y1="-10" x2="{here:.1}" y2="{}"/>"#,
                HEIGHT + 10.0
            );
        }
        frame
    }

    fn step(&self) -> f32 {
        WIDTH / (self.positions.max(2) - 1) as f32
    }

    /// Returns the points of the line, and a mark for each with a full-height stripe as a larger touch
    /// target.
    fn points(&self, sign: impl Fn(usize, &str, &str) -> String) -> (String, String) {
        let (most, step) = (self.most(), self.step());
        let (mut points, mut dots) = (String::new(), String::new());
        for (ply, value) in self.values.iter().enumerate() {
            let Some(value) = value else { continue };
            let x = ply as f32 * step;
            let y = HEIGHT / 2.0 * (1.0 - value.balance() / most);
            let _ = write!(points, "{x:.1},{y:.1} ");
            let before = ply.checked_sub(1);
            let grade = before.and_then(|index| self.grades.get(index).copied().flatten());
            let mut dot = format!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="4"/>"#);
            if let Some(grade) = grade {
                // Beside the point, on the side where the graph has room.
                let y = if y < 24.0 { y + 22.0 } else { y - 9.0 };
                let _ = write!(
                    dot,
                    r#"<text class="grade {}" x="{x:.1}" y="{y:.1}">{}</text>"#,
                    grade.name(),
                    grade.sign()
                );
            }
            let stripe = format!(
                r#"<rect class="touch" x="{:.1}" y="-10" width="{step:.1}" height="{}"/>"#,
                x - step / 2.0,
                HEIGHT + 20.0
            );
            dots.push_str(&sign(ply, &dot, &stripe));
        }
        (points, dots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_scores_have_no_point_and_graded_moves_their_sign() {
        let values = [Some(Score::result(0)), None, Some(Score::result(-1))];
        let curve = Curve {
            values: &values,
            positions: 3,
            ply: None,
            grades: vec![None, Some(Grade::Blunder)],
        };
        let svg = curve.svg("a <game>");
        assert!(svg.contains(r#"points="0.0,100.0 640.0,200.0 ""#), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 2);
        assert_eq!(svg.matches(">??</text>").count(), 1);
        assert_eq!(svg.matches("class=\"grade blunder\"").count(), 1);
        assert!(svg.contains("<title>a &lt;game&gt;</title>"));
        assert!(
            curve
                .draw(|ply| format!("/?a&ply={ply}"))
                .contains("/?a&amp;ply=2")
        );
    }
}
