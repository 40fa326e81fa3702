//! The board: lines, pieces, and everything that is marked on the cells.

use std::collections::HashMap;

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use papan_rules::{Move, Pieces, Player};
use papan_strategies::{Candidate, Value};
use papan_view::text_board;
use papan_view::{BoardView, CellView};

use super::geometry::Geometry;
use super::theme::Theme;
use crate::analysis;
use crate::state::State;
use crate::table::{Numbers, Table};

/// What is drawn over the plain board.
struct Overlay {
    /// The cell under the cursor.
    cursor: Option<usize>,
    /// Cells that share a winning line with the cursor.
    through: Vec<bool>,
    /// A number for a cell, and whether it is the best.
    numbers: HashMap<usize, (String, bool)>,
    /// The cell of a hint.
    hint: Option<usize>,
}

/// Draws the board of a table.
pub(super) fn render(state: &State, table: &Table, geometry: &Geometry, buffer: &mut Buffer) {
    let overlay = Overlay {
        cursor: Some(table.cursor),
        through: through(table),
        numbers: numbers(state, table),
        hint: hint(table),
    };
    paint(state, &table.board(), geometry, &overlay, buffer);
}

/// Draws a board without anything marked on it.
pub(super) fn preview(state: &State, view: &BoardView, geometry: &Geometry, buffer: &mut Buffer) {
    let overlay = Overlay {
        cursor: None,
        through: Vec::new(),
        numbers: HashMap::new(),
        hint: None,
    };
    paint(state, view, geometry, &overlay, buffer);
}

fn paint(
    state: &State,
    view: &BoardView,
    geometry: &Geometry,
    overlay: &Overlay,
    buffer: &mut Buffer,
) {
    for slice in 0..geometry.slices {
        if geometry.slices > 1 {
            slice_title(state, view, geometry, slice, buffer);
        }
        if geometry.labelled {
            labels(state.theme(), geometry, slice, buffer);
        }
        if geometry.scale.lined {
            lines(state, geometry, slice, buffer);
        }
    }
    let painter = Painter {
        style: text_board::Style {
            ascii: state.ascii(),
            colour: false,
            marks: state.settings.marks,
        },
        theme: state.theme(),
        pieces: view.pieces,
        width: usize::from(geometry.scale.width),
        height: geometry.scale.height,
        lined: geometry.scale.lined,
    };
    for (cell, content) in view.cells.iter().enumerate() {
        painter.cell(cell, content, geometry, overlay, buffer);
    }
}

/// The cells that share a winning line with the cursor, on boards of slices: on a
/// flat board everybody sees them.
fn through(table: &Table) -> Vec<bool> {
    let mut cells = vec![false; table.game.cells()];
    if table.game.shape().sides().len() > 2 {
        for line in table.game.winning_lines_through(table.cursor) {
            for cell in line {
                cells[cell] = cell != table.cursor;
            }
        }
    }
    cells
}

fn hint(table: &Table) -> Option<usize> {
    let node = table.tree.current();
    let wanted = table.hint == Some(node) || table.review.is_some();
    let analysis = table.tree.node(node).analysis.as_ref();
    analysis.filter(|_| wanted)?.best.cell()
}

fn numbers(state: &State, table: &Table) -> HashMap<usize, (String, bool)> {
    let node = table.tree.current();
    let mut numbers = HashMap::new();
    let mut put = |mv: Move, text: String, best: bool| {
        if let Some(cell) = mv.cell() {
            numbers.insert(cell, (text, best));
        }
    };
    match table.numbers {
        Numbers::None => {}
        Numbers::Reasons => {
            if let Some(reasons) = table.reasons.as_ref().filter(|r| r.node == node) {
                for candidate in &reasons.decision.candidates {
                    let text = short_reason(candidate, state.ascii());
                    put(candidate.mv, text, candidate.mv == reasons.decision.best);
                }
            }
        }
        Numbers::Scores => {
            if let Some(analysis) = &table.tree.node(node).analysis {
                let best = analysis.best_score().map(analysis::number);
                for &(mv, score) in &analysis.scores {
                    let is_best = Some(analysis::number(score)) == best;
                    put(mv, analysis::short(score), is_best);
                }
            }
        }
    }
    numbers
}

/// The numbers by which a strategy compares moves, as short as they go.
fn short_reason(candidate: &Candidate, ascii: bool) -> String {
    let deciding = candidate.terms.iter().filter(|term| term.decides);
    let values: Vec<String> = deciding.map(|term| value(&term.value, ascii)).collect();
    match (values.is_empty(), candidate.score) {
        (true, Some(score)) => analysis::short(score),
        _ => values.join("/"),
    }
}

