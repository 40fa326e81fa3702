//! Winning lines: every set of k cells that wins, indexed by line and by cell.
//!
//! The incidence between lines and cells never changes during a game, so it is built once per board
//! and shared by all positions ([`crate::State`]).

use papan_rules::{Bits, Game as _, Grid, Symmetric as _, Wide};

/// A cell number.
pub type Cell = u16;

/// A set of cells, large enough for every supported board.
pub type CellSet = Wide;

/// The winning lines of a board.
#[derive(Clone, Debug)]
pub struct Lines {
    length: usize,
    cells: usize,
    /// Cells of line `l`: `members[l * length..][..length]`.
    members: Vec<Cell>,
    /// Cells of each line, as a set.
    masks: Vec<CellSet>,
    /// Lines through cell `c`: `through[starts[c]..starts[c + 1]]`.
    through: Vec<u32>,
    starts: Vec<u32>,
    /// Image of each cell under each symmetry of the board, the identity first.
    symmetries: Vec<Vec<Cell>>,
}

impl Lines {
    /// Collects the lines of a grid.
    #[must_use]
    pub fn new<B: Bits>(grid: &Grid<B>) -> Self {
        let (length, cells) = (grid.length(), grid.cells());
        let lines = grid.winning_lines();
        let members: Vec<Cell> = lines
            .iter()
            .flat_map(|line| line.cells().map(|cell| cell as Cell))
            .collect();
        let mut lists = vec![Vec::new(); cells];
        for (at, &cell) in members.iter().enumerate() {
            lists[usize::from(cell)].push((at / length) as u32);
        }
        let mut starts = vec![0];
        let mut through = Vec::with_capacity(members.len());
        for list in lists {
            through.extend(list);
            starts.push(through.len() as u32);
        }
        let mask = |line: &B| {
            let cells = line.cells();
            cells.fold(CellSet::EMPTY, |set, cell| set | CellSet::single(cell))
        };
        let images = |s: &papan_rules::Symmetry| (0..cells).map(|c| s.cell(c) as Cell).collect();
        Self {
            length,
            cells,
            masks: lines.iter().map(mask).collect(),
            members,
            through,
            starts,
            symmetries: grid.symmetries().iter().map(images).collect(),
        }
    }

    /// Returns k, the number of cells in a line.
    #[inline]
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// Returns the number of cells of the board.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Returns the number of lines.
    #[inline]
    #[must_use]
    pub fn count(&self) -> usize {
        self.members.len() / self.length
    }

    /// Returns the cells of a line.
    #[inline]
    #[must_use]
    pub fn members(&self, line: usize) -> &[Cell] {
        &self.members[line * self.length..][..self.length]
    }

    /// Returns the cells of a line as a set.
    #[inline]
    #[must_use]
    pub fn mask(&self, line: usize) -> CellSet {
        self.masks[line]
    }

    /// Returns the lines through a cell.
    #[inline]
    #[must_use]
    pub fn through(&self, cell: Cell) -> &[u32] {
        let at = usize::from(cell);
        &self.through[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Returns the image of each cell under each symmetry, the identity first.
    #[must_use]
    pub fn symmetries(&self) -> &[Vec<Cell>] {
        &self.symmetries
    }
}
