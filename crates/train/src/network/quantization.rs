//! Quantization of a trained network to the engine's integers, and back.

use super::adam::Parameters;
use super::{NetworkTrainer, SCORE_SCALE, TrainingSettings, WEIGHTS};
use papan_othello::eval::EVAL_SCALE;
use papan_othello::eval::network::{
    CHANNEL_ONE, CHANNELS, FeatureRow, HIDDEN_UNITS, INPUT_BITS, LayerStack, NetworkWeights,
    OUTPUT_SHIFT, PLIES, SQUARE_BITS, WEIGHT_BITS,
};
use papan_othello::eval::weights::Weights;

/// Scale of the output weights: a squared unit times such a weight is a score.
const OUTPUT_SCALE: f32 =
    SCORE_SCALE * EVAL_SCALE as f32 * (1 << (OUTPUT_SHIFT - SQUARE_BITS)) as f32;
/// Scale of the hidden weights.
const WEIGHT_SCALE: f32 = (1 << WEIGHT_BITS) as f32;
/// Scale of the hidden biases.
const BIAS_SCALE: f32 = (1u32 << (INPUT_BITS + WEIGHT_BITS)) as f32;

impl NetworkTrainer {
    /// Continues the training of an existing network.
    pub fn resume(settings: TrainingSettings, network: &NetworkWeights) -> Self {
        let one = f32::from(CHANNEL_ONE);
        let rows = network.rows.iter().flat_map(|row| row.0);
        let dequantize = |layer: fn(&LayerStack) -> Vec<f32>, scale: f32| {
            let values = network.stacks.iter().flat_map(layer);
            Parameters::new(values.map(|value| value / scale).collect())
        };
        let hidden_weights = |stack: &LayerStack| {
            let weights = stack.hidden_weights.iter().flatten();
            weights.map(|&weight| weight.into()).collect()
        };
        let hidden_bias =
            |stack: &LayerStack| stack.hidden_bias.iter().map(|&bias| bias as f32).collect();
        Self {
            rows: Parameters::new(rows.map(|value| f32::from(value) / one).collect()),
            channel_bias: dequantize(|stack| stack.channel_bias.map(f32::from).to_vec(), one),
            hidden_weights: dequantize(hidden_weights, WEIGHT_SCALE),
            hidden_bias: dequantize(hidden_bias, BIAS_SCALE),
            output_weights: dequantize(
                |stack| stack.output_weights.map(f32::from).to_vec(),
                OUTPUT_SCALE,
            ),
            ..Self::new(settings)
        }
    }

    /// Sets the network of a weights file and adds the output biases to its offsets.
    pub fn write_to(&self, weights: &mut Weights) {
        weights.network = Some(self.quantize());
        for (sum, offset) in weights.offsets.iter_mut().zip(self.offsets()) {
            *sum = sum.saturating_add(offset);
        }
    }

    /// Returns the output biases in the units of the evaluation.
    pub(super) fn offsets(&self) -> [i16; PLIES] {
        let scale = SCORE_SCALE * EVAL_SCALE as f32;
        std::array::from_fn(|empties| (self.output_bias.value[empties] * scale).round() as i16)
    }

    /// Returns the network in integers.
    pub(super) fn quantize(&self) -> NetworkWeights {
        let one = f32::from(CHANNEL_ONE);
        let to_i8 = |value: f32| (value * one).round().clamp(-127.0, 127.0) as i8;
        let (rows, _) = self.rows.value.as_chunks::<CHANNELS>();
        let stack = |empties: usize| {
            let channel_bias = &self.channel_bias.value[empties * CHANNELS..];
            let weights = &self.hidden_weights.value[empties * WEIGHTS..];
            let hidden_bias = &self.hidden_bias.value[empties * HIDDEN_UNITS..];
            let output = &self.output_weights.value[empties * HIDDEN_UNITS..];
            LayerStack {
                channel_bias: std::array::from_fn(|channel| {
                    (channel_bias[channel] * one).round() as i16
                }),
                hidden_weights: std::array::from_fn(|input| {
                    std::array::from_fn(|unit| {
                        (weights[input * HIDDEN_UNITS + unit] * WEIGHT_SCALE).round() as i16
                    })
                }),
                hidden_bias: std::array::from_fn(|unit| {
                    (hidden_bias[unit] * BIAS_SCALE).round() as i32
                }),
                output_weights: std::array::from_fn(|unit| {
                    (output[unit] * OUTPUT_SCALE).round() as i16
                }),
            }
        };
        NetworkWeights {
            rows: rows.iter().map(|row| FeatureRow(row.map(to_i8))).collect(),
            stacks: (0..PLIES).map(stack).collect(),
        }
    }
}