/// A term's value as text.
pub(super) fn value(value: &Value, ascii: bool) -> String {
    let infinity = if ascii { "inf" } else { "\u{221e}" };
    match value {
        Value::Number(number) => number.to_string(),
        Value::Infinite { times, plus } => {
            let times = if *times == 1 {
                String::new()
            } else {
                times.to_string()
            };
            match plus {
                0 => format!("{times}{infinity}"),
                plus => format!("{times}{infinity}{plus:+}"),
            }
        }
        Value::Real(real) => format!("{real:.2}"),
        Value::Rule(rule) => (*rule).to_owned(),
        Value::Text(text) => text.clone(),
    }
}

fn slice_title(
    state: &State,
    view: &BoardView,
    geometry: &Geometry,
    slice: usize,
    buffer: &mut Buffer,
) {
    let level = match view.sides.as_slice() {
        [_, third, _, _] => format!("{}.{}", slice / third + 1, slice % third + 1),
        _ => (slice + 1).to_string(),
    };
    let text = state
        .words()
        .with("slice", [("level", level.clone().into())]);
    let (x, y) = geometry.slice_at(slice);
    let room = geometry.cell(geometry.columns - 1).right() - geometry.cell(0).x + 1;
    let text = if text.chars().count() > usize::from(room) {
        level
    } else {
        text
    };
    buffer.set_stringn(x, y, text, usize::from(room), state.theme().dim());
}

/// Letters above and numbers beside a board whose squares are named so.
fn labels(theme: Theme, geometry: &Geometry, slice: usize, buffer: &mut Buffer) {
    let first = slice * geometry.rows * geometry.columns;
    let (x, y) = geometry.cells_at(slice);
    for column in 0..geometry.columns {
        let cell = geometry.cell(first + column);
        let letter = char::from(b'a' + column as u8).to_string();
        buffer.set_string(cell.x + cell.width / 2, y - 1, letter, theme.dim());
    }
    for row in 0..geometry.rows {
        let cell = geometry.cell(first + row * geometry.columns);
        let text = format!("{:>2}", row + 1);
        buffer.set_string(x - 3, cell.y + cell.height / 2, text, theme.dim());
    }
}

fn lines(state: &State, geometry: &Geometry, slice: usize, buffer: &mut Buffer) {
    let (x, y) = geometry.cells_at(slice);
    let (wide, high) = (geometry.scale.width + 1, geometry.scale.height + 1);
    let (last_row, last_column) = (geometry.rows as u16 * high, geometry.columns as u16 * wide);
    let style = state.theme().frame();
    for row in 0..=last_row {
        for column in 0..=last_column {
            let (across, down) = (row.is_multiple_of(high), column.is_multiple_of(wide));
            let symbol = match (across, down, state.ascii()) {
                (false, false, _) => continue,
                (true, true, true) => "+",
                (true, false, true) => "-",
                (false, true, true) => "|",
                (true, false, false) => "─",
                (false, true, false) => "│",
                (true, true, false) => {
                    let edge = |at: u16, last: u16| usize::from(at > 0) + usize::from(at == last);
                    const CORNERS: [[&str; 3]; 3] =
                        [["┌", "┬", "┐"], ["├", "┼", "┤"], ["└", "┴", "┘"]];
                    CORNERS[edge(row, last_row)][edge(column, last_column)]
                }
            };
            buffer.set_string(x + column, y + row, symbol, style);
        }
    }
}

/// Draws cells of one size.
struct Painter {
    style: text_board::Style,
    theme: Theme,
    pieces: Pieces,
    width: usize,
    height: u16,
    lined: bool,
}

impl Painter {
    fn cell(
        &self,
        number: usize,
        cell: &CellView,
        geometry: &Geometry,
        overlay: &Overlay,
        buffer: &mut Buffer,
    ) {
        let area = geometry.cell(number);
        let middle = area.y + self.height / 2;
        let here = overlay.cursor == Some(number);
        let through = overlay.through.get(number).copied().unwrap_or(false);
        let (text, style) = match cell.piece {
            Some(player) => {
                let style = match cell.winning {
                    true => self.theme.winning(),
                    false => self.theme.piece(player),
                };
                (self.style.piece(self.pieces, player).to_string(), style)
            }
            None => self.free(number, cell, through, overlay),
        };
        let line = self.line(&text, self.around(cell, through), here);
        let base = if here {
            self.theme.cursor()
        } else {
            Style::new()
        };
        for row in area.top()..area.bottom() {
            buffer.set_string(area.x, row, " ".repeat(self.width), base);
        }
        let style = style.patch(base);
        if let Some(player) = cell.piece
            && self.height >= 3
            && self.width >= 7
        {
            let left = area.x + (self.width as u16 - 3) / 2;
            for (index, art) in self.art(player).into_iter().enumerate() {
                buffer.set_string(left, middle - 1 + index as u16, art, style);
            }
            let (start, end) = self.ends(cell, through, here);
            buffer.set_string(area.x, middle, start, style);
            let right = area.right() - end.chars().count() as u16;
            buffer.set_string(right, middle, end, style);
            return;
        }
        buffer.set_stringn(area.x, middle, line, self.width, style);
    }

