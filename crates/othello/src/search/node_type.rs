//! What a null-window node should turn out to be, before it is searched.
//!
//! Where moves are ordered well, one move is enough to cut or none is, and the two kinds of node
//! take turns: who answers a move that cuts needs all replies, and each of those is cut again. What
//! a good order costs is worth paying only where a move should cut; threads are worth sending ahead
//! only where all moves are needed.

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Some move should beat the bound.
    Cut,
    /// No move should: all of them are needed.
    All,
}

impl Kind {
    /// The kind of the node after the first move, or after a pass.
    #[inline(always)]
    pub(crate) const fn of_first(self) -> Self {
        match self {
            Self::Cut => Self::All,
            Self::All => Self::Cut,
        }
    }

    /// The kind of the node after another move: where the first did not cut, others seldom do.
    #[inline(always)]
    pub(crate) const fn of_next(self, is_first: bool) -> Self {
        if is_first { self.of_first() } else { Self::Cut }
    }
}
