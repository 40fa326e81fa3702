//! A fitted network in the engine's integers, and back again.

use super::adam::Fitted;
use super::{Fit, SCALE, Settings, WEIGHTS};
use papan_othello::eval::EVAL_SCALE;
use papan_othello::eval::network::{
    CHANNEL_ONE, CHANNELS, FeatureRow, HIDDEN_UNITS, INPUT_BITS, LayerStack, NetworkWeights,
    OUTPUT_SHIFT, PLIES, SQUARE_BITS, WEIGHT_BITS,
};
use papan_othello::eval::weights::Weights;

/// What counts as one for the engine's integers: what a square of a unit adds, beside what a unit
/// of the score is there; a weight of a unit; what a unit begins with.
const OUT_UNIT: f32 = SCALE * EVAL_SCALE as f32 * (1 << (OUTPUT_SHIFT - SQUARE_BITS)) as f32;
const WEIGHT_UNIT: f32 = (1 << WEIGHT_BITS) as f32;
const BEGIN_UNIT: f32 = (1u32 << (INPUT_BITS + WEIGHT_BITS)) as f32;

impl Fit {
    /// A network that goes on from one that was fitted before.
    pub fn after(settings: Settings, network: &NetworkWeights) -> Self {
        let one = f32::from(CHANNEL_ONE);
        let rows = network.rows.iter().flat_map(|row| row.0);
        let all = |of: fn(&LayerStack) -> Vec<f32>, unit: f32| {
            let values = network.stacks.iter().flat_map(of);
            Fitted::new(values.map(|value| value / unit).collect())
        };
        Self {
            rows: Fitted::new(rows.map(|value| f32::from(value) / one).collect()),
            bias: all(|ply| ply.channel_bias.map(f32::from).to_vec(), one),
            weights: all(
                |ply| {
                    ply.hidden_weights
                        .iter()
                        .flatten()
                        .map(|&w| w.into())
                        .collect()
                },
                WEIGHT_UNIT,
            ),
            begin: all(
                |ply| ply.hidden_bias.iter().map(|&begin| begin as f32).collect(),
                BEGIN_UNIT,
            ),
            out: all(|ply| ply.output_weights.map(f32::from).to_vec(), OUT_UNIT),
            ..Self::new(settings)
        }
    }

    /// Puts what was fitted beside the tables that it was fitted to.
    pub fn write_to(&self, weights: &mut Weights) {
        weights.network = Some(self.rounded());
        for (sum, offset) in weights.offsets.iter_mut().zip(self.offsets()) {
            *sum = sum.saturating_add(offset);
        }
    }

    /// What is to be added to the evaluation for each number of empty squares, in its units.
    pub(super) fn offsets(&self) -> [i16; PLIES] {
        let unit = SCALE * EVAL_SCALE as f32;
        std::array::from_fn(|empties| (self.offset.value[empties] * unit).round() as i16)
    }

    /// The network in integers, as the weights file holds it.
    pub(super) fn rounded(&self) -> NetworkWeights {
        let one = f32::from(CHANNEL_ONE);
        let small = |value: f32| (value * one).round().clamp(-127.0, 127.0) as i8;
        let (rows, _) = self.rows.value.as_chunks::<CHANNELS>();
        let rows = rows.iter().map(|row| FeatureRow(row.map(small))).collect();
        let ply = |empties: usize| {
            let bias = &self.bias.value[empties * CHANNELS..];
            let weights = &self.weights.value[empties * WEIGHTS..];
            let begin = &self.begin.value[empties * HIDDEN_UNITS..];
            let out = &self.out.value[empties * HIDDEN_UNITS..];
            LayerStack {
                channel_bias: std::array::from_fn(|channel| (bias[channel] * one).round() as i16),
                hidden_weights: std::array::from_fn(|input| {
                    std::array::from_fn(|unit| {
                        (weights[input * HIDDEN_UNITS + unit] * WEIGHT_UNIT).round() as i16
                    })
                }),
                hidden_bias: std::array::from_fn(|unit| (begin[unit] * BEGIN_UNIT).round() as i32),
                output_weights: std::array::from_fn(|unit| (out[unit] * OUT_UNIT).round() as i16),
            }
        };
        NetworkWeights {
            rows,
            stacks: (0..PLIES).map(ply).collect(),
        }
    }
}
