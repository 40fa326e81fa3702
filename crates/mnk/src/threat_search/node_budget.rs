//! How hard a search for threats tries.

/// How hard to try.
#[derive(Clone, Copy, Debug)]
pub struct NodeBudget {
    /// Nodes of one search for continuous fours.
    pub fours: u64,
    /// Nodes of one search at level 2, 3 and 4.
    pub nodes: [u64; 3],
}

impl NodeBudget {
    /// Enough for most threats that a person sees.
    pub const INITIAL: Self = Self {
        fours: 2_000,
        nodes: [200, 200, 1_000],
    };

    /// Three times as hard.
    #[must_use]
    pub fn increased(self) -> Self {
        Self {
            fours: self.fours * 2,
            nodes: self.nodes.map(|nodes| nodes * 3),
        }
    }

    pub(super) fn of(&self, level: usize) -> u64 {
        self.nodes[level - 2]
    }
}
