//! Where everything stands on the screen: shared by whoever draws and by the mouse.

use ratatui::layout::Rect;

use papan_catalog::AnyGame;

use crate::state::State;

/// The parts of the board's screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Screen {
    /// The first line.
    pub title: Rect,
    /// Where the board may stand.
    pub board: Rect,
    /// The panel beside it, where there is room for one.
    pub panel: Option<Rect>,
    /// Two lines for sentences; one where the board needs the other.
    pub notice: Rect,
    /// The last line.
    pub footer: Rect,
}

/// The narrowest panel that is of use.
const PANEL: u16 = 28;
/// The narrowest window with a panel: beside it, a board would be too small to read.
const WITH_PANEL: u16 = 60;
/// No window smaller than this shows a board.
const SMALLEST: (u16, u16) = (40, 9);
/// What the lines above and below the board take, but for the sentences.
const AROUND: u16 = 2;
/// How a board is fitted in, the best first: lines for sentences, and whether its
/// rows and columns are named.
const FITS: [(u16, bool); 3] = [(2, true), (1, true), (1, false)];

impl Screen {
    /// The parts of a window of this size.
    fn new((columns, rows): (u16, u16), with_panel: bool, sentences: u16) -> Self {
        let body = rows.saturating_sub(AROUND + sentences);
        let panel = match (with_panel, columns) {
            (false, _) | (true, ..WITH_PANEL) => 0,
            (true, 100..) => columns / 3,
            (true, _) => PANEL,
        };
        let board = columns.saturating_sub(panel);
        Self {
            title: Rect::new(0, 0, columns, rows.min(1)),
            board: Rect::new(0, 1, board, body),
            // One column stays free between them.
            panel: (panel > 0).then(|| Rect::new(board + 1, 1, panel - 1, body)),
            notice: Rect::new(
                0,
                rows.saturating_sub(1 + sentences),
                columns,
                sentences.min(rows),
            ),
            footer: Rect::new(0, rows.saturating_sub(1), columns, 1.min(rows)),
        }
    }
}

/// The screen for a game, and the board's place on it; `None` when the window is
/// too small.
#[must_use]
pub(crate) fn screen(game: &AnyGame, size: (u16, u16)) -> Option<(Screen, Geometry)> {
    if size.0 < SMALLEST.0 || size.1 < SMALLEST.1 {
        return None;
    }
    [true, false].into_iter().find_map(|with_panel| {
        FITS.into_iter().find_map(|(sentences, named)| {
            let screen = Screen::new(size, with_panel, sentences);
            let geometry = Geometry::fit(game, screen.board, named)?;
            Some((screen, geometry))
        })
    })
}

/// The place of the board of the game that is being played.
#[must_use]
pub fn board_layout(state: &State) -> Option<Geometry> {
    let game = state.game.as_ref()?;
    screen(&game.rules, state.size).map(|(_, geometry)| geometry)
}

/// The smallest window for a game.
#[must_use]
pub(crate) fn smallest(game: &AnyGame) -> (u16, u16) {
    let [.., (sentences, named)] = FITS;
    let plan = Plan::new(game, named);
    let sizes = plan.arrangements().map(|per_row| {
        let (width, height) = plan.size(SCALES[SCALES.len() - 1], per_row);
        (
            width.max(SMALLEST.0),
            (height + AROUND + sentences).max(SMALLEST.1),
        )
    });
    sizes
        .min_by_key(|&(w, h)| u32::from(w) * u32::from(h))
        .unwrap_or(SMALLEST)
}

/// How large a cell is drawn, and whether there are lines between cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Columns of a cell.
    pub width: u16,
    /// Rows of a cell.
    pub height: u16,
    /// Whether lines are drawn between cells.
    pub lined: bool,
}

const fn scale(width: u16, height: u16, lined: bool) -> Scale {
    Scale {
        width,
        height,
        lined,
    }
}

/// Every scale, the largest first.
const SCALES: [Scale; 7] = [
    scale(13, 5, true),
    scale(9, 3, true),
    scale(7, 3, true),
    scale(5, 1, true),
    scale(3, 1, true),
    scale(3, 1, false),
    scale(2, 1, false),
];

