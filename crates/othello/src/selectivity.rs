//! How much the search may guess: steps of confidence, from bold to exact.

/// The last step: nothing is guessed.
pub(crate) const EXACT: u8 = 5;
