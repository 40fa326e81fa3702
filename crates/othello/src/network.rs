//! What the sum of patterns cannot say: a small network over the same patterns.
//!
//! Every configuration of a pattern has a row of numbers besides its weight. The rows of a
//! position are added up channel by channel, and each sum is held between nothing and one.
//! Sixteen units read the squares of the channels, the products of one half of them with the
//! other, and how many moves both sides have; the squares of the units, weighted, are the score.
//! What the units read and what they count for depends on the number of empty squares. All
//! numbers are integers, so that every build counts alike.
// Channels of several arrays move in step; one index for all of them says so.
#![allow(clippy::needless_range_loop)]

use crate::board::Board;
use crate::evaluation::UNIT;
use crate::features::{Lanes, TABLE};
use crate::pages::Large;

/// The numbers in a row.
pub const CHANNELS: usize = 32;

/// What reads the channels.
pub const UNITS: usize = 16;

/// What a unit reads: squares, products, and the two sides' numbers of moves with their squares.
pub const INPUTS: usize = CHANNELS + CHANNELS / 2 + 4;

/// One set of units for each number of empty squares.
pub const PLIES: usize = 61;

/// What counts as one in a row: a sum is held below it.
pub const ONE: i16 = 512;

/// What counts as one among the inputs, as a power of two.
pub const INPUT_BITS: u32 = 12;

/// What counts as one in a unit's weight, as a power of two.
pub const WEIGHT_BITS: u32 = 10;

/// What counts as one in the square of a unit, as a power of two.
pub const SQUARE_BITS: u32 = 14;

/// One unit of the evaluation, as a power of two of what the weighted squares add up to.
pub const SHIFT: u32 = 16;

/// Numbers of moves are divided by this power of two before the units read them.
pub const MOVES_BITS: u32 = 4;

/// More moves than these count as these, so that their square fits.
const MOST_MOVES: u32 = 44;

/// What it adds to the sum of patterns at most, in units of the evaluation: six discs. Where that
/// cannot matter, the search does not ask it.
pub const MOST: i32 = 6 * UNIT;

/// Every number that a slot can hold stays inside the rows when so many follow them.
const SLACK: usize = 1 << 16;

/// The row of a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// Aligned to its size, so that none lies in two cache lines.
#[repr(align(32))]
pub struct Row(pub [i8; CHANNELS]);

/// What belongs to a number of empty squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// What the sums of the channels begin with.
    pub bias: [i16; CHANNELS],
    /// How every unit weighs every input.
    pub weights: [[i16; UNITS]; INPUTS],
    /// What the units' sums begin with.
    pub begin: [i32; UNITS],
    /// What the squares of the units count for.
    pub out: [i16; UNITS],
}

/// A ply as the search reads it: the weights of two inputs stand side by side for each unit.
#[repr(align(32))]
struct Layer {
    bias: [i16; CHANNELS],
    pairs: [[[i16; 2]; UNITS]; INPUTS / 2],
    begin: [i32; UNITS],
    out: [i16; UNITS],
}

/// A network, ready for the search.
pub struct Network {
    rows: Large<Row>,
    layers: Vec<Layer>,
}

/// What the sums of the channels may begin with, at most.
const MOST_BIAS: u16 = 8192;

impl Ply {
    /// Whether no sum can overflow, whatever the position.
    fn is_sound(&self) -> bool {
        let unit = |unit: usize| {
            let read = self.weights.iter().enumerate().map(|(input, weights)| {
                let most = 1i64 << if input < INPUTS - 4 { INPUT_BITS } else { 15 };
                most * i64::from(weights[unit]).abs()
            });
            let sum = read.sum::<i64>() + i64::from(self.begin[unit]).abs();
            sum <= i64::from(i32::MAX)
        };
        let out: i64 = self.out.iter().map(|&out| i64::from(out).abs()).sum();
        (0..UNITS).all(unit)
            && out << SQUARE_BITS < i64::from(i32::MAX) - (1 << SHIFT)
            && self
                .bias
                .iter()
                .all(|bias| bias.unsigned_abs() <= MOST_BIAS)
    }

