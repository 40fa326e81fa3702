//! The last four empty squares, each number of them with its own code.
//!
//! Every function answers one question: is the score above `alpha`? It returns a bound that
//! says so, from the side of `me`. Squares in a corner region that holds an odd number of empty
//! squares come first: who plays there first also plays there last.

use crate::board::flip::{doubled_last_flips, flips};
use crate::board::square::{Square, Squares};
use crate::simd::dispatch::{Code, compiled};

/// Whether two squares lie in the same quadrant.
#[inline(always)]
const fn together(a: Square, b: Square) -> bool {
    (a.index() ^ b.index()) & 0b100_100 == 0
}

/// The score when only `x` is empty and `me` is to move.
#[inline(always)]
pub(crate) fn one(me: u64, x: Square, nodes: &mut u64) -> i32 {
    *nodes += 1;
    // As if the square were the opponent's and nothing turned.
    let base = 2 * me.count_ones() as i32 - 64;
    let (gain, loss) = doubled_last_flips(me, x);
    // Where nothing turns either way, the empty square goes to the winner. Nobody can foresee which of
    // the three it is, so there is no branch: choosing was measured to take less time.
    let settled = if base >= 0 { base + 2 } else { base };
    let passed = if loss != 0 { base - loss } else { settled };
    if gain != 0 { base + gain + 2 } else { passed }
}

/// The score when `x` and `y` are empty.
#[inline(always)]
pub(crate) fn two(me: u64, opp: u64, alpha: i32, x: Square, y: Square, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let mut best = -65;
    let turned = flips(me, opp, x);
    if turned != 0 {
        best = -one(opp ^ turned, y, nodes);
        if best > alpha {
            return best;
        }
    }
    let turned = flips(me, opp, y);
    if turned != 0 {
        return best.max(-one(opp ^ turned, x, nodes));
    }
    if best > -65 {
        return best;
    }
    // The mover passes; the opponent now wants less than `alpha + 1`.
    let mut worst = 65;
    let turned = flips(opp, me, x);
    if turned != 0 {
        worst = one(me ^ turned, y, nodes);
        if worst <= alpha {
            return worst;
        }
    }
    let turned = flips(opp, me, y);
    if turned != 0 {
        return worst.min(one(me ^ turned, x, nodes));
    }
    if worst < 65 {
        return worst;
    }
    settled(me, opp)
}

/// The final score, empty squares going to the winner.
#[inline(always)]
pub(crate) fn settled(me: u64, opp: u64) -> i32 {
    let (mine, theirs) = (me.count_ones() as i32, opp.count_ones() as i32);
    let empty = 64 - mine - theirs;
    mine - theirs + (mine - theirs).signum() * empty
}

/// The score when three squares are empty.
#[inline(always)]
pub(crate) fn three(
    me: u64,
    opp: u64,
    alpha: i32,
    mut squares: [Square; 3],
    nodes: &mut u64,
) -> i32 {
    // The square that is alone in its quadrant goes first.
    let [x, y, z] = squares;
    if together(x, y) {
        if !together(x, z) {
            squares = [z, x, y];
        }
    } else if together(x, z) {
        squares = [y, x, z];
    }
    match three_ordered(me, opp, alpha, squares, nodes) {
        Some(score) => score,
        None => match three_ordered(opp, me, !alpha, squares, nodes) {
            Some(score) => -score,
            None => settled(me, opp),
        },
    }
}

/// `None` when `me` has no move.
#[inline(always)]
fn three_ordered(
    me: u64,
    opp: u64,
    alpha: i32,
    [mut x, mut y, mut z]: [Square; 3],
    nodes: &mut u64,
) -> Option<i32> {
    *nodes += 1;
    let mut best = -65;
    // All at once: they do not wait for each other, nor for what becomes of the first.
    let [mut turned, mut second, third] = [x, y, z].map(|square| flips(me, opp, square));
    for _ in 0..3 {
        if turned != 0 {
            let (next, other) = (opp ^ turned, me ^ turned ^ x.bit());
            let score = -two(next, other, !alpha, y, z, nodes);
            if score > alpha {
                return Some(score);
            }
            best = best.max(score);
        }
        // The next comes to the front: a list of them would go through memory.
        (turned, second) = (second, third);
        (x, y, z) = (y, z, x);
    }
    (best > -65).then_some(best)
}