    /// What stands around a piece: it won, it was played last, it was turned.
    fn around(&self, cell: &CellView, through: bool) -> (&'static str, &'static str) {
        match (cell.winning, cell.last, cell.flipped) {
            (true, ..) => ("*", "*"),
            (_, true, _) => ("[", "]"),
            (_, _, true) => (" ", "'"),
            _ if through && (cell.piece.is_some() || self.width >= 5) => ("-", "-"),
            _ => (" ", " "),
        }
    }

    fn brackets(&self, here: bool) -> (&'static str, &'static str) {
        match (here, self.style.ascii) {
            (false, _) => (" ", " "),
            (true, true) => ("<", ">"),
            (true, false) => ("‹", "›"),
        }
    }

    fn ends(&self, cell: &CellView, through: bool, here: bool) -> (String, String) {
        let (left, right) = self.around(cell, through);
        let (open, close) = self.brackets(here);
        (format!("{open}{left}"), format!("{right}{close}"))
    }

    /// One line as wide as the cell.
    fn line(&self, text: &str, (left, right): (&str, &str), here: bool) -> String {
        let (open, close) = self.brackets(here);
        let text: String = text.chars().take(self.width).collect();
        let long = text.chars().count();
        match self.width {
            0..3 => {
                let after = if here { close } else { right };
                match long {
                    1 => format!("{text}{after}"),
                    _ => text,
                }
            }
            3 | 4 if long + 2 > self.width => format!("{text:^0$}", self.width),
            3 | 4 => {
                let (left, right) = if here { (open, close) } else { (left, right) };
                format!("{left}{text:^0$}{right}", self.width - 2)
            }
            wide if long + 4 > wide => format!("{text:^wide$}"),
            wide => {
                let inner = format!("{left}{text}{right}");
                format!("{open}{inner:^0$}{close}", wide - 2)
            }
        }
    }

    /// A free cell: a hint, a number on it, its name, or whether it is legal.
    fn free(
        &self,
        number: usize,
        cell: &CellView,
        through: bool,
        overlay: &Overlay,
    ) -> (String, Style) {
        if let Some((text, best)) = overlay.numbers.get(&number) {
            // The best is marked by a character too, where there is room.
            let room = text.chars().count() < self.width;
            let text = if *best && room {
                format!("{text}!")
            } else {
                text.clone()
            };
            let style = if *best {
                self.theme.best()
            } else {
                self.theme.numbers()
            };
            return (text, style);
        }
        if overlay.hint == Some(number) {
            return ("!".into(), self.theme.best());
        }
        let dot = if self.style.ascii { "." } else { "·" };
        match (self.pieces, cell.legal) {
            _ if through && self.width < 5 => ("+".into(), self.theme.through()),
            (_, false) if !self.lined => (dot.into(), self.theme.dim()),
            (_, false) => (String::new(), self.theme.dim()),
            (Pieces::Discs, true) => {
                let mark = if self.style.ascii { "*" } else { "•" };
                (mark.into(), self.theme.legal())
            }
            (Pieces::Marks, true) => {
                let style = if through {
                    self.theme.through()
                } else {
                    self.theme.dim()
                };
                // Numbers that touch each other would read as one.
                let room = self.width - usize::from(!self.lined);
                match cell.name.chars().count() <= room {
                    true => (cell.name.clone(), style),
                    false => (dot.into(), style),
                }
            }
        }
    }

    /// A piece three rows high.
    fn art(&self, player: Player) -> [&'static str; 3] {
        let piece = self.style.piece(self.pieces, player);
        match (piece, self.style.ascii) {
            ('X', true) => ["\\ /", " X ", "/ \\"],
            ('X', false) => ["╲ ╱", " ╳ ", "╱ ╲"],
            ('O', true) => [".-.", "| |", "'-'"],
            ('O', false) => ["╭─╮", "│ │", "╰─╯"],
            ('B', _) => [".-.", "|B|", "'-'"],
            ('W', _) => [".-.", "|W|", "'-'"],
            ('●', _) => ["▗▄▖", "▐█▌", "▝▀▘"],
            _ => ["╭─╮", "│○│", "╰─╯"],
        }
    }
}
