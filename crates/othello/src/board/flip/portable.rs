//! Flips without vector instructions, one direction at a time.

use crate::board::geometry::{RAYS_DOWN, RAYS_UP};
use crate::board::square::Square;

/// Returns the discs of `opp` that `me` flips by playing on the empty `square`.
#[inline]
pub(crate) fn flips(me: u64, opp: u64, square: Square) -> u64 {
    let mut all = 0;
    for direction in 0..4 {
        let up = RAYS_UP[square.index()][direction];
        let blockers = up & !opp;
        let outflank = blockers & blockers.wrapping_neg() & me;
        if outflank != 0 {
            all |= up & (outflank - 1);
        }
        let down = RAYS_DOWN[square.index()][direction];
        let blockers = down & !opp;
        let outflank = (1u64 << (63 - (blockers | 1).leading_zeros())) & blockers & me;
        // The bits above the outflanking disc, or none.
        all |= down & outflank.wrapping_neg() & !outflank;
    }
    all
}