/// The score when four squares are empty.
#[inline(always)]
pub(crate) fn four<C: Code>(me: u64, opp: u64, alpha: i32, empty: Squares, nodes: &mut u64) -> i32 {
    let squares = by_parity(empty);
    match four_ordered(me, opp, alpha, squares, nodes) {
        Some(score) => score,
        None => four_passed::<C>(me, opp, alpha, squares, nodes),
    }
}

compiled! {
    /// The same after a pass. It lies apart, so that the code of the usual way stays small.
    fn four_passed<C>(me: u64, opp: u64, alpha: i32, squares: [Square; 4], nodes: &mut u64) -> i32 {
        match four_ordered(opp, me, !alpha, squares, nodes) {
            Some(score) => -score,
            None => settled(me, opp),
        }
    }
}

/// The four squares, those alone in their quadrant first.
#[inline(always)]
fn by_parity(empty: Squares) -> [Square; 4] {
    let empty = empty.bits();
    let x = Square::lowest(empty);
    let rest = empty & (empty - 1);
    let y = Square::lowest(rest);
    let rest = rest & (rest - 1);
    let z = Square::lowest(rest);
    let w = Square::highest(rest);
    let pairs = u8::from(together(x, y))
        | u8::from(together(x, z)) << 1
        | u8::from(together(x, w)) << 2
        | u8::from(together(y, z)) << 3
        | u8::from(together(y, w)) << 4
        | u8::from(together(z, w)) << 5;
    match pairs {
        // One pair: the two others first. A triple: the fourth first.
        0b000_001 => [z, w, x, y],
        0b000_010 => [y, w, x, z],
        0b000_100 => [y, z, x, w],
        0b001_011 => [w, x, y, z],
        0b010_101 => [z, x, y, w],
        0b100_110 => [y, x, z, w],
        _ => [x, y, z, w],
    }
}

#[inline(always)]
fn four_ordered(
    me: u64,
    opp: u64,
    alpha: i32,
    [mut x, mut y, mut z, mut w]: [Square; 4],
    nodes: &mut u64,
) -> Option<i32> {
    *nodes += 1;
    let mut best = -65;
    let [mut turned, mut second, mut third, fourth] =
        [x, y, z, w].map(|square| flips(me, opp, square));
    for _ in 0..4 {
        if turned != 0 {
            let (next, other) = (opp ^ turned, me ^ turned ^ x.bit());
            let score = -three(next, other, !alpha, [y, z, w], nodes);
            if score > alpha {
                return Some(score);
            }
            best = best.max(score);
        }
        (turned, second, third) = (second, third, fourth);
        (x, y, z, w) = (y, z, w, x);
    }
    (best > -65).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{negamax, random_position};

    #[test]
    fn the_last_four_squares_agree_with_negamax() {
        for seed in 0..3000 {
            let board = random_position(seed, 4);
            let exact = negamax(board);
            for alpha in [exact - 2, exact - 1, exact, exact + 1, -1, 0] {
                let mut nodes = 0;
                let bound = four::<crate::simd::dispatch::Built>(
                    board.me(),
                    board.opp(),
                    alpha,
                    board.empty_squares(),
                    &mut nodes,
                );
                assert_eq!(
                    bound > alpha,
                    exact > alpha,
                    "{board:?} {alpha} {exact} {bound}"
                );
                if bound > alpha {
                    assert!(exact >= bound, "{board:?} {alpha} {exact} {bound}");
                } else {
                    assert!(exact <= bound, "{board:?} {alpha} {exact} {bound}");
                }
            }
        }
    }
}
