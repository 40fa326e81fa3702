//! A small SVG 1.1 writer, and small boards for trees and graphs.
//!
//! Reference: <https://www.w3.org/TR/SVG11/>

use std::fmt::Write as _;

use papan_rules::{Pieces, Player};

use crate::Marks;

/// An SVG document under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Svg {
    body: String,
    width: f64,
    height: f64,
}

/// The stylesheet of the drawings: a sequence of rules with one simple selector each. A page that
/// embeds drawings may include it once.
pub const STYLE: &str = "\
text{font-family:'DejaVu Sans',Verdana,sans-serif;fill:#1b1f24;paint-order:stroke;stroke:#fff;stroke-width:2.5px;stroke-linejoin:round}\
.cell{fill:#fff;stroke:#8a94a0;stroke-width:1}\
.chosen{fill:#fff3c4}\
.won{fill:#d9f2df}\
.pruned{fill:#f0f0f0}\
.first{stroke:#1f5fbf;stroke-width:2;fill:none}\
.second{stroke:#c0392b;stroke-width:2;fill:none}\
.black{fill:#1b1f24;stroke:#1b1f24}\
.white{fill:#fff;stroke:#1b1f24}\
.edge{stroke:#5b6570;stroke-width:1.2;fill:none}\
.best{stroke:#1b7f3b;stroke-width:3;fill:none}\
.cut{stroke:#b03a2e;stroke-width:1.2;stroke-dasharray:4 3;fill:none}\
.frame{fill:none;stroke:#1b1f24;stroke-width:1.5}\
.note{fill:#5b6570}\
.strong{font-weight:bold}";

/// Escapes text for XML content and attribute values.
#[must_use]
pub fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

/// Formats a coordinate with few digits.
fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    format!("{rounded}")
}

impl Svg {
    fn reach(&mut self, x: f64, y: f64) {
        self.width = self.width.max(x);
        self.height = self.height.max(y);
    }

    pub(crate) fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, class: &str) {
        self.reach(x + width, y + height);
        let (x, y, width, height) = (number(x), number(y), number(width), number(height));
        let _ = writeln!(
            self.body,
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}" rx="2"/>"#
        );
    }

    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        self.reach(from.0.max(to.0), from.1.max(to.1));
        let _ = writeln!(
            self.body,
            r#"<line class="{class}" x1="{}" y1="{}" x2="{}" y2="{}"/>"#,
            number(from.0),
            number(from.1),
            number(to.0),
            number(to.1)
        );
    }

    /// Draws a curve with horizontal ends.
    pub(crate) fn curve(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        self.reach(from.0.max(to.0), from.1.max(to.1));
        let middle = number((from.0 + to.0) / 2.0);
        let _ = writeln!(
            self.body,
            r#"<path class="{class}" d="M{} {} C{middle} {} {middle} {} {} {}"/>"#,
            number(from.0),
            number(from.1),
            number(from.1),
            number(to.1),
            number(to.0),
            number(to.1)
        );
    }

    pub(crate) fn circle(&mut self, centre: (f64, f64), radius: f64, class: &str) {
        self.reach(centre.0 + radius, centre.1 + radius);
        let _ = writeln!(
            self.body,
            r#"<circle class="{class}" cx="{}" cy="{}" r="{}"/>"#,
            number(centre.0),
            number(centre.1),
            number(radius)
        );
    }

    /// Draws text centred at `x` on the baseline `y`.
    pub(crate) fn text(&mut self, x: f64, y: f64, size: f64, class: &str, text: &str) {
        self.label(x, y, size, class, text, "middle");
    }

    /// Draws text that starts at `x`.
    pub(crate) fn text_from(&mut self, x: f64, y: f64, size: f64, class: &str, text: &str) {
        self.reach(x + text_width(text, size), y);
        self.label(x, y, size, class, text, "start");
    }

    fn label(&mut self, x: f64, y: f64, size: f64, class: &str, text: &str, anchor: &str) {
        let _ = writeln!(
            self.body,
            r#"<text class="{class}" x="{}" y="{}" font-size="{}" text-anchor="{anchor}">{}</text>"#,
            number(x),
            number(y),
            number(size),
            escape_xml(text)
        );
    }

    /// Draws a piece inside a square.
    pub(crate) fn piece(&mut self, (x, y): (f64, f64), side: f64, piece: Piece) {
        let (middle, reach) = ((x + side / 2.0, y + side / 2.0), side * 0.3);
        let class = match piece.player {
            Player::First => "first",
            Player::Second => "second",
        };
        match (piece.pieces, piece.marks.letter(piece.player)) {
            (Pieces::Discs | Pieces::Stones, _) => {
                let class = ["black", "white"][piece.player.index()];
                self.circle(middle, side * 0.38, class);
            }
            (Pieces::Marks, 'O') => self.circle(middle, reach, class),
            (Pieces::Marks, _) => {
                let (l, r) = (middle.0 - reach, middle.0 + reach);
                let (t, b) = (middle.1 - reach, middle.1 + reach);
                self.line((l, t), (r, b), class);
                self.line((l, b), (r, t), class);
            }
        }
    }

    /// Returns the document, with a title for screen readers.
    pub(crate) fn finish(self, title: &str) -> String {
        const MARGIN: f64 = 16.0;
        let (width, height) = (self.width + MARGIN, self.height + MARGIN);
        let (width, height) = (number(width), number(height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n\
             <style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{}</svg>\n",
            escape_xml(title),
            self.body
        )
    }
}

