//! What the sum of patterns cannot say: a small network over the same patterns.
//!
//! Every configuration of a pattern has a row of numbers besides its weight. The rows of a
//! position are added up channel by channel, each sum is held between nothing and one and
//! squared, and one row of output weights for the number of empty squares turns the squares into
//! a score. All numbers are integers, so that every build counts alike.
// Channels of several arrays move in step; one index for all of them says so.
#![allow(clippy::needless_range_loop)]

use crate::features::{Lanes, TABLE};

/// The numbers in a row.
pub const CHANNELS: usize = 32;

/// One row of output weights for each number of empty squares.
pub const PLIES: usize = 61;

/// What counts as one in a row: a sum is held below it.
pub const ONE: i16 = 512;

/// One square of [`ONE`] times one output weight, as a power of two of an evaluation's unit.
pub const SHIFT: u32 = 14;

/// Every number that a slot can hold stays inside the rows when so many follow them.
const SLACK: usize = 1 << 16;

/// The row of a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(16))]
pub struct Row(pub [i8; CHANNELS]);

/// What belongs to a number of empty squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Ply {
    /// What the sums begin with.
    pub bias: [i16; CHANNELS],
    /// The weights of the squares; together below 2^19, so that no sum overflows.
    pub out: [i16; CHANNELS],
}

/// A network, ready for the search.
pub struct Network {
    rows: Vec<Row>,
    plies: Vec<Ply>,
}

/// The sum of a ply's output weights, without their signs, stays below this.
const MOST_OUT: i32 = 1 << 19;

/// What a ply's sums may begin with, at most.
const MOST_BIAS: u16 = 8192;

impl Network {
    /// From one row per shared weight, in the order of `shared`, and a ply for each number of
    /// empty squares. `None` when they are not as many as there should be, or so large that
    /// sums would overflow.
    pub(crate) fn new(shared: &[u32], rows: &[Row], plies: &[Ply]) -> Option<Self> {
        let sound = |ply: &Ply| {
            let out: i32 = ply.out.iter().map(|&weight| i32::from(weight).abs()).sum();
            out < MOST_OUT && ply.bias.iter().all(|bias| bias.unsigned_abs() <= MOST_BIAS)
        };
        if plies.len() != PLIES || !plies.iter().all(sound) {
            return None;
        }
        let mut all = Vec::with_capacity(TABLE + SLACK);
        for &at in shared {
            all.push(*rows.get(at as usize)?);
        }
        all.resize(TABLE + SLACK, Row([0; CHANNELS]));
        Some(Self {
            rows: all,
            plies: plies.to_vec(),
        })
    }

