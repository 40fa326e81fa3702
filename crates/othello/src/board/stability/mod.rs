//! Stability: discs that can never be flipped again, a bound on the score without search.
//!
//! Edges come from a precomputed table. Inner discs are stable if in each of the four directions
//! they lie on a full line or next to a stable disc of the same colour. The result is a lower bound.
//! The method is that of Edax.

use crate::board::square::Squares;
use std::sync::LazyLock;

#[cfg(any(
    test,
    not(any(
        all(target_arch = "x86_64", target_feature = "avx2"),
        all(target_arch = "wasm32", target_feature = "simd128")
    ))
))]
mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
use avx2::grow;
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "avx2"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
use portable::grow;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128::grow;

/// For each pair of bytes (mine, theirs) of an edge: my discs that no sequence of moves on that edge
/// flips.
pub(crate) type EdgeStability = [u8; 65536];

static EDGES: LazyLock<Box<EdgeStability>> = LazyLock::new(compute_edge_table);

/// Returns the edge table, computed on the first call. The solver keeps the reference.
pub(crate) fn edge_stability() -> &'static EdgeStability {
    &EDGES
}

const A_FILE: u64 = 0x0101_0101_0101_0101;
const BORDER: u64 = 0xff81_8181_8181_81ff;

/// Number of growth steps. Most positions need no more; testing for convergence instead would cost an
/// unpredictable branch and twice the time.
const ROUNDS: usize = 4;

/// Returns discs of `me` that are certainly stable. `MAX_EMPTIES` bounds the number of empty squares;
/// 0 means unknown.
#[inline(never)]
pub(crate) fn stable_discs<const MAX_EMPTIES: usize>(
    edges: &EdgeStability,
    me: u64,
    opp: u64,
) -> u64 {
    grow::<MAX_EMPTIES>(me, !(me | opp), stable_edges(edges, me, opp))
}

#[inline]
fn stable_edges(edges: &EdgeStability, me: u64, opp: u64) -> u64 {
    let at = |mine: u64, theirs: u64| edges[((mine & 0xff) << 8 | (theirs & 0xff)) as usize];
    let bottom = u64::from(at(me, opp));
    let top = u64::from(at(me >> 56, opp >> 56)) << 56;
    let left = u64::from(at(gather_file(me), gather_file(opp)));
    let right = u64::from(at(gather_file(me >> 7), gather_file(opp >> 7)));
    bottom | top | scatter_file(left) | scatter_file(right) << 7
}

/// Returns the a-file as a byte, a1 lowest.
#[inline]
fn gather_file(bits: u64) -> u64 {
    (bits & A_FILE).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Spreads a byte over the a-file, lowest bit on a1.
#[inline]
fn scatter_file(byte: u64) -> u64 {
    let low = (byte & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & A_FILE;
    low | (byte >> 7) << 56
}

/// Computes the edge table. Both players may fill any empty square of the edge, whether or not the
/// move flips something; discs that survive every order of filling are stable.
fn compute_edge_table() -> Box<EdgeStability> {
    let mut table: Box<EdgeStability> = vec![0; 65536]
        .into_boxed_slice()
        .try_into()
        .expect("the length is that of the array");
    // An entry depends on those with one disc more, so fuller edges come first.
    for discs in (0..=8).rev() {
        for filled in 0..=255u32 {
            if filled.count_ones() != discs {
                continue;
            }
            let mut mine = filled;
            loop {
                let theirs = filled & !mine;
                table[(mine << 8 | theirs) as usize] = survivors(&table, mine, theirs);
                if mine == 0 {
                    break;
                }
                mine = (mine - 1) & filled;
            }
        }
    }
    table
}

fn survivors(table: &EdgeStability, mine: u32, theirs: u32) -> u8 {
    let mut stable = mine;
    for square in Squares(u64::from(!(mine | theirs) & 0xff)) {
        let flipped = edge_flips(mine, theirs, square.index());
        let (m, t) = (mine | flipped | 1 << square.index(), theirs & !flipped);
        stable &= u32::from(table[(m << 8 | t) as usize]);
        let flipped = edge_flips(theirs, mine, square.index());
        let (m, t) = (mine & !flipped, theirs | flipped | 1 << square.index());
        stable &= u32::from(table[(m << 8 | t) as usize]);
    }
    stable as u8
}

fn edge_flips(me: u32, opp: u32, square: usize) -> u32 {
    let mut all = 0;
    for step in [-1i32, 1] {
        let mut run = 0;
        let mut at = square as i32 + step;
        while (0..8).contains(&at) && opp >> at & 1 == 1 {
            run |= 1 << at;
            at += step;
        }
        if (0..8).contains(&at) && me >> at & 1 == 1 {
            all |= run;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;
    use proptest::prelude::*;

    /// Returns the discs of `me` that some continuation flips, by exhaustive play.
    fn ever_flipped(board: Board, me: u64, passed: bool) -> u64 {
        let moves = board.moves();
        if moves.is_empty() {
            return if passed {
                0
            } else {
                ever_flipped(board.passed(), me, true)
            };
        }
        let mut flipped = 0;
        for square in moves {
            let flips = board.flips(square);
            flipped |= (flips & me) | ever_flipped(board.after(square, flips), me, false);
        }
        flipped
    }

    proptest! {
        #[test]
        fn a_stable_disc_is_never_flipped(seed: u64) {
            let board = crate::testing::random_position(seed, 8);
            for board in [board, board.passed()] {
                let stable = stable_discs::<0>(edge_stability(), board.me(), board.opp());
                prop_assert_eq!(stable_discs::<8>(edge_stability(), board.me(), board.opp()), stable);
                prop_assert_eq!(stable & !board.me(), 0);
                let lost = ever_flipped(board, board.me(), false) | ever_flipped(board.passed(), board.me(), false);
                prop_assert_eq!(stable & lost, 0);
            }
        }
    }

    proptest! {
        #[test]
        fn every_code_path_finds_the_same_stable_discs(me: u64, filled: u64, seed: u64) {
            // Mostly filled, or hardly any line would be full.
            let empty = !(me | filled) & seed;
            let known = stable_edges(edge_stability(), me & !empty, !me & !empty);
            let found = grow::<0>(me & !empty, empty, known);
            prop_assert_eq!(portable::grow::<0>(me & !empty, empty, known), found);
            if empty.count_ones() <= 8 {
                prop_assert_eq!(grow::<8>(me & !empty, empty, known), found);
                prop_assert_eq!(portable::grow::<8>(me & !empty, empty, known), found);
            }
        }
    }

    #[test]
    fn discs_connected_to_a_corner_along_the_edge_are_stable() {
        assert_eq!(stable_discs::<0>(edge_stability(), 0x07, 0), 0x07);
        assert_eq!(stable_discs::<0>(edge_stability(), 0x06, 0), 0);
        assert_eq!(stable_discs::<0>(edge_stability(), !0, 0), !0);
    }

    #[test]
    fn files_gather_and_scatter() {
        for byte in 0..256 {
            assert_eq!(gather_file(scatter_file(byte)), byte);
        }
    }
}
