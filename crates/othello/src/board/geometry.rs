//! What is known of the squares beforehand: rays, lines and quadrants, all tables made at
//! compile time.

use crate::board::square::Square;

/// The rays toward higher numbers, by steps of 1, 7, 8 and 9, without the square itself.
pub(crate) static RAYS_UP: [[u64; 4]; 64] = rays([(1, 0), (-1, 1), (0, 1), (1, 1)]);

/// The rays toward lower numbers, by steps of 1, 7, 8 and 9, without the square itself.
pub(crate) static RAYS_DOWN: [[u64; 4]; 64] = rays([(-1, 0), (1, -1), (0, -1), (-1, -1)]);

/// The lines through each square, by steps of 1, 7, 8 and 9, the square itself among them; then nothing, for no
/// square.
pub(crate) static LINES: [[u64; 4]; 65] = lines();

/// The four corners.
pub(crate) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The squares that touch one of `set`.
#[inline(always)]
pub(crate) const fn beside(set: u64) -> u64 {
    let sides = (set & 0x7f7f_7f7f_7f7f_7f7f) << 1 | (set & 0xfefe_fefe_fefe_fefe) >> 1;
    let row = set | sides;
    sides | row << 8 | row >> 8
}

/// The squares of the first corner's quadrant; the others begin 4, 32 and 36 squares later.
const QUADRANT: u64 = 0x0f0f_0f0f;

/// The squares of the quadrant that a square lies in.
#[inline(always)]
pub(crate) const fn quadrant(square: Square) -> u64 {
    QUADRANT << (square.index() & 36)
}

/// The squares of those quadrants that hold an odd number of `set`.
#[inline(always)]
pub(crate) const fn odd_quadrants(set: u64) -> u64 {
    let rows = set ^ set >> 16;
    let row = rows ^ rows >> 8;
    let pairs = row ^ row >> 2;
    let parity = (pairs ^ pairs >> 1) & 0x11_0000_0011;
    parity * QUADRANT
}

/// Those of `set` that touch no other of it.
#[inline(always)]
pub(crate) const fn alone(set: u64) -> u64 {
    set & !beside(set)
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
    fn the_squares_beside_a_set_are_the_neighbours_of_its_squares() {
        for square in 0..64u32 {
            let touches = |other: &u32| {
                let (x, y) = (
                    (square % 8).abs_diff(other % 8),
                    (square / 8).abs_diff(other / 8),
                );
                x.max(y) == 1
            };
            let neighbours = (0..64)
                .filter(touches)
                .fold(0, |set, other| set | 1u64 << other);
            assert_eq!(beside(1 << square), neighbours);
            assert_eq!(alone(1 << square), 1 << square);
            assert_eq!(alone(neighbours | 1 << square), 0);
        }
        assert_eq!(beside(CORNERS) & CORNERS, 0);
        assert_eq!(beside(!0), !0);
    }
}