    fn layer(&self) -> Layer {
        Layer {
            bias: self.bias,
            pairs: std::array::from_fn(|pair| {
                std::array::from_fn(|unit| {
                    [
                        self.weights[2 * pair][unit],
                        self.weights[2 * pair + 1][unit],
                    ]
                })
            }),
            begin: self.begin,
            out: self.out,
        }
    }
}

impl Network {
    /// From one row per shared weight, in the order of `shared`, and a ply for each number of
    /// empty squares. `None` when they are not as many as there should be, or so large that
    /// sums would overflow.
    pub(crate) fn new(shared: &[u32], rows: &[Row], plies: &[Ply]) -> Option<Self> {
        if plies.len() != PLIES || !plies.iter().all(Ply::is_sound) {
            return None;
        }
        if shared.iter().any(|&at| at as usize >= rows.len()) {
            return None;
        }
        Some(Self {
            rows: Large::new(TABLE + SLACK, Row([0; CHANNELS]), |all| {
                for (row, &at) in all.iter_mut().zip(shared) {
                    *row = rows[at as usize];
                }
            }),
            layers: plies.iter().map(Ply::layer).collect(),
        })
    }

    /// What it adds to the sum of patterns, in units of the evaluation.
    // A call costs nothing beside what it does, and the callers stay small.
    #[inline(never)]
    pub(crate) fn score(&self, mine: &Lanes, board: Board) -> i32 {
        let layer = &self.layers[board.empties() as usize];
        let moves = moves_read(board);
        let score = weighted(&self.rows[..TABLE + SLACK], layer, mine, moves);
        ((score + (1 << (SHIFT - 1))) >> SHIFT).clamp(-MOST, MOST)
    }
}

