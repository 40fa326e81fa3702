//! A board as an accessible HTML grid: every cell is a button or a link with a label (ARIA
//! grid pattern) and an SVG picture from `papan-view`.

use papan_rules::Pieces;
use papan_view::svg_board::{self, DrawOptions};
use papan_view::{BoardView, CellView, Messages, messages};
use serde::Serialize;

/// What activating a cell does.
pub enum CellAction {
    /// Submits the cell's name in this form field.
    Submit(&'static str),
    /// Opens a URL.
    Link(String),
    /// Nothing.
    None,
}

/// A cell.
pub struct Cell {
    pub(crate) name: String,
    /// Label for screen readers.
    pub(crate) label: String,
    pub(crate) picture: String,
    pub(crate) action: CellAction,
}

impl Cell {
    pub(crate) fn link(&self) -> Option<&str> {
        match &self.action {
            CellAction::Link(link) => Some(link),
            _ => None,
        }
    }

    pub(crate) fn field(&self) -> Option<&'static str> {
        match self.action {
            CellAction::Submit(field) => Some(field),
            _ => None,
        }
    }
}

/// A two-dimensional slice of a board.
pub struct Slice {
    pub(crate) title: Option<String>,
    pub(crate) cells: Vec<Cell>,
}

/// A board.
pub struct BoardGrid {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    pub(crate) slices: Vec<Slice>,
    /// Label for screen readers.
    pub(crate) name: String,
    /// CSS class of the background: `on-felt`, `on-sheet` or `on-wood`.
    pub(crate) surface: &'static str,
    /// Whether rows and columns are labelled.
    pub(crate) labelled: bool,
    /// Whether cells are known by the names of their squares, not by numbers.
    names_squares: bool,
    pieces: Pieces,
}

impl BoardGrid {
    /// Creates the grid of a board; `action` returns the action of each cell.
    #[must_use]
    pub fn new(
        view: &BoardView,
        options: &DrawOptions,
        words: Messages,
        mut action: impl FnMut(usize, &CellView) -> CellAction,
    ) -> Self {
        let slices = view.slices();
        let rows = slices.first().map_or(0, Vec::len);
        let columns = slices
            .first()
            .and_then(|slice| slice.first())
            .map_or(0, Vec::len);
        let many = slices.len() > 1;
        let slices = (1..)
            .zip(&slices)
            .map(|(level, slice)| Slice {
                title: many.then(|| {
                    let level: usize = level;
                    words.with("slice", [("level", level.to_string().into())])
                }),
                cells: slice
                    .iter()
                    .flatten()
                    .map(|&index| {
                        let cell = &view.cells[index];
                        let CellContent { picture, label } =
                            CellContent::new(view, options, words, index);
                        Cell {
                            name: cell.written.clone(),
                            label,
                            picture,
                            action: action(index, cell),
                        }
                    })
                    .collect(),
            })
            .collect();
        Self {
            columns,
            rows,
            slices,
            name: words.text("web-board"),
            surface: match view.pieces {
                Pieces::Discs => "on-felt",
                Pieces::Marks => "on-sheet",
                Pieces::Stones => "on-wood",
            },
            labelled: !many && view.names_squares,
            names_squares: view.names_squares,
            pieces: view.pieces,
        }
    }

    /// Returns the lines of a slice as an SVG path, in cells: between them, or for stones through their
    /// centres.
    pub(crate) fn lines(&self) -> String {
        let (columns, rows) = (self.columns, self.rows);
        if self.pieces == Pieces::Stones {
            let across = (0..rows).map(|row| format!("M.5 {row}.5H{}.5", columns - 1));
            let down = (0..columns).map(|column| format!("M{column}.5 .5V{}.5", rows - 1));
            return across.chain(down).collect();
        }
        let across = (1..rows).map(|row| format!("M0 {row}H{columns}"));
        let down = (1..columns).map(|column| format!("M{column} 0V{rows}"));
        across.chain(down).collect()
    }

    /// Returns whether cells are known by numbers, which a page shows on request.
    pub(crate) fn has_cell_numbers(&self) -> bool {
        !self.names_squares
    }

    /// Returns whether the page can show numbers of moves or cells.
    pub(crate) fn has_options(&self) -> bool {
        self.pieces == Pieces::Stones || self.has_cell_numbers()
    }

    /// Returns the numbers of the rows, from the top.
    pub(crate) fn numbers(&self) -> Vec<usize> {
        (0..self.rows)
            .map(|row| self.pieces.row_label(row, self.rows))
            .collect()
    }

    pub(crate) fn letters(&self) -> Vec<char> {
        (0..self.columns)
            .map(|c| char::from(b'a' + c as u8))
            .collect()
    }
}

/// The content of a cell, which a script replaces when an engine has scored it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CellContent {
    /// The picture, as SVG.
    pub picture: String,
    /// The label, which says the same.
    pub label: String,
}

impl CellContent {
    pub(crate) fn new(
        view: &BoardView,
        options: &DrawOptions,
        words: Messages,
        index: usize,
    ) -> Self {
        Self {
            picture: svg_board::cell(view, index, options),
            label: label(view, options, words, index),
        }
    }
}

/// Returns the label of a cell: its name, its place, its piece, and what happened there.
fn label(view: &BoardView, options: &DrawOptions, words: Messages, index: usize) -> String {
    let cell = &view.cells[index];
    let [rows, columns] = match view.sides[..] {
        [.., rows, columns] => [rows, columns],
        _ => [1, view.cells.len()],
    };
    let [row, column] = [index / columns % rows, index % columns];
    let content = match cell.piece {
        Some(player) => messages::side(words, view.pieces, player, view.marks),
        None => words.text("web-cell-empty"),
    };
    let mut text = if view.names_squares {
        // `f5` names row and column; a number does not.
        format!("{}, {content}", cell.name)
    } else {
        words.with(
            "web-cell",
            [
                ("name", cell.name.clone().into()),
                ("row", (row + 1).to_string().into()),
                ("column", (column + 1).to_string().into()),
                ("content", content.into()),
            ],
        )
    };
    let overlay = options.overlays.get(index).and_then(Option::as_ref);
    let notes = [
        (
            cell.legal && view.pieces == Pieces::Discs && options.legal,
            "web-cell-legal",
        ),
        (cell.last, "web-cell-last"),
        (cell.flipped, "web-cell-flipped"),
        (cell.winning, "web-cell-winning"),
        (
            overlay.is_some_and(|overlay| overlay.chosen),
            "web-cell-chosen",
        ),
    ];
    for (_, key) in notes.iter().filter(|(applies, _)| *applies) {
        text.push_str(", ");
        text.push_str(&words.text(key));
    }
    for line in overlay.map_or(&[][..], |overlay| &overlay.lines) {
        text.push_str(", ");
        text.push_str(line);
    }
    text
}
