//! Board geometry: rays, lines, neighbours and quadrants, tabulated at compile time.

use crate::board::square::Square;

/// Rays from each square towards higher indices, in steps of 1, 7, 8 and 9; without the square.
pub(crate) static RAYS_UP: [[u64; 4]; 64] = rays([(1, 0), (-1, 1), (0, 1), (1, 1)]);

/// Rays from each square towards lower indices, in steps of 1, 7, 8 and 9; without the square.
pub(crate) static RAYS_DOWN: [[u64; 4]; 64] = rays([(-1, 0), (1, -1), (0, -1), (-1, -1)]);

/// Lines through each square, in steps of 1, 7, 8 and 9, including the square. Entry 64 is empty: it
/// belongs to no square.
pub(crate) static LINES: [[u64; 4]; 65] = lines();

/// The four corners.
pub(crate) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Returns the squares adjacent to a square of `set`.
#[inline(always)]
pub(crate) const fn neighbours(set: u64) -> u64 {
    let sides = (set & 0x7f7f_7f7f_7f7f_7f7f) << 1 | (set & 0xfefe_fefe_fefe_fefe) >> 1;
    let row = set | sides;
    sides | row << 8 | row >> 8
}

/// The quadrant of a1; the others are shifted by 4, 32 and 36.
const QUADRANT: u64 = 0x0f0f_0f0f;

/// Returns the quadrant of a square.
#[inline(always)]
pub(crate) const fn quadrant(square: Square) -> u64 {
    QUADRANT << (square.index() & 36)
}

/// Returns the quadrants that hold an odd number of squares of `set` (quadrant parity).
#[inline(always)]
pub(crate) const fn odd_quadrants(set: u64) -> u64 {
    let rows = set ^ set >> 16;
    let row = rows ^ rows >> 8;
    let pairs = row ^ row >> 2;
    let parity = (pairs ^ pairs >> 1) & 0x11_0000_0011;
    parity * QUADRANT
}

/// Returns the squares of `set` that are not adjacent to another one.
#[inline(always)]
pub(crate) const fn isolated(set: u64) -> u64 {
    set & !neighbours(set)
}

const fn rays(steps: [(i32, i32); 4]) -> [[u64; 4]; 64] {
    let mut all = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (dx, dy) = steps[direction];
            let (mut x, mut y) = (square as i32 % 8 + dx, square as i32 / 8 + dy);
            while 0 <= x && x < 8 && 0 <= y && y < 8 {
                all[square][direction] |= 1u64 << (8 * y + x);
                x += dx;
                y += dy;
            }
            direction += 1;
        }
        square += 1;
    }
    all
}

const fn lines() -> [[u64; 4]; 65] {
    let mut all = [[0; 4]; 65];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (up, down) = (RAYS_UP[square][direction], RAYS_DOWN[square][direction]);
            all[square][direction] = up | down | 1 << square;
            direction += 1;
        }
        square += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn odd_quadrants_hold_an_odd_number_of_squares(set: u64) {
            let odd = odd_quadrants(set);
            for square in Square::all() {
                let is_odd = (set & quadrant(square)).count_ones() % 2 == 1;
                prop_assert_eq!(odd & square.bit() != 0, is_odd);
                let same = Square::all().filter(|other| {
                    let half = |at: usize| (at % 8 / 4, at / 32);
                    half(other.index()) == half(square.index())
                });
                prop_assert_eq!(quadrant(square), same.fold(0, |all, other| all | other.bit()));
            }
        }
    }

    #[test]
    fn the_neighbours_of_a_set_are_the_adjacent_squares() {
        for square in 0..64u32 {
            let touches = |other: &u32| {
                let (x, y) = (
                    (square % 8).abs_diff(other % 8),
                    (square / 8).abs_diff(other / 8),
                );
                x.max(y) == 1
            };
            let expected = (0..64)
                .filter(touches)
                .fold(0, |set, other| set | 1u64 << other);
            assert_eq!(neighbours(1 << square), expected);
            assert_eq!(isolated(1 << square), 1 << square);
            assert_eq!(isolated(expected | 1 << square), 0);
        }
        assert_eq!(neighbours(CORNERS) & CORNERS, 0);
        assert_eq!(neighbours(!0), !0);
    }
}
