//! A board on a page: a grid of cells, each a real button or link with a name to
//! be spoken and a picture from `papan-view`.

use papan_rules::Pieces;
use papan_view::svg_board::{self, DrawOptions};
use papan_view::{BoardView, CellView, Marks, Messages, messages};

/// What touching a cell does.
pub(crate) enum Touch {
    /// Sends the cell's name in a field.
    Send(&'static str),
    /// Leads to another page.
    Go(String),
    /// Nothing.
    Nothing,
}

/// One cell on a page.
pub(crate) struct Cell {
    pub(crate) name: String,
    pub(crate) spoken: String,
    pub(crate) picture: String,
    pub(crate) touch: Touch,
}

impl Cell {
    pub(crate) fn link(&self) -> Option<&str> {
        match &self.touch {
            Touch::Go(link) => Some(link),
            _ => None,
        }
    }

    pub(crate) fn field(&self) -> Option<&'static str> {
        match self.touch {
            Touch::Send(field) => Some(field),
            _ => None,
        }
    }
}

/// A flat part of a board.
pub(crate) struct Slice {
    pub(crate) title: Option<String>,
    pub(crate) cells: Vec<Cell>,
}

/// A board on a page.
pub(crate) struct BoardGrid {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    pub(crate) slices: Vec<Slice>,
    /// What it is called.
    pub(crate) name: String,
    /// What lies between its cells: `felt` or `sheet`.
    pub(crate) surface: &'static str,
    /// Letters above and numbers beside a flat board.
    pub(crate) labelled: bool,
}

impl BoardGrid {
    /// A board whose cells do what `touch` says.
    pub(crate) fn new(
        view: &BoardView,
        look: &DrawOptions,
        words: Messages,
        mut touch: impl FnMut(usize, &CellView) -> Touch,
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
                    .enumerate()
                    .flat_map(|(row, cells)| {
                        cells
                            .iter()
                            .enumerate()
                            .map(move |(column, &index)| (row, column, index))
                    })
                    .map(|(row, column, index)| {
                        let cell = &view.cells[index];
                        Cell {
                            name: cell.written.clone(),
                            spoken: spoken(view, look, cell, row, column, index, words),
                            picture: svg_board::cell(view, index, look),
                            touch: touch(index, cell),
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
            },
            labelled: !many && view.names_squares,
        }
    }

    pub(crate) fn letters(&self) -> Vec<char> {
        (0..self.columns)
            .map(|c| char::from(b'a' + c as u8))
            .collect()
    }
}

/// What a screen reader says of a cell: its name, its place, what is on it, what
/// happened there.
fn spoken(
    view: &BoardView,
    look: &DrawOptions,
    cell: &CellView,
    row: usize,
    column: usize,
    index: usize,
    words: Messages,
) -> String {
    let content = match cell.piece {
        Some(player) => messages::side(words, view.pieces, player, Marks::default()),
        None => words.text("web-cell-empty"),
    };
    let mut text = match view.names_squares {
        // `f5` says where it is; a number does not.
        true => format!("{}, {content}", cell.name),
        false => words.with(
            "web-cell",
            [
                ("name", cell.name.clone().into()),
                ("row", (row + 1).to_string().into()),
                ("column", (column + 1).to_string().into()),
                ("content", content.into()),
            ],
        ),
    };
    let overlay = look.overlays.get(index).and_then(Option::as_ref);
    let told = [
        (
            cell.legal && !view.properties.fills_up && look.legal,
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
    for (_, key) in told.iter().filter(|(holds, _)| *holds) {
        text.push_str(", ");
        text.push_str(&words.text(key));
    }
    for line in overlay.map_or(&[][..], |overlay| &overlay.lines) {
        text.push_str(", ");
        text.push_str(line);
    }
    text
}
