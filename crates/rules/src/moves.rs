//! Moves: one concrete type for all games.

/// A move, numbered by its game: the cell that is played on, counted from 0 in
/// row-major order, or [`Move::PASS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// A pass. Legal only where a game says so.
    pub const PASS: Self = Self(u16::MAX);

    /// Returns the move on a cell, counted from 0.
    ///
    /// # Panics
    /// When `cell` is not below 65,535; boards have at most 400 cells.
    #[must_use]
    pub const fn on(cell: usize) -> Self {
        assert!(cell < u16::MAX as usize, "a cell number beyond every board");
        Self(cell as u16)
    }

    /// Returns the cell; `None` for a pass.
    #[must_use]
    pub const fn cell(self) -> Option<usize> {
        if self.0 == u16::MAX {
            None
        } else {
            Some(self.0 as usize)
        }
    }

    /// Returns the number of this move in files: its cell, or 65,535 for a pass.
    #[must_use]
    pub const fn to_raw(self) -> u16 {
        self.0
    }

    /// Parses the number of [`Move::to_raw`].
    #[must_use]
    pub const fn from_raw(raw: u16) -> Self {
        Self(raw)
    }
}
