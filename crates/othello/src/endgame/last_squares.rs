//! The last four empty squares, with unrolled code for each number of them.
//!
//! Every function returns a bound that lies on the same side of `alpha` as the exact score for `me`.
//! Squares that are alone in their quadrant are tried first (quadrant parity). The techniques are
//! those of Andersson's Zebra and of Edax; see
//! <https://www.chessprogramming.org/Othello> for the programs.

use crate::board::flip::{doubled_last_flips, flips};
use crate::board::square::{Square, Squares};
use crate::simd::dispatch::{Isa, multiversioned};

/// Below every score.
const NO_SCORE: i32 = -65;

/// Returns whether two squares lie in the same quadrant.
#[inline(always)]
const fn same_quadrant(a: Square, b: Square) -> bool {
    (a.index() ^ b.index()) & 0b100_100 == 0
}

/// Returns the score when only `x` is empty.
#[inline(always)]
pub(super) fn solve1(me: u64, x: Square, nodes: &mut u64) -> i32 {
    *nodes += 1;
    // The score if the last square went to the opponent without flips.
    let base = 2 * me.count_ones() as i32 - 64;
    let doubled = doubled_last_flips(me, x);
    // If neither side can move, the empty square goes to the winner. Which of the three cases
    // applies is unpredictable; conditional moves are faster than branches here.
    let game_over = if base >= 0 { base + 2 } else { base };
    let passed = if doubled.theirs != 0 {
        base - doubled.theirs
    } else {
        game_over
    };
    if doubled.mine != 0 {
        base + doubled.mine + 2
    } else {
        passed
    }
}

/// Returns a bound when `x` and `y` are empty.
#[inline(always)]
pub(super) fn solve2(me: u64, opp: u64, alpha: i32, x: Square, y: Square, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let mut best = NO_SCORE;
    let flipped = flips(me, opp, x);
    if flipped != 0 {
        best = -solve1(opp ^ flipped, y, nodes);
        if best > alpha {
            return best;
        }
    }
    let flipped = flips(me, opp, y);
    if flipped != 0 {
        return best.max(-solve1(opp ^ flipped, x, nodes));
    }
    if best > NO_SCORE {
        return best;
    }
    // The mover passes; the opponent minimises.
    let mut worst = -NO_SCORE;
    let flipped = flips(opp, me, x);
    if flipped != 0 {
        worst = solve1(me ^ flipped, y, nodes);
        if worst <= alpha {
            return worst;
        }
    }
    let flipped = flips(opp, me, y);
    if flipped != 0 {
        return worst.min(solve1(me ^ flipped, x, nodes));
    }
    if worst < -NO_SCORE {
        return worst;
    }
    final_score(me, opp)
}

/// Returns the score of a finished game; empty squares go to the winner.
#[inline(always)]
fn final_score(me: u64, opp: u64) -> i32 {
    let (mine, theirs) = (me.count_ones() as i32, opp.count_ones() as i32);
    let empty = 64 - mine - theirs;
    mine - theirs + (mine - theirs).signum() * empty
}

/// Returns a bound when three squares are empty.
#[inline(always)]
pub(super) fn solve3(
    me: u64,
    opp: u64,
    alpha: i32,
    mut squares: [Square; 3],
    nodes: &mut u64,
) -> i32 {
    // A square that is alone in its quadrant is tried first.
    let [x, y, z] = squares;
    if same_quadrant(x, y) {
        if !same_quadrant(x, z) {
            squares = [z, x, y];
        }
    } else if same_quadrant(x, z) {
        squares = [y, x, z];
    }
    match try_solve3(me, opp, alpha, squares, nodes) {
        Some(score) => score,
        None => match try_solve3(opp, me, !alpha, squares, nodes) {
            Some(score) => -score,
            None => final_score(me, opp),
        },
    }
}