/// A piece to draw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) player: Player,
    pub(crate) pieces: Pieces,
    pub(crate) marks: Marks,
}

/// Estimates the width of a text.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.62
}

/// A small board without numbers, for trees and graphs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SmallBoard<'a> {
    /// The sides; the last varies fastest.
    pub(crate) sides: &'a [usize],
    pub(crate) cells: &'a [Option<Player>],
    pub(crate) pieces: Pieces,
    pub(crate) marks: Marks,
    /// The cell of the last move.
    pub(crate) last: Option<usize>,
}

impl SmallBoard<'_> {
    fn columns(&self) -> usize {
        *self.sides.last().unwrap_or(&1)
    }

    fn rows(&self) -> usize {
        match self.sides {
            [.., rows, _] => *rows,
            _ => 1,
        }
    }

    /// Returns the number of two-dimensional slices.
    fn slices(&self) -> usize {
        self.cells.len() / (self.columns() * self.rows()).max(1)
    }

    /// Returns the size of the board with cells of this side.
    pub(crate) fn size(&self, side: f64) -> (f64, f64) {
        let slices = self.slices() as f64;
        let width = self.columns() as f64 * side;
        let gap = side * 0.6;
        (
            slices * width + (slices - 1.0) * gap,
            self.rows() as f64 * side,
        )
    }

    /// Returns the upper left corner of a cell.
    pub(crate) fn corner(&self, at: (f64, f64), side: f64, cell: usize) -> (f64, f64) {
        let (columns, rows) = (self.columns(), self.rows());
        let slice = cell / (columns * rows);
        let (row, column) = (cell / columns % rows, cell % columns);
        let width = columns as f64 * side + side * 0.6;
        (
            at.0 + slice as f64 * width + column as f64 * side,
            at.1 + row as f64 * side,
        )
    }

    pub(crate) fn draw(&self, svg: &mut Svg, at: (f64, f64), side: f64, class: &str) {
        for (cell, piece) in self.cells.iter().enumerate() {
            let (x, y) = self.corner(at, side, cell);
            let chosen = if self.last == Some(cell) {
                " chosen"
            } else {
                ""
            };
            svg.rect(x, y, side, side, &format!("cell{class}{chosen}"));
            if let Some(player) = *piece {
                let piece = Piece {
                    player,
                    pieces: self.pieces,
                    marks: self.marks,
                };
                svg.piece((x, y), side, piece);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_break_out_of_a_picture() {
        let mut svg = Svg::default();
        svg.text(0.0, 0.0, 10.0, "", "<script>&\"");
        let text = svg.finish("a & b");
        assert!(text.contains("&lt;script&gt;&amp;&quot;"));
        assert!(text.contains("<title>a &amp; b</title>"));
        assert!(!text.contains("<script"));
    }

    #[test]
    fn a_cube_is_three_slices_side_by_side() {
        let cells = vec![None; 27];
        let board = SmallBoard {
            sides: &[3, 3, 3],
            cells: &cells,
            pieces: Pieces::Marks,
            marks: Marks::XO,
            last: None,
        };
        assert_eq!(board.size(10.0), (3.0 * 30.0 + 2.0 * 6.0, 30.0));
        assert_eq!(board.corner((0.0, 0.0), 10.0, 13), (46.0, 10.0));
    }
}
