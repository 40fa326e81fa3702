//! NNUE-style network over the pattern features, added to the linear pattern sum.
//!
//! The first layer is an embedding, as in NNUE (<https://www.chessprogramming.org/NNUE>): every
//! pattern configuration has a row of 32 channels, and the rows of a position are added up in an
//! accumulator. Unlike in NNUE the accumulator is not updated incrementally, because lazy evaluation
//! skips the network at most leaves. Then
//!
//! 1. each channel passes a clipped ReLU;
//! 2. sixteen hidden units read the squared channels (SCReLU), the pairwise products of the two
//!    halves, and both sides' mobility with its square;
//! 3. the output is the weighted sum of the squared, clipped hidden units, bounded by
//!    [`MAX_CORRECTION`].
//!
//! The layers after the embedding differ for each number of empty squares. All arithmetic is on
//! integers, so that every build computes the same result.
// Channels of several arrays move in step; one index for all of them says so.
#![allow(clippy::needless_range_loop)]

use crate::board::Board;
use crate::eval::patterns::{Indices, TABLE_SIZE};
use crate::eval::score::EVAL_SCALE;
use crate::memory::HugeBox;

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
use avx2::forward;
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "avx2"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
use portable::forward;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128::forward;

/// Width of the accumulator.
pub const CHANNELS: usize = 32;

/// Number of hidden units.
pub const HIDDEN_UNITS: usize = 16;

/// Inputs of a hidden unit: squared channels, pairwise products, and both sides' mobility with its
/// square.
pub const HIDDEN_INPUTS: usize = CHANNELS + CHANNELS / 2 + 4;

/// Number of layer stacks: one for each number of empty squares.
pub const PLIES: usize = 61;

/// Fixed-point representation of 1 in the accumulator, where the clipped ReLU saturates.
pub const CHANNEL_ONE: i16 = 512;

/// Binary logarithm of 1 among the inputs of the hidden units.
pub const INPUT_BITS: u32 = 12;

/// Binary logarithm of 1 in the hidden weights.
pub const WEIGHT_BITS: u32 = 10;

/// Binary logarithm of 1 in a squared hidden unit.
pub const SQUARE_BITS: u32 = 14;

/// Right shift from the weighted output sum to units of the evaluation.
pub const OUTPUT_SHIFT: u32 = 16;

/// Mobility is divided by this power of two before the hidden units read it.
pub const MOBILITY_SHIFT: u32 = 4;

/// Mobility is capped here, so that its square fits in 16 bits.
const MAX_MOBILITY: u32 = 44;

/// The largest correction, in units of the evaluation: six discs. The bound lets the search skip
/// the network where it cannot change a comparison.
pub const MAX_CORRECTION: i32 = 6 * EVAL_SCALE;

/// Padding behind the rows, so that any `u16` index of any pattern stays in bounds.
const PADDING: usize = 1 << 16;

/// Embedding of one pattern configuration. Aligned to its size, so that no row spans two cache
/// lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct FeatureRow(pub [i8; CHANNELS]);

/// The layers after the embedding, for one number of empty squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerStack {
    /// Initial value of the accumulator.
    pub channel_bias: [i16; CHANNELS],
    /// Weight of every input for every hidden unit.
    pub hidden_weights: [[i16; HIDDEN_UNITS]; HIDDEN_INPUTS],
    /// Bias of the hidden units.
    pub hidden_bias: [i32; HIDDEN_UNITS],
    /// Output weight of each squared hidden unit.
    pub output_weights: [i16; HIDDEN_UNITS],
}

/// The parameters of a network, as the weights file stores them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkWeights {
    /// One row per shared pattern weight.
    pub rows: Vec<FeatureRow>,
    /// One layer stack for each number of empty squares.
    pub stacks: Vec<LayerStack>,
}

/// A layer stack laid out for `madd`: the weights of two inputs lie side by side for each unit.
#[repr(align(32))]
struct PackedStack {
    channel_bias: [i16; CHANNELS],
    weight_pairs: [[[i16; 2]; HIDDEN_UNITS]; HIDDEN_INPUTS / 2],
    hidden_bias: [i32; HIDDEN_UNITS],
    output_weights: [i16; HIDDEN_UNITS],
}

/// A network ready for inference.
pub struct Network {
    rows: HugeBox<FeatureRow>,
    stacks: Vec<PackedStack>,
}

