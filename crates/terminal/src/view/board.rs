//! Renders the board: grid, labels, pieces and the marks on the cells.

use std::collections::HashMap;

use ratatui::buffer::Buffer;

use papan_rules::{Move, Pieces, column_name};
use papan_strategies::Candidate;
use papan_view::text_board;
use papan_view::threats::{self, ThreatKind};
use papan_view::{BoardView, ForcedWin, explain, score};

use super::cell::CellPainter;
use crate::analysis::Quality;
use crate::game::{Annotation, Game};
use crate::layout::Geometry;
use crate::state::State;
use crate::theme::Theme;

/// Marks drawn over the plain board.
pub(super) struct Overlay {
    /// The cell under the cursor.
    pub(super) cursor: Option<usize>,
    /// Cells that share a winning line with the cursor.
    pub(super) through: Vec<bool>,
    /// The number on a cell, and how good its move is.
    pub(super) annotations: HashMap<usize, (String, Quality)>,
    /// The cell of a hint.
    pub(super) hint: Option<usize>,
    /// Cells on which a threat is carried out, and whether it is a four.
    pub(super) threats: HashMap<usize, bool>,
}

/// Draws the board of a game.
pub(super) fn render(state: &State, game: &Game, geometry: &Geometry, buffer: &mut Buffer) {
    // An analysis says nothing about the position that is being set up.
    let judged = game.setup.is_none();
    let overlay = Overlay {
        cursor: Some(game.cursor),
        through: through(game),
        annotations: if judged {
            annotations(state, game)
        } else {
            HashMap::new()
        },
        hint: hint(game).filter(|_| judged),
        threats: if judged {
            threats(game)
        } else {
            HashMap::new()
        },
    };
    paint(state, &game.board(), geometry, &overlay, buffer);
}

/// Draws a board without marks.
pub(super) fn preview(state: &State, view: &BoardView, geometry: &Geometry, buffer: &mut Buffer) {
    let overlay = Overlay {
        cursor: None,
        through: Vec::new(),
        annotations: HashMap::new(),
        hint: None,
        threats: HashMap::new(),
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
        if geometry.labels.1 > 0 {
            labels(state.theme(), view.pieces, geometry, slice, buffer);
        }
        if geometry.scale.lined {
            lines(state, view.pieces, geometry, slice, buffer);
        }
    }
    let painter = CellPainter {
        style: text_board::Style {
            ascii: state.ascii(),
            colour: false,
            marks: state.settings.marks,
        },
        theme: state.theme(),
        view,
        labelled: geometry.labels.1 > 0,
        width: usize::from(geometry.scale.width),
        height: geometry.scale.height,
        lined: geometry.scale.lined,
    };
    for (cell, content) in view.cells.iter().enumerate() {
        painter.cell(cell, content, geometry, overlay, buffer);
    }
}

/// Returns the cells on a winning line with the cursor, on boards of more than two dimensions; on
/// flat boards they are obvious.
fn through(game: &Game) -> Vec<bool> {
    let mut cells = vec![false; game.rules.cells()];
    if game.rules.shape().sides().len() > 2 {
        for line in game.rules.winning_lines_through(game.cursor) {
            for cell in line {
                cells[cell] = cell != game.cursor;
            }
        }
    }
    cells
}

/// Returns the cells on which threats are carried out, where a position is analysed.
fn threats(game: &Game) -> HashMap<usize, bool> {
    if game.annotation != Annotation::Scores && !game.analysing {
        return HashMap::new();
    }
    let mut cells = HashMap::new();
    for threat in threats::of(game.line()) {
        let is_four = threat.kind == ThreatKind::Four;
        for gap in threat.gaps {
            *cells.entry(gap).or_insert(is_four) |= is_four;
        }
    }
    cells
}

fn hint(game: &Game) -> Option<usize> {
    let node = game.tree.current();
    let wanted = game.hint == Some(node) || game.review.is_some();
    let analysis = game.tree.node(node).analysis.as_ref();
    analysis.filter(|_| wanted)?.insight.best?.cell()
}

fn annotations(state: &State, game: &Game) -> HashMap<usize, (String, Quality)> {
    let node = game.tree.current();
    let mut annotations = HashMap::new();
    let mut put = |mv: Move, text: String, quality: Quality| {
        if let Some(cell) = mv.cell() {
            annotations.insert(cell, (text, quality));
        }
    };
    let chosen = |is_chosen: bool| {
        if is_chosen {
            Quality::Best
        } else {
            Quality::Good
        }
    };
    match game.annotation {
        Annotation::None => {}
        Annotation::Reasons => {
            if let Some(reasons) = game.reasons.as_ref().filter(|r| r.node == node) {
                let decision = &reasons.decision;
                // The moves of a forced win, or else the number of each move.
                if let Some(win) = ForcedWin::of(game.line(), decision) {
                    for (at, cell) in win.cells().enumerate() {
                        put(Move::on(cell), (at + 1).to_string(), chosen(at == 0));
                    }
                    return annotations;
                }
                for candidate in &decision.candidates {
                    let text = short_reason(state, candidate);
                    put(candidate.mv, text, chosen(candidate.mv == decision.best));
                }
            }
        }
        Annotation::Scores => {
            if let Some(analysis) = &game.tree.node(node).analysis {
                for (mv, score) in analysis.scores() {
                    let quality = analysis.quality(mv, score);
                    put(mv, score::short(score, state.ascii()), quality);
                }
            }
        }
    }
    annotations
}

/// Returns a strategy's numbers for a move, in one line.
fn short_reason(state: &State, candidate: &Candidate) -> String {
    let reasons = explain::short(candidate, state.messages(), state.ascii());
    let values: Vec<String> = reasons.into_iter().map(|reason| reason.value).collect();
    values.join("/")
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
        .messages()
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

/// Draws column letters above and row numbers beside the board.
fn labels(theme: Theme, pieces: Pieces, geometry: &Geometry, slice: usize, buffer: &mut Buffer) {
    let first = slice * geometry.rows * geometry.columns;
    let (x, y) = geometry.cells_at(slice);
    // Letters without a gap would read as one name.
    let wide = column_name(geometry.columns - 1).len() as u16 + 1;
    let every = wide.div_ceil(geometry.scale.width + u16::from(geometry.scale.lined));
    for column in (0..geometry.columns).step_by(usize::from(every)) {
        let cell = geometry.cell(first + column);
        let middle = cell.x + (cell.width - 1) / 2;
        buffer.set_string(middle, y - 1, column_name(column), theme.dim());
    }
    let room = usize::from(geometry.labels.0) - 1;
    for row in 0..geometry.rows {
        let cell = geometry.cell(first + row * geometry.columns);
        let text = format!("{:>room$}", pieces.row_label(row, geometry.rows));
        let left = x - geometry.labels.0;
        buffer.set_string(left, cell.y + cell.height / 2, text, theme.dim());
    }
}

fn lines(state: &State, pieces: Pieces, geometry: &Geometry, slice: usize, buffer: &mut Buffer) {
    let (x, y) = geometry.cells_at(slice);
    let (wide, high) = (geometry.scale.width + 1, geometry.scale.height + 1);
    let (last_row, last_column) = (geometry.rows as u16 * high, geometry.columns as u16 * wide);
    let style = state.theme().frame(pieces);
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
