//! Drawings of trees, graphs and decisions: a display list that is written as SVG, PNG or TikZ.

mod png;
mod small_board;
mod svg;
mod tikz;

use papan_rules::{Pieces, Player};

use crate::Marks;

pub(crate) use png::rasterise;
pub(crate) use small_board::SmallBoard;
pub use svg::{STYLE, escape_xml};

/// A drawing with a title.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    title: String,
    shapes: Vec<Shape>,
    width: f64,
    height: f64,
}

/// A point, in units from the upper left corner.
type Point = (f64, f64);

/// A shape. Classes name its style.
#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Rect {
        at: Point,
        size: Point,
        class: String,
    },
    Line {
        from: Point,
        to: Point,
        class: String,
    },
    /// A curve with horizontal ends.
    Curve {
        from: Point,
        to: Point,
        class: String,
    },
    Circle {
        centre: Point,
        radius: f64,
        class: String,
    },
    Text {
        at: Point,
        size: f64,
        class: String,
        text: String,
        anchor: Anchor,
    },
    /// The shapes up to the end are a link.
    LinkStart {
        address: String,
        label: String,
    },
    LinkEnd,
}

/// The side of a text at which its point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    Start,
    Middle,
}

/// Space around the shapes.
const MARGIN: f64 = 16.0;

impl Drawing {
    /// Creates an empty drawing.
    pub(crate) fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            ..Self::default()
        }
    }

    fn reach(&mut self, x: f64, y: f64) {
        self.width = self.width.max(x);
        self.height = self.height.max(y);
    }

    /// Returns the width and height with the margin.
    fn size(&self) -> Point {
        (self.width + MARGIN, self.height + MARGIN)
    }

    pub(crate) fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, class: &str) {
        self.reach(x + width, y + height);
        self.shapes.push(Shape::Rect {
            at: (x, y),
            size: (width, height),
            class: class.to_owned(),
        });
    }

    pub(crate) fn line(&mut self, from: Point, to: Point, class: &str) {
        self.reach(from.0.max(to.0), from.1.max(to.1));
        let class = class.to_owned();
        self.shapes.push(Shape::Line { from, to, class });
    }

    /// Draws a curve with horizontal ends.
    pub(crate) fn curve(&mut self, from: Point, to: Point, class: &str) {
        self.reach(from.0.max(to.0), from.1.max(to.1));
        let class = class.to_owned();
        self.shapes.push(Shape::Curve { from, to, class });
    }

    pub(crate) fn circle(&mut self, centre: Point, radius: f64, class: &str) {
        self.reach(centre.0 + radius, centre.1 + radius);
        self.shapes.push(Shape::Circle {
            centre,
            radius,
            class: class.to_owned(),
        });
    }

    /// Draws text centred at `x` on the baseline `y`.
    pub(crate) fn text(&mut self, x: f64, y: f64, size: f64, class: &str, text: &str) {
        self.reach(x + text_width(text, size) / 2.0, y);
        self.label((x, y), size, class, text, Anchor::Middle);
    }

    /// Draws text that starts at `x`.
    pub(crate) fn text_from(&mut self, x: f64, y: f64, size: f64, class: &str, text: &str) {
        self.reach(x + text_width(text, size), y);
        self.label((x, y), size, class, text, Anchor::Start);
    }

    fn label(&mut self, at: Point, size: f64, class: &str, text: &str, anchor: Anchor) {
        self.shapes.push(Shape::Text {
            at,
            size,
            class: class.to_owned(),
            text: text.to_owned(),
            anchor,
        });
    }

    /// Begins a link, for pages; the label is read by screen readers.
    pub(crate) fn begin_link(&mut self, address: String, label: String) {
        self.shapes.push(Shape::LinkStart { address, label });
    }

    pub(crate) fn end_link(&mut self) {
        self.shapes.push(Shape::LinkEnd);
    }

    /// Draws a piece inside a square.
    pub(crate) fn piece(&mut self, (x, y): Point, side: f64, piece: Piece) {
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

    /// Adds the shapes of another drawing, moved by an offset.
    pub(crate) fn add(&mut self, other: &Self, (dx, dy): Point) {
        let moved = |(x, y): Point| (x + dx, y + dy);
        for shape in &other.shapes {
            let mut shape = shape.clone();
            match &mut shape {
                Shape::Rect { at, .. } | Shape::Text { at, .. } => *at = moved(*at),
                Shape::Line { from, to, .. } | Shape::Curve { from, to, .. } => {
                    (*from, *to) = (moved(*from), moved(*to));
                }
                Shape::Circle { centre, .. } => *centre = moved(*centre),
                Shape::LinkStart { .. } | Shape::LinkEnd => {}
            }
            self.shapes.push(shape);
        }
        self.reach(other.width + dx, other.height + dy);
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
