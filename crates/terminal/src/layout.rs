//! Screen layout: the areas of the screen and the rectangle of every cell, for drawing and for
//! mouse hit tests.

use ratatui::layout::Rect;

use papan_catalog::AnyGame;
use papan_rules::Pieces;

use crate::state::State;

/// The areas of the game screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Screen {
    /// The title line.
    pub title: Rect,
    /// The area for the board.
    pub board: Rect,
    /// The side panel, if there is room.
    pub panel: Option<Rect>,
    /// Two lines for notices; one where the board needs the other.
    pub notice: Rect,
    /// The footer line.
    pub footer: Rect,
}

/// Width of the panel in a narrow window.
const PANEL_WIDTH: u16 = 28;
/// Minimum width of a window with a panel.
const MIN_WIDTH_WITH_PANEL: u16 = 60;
/// Minimum window for a board.
const MIN_SIZE: (u16, u16) = (40, 9);
/// Rows above and below the board, without the notices.
const FRAME_ROWS: u16 = 2;
/// Ways to fit a board, best first: notice lines, and whether rows and columns are labelled.
const FITS: [(u16, bool); 3] = [(2, true), (1, true), (1, false)];

impl Screen {
    /// Divides a window of this size.
    fn new((columns, rows): (u16, u16), with_panel: bool, sentences: u16) -> Self {
        let body = rows.saturating_sub(FRAME_ROWS + sentences);
        let panel = match (with_panel, columns) {
            (false, _) | (true, ..MIN_WIDTH_WITH_PANEL) => 0,
            (true, 100..) => columns / 3,
            (true, _) => PANEL_WIDTH,
        };
        let board = columns.saturating_sub(panel);
        Self {
            title: Rect::new(0, 0, columns, rows.min(1)),
            board: Rect::new(0, 1, board, body),
            // One column between board and panel stays empty.
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

/// Returns the screen areas and the board geometry; `None` when the window is too small.
#[must_use]
pub(crate) fn screen(game: &AnyGame, size: (u16, u16)) -> Option<(Screen, Geometry)> {
    if size.0 < MIN_SIZE.0 || size.1 < MIN_SIZE.1 {
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

/// Returns the geometry of the current game's board.
#[must_use]
pub fn board_layout(state: &State) -> Option<Geometry> {
    let game = state.game.as_ref()?;
    screen(&game.rules, state.size).map(|(_, geometry)| geometry)
}

/// Returns the minimum window size for a game.
#[must_use]
pub(crate) fn min_size(game: &AnyGame) -> (u16, u16) {
    let [.., (sentences, named)] = FITS;
    let plan = Plan::new(game, named);
    let sizes = plan.arrangements().map(|per_row| {
        let (width, height) = plan.size(scale(2, 1, false), per_row);
        (
            width.max(MIN_SIZE.0),
            (height + FRAME_ROWS + sentences).max(MIN_SIZE.1),
        )
    });
    sizes
        .min_by_key(|&(w, h)| u32::from(w) * u32::from(h))
        .unwrap_or(MIN_SIZE)
}

/// The size of a cell, and whether lines separate cells.
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

/// Scales of boards with cells, the largest first.
const SCALES: [Scale; 7] = [
    scale(13, 5, true),
    scale(9, 3, true),
    scale(7, 3, true),
    scale(5, 1, true),
    scale(3, 1, true),
    scale(3, 1, false),
    scale(2, 1, false),
];

/// Scales of boards with stones, whose lines cross in the cells, the largest first.
const STONE_SCALES: [Scale; 4] = [
    scale(7, 3, false),
    scale(4, 2, false),
    scale(3, 1, false),
    scale(2, 1, false),
];

/// Returns the scales of a game's board, the largest first.
fn scales(game: &AnyGame) -> &'static [Scale] {
    match game.pieces() {
        Pieces::Marks | Pieces::Discs => &SCALES,
        Pieces::Stones => &STONE_SCALES,
    }
}

/// The dimensions of a board before it is scaled.
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
            labels: if named && game.names_squares() {
                (rows.to_string().len().max(2) as u16 + 1, 1)
            } else {
                (0, 0)
            },
            sides,
            rows,
            columns,
        }
    }

    /// Possible numbers of slices per row, largest first.
    fn arrangements(&self) -> impl Iterator<Item = usize> {
        // The slices of a four-dimensional board form a grid of their own.
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

/// The rectangles of a board and its cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// The scale.
    pub scale: Scale,
    /// The board including its labels.
    pub area: Rect,
    /// Rows of one slice.
    pub rows: usize,
    /// Columns of one slice.
    pub columns: usize,
    /// Number of slices.
    pub slices: usize,
    /// Slices per row.
    pub per_row: usize,
    /// Columns and rows taken by the labels; 0 without labels.
    pub labels: (u16, u16),
    slice: (u16, u16),
}

impl Geometry {
    /// Fits a board into an area as large as possible, centred; `named` asks for labels.
    #[must_use]
    pub(crate) fn fit(game: &AnyGame, area: Rect, named: bool) -> Option<Self> {
        let plan = Plan::new(game, named);
        for &scale in scales(game) {
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

    /// Returns the upper left corner of a slice, including title and labels.
    #[must_use]
    pub(crate) fn slice_at(&self, slice: usize) -> (u16, u16) {
        let (row, column) = (slice / self.per_row, slice % self.per_row);
        (
            self.area.x + column as u16 * (self.slice.0 + GAP),
            self.area.y + row as u16 * self.slice.1,
        )
    }

    /// Returns the upper left corner of a slice's grid.
    #[must_use]
    pub(crate) fn cells_at(&self, slice: usize) -> (u16, u16) {
        let (x, y) = self.slice_at(slice);
        let title = u16::from(self.slices > 1);
        (x + self.labels.0, y + title + self.labels.1)
    }

    /// Returns the rectangle of a cell, without the lines around it.
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

    /// Returns the cell at a screen position.
    #[must_use]
    pub(crate) fn cell_at(&self, x: u16, y: u16) -> Option<usize> {
        let cells = self.rows * self.columns * self.slices;
        (0..cells).find(|&cell| self.cell(cell).contains((x, y).into()))
    }

    /// Returns the cell `rows` and `columns` further, across slices and wrapping at the edges.
    #[must_use]
    pub(crate) fn step(&self, cell: usize, rows: isize, columns: isize) -> usize {
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
            // The last row of slices may be shorter than the others.
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
            "gomoku",
            "tictactoe:3x3x3",
        ] {
            let size = min_size(&game.parse().unwrap());
            assert!(geometry(game, size).is_some(), "{game} {size:?}");
        }
    }
}
