//! How much the search may guess: steps of confidence, from bold to exact.
//!
//! Multi-ProbCut believes a shallow search when its result lies far enough outside the window.
//! How far is far enough is a multiple of the spread between shallow and deep results, which
//! was fitted from papan's own searches (`papan-train probcut`).

/// The last step: nothing is guessed.
pub(crate) const EXACT: u8 = 5;

/// For each step, how many standard deviations a shallow result must lie outside, where the deep
/// search ends at the evaluation.
const CONFIDENCE: [f32; 5] = [1.1, 2.0, 2.3, 2.6, 3.3];

/// The same where it reaches the end of the game. A cut is wrong on one side only: with normal
/// errors, this many standard deviations make it right as often as [`PERCENT`] says. The first
/// two, and the larger ones for the shallow searches above, were tuned on the nodes that solving
/// takes; the others are not in use.
const CONFIDENCE_SOLVING: [f32; 5] = [0.61, 1.1, 1.64, 2.05, 2.33];

/// The probability that a step's cuts are right, in percent.
pub(crate) const PERCENT: [u8; 6] = [73, 87, 95, 98, 99, 100];

/// How far, in discs, the result of a search of `shallow` plies must lie outside the window to
/// stand for one of `depth` plies at a step of selectivity.
#[inline]
pub(crate) fn margin(step: u8, empties: u32, depth: u32, shallow: u32) -> i32 {
    let confidence = if depth == empties {
        CONFIDENCE_SOLVING
    } else {
        CONFIDENCE
    };
    (confidence[usize::from(step)] * spread(empties, depth, shallow)).ceil() as i32
}

/// The spread, in discs, between the result of a search of `depth` plies and one of `shallow`
/// plies, with `empties` empty squares.
#[inline]
fn spread(empties: u32, depth: u32, shallow: u32) -> f32 {
    let gap = ((1 + depth - shallow) as f32).ln();
    let [constant, per_shallow, per_gap, per_empty] =
        if depth == empties { SOLVING } else { SEARCHING };
    (constant + per_shallow * shallow as f32 + per_gap * gap + per_empty * empties as f32).exp()
}

/// The logarithm of the spread where the deep search ends at the evaluation: a constant, per
/// shallow ply, per logarithm of the gap, per empty square.
const SEARCHING: [f32; 4] = [1.2611, -0.0972, 0.3720, -0.0122];

/// The same where the deep search reaches the end of the game.
const SOLVING: [f32; 4] = [0.9475, -0.0252, 0.5156, -0.0267];

/// The depth of the shallow search that stands for one of `depth` plies: of the same parity.
#[inline]
pub(crate) const fn shallow_depth(depth: u32) -> u32 {
    2 * (depth / 4) + (depth & 1)
}