/// What is to be placed.
struct Plan {
    sides: Vec<usize>,
    rows: usize,
    columns: usize,
    slices: usize,
    labels: (u16, u16),
}

impl Plan {
    fn new(game: &AnyGame, named: bool) -> Self {
        let sides = game.shape().sides().to_vec();
        let columns = *sides.last().unwrap_or(&1);
        let rows = match sides.len() {
            0 | 1 => 1,
            n => sides[n - 2],
        };
        Self {
            slices: game.cells() / (rows * columns),
            labels: match named && game.names_squares() {
                true => (rows.to_string().len().max(2) as u16 + 1, 1),
                false => (0, 0),
            },
            sides,
            rows,
            columns,
        }
    }

    /// How many slices may stand side by side, the most first.
    fn arrangements(&self) -> impl Iterator<Item = usize> {
        // Four dimensions are two of slices: their columns stay together.
        match self.sides.as_slice() {
            [_, third, _, _] => *third..=*third,
            _ => 1..=self.slices,
        }
        .rev()
    }

    fn slice_size(&self, scale: Scale) -> (u16, u16) {
        let line = usize::from(scale.lined);
        let width = self.columns * (usize::from(scale.width) + line) + line;
        let height = self.rows * (usize::from(scale.height) + line) + line;
        let title = usize::from(self.slices > 1);
        (
            (width + usize::from(self.labels.0)).min(9999) as u16,
            (height + usize::from(self.labels.1) + title).min(9999) as u16,
        )
    }

    fn size(&self, scale: Scale, per_row: usize) -> (u16, u16) {
        let (width, height) = self.slice_size(scale);
        let lines = self.slices.div_ceil(per_row) as u16;
        let per_row = per_row as u16;
        (
            width.saturating_mul(per_row) + GAP * (per_row - 1),
            height.saturating_mul(lines),
        )
    }
}

/// Columns between two slices.
const GAP: u16 = 2;

/// Where the board and its cells stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// How large the cells are.
    pub scale: Scale,
    /// The board with its labels.
    pub area: Rect,
    /// Rows of one slice.
    pub rows: usize,
    /// Columns of one slice.
    pub columns: usize,
    /// How many slices there are.
    pub slices: usize,
    /// How many of them stand side by side.
    pub per_row: usize,
    /// Columns and rows that the names of rows and columns take; none without names.
    pub labels: (u16, u16),
    slice: (u16, u16),
}

impl Geometry {
    /// The board as large as it fits into an area, in its middle; with the names of
    /// its rows and columns, if it has any and they are wanted.
    #[must_use]
    pub fn fit(game: &AnyGame, area: Rect, named: bool) -> Option<Self> {
        let plan = Plan::new(game, named);
        for scale in SCALES {
            for per_row in plan.arrangements() {
                let (width, height) = plan.size(scale, per_row);
                if width > area.width || height > area.height {
                    continue;
                }
                return Some(Self {
                    scale,
                    area: Rect::new(
                        area.x + (area.width - width) / 2,
                        area.y + (area.height - height) / 2,
                        width,
                        height,
                    ),
                    rows: plan.rows,
                    columns: plan.columns,
                    slices: plan.slices,
                    per_row,
                    labels: plan.labels,
                    slice: plan.slice_size(scale),
                });
            }
        }
        None
    }

    /// The upper left corner of a slice, its title and labels included.
    #[must_use]
    pub fn slice_at(&self, slice: usize) -> (u16, u16) {
        let (row, column) = (slice / self.per_row, slice % self.per_row);
        (
            self.area.x + column as u16 * (self.slice.0 + GAP),
            self.area.y + row as u16 * self.slice.1,
        )
    }

    /// The upper left corner of a slice's cells, or of the lines around them.
    #[must_use]
    pub fn cells_at(&self, slice: usize) -> (u16, u16) {
        let (x, y) = self.slice_at(slice);
        let title = u16::from(self.slices > 1);
        (x + self.labels.0, y + title + self.labels.1)
    }

