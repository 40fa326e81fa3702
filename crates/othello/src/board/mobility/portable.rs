//! Mobility without vector instructions.

const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Returns the empty squares on which `me` flips at least one disc of `opp`.
#[inline]
pub(crate) fn moves(me: u64, opp: u64) -> u64 {
    let mut found = 0;
    // Discs on the outer columns can be flipped vertically only.
    for (step, mask) in [
        (1, opp & INNER),
        (7, opp & INNER),
        (8, opp),
        (9, opp & INNER),
    ] {
        let mut up = mask & (me << step);
        let mut down = mask & (me >> step);
        for _ in 0..5 {
            up |= mask & (up << step);
            down |= mask & (down >> step);
        }
        found |= up << step | down >> step;
    }
    found & !(me | opp)
}