/// Returns `None` when `me` has no move.
#[inline(always)]
fn try_solve3(
    me: u64,
    opp: u64,
    alpha: i32,
    [mut x, mut y, mut z]: [Square; 3],
    nodes: &mut u64,
) -> Option<i32> {
    *nodes += 1;
    let mut best = NO_SCORE;
    // All flips at once: they do not depend on each other or on the first move's result.
    let [mut flipped, mut second, third] = [x, y, z].map(|square| flips(me, opp, square));
    for _ in 0..3 {
        if flipped != 0 {
            let (next, other) = (opp ^ flipped, me ^ flipped ^ x.bit());
            let score = -solve2(next, other, !alpha, y, z, nodes);
            if score > alpha {
                return Some(score);
            }
            best = best.max(score);
        }
        // Rotating registers is faster than indexing an array, which would go through memory.
        (flipped, second) = (second, third);
        (x, y, z) = (y, z, x);
    }
    (best > NO_SCORE).then_some(best)
}

/// Returns a bound when four squares are empty.
#[inline(always)]
pub(super) fn solve4<I: Isa>(
    me: u64,
    opp: u64,
    alpha: i32,
    empty: Squares,
    nodes: &mut u64,
) -> i32 {
    let squares = by_parity(empty);
    match try_solve4(me, opp, alpha, squares, nodes) {
        Some(score) => score,
        None => solve4_passed::<I>(me, opp, alpha, squares, nodes),
    }
}

multiversioned! {
    /// Solves four squares after a pass. A separate function, so that the code of the usual case
    /// stays small.
    fn solve4_passed [solve4_passed_baseline, solve4_passed_avx512] <I>(me: u64, opp: u64, alpha: i32, squares: [Square; 4], nodes: &mut u64) -> i32 {
        match try_solve4(opp, me, !alpha, squares, nodes) {
            Some(score) => -score,
            None => final_score(me, opp),
        }
    }
}

/// Orders four squares by parity: those that are alone in their quadrant first.
#[inline(always)]
fn by_parity(empty: Squares) -> [Square; 4] {
    let after_x = empty.bits() & (empty.bits() - 1);
    let after_y = after_x & (after_x - 1);
    let x = Square::lowest(empty.bits());
    let y = Square::lowest(after_x);
    let z = Square::lowest(after_y);
    let w = Square::highest(after_y);
    let pairs = u8::from(same_quadrant(x, y))
        | u8::from(same_quadrant(x, z)) << 1
        | u8::from(same_quadrant(x, w)) << 2
        | u8::from(same_quadrant(y, z)) << 3
        | u8::from(same_quadrant(y, w)) << 4
        | u8::from(same_quadrant(z, w)) << 5;
    match pairs {
        // One pair: the other two first. Three in a quadrant: the fourth first.
        0b000_001 => [z, w, x, y],
        0b000_010 => [y, w, x, z],
        0b000_100 => [y, z, x, w],
        0b001_011 => [w, x, y, z],
        0b010_101 => [z, x, y, w],
        0b100_110 => [y, x, z, w],
        _ => [x, y, z, w],
    }
}

/// Returns `None` when `me` has no move.
#[inline(always)]
fn try_solve4(
    me: u64,
    opp: u64,
    alpha: i32,
    [mut x, mut y, mut z, mut w]: [Square; 4],
    nodes: &mut u64,
) -> Option<i32> {
    *nodes += 1;
    let mut best = NO_SCORE;
    let [mut flipped, mut second, mut third, fourth] =
        [x, y, z, w].map(|square| flips(me, opp, square));
    for _ in 0..4 {
        if flipped != 0 {
            let (next, other) = (opp ^ flipped, me ^ flipped ^ x.bit());
            let score = -solve3(next, other, !alpha, [y, z, w], nodes);
            if score > alpha {
                return Some(score);
            }
            best = best.max(score);
        }
        (flipped, second, third) = (second, third, fourth);
        (x, y, z, w) = (y, z, w, x);
    }
    (best > NO_SCORE).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::dispatch::Baseline;
    use crate::testing::{negamax, random_position};

    #[test]
    fn the_last_four_squares_agree_with_negamax() {
        for seed in 0..3000 {
            let board = random_position(seed, 4);
            let (me, opp) = (board.me(), board.opp());
            let exact = negamax(board);
            for alpha in [exact - 2, exact - 1, exact, exact + 1, -1, 0] {
                let bound = solve4::<Baseline>(me, opp, alpha, board.empty_squares(), &mut 0);
                let is_right = if exact > alpha {
                    alpha < bound && bound <= exact
                } else {
                    exact <= bound && bound <= alpha
                };
                assert!(is_right, "{board:?} {alpha} {exact} {bound}");
            }
        }
    }
}