    /// The place of a cell, without the lines around it.
    #[must_use]
    pub fn cell(&self, cell: usize) -> Rect {
        let flat = self.rows * self.columns;
        let (slice, within) = (cell / flat, cell % flat);
        let (row, column) = (within / self.columns, within % self.columns);
        let (x, y) = self.cells_at(slice);
        let line = u16::from(self.scale.lined);
        Rect::new(
            x + line + column as u16 * (self.scale.width + line),
            y + line + row as u16 * (self.scale.height + line),
            self.scale.width,
            self.scale.height,
        )
    }

    /// The cell at a place of the screen.
    #[must_use]
    pub fn cell_at(&self, x: u16, y: u16) -> Option<usize> {
        let cells = self.rows * self.columns * self.slices;
        (0..cells).find(|&cell| self.cell(cell).contains((x, y).into()))
    }

    /// The cell so many rows and columns on, across slices and around the edges.
    #[must_use]
    pub fn step(&self, cell: usize, rows: isize, columns: isize) -> usize {
        let flat = self.rows * self.columns;
        let (slice, within) = (cell / flat, cell % flat);
        let mut row = (slice / self.per_row * self.rows + within / self.columns) as isize;
        let mut column = (slice % self.per_row * self.columns + within % self.columns) as isize;
        let height = (self.slices.div_ceil(self.per_row) * self.rows) as isize;
        let width = (self.per_row * self.columns) as isize;
        loop {
            row = (row + rows).rem_euclid(height);
            column = (column + columns).rem_euclid(width);
            let (r, c) = (row as usize, column as usize);
            let slice = r / self.rows * self.per_row + c / self.columns;
            // The last line of slices may be shorter than the others.
            if slice < self.slices {
                return slice * flat + r % self.rows * self.columns + c % self.columns;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn geometry(game: &str, size: (u16, u16)) -> Option<Geometry> {
        screen(&game.parse().unwrap(), size).map(|(_, geometry)| geometry)
    }

    #[test]
    fn every_cell_is_found_where_it_is_drawn() {
        for game in [
            "tictactoe",
            "tictactoe:3x3x3",
            "othello",
            "tictactoe:2x2x2x2",
            "tictactoe:5",
        ] {
            for size in [(80, 24), (120, 40), (200, 60)] {
                let any: AnyGame = game.parse().unwrap();
                let geometry = geometry(game, size).unwrap();
                for cell in 0..any.cells() {
                    let rect = geometry.cell(cell);
                    assert_eq!(geometry.cell_at(rect.x, rect.y), Some(cell), "{game}");
                    assert!(rect.right() <= geometry.area.right());
                    assert!(rect.bottom() <= geometry.area.bottom());
                }
            }
        }
    }

    #[test]
    fn a_larger_window_gives_larger_cells() {
        let width = |size| geometry("othello", size).unwrap().scale.width;
        assert!(width((80, 24)) < width((120, 40)));
        assert!(geometry("othello", (30, 8)).is_none());
        assert!(geometry("tictactoe:19x19:5", (80, 24)).is_some());
        assert!(geometry("tictactoe:4x4x4x4", (80, 24)).is_some());
    }

    #[test]
    fn the_cursor_reaches_every_cell_by_arrows() {
        let geometry = geometry("tictactoe:3x3x3", (80, 24)).unwrap();
        let mut seen = [false; 27];
        let mut cell = 0;
        for _ in 0..geometry.rows * geometry.slices {
            for _ in 0..geometry.columns * geometry.per_row {
                seen[cell] = true;
                cell = geometry.step(cell, 0, 1);
            }
            cell = geometry.step(cell, 1, 0);
        }
        assert!(seen.iter().all(|&seen| seen));
    }

    #[test]
    fn the_smallest_window_is_large_enough() {
        for game in [
            "tictactoe",
            "othello",
            "tictactoe:15x15:5",
            "tictactoe:3x3x3",
        ] {
            let size = smallest(&game.parse().unwrap());
            assert!(geometry(game, size).is_some(), "{game} {size:?}");
        }
    }
}
