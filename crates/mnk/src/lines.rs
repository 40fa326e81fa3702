//! The shape of a board: its lines of k cells, and which run through a cell.

use papan_rules::{Bits, Game as _, Grid, Symmetric as _, Wide};

/// A cell by its number.
pub type Cell = u16;

/// A set of cells of any board.
pub type CellSet = Wide;

/// The lines of a board: every k cells that win together.
#[derive(Clone, Debug)]
pub struct Lines {
    length: usize,
    cells: usize,
    /// Window `w` is `members[w * length..][..length]`.
    members: Vec<Cell>,
    /// The same as sets.
    masks: Vec<CellSet>,
    /// The lines through cell `c` are `through[starts[c]..starts[c + 1]]`.
    through: Vec<u32>,
    starts: Vec<u32>,
    /// Where each symmetry of the board sends each cell, the identity first.
    symmetries: Vec<Vec<Cell>>,
}

impl Lines {
    /// The lines of a grid.
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

    /// How many in a row win.
    #[inline]
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// How many cells the board has.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// How many lines there are.
    #[inline]
    #[must_use]
    pub fn count(&self) -> usize {
        self.members.len() / self.length
    }

    /// The cells of a line.
    #[inline]
    #[must_use]
    pub fn members(&self, line: usize) -> &[Cell] {
        &self.members[line * self.length..][..self.length]
    }

    /// The cells of a line, as a set.
    #[inline]
    #[must_use]
    pub fn mask(&self, line: usize) -> CellSet {
        self.masks[line]
    }

    /// The lines through a cell.
    #[inline]
    #[must_use]
    pub fn through(&self, cell: Cell) -> &[u32] {
        let at = usize::from(cell);
        &self.through[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Where each symmetry sends each cell, the identity first.
    #[must_use]
    pub fn symmetries(&self) -> &[Vec<Cell>] {
        &self.symmetries
    }
}
