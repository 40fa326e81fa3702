//! Node limits of a threat search, per lambda order.

/// Node limits of a threat search.
#[derive(Clone, Copy, Debug)]
pub struct NodeBudget {
    /// Nodes of one VCF search.
    pub vcf: u64,
    /// Nodes of one search of order 2, 3 and 4.
    pub orders: [u64; 3],
}

impl NodeBudget {
    /// A first budget, enough for most threats that a human player sees.
    pub const INITIAL: Self = Self {
        vcf: 2_000,
        orders: [200, 200, 1_000],
    };

    /// Returns a budget with twice the VCF nodes and three times the nodes of each higher order.
    #[must_use]
    pub fn increased(self) -> Self {
        Self {
            vcf: self.vcf * 2,
            orders: self.orders.map(|nodes| nodes * 3),
        }
    }

    pub(super) fn of(&self, order: usize) -> u64 {
        self.orders[order - 2]
    }
}
