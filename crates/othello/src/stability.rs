//! Discs that can never be turned again: a bound on the score that costs no search.

use crate::square::Squares;
use std::sync::LazyLock;

/// For each pair of bytes (mine, theirs) on an edge: my discs that no play on that edge turns.
pub(crate) type EdgeStability = [u8; 65536];

static EDGES: LazyLock<Box<EdgeStability>> = LazyLock::new(edge_stability);

/// The table of edges; the search keeps the reference.
pub(crate) fn edges() -> &'static EdgeStability {
    &EDGES
}

const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = 0x8080_8080_8080_8080;
const BORDER: u64 = 0xff81_8181_8181_81ff;

/// The discs of `me` that can be shown never to change sides. Not all of them: a lower bound.
#[inline]
pub(crate) fn stable_discs(edges: &EdgeStability, me: u64, opp: u64) -> u64 {
    let [rows, columns, rising, falling] = full_lines(me | opp);
    let mut stable = stable_edges(edges, me, opp) | (me & rows & columns & rising & falling);
    if stable == 0 {
        return 0;
    }
    let inner = me & !BORDER;
    loop {
        let sides = (stable & !H_FILE) << 1 | (stable & !A_FILE) >> 1 | rows;
        let ends = stable << 8 | stable >> 8 | columns;
        let up = (stable & !A_FILE) << 7 | (stable & !H_FILE) >> 7 | rising;
        let down = (stable & !H_FILE) << 9 | (stable & !A_FILE) >> 9 | falling;
        let grown = stable | (inner & sides & ends & up & down);
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

/// For each direction, the squares whose line in it is full.
#[inline]
fn full_lines(discs: u64) -> [u64; 4] {
    let mut rows = discs & discs >> 4;
    rows &= rows >> 2;
    rows &= rows >> 1;
    rows = (rows & A_FILE) * 255;

    let mut columns = discs & discs.rotate_right(32);
    columns &= columns.rotate_right(16);
    columns &= columns.rotate_right(8);

    // Off the board counts as filled, so bits shifted in from outside are set.
    let (mut rising, mut falling) = (discs, discs);
    rising &= (rising >> 7) | 0xff01_0101_0101_0101;
    rising &= (rising << 7) | 0x8080_8080_8080_80ff;
    let mut wide = rising;
    rising &= (wide >> 14) | 0xffff_0303_0303_0303;
    rising &= (wide << 14) | 0xc0c0_c0c0_c0c0_ffff;
    wide = rising;
    rising &= (wide >> 28) | 0xffff_ffff_0f0f_0f0f;
    rising &= (wide << 28) | 0xf0f0_f0f0_ffff_ffff;

    falling &= (falling >> 9) | 0xff80_8080_8080_8080;
    falling &= (falling << 9) | 0x0101_0101_0101_01ff;
    wide = falling;
    falling &= (wide >> 18) | 0xffff_c0c0_c0c0_c0c0;
    falling &= (wide << 18) | 0x0303_0303_0303_ffff;
    wide = falling;
    falling &= (wide >> 36) | 0xffff_ffff_f0f0_f0f0;
    falling &= (wide << 36) | 0x0f0f_0f0f_ffff_ffff;
    [rows, columns, rising, falling]
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
                let stable = stable_discs(edges(), board.me(), board.opp());
                prop_assert_eq!(stable & !board.me(), 0);
                let lost = ever_turned(board, board.me(), false) | ever_turned(board.passed(), board.me(), false);
                prop_assert_eq!(stable & lost, 0);
            }
        }
    }

    #[test]
    fn a_corner_with_a_full_edge_beside_it_is_stable() {
        assert_eq!(stable_discs(edges(), 0x07, 0), 0x07);
        assert_eq!(stable_discs(edges(), 0x06, 0), 0);
        assert_eq!(stable_discs(edges(), !0, 0), !0);
    }

    #[test]
    fn files_gather_and_scatter() {
        for byte in 0..256 {
            assert_eq!(gather_file(scatter_file(byte)), byte);
        }
    }
}
