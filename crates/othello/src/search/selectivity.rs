//! Selectivity levels: how much forward pruning (Multi-ProbCut) a search may do.
//!
//! As in Edax and Neural Reversi, every level has a nominal confidence: the probability that one of
//! its cutoffs is right. Entries of the transposition table are usable at their own level and below.

/// Confidence of a selective search. Ordered from heavy pruning to none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Selectivity {
    /// Low confidence: prunes most.
    Low = 0,
    /// High confidence: prunes less.
    High = 1,
    /// No forward pruning.
    Exact = 2,
}

impl Selectivity {
    /// Returns the nominal confidence of a cutoff, in percent.
    pub(crate) const fn confidence(self) -> u8 {
        match self {
            Self::Low => 76,
            Self::High => 88,
            Self::Exact => 100,
        }
    }

    /// Returns the next level with more pruning; [`Low`](Self::Low) has none.
    #[inline(always)]
    pub(crate) const fn lower(self) -> Self {
        match self {
            Self::Low | Self::High => Self::Low,
            Self::Exact => Self::High,
        }
    }

    /// Returns the level encoded in the two lowest bits.
    #[inline(always)]
    pub(crate) const fn from_low_bits(bits: u32) -> Self {
        match bits & 3 {
            0 => Self::Low,
            1 => Self::High,
            _ => Self::Exact,
        }
    }
}