/// Largest absolute channel bias.
const MAX_CHANNEL_BIAS: u16 = 8192;

impl LayerStack {
    /// Returns whether no sum can overflow, whatever the position.
    fn is_sound(&self) -> bool {
        let unit_fits = |unit: usize| {
            let products = self.hidden_weights.iter().enumerate();
            let sum: i64 = products
                .map(|(input, weights)| {
                    let bits = if input < HIDDEN_INPUTS - 4 {
                        INPUT_BITS
                    } else {
                        15
                    };
                    i64::from(weights[unit]).abs() << bits
                })
                .sum();
            sum + i64::from(self.hidden_bias[unit]).abs() <= i64::from(i32::MAX)
        };
        let output: i64 = self
            .output_weights
            .iter()
            .map(|&weight| i64::from(weight).abs())
            .sum();
        (0..HIDDEN_UNITS).all(unit_fits)
            && output << SQUARE_BITS < i64::from(i32::MAX) - (1 << OUTPUT_SHIFT)
            && self
                .channel_bias
                .iter()
                .all(|bias| bias.unsigned_abs() <= MAX_CHANNEL_BIAS)
    }

    fn packed(&self) -> PackedStack {
        PackedStack {
            channel_bias: self.channel_bias,
            weight_pairs: std::array::from_fn(|pair| {
                std::array::from_fn(|unit| {
                    [
                        self.hidden_weights[2 * pair][unit],
                        self.hidden_weights[2 * pair + 1][unit],
                    ]
                })
            }),
            hidden_bias: self.hidden_bias,
            output_weights: self.output_weights,
        }
    }
}

impl Network {
    /// Creates a network. `shared` maps table entries to rows. Returns `None` when the number of
    /// rows or stacks is wrong, or when sums could overflow.
    pub(crate) fn new(shared: &[u32], weights: &NetworkWeights) -> Option<Self> {
        let NetworkWeights { rows, stacks } = weights;
        if stacks.len() != PLIES || !stacks.iter().all(LayerStack::is_sound) {
            return None;
        }
        if shared.iter().any(|&at| at as usize >= rows.len()) {
            return None;
        }
        Some(Self {
            rows: HugeBox::new(TABLE_SIZE + PADDING, FeatureRow([0; CHANNELS]), |all| {
                for (row, &at) in all.iter_mut().zip(shared) {
                    *row = rows[at as usize];
                }
            }),
            stacks: stacks.iter().map(LayerStack::packed).collect(),
        })
    }

    /// Returns the correction to the pattern sum, in units of the evaluation.
    // Not inlined: the call costs nothing compared with the work, and the callers stay small.
    #[inline(never)]
    pub(crate) fn correction(&self, indices: &Indices, board: Board) -> i32 {
        let stack = &self.stacks[board.empties() as usize];
        let mobility = mobility_inputs(board);
        let output = forward(&self.rows[..TABLE_SIZE + PADDING], stack, indices, mobility);
        ((output + (1 << (OUTPUT_SHIFT - 1))) >> OUTPUT_SHIFT)
            .clamp(-MAX_CORRECTION, MAX_CORRECTION)
    }
}

