//! The symmetry group of a board: canonical positions, composition and inverse.

use std::sync::Arc;

use papan_mnk::{Lines, State, score_cell};
use papan_rules::{Bits, Game as _, Grid, GridPosition, Notation as _, Symmetric as _};

/// The symmetries of a board by index, with the tables of the group.
pub(crate) struct SymmetryGroup {
    /// The image of each cell under each symmetry.
    images: Vec<Vec<u16>>,
    inverse: Vec<usize>,
    identity: usize,
}

/// Returns the empty cells of a position, one of each orbit under its symmetries, the cells with the
/// fewest stones and lines around them first.
#[must_use]
pub fn distinct_moves<B: Bits>(grid: &Grid<B>, position: &GridPosition<B>) -> Vec<u16> {
    let lines = Arc::new(Lines::new(grid));
    let group = SymmetryGroup::new(&lines);
    let stabiliser = group.stabiliser(grid, position);
    let empty = (0..grid.cells()).filter(|&cell| grid.piece(position, cell).is_none());
    let mut cells: Vec<u16> = empty
        .map(|cell| cell as u16)
        .filter(|&cell| group.least_of_orbit(&stabiliser, cell) == cell)
        .collect();
    let (state, mover) = (
        State::from_position(&lines, grid, position),
        grid.turn(position),
    );
    cells.sort_by_key(|&cell| score_cell(&state, mover, cell));
    cells
}

/// A position up to symmetry.
#[derive(Clone, Debug)]
pub(crate) struct CanonicalPosition {
    /// The text of the canonical position.
    pub(crate) text: String,
    /// The symmetry that maps the position to the canonical one.
    pub(crate) symmetry: usize,
}

impl SymmetryGroup {
    pub(crate) fn new(lines: &Lines) -> Self {
        let images = lines.symmetries().to_vec();
        let inverse_of = |symmetry: &Vec<u16>| {
            let mut inverse = vec![0; symmetry.len()];
            for (cell, &image) in symmetry.iter().enumerate() {
                inverse[usize::from(image)] = cell as u16;
            }
            let found = images.iter().position(|other| *other == inverse);
            found.expect("the symmetries form a group")
        };
        let fixes_all =
            |symmetry: &Vec<u16>| (0..).zip(symmetry).all(|(cell, &image)| cell == image);
        let identity = images.iter().position(fixes_all);
        Self {
            identity: identity.expect("the symmetries form a group"),
            inverse: images.iter().map(inverse_of).collect(),
            images,
        }
    }

    pub(crate) fn images(&self, symmetry: usize) -> &[u16] {
        &self.images[symmetry]
    }

    pub(crate) fn identity(&self) -> usize {
        self.identity
    }

    pub(crate) fn inverse(&self, symmetry: usize) -> usize {
        self.inverse[symmetry]
    }

    /// Returns the symmetry that applies `first`, then `second`.
    pub(crate) fn compose(&self, first: usize, second: usize) -> usize {
        let (first, second) = (&self.images[first], &self.images[second]);
        let both = |found: &Vec<u16>| {
            let mut cells = found.iter().zip(first);
            cells.all(|(&image, &middle)| image == second[usize::from(middle)])
        };
        let found = self.images.iter().position(both);
        found.expect("the symmetries form a group")
    }

    /// Returns the cell that a symmetry maps to `image`.
    pub(crate) fn preimage(&self, symmetry: usize, image: u16) -> u16 {
        self.images[self.inverse[symmetry]][usize::from(image)]
    }

    /// Returns the symmetries that map a position to itself.
    pub(crate) fn stabiliser<B: Bits>(
        &self,
        grid: &Grid<B>,
        position: &GridPosition<B>,
    ) -> Vec<usize> {
        let piece = |cell: usize| grid.piece(position, cell);
        let fixes = |&at: &usize| {
            let mut images = self.images[at].iter().enumerate();
            images.all(|(cell, &image)| piece(cell) == piece(usize::from(image)))
        };
        (0..self.images.len()).filter(fixes).collect()
    }

    /// Returns the least image of a cell under these symmetries.
    pub(crate) fn least_of_orbit(&self, symmetries: &[usize], cell: u16) -> u16 {
        let images = symmetries
            .iter()
            .map(|&at| self.images[at][usize::from(cell)]);
        images.min().unwrap_or(cell)
    }

    /// Returns the number of symmetries.
    pub(crate) fn len(&self) -> usize {
        self.images.len()
    }

    /// Returns the canonical form of a position: the least of its images.
    pub(crate) fn canonical<B: Bits>(
        &self,
        grid: &Grid<B>,
        position: &GridPosition<B>,
    ) -> CanonicalPosition {
        let symmetries = grid.symmetries().iter().enumerate();
        let images = symmetries.map(|(at, symmetry)| {
            let image = grid.transform(position, symmetry);
            (grid.format_position(&image), at)
        });
        let (text, symmetry) = images.min().expect("the identity is a symmetry");
        CanonicalPosition { text, symmetry }
    }
}