/// The numbers of moves as the units read them.
#[inline(always)]
fn moves_read(board: Board) -> [i16; 4] {
    let few = |moves: u32| moves.min(MOST_MOVES) as i16;
    let (mine, theirs) = (few(board.moves().len()), few(board.passed().moves().len()));
    let one = INPUT_BITS - MOVES_BITS;
    let square = INPUT_BITS - 2 * MOVES_BITS;
    [
        mine << one,
        theirs << one,
        (mine * mine) << square,
        (theirs * theirs) << square,
    ]
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
use avx2::weighted;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
use portable::weighted;

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable {
    use super::{CHANNELS, INPUT_BITS, INPUTS, Lanes, Layer, ONE, Row, UNITS, WEIGHT_BITS};
    use crate::features::{SLOT_OFFSETS, SLOTS};

    /// The rows added up, held, multiplied, read by the units and weighted.
    pub(super) fn weighted(rows: &[Row], layer: &Layer, mine: &Lanes, moves: [i16; 4]) -> i32 {
        let mut sums = layer.bias;
        for slot in 0..SLOTS {
            let row = &rows[SLOT_OFFSETS[slot] as usize + usize::from(mine.0[slot])];
            for channel in 0..CHANNELS {
                sums[channel] = sums[channel].wrapping_add(i16::from(row.0[channel]));
            }
        }
        let held = sums.map(|sum| i32::from(sum.clamp(0, ONE - 1)) << 5);
        let product = |a: i32, b: i32| (a * b) >> 16;
        let half = CHANNELS / 2;
        let mut inputs = [0; INPUTS];
        for channel in 0..CHANNELS {
            inputs[channel] = product(held[channel], held[channel]);
        }
        for channel in 0..half {
            inputs[CHANNELS + channel] = product(held[channel], held[channel + half]);
        }
        for (input, moves) in inputs[CHANNELS + half..].iter_mut().zip(moves) {
            *input = i32::from(moves);
        }
        let mut units = layer.begin;
        for (pair, inputs) in layer.pairs.iter().zip(inputs.as_chunks::<2>().0) {
            for unit in 0..UNITS {
                let [first, second] = pair[unit].map(i32::from);
                units[unit] += first * inputs[0] + second * inputs[1];
            }
        }
        let mut score = 0;
        for unit in 0..UNITS {
            let held = (units[unit] >> (INPUT_BITS + WEIGHT_BITS - 15)).clamp(0, 32767);
            score += product(held, held) * i32::from(layer.out[unit]);
        }
        score
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[allow(unsafe_code)]
mod avx2 {
    use super::{
        CHANNELS, INPUT_BITS, INPUTS, Lanes, Layer, ONE, Row, SLACK, TABLE, UNITS, WEIGHT_BITS,
    };
    use crate::features::for_each_slot;
    use core::arch::x86_64::*;

    /// What the units read, where the vectors are written.
    #[repr(align(32))]
    struct Inputs([i16; INPUTS]);

    /// The rows added up, held, multiplied, read by the units and weighted.
    #[inline(always)]
    pub(super) fn weighted(rows: &[Row], layer: &Layer, mine: &Lanes, moves: [i16; 4]) -> i32 {
        const { assert!(CHANNELS == 32, "two registers of sixteen channels") };
        const { assert!(UNITS == 16, "two registers of eight units") };
        assert!(rows.len() == TABLE + SLACK);
        let mut inputs = Inputs([0; INPUTS]);
        inputs.0[INPUTS - 4..].copy_from_slice(&moves);
        // SAFETY: this module is compiled only where the target has AVX2. A slot's rows begin
        // below `TABLE`, its number is a `u16`, and there are `TABLE` and 65,536 rows of 32
        // bytes. The layer's arrays hold 32 and 16 numbers of two bytes, 16 of four, and 64
        // bytes for each pair of inputs; the inputs 48 numbers of two bytes before the moves.
        unsafe {
            let first: *const __m128i = rows.as_ptr().cast();
            let bias: *const __m256i = layer.bias.as_ptr().cast();
            let mut low = _mm256_loadu_si256(bias);
            let mut high = _mm256_loadu_si256(bias.add(1));
            for_each_slot!(SLOT, OFFSET, {
                let row = first.add(2 * (OFFSET + usize::from(mine.0[SLOT])));
                low = _mm256_add_epi16(low, _mm256_cvtepi8_epi16(_mm_loadu_si128(row)));
                high = _mm256_add_epi16(high, _mm256_cvtepi8_epi16(_mm_loadu_si128(row.add(1))));
            });
            let held = |sums: __m256i| {
                let least = _mm256_max_epi16(sums, _mm256_setzero_si256());
                let held = _mm256_min_epi16(least, _mm256_set1_epi16(ONE - 1));
                _mm256_slli_epi16::<5>(held)
            };
            let (low, high) = (held(low), held(high));
            let to: *mut __m256i = inputs.0.as_mut_ptr().cast();
            _mm256_store_si256(to, _mm256_mulhi_epi16(low, low));
            _mm256_store_si256(to.add(1), _mm256_mulhi_epi16(high, high));
            _mm256_store_si256(to.add(2), _mm256_mulhi_epi16(low, high));

            let begin: *const __m256i = layer.begin.as_ptr().cast();
            let mut left = _mm256_loadu_si256(begin);
            let mut right = _mm256_loadu_si256(begin.add(1));
            let pairs: *const __m256i = layer.pairs.as_ptr().cast();
            let read: *const i32 = inputs.0.as_ptr().cast();
            for pair in 0..INPUTS / 2 {
                let both = _mm256_set1_epi32(read.add(pair).read());
                let weights = pairs.add(2 * pair);
                let first = _mm256_madd_epi16(both, _mm256_loadu_si256(weights));
                let second = _mm256_madd_epi16(both, _mm256_loadu_si256(weights.add(1)));
                left = _mm256_add_epi32(left, first);
                right = _mm256_add_epi32(right, second);
            }
            const BITS: i32 = (INPUT_BITS + WEIGHT_BITS - 15) as i32;
            let both = _mm256_packs_epi32(
                _mm256_srai_epi32::<BITS>(left),
                _mm256_srai_epi32::<BITS>(right),
            );
            // Packing works on halves of the registers: units 0-3, 8-11, 4-7, 12-15.
            let units = _mm256_permute4x64_epi64::<0b11_01_10_00>(both);
            let held = _mm256_max_epi16(units, _mm256_setzero_si256());
            let out = _mm256_loadu_si256(layer.out.as_ptr().cast());
            let all = _mm256_madd_epi16(_mm256_mulhi_epi16(held, held), out);
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
pub(crate) mod tests {
    use super::*;
    use crate::evaluation::shared_weights;
    use crate::node::Node;
    use crate::testing::random_position;
    use papan_rules::SplitMix;

    /// A network of random numbers, whose units are neither always off nor always full.
    pub(crate) fn some_network() -> (Vec<Row>, Vec<Ply>) {
        let mut random = SplitMix::new(5);
        let (_, count) = shared_weights();
        let rows = (0..count)
            .map(|_| Row(std::array::from_fn(|_| random.below(81) as i8 - 40)))
            .collect();
        let mut around = |most: usize| random.below(2 * most + 1) as i32 - most as i32;
        let plies = (0..PLIES)
            .map(|_| Ply {
                bias: std::array::from_fn(|_| 300 + around(300) as i16),
                weights: std::array::from_fn(|_| std::array::from_fn(|_| around(300) as i16)),
                begin: std::array::from_fn(|_| around(1 << 21)),
                out: std::array::from_fn(|_| around(4000) as i16),
            })
            .collect();
        (rows, plies)
    }

    #[test]
    fn the_score_is_what_wide_numbers_give_and_no_image_of_a_board_differs() {
        let (shared, _) = shared_weights();
        let (rows, plies) = some_network();
        let network = Network::new(shared, &rows, &plies).expect("it is sound");
        let mut different = std::collections::BTreeSet::new();
        for seed in 0..60 {
            let board = random_position(seed, 1 + seed as u32 % 56);
            let node = Node::new(board);
            let score = network.score(&node.features.mine, board);
            different.insert(score);
            let layer = &network.layers[board.empties() as usize];
            let (mine, moves) = (&node.features.mine, moves_read(board));
            let portably = portable::weighted(&network.rows, layer, mine, moves);
            assert_eq!(portably, weighted(&network.rows, layer, mine, moves));

            let ply = &plies[board.empties() as usize];
            let mut sums = ply.bias.map(i64::from);
            for at in crate::evaluation::entries(board) {
                let row = rows[shared[at as usize] as usize];
                for channel in 0..CHANNELS {
                    sums[channel] += i64::from(row.0[channel]);
                }
            }
            let held = sums.map(|sum| sum.clamp(0, 511));
            let products = (0..CHANNELS / 2).map(|c| held[c] * held[c + CHANNELS / 2]);
            let mut inputs: Vec<i64> = held.iter().map(|held| held * held).collect();
            inputs.extend(products);
            inputs
                .iter_mut()
                .for_each(|input| *input = *input * 1024 / 65536);
            let moves = [board, board.passed()].map(|side| i64::from(side.moves().len()));
            inputs.extend(moves.map(|moves| moves * 256));
            inputs.extend(moves.map(|moves| moves * moves * 16));
            let wide: i64 = (0..UNITS)
                .map(|unit| {
                    let read = ply.weights.iter().zip(&inputs);
                    let sum: i64 = read.map(|(w, input)| i64::from(w[unit]) * input).sum();
                    let held = (sum + i64::from(ply.begin[unit]))
                        .div_euclid(128)
                        .clamp(0, 32767);
                    held * held / 65536 * i64::from(ply.out[unit])
                })
                .sum();
            let most = i64::from(MOST);
            let expected = (wide + 32768).div_euclid(65536).clamp(-most, most);
            assert_eq!(i64::from(score), expected);

            for symmetry in 1..8 {
                let image = board.transformed(symmetry);
                let features = Node::new(image).features;
                assert_eq!(network.score(&features.mine, image), score);
            }
        }
        assert!(different.len() > 30, "{different:?}");
    }

    #[test]
    fn numbers_that_could_overflow_are_refused() {
        let (shared, _) = shared_weights();
        let (rows, plies) = some_network();
        assert!(Network::new(shared, &rows[1..], &plies).is_none());
        assert!(Network::new(shared, &rows, &plies[1..]).is_none());
        let refused = |change: fn(&mut Ply)| {
            let mut plies = plies.clone();
            change(&mut plies[9]);
            Network::new(shared, &rows, &plies).is_none()
        };
        assert!(refused(|ply| ply.out = [i16::MAX; UNITS]));
        assert!(refused(|ply| ply.bias[3] = i16::MIN));
        assert!(refused(|ply| ply.begin[3] = i32::MIN));
        assert!(refused(|ply| ply.weights = [[i16::MAX; UNITS]; INPUTS]));
    }
}