    /// What it adds to the sum of patterns, in units of the evaluation.
    // A call costs nothing beside what it does, and the callers stay small.
    #[inline(never)]
    pub(crate) fn score(&self, mine: &Lanes, empties: u32) -> i32 {
        let ply = &self.plies[empties as usize];
        let score = weighted(&self.rows[..TABLE + SLACK], ply, mine);
        (score + (1 << (SHIFT - 1))) >> SHIFT
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
use avx2::weighted;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
use portable::weighted;

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable {
    use super::{CHANNELS, Lanes, ONE, Ply, Row};
    use crate::features::{SLOT_OFFSETS, SLOTS};

    /// The rows added up, held, squared and weighted.
    pub(super) fn weighted(rows: &[Row], ply: &Ply, mine: &Lanes) -> i32 {
        let mut sums = ply.bias;
        for slot in 0..SLOTS {
            let row = &rows[SLOT_OFFSETS[slot] as usize + usize::from(mine.0[slot])];
            for channel in 0..CHANNELS {
                sums[channel] = sums[channel].wrapping_add(i16::from(row.0[channel]));
            }
        }
        let mut score = 0i32;
        for channel in 0..CHANNELS {
            let held = i32::from(sums[channel].clamp(0, ONE - 1)) << 5;
            let square = (held * held) >> 16;
            score = score.wrapping_add(square * i32::from(ply.out[channel]));
        }
        score
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[allow(unsafe_code)]
mod avx2 {
    use super::{CHANNELS, Lanes, ONE, Ply, Row, SLACK, TABLE};
    use crate::features::for_each_slot;
    use core::arch::x86_64::*;

    /// The rows added up, held, squared and weighted.
    #[inline(always)]
    pub(super) fn weighted(rows: &[Row], ply: &Ply, mine: &Lanes) -> i32 {
        const { assert!(CHANNELS == 32, "two registers of sixteen channels") };
        assert!(rows.len() == TABLE + SLACK);
        // SAFETY: this module is compiled only where the target has AVX2. A slot's rows begin
        // below `TABLE`, its number is a `u16`, and there are `TABLE` and 65,536 rows of 32
        // bytes; the plies' arrays hold 32 numbers of two bytes each.
        unsafe {
            let first: *const __m128i = rows.as_ptr().cast();
            let bias: *const __m256i = ply.bias.as_ptr().cast();
            let out: *const __m256i = ply.out.as_ptr().cast();
            let mut low = _mm256_loadu_si256(bias);
            let mut high = _mm256_loadu_si256(bias.add(1));
            for_each_slot!(SLOT, OFFSET, {
                let row = first.add(2 * (OFFSET + usize::from(mine.0[SLOT])));
                low = _mm256_add_epi16(low, _mm256_cvtepi8_epi16(_mm_loadu_si128(row)));
                high = _mm256_add_epi16(high, _mm256_cvtepi8_epi16(_mm_loadu_si128(row.add(1))));
            });
            let squared = |sums: __m256i| {
                let least = _mm256_max_epi16(sums, _mm256_setzero_si256());
                let held = _mm256_min_epi16(least, _mm256_set1_epi16(ONE - 1));
                let wide = _mm256_slli_epi16::<5>(held);
                _mm256_mulhi_epi16(wide, wide)
            };
            let low = _mm256_madd_epi16(squared(low), _mm256_loadu_si256(out));
            let high = _mm256_madd_epi16(squared(high), _mm256_loadu_si256(out.add(1)));
            let all = _mm256_add_epi32(low, high);
            let half = _mm_add_epi32(
                _mm256_castsi256_si128(all),
                _mm256_extracti128_si256::<1>(all),
            );
            let pair = _mm_add_epi32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
            let one = _mm_add_epi32(pair, _mm_shuffle_epi32::<0b10_11_00_01>(pair));
            _mm_cvtsi128_si32(one)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::shared_weights;
    use crate::node::Node;
    use crate::testing::random_position;
    use papan_rules::SplitMix;

    fn some_network() -> (Vec<Row>, Vec<Ply>) {
        let mut random = SplitMix::new(5);
        let (_, count) = shared_weights();
        let rows = (0..count)
            .map(|_| Row(std::array::from_fn(|_| random.below(81) as i8 - 40)))
            .collect();
        let plies = (0..PLIES)
            .map(|_| Ply {
                bias: std::array::from_fn(|_| random.below(600) as i16),
                out: std::array::from_fn(|_| random.below(4000) as i16 - 2000),
            })
            .collect();
        (rows, plies)
    }

    #[test]
    fn the_score_is_what_wide_numbers_give_and_no_image_of_a_board_differs() {
        let (shared, _) = shared_weights();
        let (rows, plies) = some_network();
        let network = Network::new(shared, &rows, &plies).expect("it is sound");
        for seed in 0..40 {
            let board = random_position(seed, 1 + seed as u32 % 50);
            let node = Node::new(board);
            let score = network.score(&node.features.mine, board.empties());
            let ply = &plies[board.empties() as usize];
            let mine = &node.features.mine;
            let portably = portable::weighted(&network.rows, ply, mine);
            assert_eq!(portably, weighted(&network.rows, ply, mine));
            let mut sums = ply.bias.map(i64::from);
            for at in crate::evaluation::entries(board) {
                let row = rows[shared[at as usize] as usize];
                for channel in 0..CHANNELS {
                    sums[channel] += i64::from(row.0[channel]);
                }
            }
            let squares = sums.map(|sum| sum.clamp(0, 511).pow(2) * 1024 / 65536);
            let wide: i64 = (0..CHANNELS)
                .map(|channel| squares[channel] * i64::from(ply.out[channel]))
                .sum();
            let expected = (wide + 8192).div_euclid(16384);
            assert_eq!(i64::from(score), expected);
            for symmetry in 1..8 {
                let image = Node::new(board.transformed(symmetry));
                let score_of_image = network.score(&image.features.mine, board.empties());
                assert_eq!(score_of_image, score);
            }
        }
    }

    #[test]
    fn numbers_that_could_overflow_are_refused() {
        let (shared, _) = shared_weights();
        let (rows, mut plies) = some_network();
        assert!(Network::new(shared, &rows[1..], &plies).is_none());
        assert!(Network::new(shared, &rows, &plies[1..]).is_none());
        plies[9].out = [i16::MAX; CHANNELS];
        assert!(Network::new(shared, &rows, &plies).is_none());
    }
}