/// Returns both sides' mobility and its squares, scaled for the hidden units.
#[inline(always)]
fn mobility_inputs(board: Board) -> [i16; 4] {
    let capped = |moves: u32| moves.min(MAX_MOBILITY) as i16;
    let mine = capped(board.moves().len());
    let theirs = capped(board.passed().moves().len());
    let shift = INPUT_BITS - MOBILITY_SHIFT;
    let square_shift = INPUT_BITS - 2 * MOBILITY_SHIFT;
    [
        mine << shift,
        theirs << shift,
        (mine * mine) << square_shift,
        (theirs * theirs) << square_shift,
    ]
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::eval::node::Node;
    use crate::eval::patterns::{shared_weights, table_indices};
    use crate::testing::random_position;
    use papan_rules::SplitMix;

    /// A random network whose units are neither always off nor always saturated.
    pub(crate) fn random_network() -> NetworkWeights {
        let mut random = SplitMix::new(5);
        let rows = (0..shared_weights().count)
            .map(|_| FeatureRow(std::array::from_fn(|_| random.below(81) as i8 - 40)))
            .collect();
        let mut within = |bound: usize| random.below(2 * bound + 1) as i32 - bound as i32;
        let stacks = (0..PLIES)
            .map(|_| LayerStack {
                channel_bias: std::array::from_fn(|_| 300 + within(300) as i16),
                hidden_weights: std::array::from_fn(|_| {
                    std::array::from_fn(|_| within(300) as i16)
                }),
                hidden_bias: std::array::from_fn(|_| within(1 << 21)),
                output_weights: std::array::from_fn(|_| within(4000) as i16),
            })
            .collect();
        NetworkWeights { rows, stacks }
    }

    /// The network in 64-bit arithmetic, straight from its definition.
    fn reference(weights: &NetworkWeights, board: Board) -> i64 {
        let stack = &weights.stacks[board.empties() as usize];
        let mut sums = stack.channel_bias.map(i64::from);
        for entry in table_indices(board) {
            let row = weights.rows[shared_weights().index[entry as usize] as usize];
            for channel in 0..CHANNELS {
                sums[channel] += i64::from(row.0[channel]);
            }
        }
        let clipped = sums.map(|sum| sum.clamp(0, 511));
        let products = (0..CHANNELS / 2).map(|c| clipped[c] * clipped[c + CHANNELS / 2]);
        let mut inputs: Vec<i64> = clipped.iter().map(|channel| channel * channel).collect();
        inputs.extend(products);
        inputs
            .iter_mut()
            .for_each(|input| *input = *input * 1024 / 65536);
        let mobility = [board, board.passed()].map(|side| i64::from(side.moves().len()));
        inputs.extend(mobility.map(|moves| moves * 256));
        inputs.extend(mobility.map(|moves| moves * moves * 16));
        let output: i64 = (0..HIDDEN_UNITS)
            .map(|unit| {
                let products = stack.hidden_weights.iter().zip(&inputs);
                let sum: i64 = products.map(|(w, input)| i64::from(w[unit]) * input).sum();
                let clipped = (sum + i64::from(stack.hidden_bias[unit]))
                    .div_euclid(128)
                    .clamp(0, 32767);
                clipped * clipped / 65536 * i64::from(stack.output_weights[unit])
            })
            .sum();
        let bound = i64::from(MAX_CORRECTION);
        (output + 32768).div_euclid(65536).clamp(-bound, bound)
    }

    #[test]
    fn every_code_path_agrees_with_the_reference_and_is_symmetric() {
        let weights = random_network();
        let network = Network::new(&shared_weights().index, &weights).expect("it is sound");
        let mut different = std::collections::BTreeSet::new();
        for seed in 0..60 {
            let board = random_position(seed, 1 + seed as u32 % 56);
            let indices = Node::new(board).features.mine;
            let correction = network.correction(&indices, board);
            different.insert(correction);
            let stack = &network.stacks[board.empties() as usize];
            let mobility = mobility_inputs(board);
            let portable = portable::forward(&network.rows, stack, &indices, mobility);
            assert_eq!(portable, forward(&network.rows, stack, &indices, mobility));
            assert_eq!(i64::from(correction), reference(&weights, board));
            for symmetry in 1..8 {
                let image = board.transformed(symmetry);
                let indices = Node::new(image).features.mine;
                assert_eq!(network.correction(&indices, image), correction);
            }
        }
        assert!(different.len() > 30, "{different:?}");
    }

    #[test]
    fn numbers_that_could_overflow_are_rejected() {
        let index = &shared_weights().index;
        let is_rejected = |change: fn(&mut NetworkWeights)| {
            let mut weights = random_network();
            change(&mut weights);
            Network::new(index, &weights).is_none()
        };
        assert!(is_rejected(|w| w.rows.truncate(9)));
        assert!(is_rejected(|w| w.stacks.truncate(9)));
        assert!(is_rejected(
            |w| w.stacks[9].output_weights = [i16::MAX; HIDDEN_UNITS]
        ));
        assert!(is_rejected(|w| w.stacks[9].channel_bias[3] = i16::MIN));
        assert!(is_rejected(|w| w.stacks[9].hidden_bias[3] = i32::MIN));
        assert!(is_rejected(|w| {
            w.stacks[9].hidden_weights = [[i16::MAX; HIDDEN_UNITS]; HIDDEN_INPUTS];
        }));
    }
}
