//! Proof and disproof numbers, and the choice of the most-proving child.
//!
//! Reference: L. V. Allis, *Searching for Solutions in Games and Artificial Intelligence*, 1994.

/// Infinity; leaves room for sums.
pub(crate) const INFINITE: u32 = u32::MAX / 4;

/// Lower bounds on the leaves that must be proved to prove, or to disprove, a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProofNumbers {
    pub(crate) pn: u32,
    pub(crate) dn: u32,
}

impl ProofNumbers {
    pub(crate) const PROVED: Self = Self {
        pn: 0,
        dn: INFINITE,
    };
    pub(crate) const DISPROVED: Self = Self {
        pn: INFINITE,
        dn: 0,
    };
    /// Both thresholds at infinity: search until solved.
    pub(crate) const UNBOUNDED: Self = Self {
        pn: INFINITE,
        dn: INFINITE,
    };

    #[inline]
    pub(crate) fn is_solved(self) -> bool {
        self.pn == 0 || self.dn == 0
    }

    /// Returns whether one of the numbers has reached its threshold.
    #[inline]
    pub(crate) fn reaches(self, thresholds: Self) -> bool {
        self.pn >= thresholds.pn || self.dn >= thresholds.dn
    }
}

/// The most-proving child of a node, and the numbers that its own numbers are made of.
pub(crate) struct Selection {
    /// The child with the least number, the first of them; `None` if all are infinite.
    pub(crate) best: Option<usize>,
    pub(crate) least: u32,
    /// The second least number.
    second: u32,
    /// The sum of the opposite numbers, at most `max_sum`.
    pub(crate) sum: u32,
}

impl Selection {
    /// Selects among children, each given by the number to minimise and the number to add up.
    #[inline]
    pub(crate) fn of(children: impl Iterator<Item = (u32, u32)>, max_sum: u32) -> Self {
        let mut selection = Self {
            best: None,
            least: INFINITE,
            second: INFINITE,
            sum: 0,
        };
        for (at, (min, add)) in children.enumerate() {
            selection.sum = selection.sum.saturating_add(add).min(max_sum);
            if min < selection.least {
                selection.second = selection.least;
                selection.least = min;
                selection.best = Some(at);
            } else {
                selection.second = selection.second.min(min);
            }
        }
        selection
    }

    /// Returns the threshold for the best child: search it until it is worse than the runner-up by
    /// a quarter (the 1 + ε trick of Pawlewicz and Lew, 2007).
    #[inline]
    pub(crate) fn child_threshold(&self, max: u32) -> u32 {
        max.min(self.second.saturating_add(self.second / 4 + 1))
    }
}
