//! Discs that can never be turned again: a bound on the score that costs no search.

use crate::board::square::Squares;
use std::sync::LazyLock;

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
use avx2::grown;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
use portable::grown;

/// For each pair of bytes (mine, theirs) on an edge: my discs that no play on that edge turns.
pub(crate) type EdgeStability = [u8; 65536];

static EDGES: LazyLock<Box<EdgeStability>> = LazyLock::new(edge_stability);

/// The table of edges; the search keeps the reference.
pub(crate) fn edges() -> &'static EdgeStability {
    &EDGES
}

const A_FILE: u64 = 0x0101_0101_0101_0101;
const BORDER: u64 = 0xff81_8181_8181_81ff;

/// How often what is known to be stable is let grow. Most sets of discs are done by then; to ask each time whether
/// this one is would cost a branch that nobody can foresee, and as much time again.
const ROUNDS: usize = 4;

/// The discs of `me` that can be shown never to change sides. Not all of them: a lower bound. At most `MOST` squares are
/// empty; 0 where that is not known.
#[inline(never)]
pub(crate) fn stable_discs<const MOST: usize>(edges: &EdgeStability, me: u64, opp: u64) -> u64 {
    grown::<MOST>(me, !(me | opp), stable_edges(edges, me, opp))
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

/// The a-file as a byte, a1 lowest.
#[inline]
fn gather_file(bits: u64) -> u64 {
    (bits & A_FILE).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// A byte spread over the a-file, lowest bit on a1.
#[inline]
fn scatter_file(byte: u64) -> u64 {
    let low = (byte & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & A_FILE;
    low | (byte >> 7) << 56
}

/// Both players may fill any empty square of the edge, whether or not it turns something: what
/// survives every order of filling is stable.
fn edge_stability() -> Box<EdgeStability> {
    let mut table: Box<EdgeStability> = vec![0; 65536]
        .into_boxed_slice()
        .try_into()
        .expect("the length is that of the array");
    // A fuller edge has a greater number of discs, so counting down visits it first.
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
        let turned = edge_flips(mine, theirs, square.index());
        let (m, t) = (mine | turned | 1 << square.index(), theirs & !turned);
        stable &= u32::from(table[(m << 8 | t) as usize]);
        let turned = edge_flips(theirs, mine, square.index());
        let (m, t) = (mine & !turned, theirs | turned | 1 << square.index());
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

    /// The discs of the side `me` that some continuation turns, found by playing everything.
    fn ever_turned(board: Board, me: u64, passed: bool) -> u64 {
        let moves = board.moves();
        if moves.is_empty() {
            return if passed {
                0
            } else {
                ever_turned(board.passed(), me, true)
            };
        }
        let mut turned = 0;
        for square in moves {
            let flips = board.flips(square);
            turned |= (flips & me) | ever_turned(board.after(square, flips), me, false);
        }
        turned
    }

    proptest! {
        #[test]
        fn a_stable_disc_is_never_turned(seed: u64) {
            let board = crate::testing::random_position(seed, 8);
            for board in [board, board.passed()] {
                let stable = stable_discs::<0>(edges(), board.me(), board.opp());
                prop_assert_eq!(stable_discs::<8>(edges(), board.me(), board.opp()), stable);
                prop_assert_eq!(stable & !board.me(), 0);
                let lost = ever_turned(board, board.me(), false) | ever_turned(board.passed(), board.me(), false);
                prop_assert_eq!(stable & lost, 0);
            }
        }
    }

    proptest! {
        #[test]
        fn every_code_path_finds_the_same_stable_discs(me: u64, filled: u64, seed: u64) {
            // Most squares are filled, or hardly any line would be full.
            let empty = !(me | filled) & seed;
            let known = stable_edges(edges(), me & !empty, !me & !empty);
            let found = grown::<0>(me & !empty, empty, known);
            prop_assert_eq!(portable::grown::<0>(me & !empty, empty, known), found);
            if empty.count_ones() <= 8 {
                prop_assert_eq!(grown::<8>(me & !empty, empty, known), found);
                prop_assert_eq!(portable::grown::<8>(me & !empty, empty, known), found);
            }
        }
    }

    #[test]
    fn a_corner_with_a_full_edge_beside_it_is_stable() {
        assert_eq!(stable_discs::<0>(edges(), 0x07, 0), 0x07);
        assert_eq!(stable_discs::<0>(edges(), 0x06, 0), 0);
        assert_eq!(stable_discs::<0>(edges(), !0, 0), !0);
    }

    #[test]
    fn files_gather_and_scatter() {
        for byte in 0..256 {
            assert_eq!(gather_file(scatter_file(byte)), byte);
        }
    }
}
