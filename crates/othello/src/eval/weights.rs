//! The weights file: all trained parameters of an evaluation.
//!
//! One header line with the file type and version, then the compressed contents. Version 2 is a
//! CRC-32 followed by deflated sections, each a four-letter tag, a length and its bytes. Version 1
//! holds only the pattern tables.
// Stages and weights of several arrays move in step; one index for all of them says so.
#![allow(clippy::needless_range_loop)]

use crate::eval::crc32::crc32;
use crate::eval::network::{
    CHANNELS, FeatureRow, HIDDEN_INPUTS, HIDDEN_UNITS, LayerStack, NetworkWeights, PLIES,
};
use crate::eval::patterns::{STAGES, shared_weights};
use crate::eval::probcut_model::ProbCutModel;
use thiserror::Error;

/// A weights file starts with these words and its version.
const FILE_TYPE: &str = "papan othello weights";

/// The version written; all versions up to it can be read.
const VERSION: u32 = 2;

/// Quantisation of the pattern weights in a file.
pub const WEIGHT_STEP: i16 = 4;

const PROBCUT: &[u8; 4] = b"PCUT";
const LINEAR: &[u8; 4] = b"LINE";
const OFFSETS: &[u8; 4] = b"OFFS";
const NETWORK: &[u8; 4] = b"NETW";

/// Limit on the decompress size.
const MAX_UNPACKED: usize = 256 << 20;

/// Why a weights file cannot be read.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum WeightsError {
    /// The file is not a weights file.
    #[error("not a weights file: expected the header `{FILE_TYPE} {VERSION}`")]
    FileType,
    /// The file was written by a later version of papan.
    #[error("weights file version {found} is not supported; supported versions: 1 to {VERSION}")]
    Version {
        /// The version in the header.
        found: String,
    },
    /// The file is damaged or truncated.
    #[error("damaged weights file: {0}")]
    Damaged(&'static str),
}

/// Reads a weights file.
///
/// # Errors
/// When the file has another type or a later version, or is damaged.
pub fn read(file: &[u8]) -> Result<Weights, WeightsError> {
    let line = file
        .iter()
        .position(|&b| b == b'\n')
        .ok_or(WeightsError::FileType)?;
    let header = std::str::from_utf8(&file[..line]).map_err(|_| WeightsError::FileType)?;
    let version = header
        .strip_prefix(FILE_TYPE)
        .ok_or(WeightsError::FileType)?
        .trim();
    let body = &file[line + 1..];
    match version {
        "1" => {
            let linear = decode_linear(&decompress(body, linear_bytes())?)?;
            Ok(Weights {
                linear,
                offsets: [0; PLIES],
                network: None,
                probcut: ProbCutModel::VERSION_1,
            })
        }
        "2" => read_sections(body),
        _ => Err(WeightsError::Version {
            found: version.to_owned(),
        }),
    }
}

/// The contents of a weights file.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Pattern weights by stage and shared weight, in 1/128 disc.
    pub linear: Vec<Vec<i16>>,
    /// Offset for each number of empty squares, in 1/128 disc.
    pub offsets: [i16; PLIES],
    /// The network, if there is one.
    pub network: Option<NetworkWeights>,
    /// The error model for Multi-ProbCut.
    pub probcut: ProbCutModel,
}

impl Weights {
    /// Returns weights that score every position 0.
    #[must_use]
    pub fn zero() -> Self {
        Self {
            linear: vec![vec![0; shared_weights().count]; STAGES],
            offsets: [0; PLIES],
            network: None,
            probcut: ProbCutModel::VERSION_1,
        }
    }
}

/// Returns the weights file that comes with papan.
#[cfg(feature = "embedded")]
#[must_use]
pub fn shipped_file() -> &'static [u8] {
    /// A static: link-time optimisation copies a constant into every unit that inlines its use.
    static FILE: [u8; include_bytes!("../../weights/othello.weights").len()] =
        *include_bytes!("../../weights/othello.weights");
    &FILE
}

#[cfg(feature = "embedded")]
impl Weights {
    /// Returns the weights that come with papan.
    pub fn shipped() -> Self {
        read(shipped_file()).expect("a test reads the shipped weights")
    }
}

/// Serialises weights to the contents of a weights file.
pub fn write(weights: &Weights) -> Vec<u8> {
    let coefficients = [weights.probcut.midgame, weights.probcut.endgame];
    let mut sections = vec![
        (
            PROBCUT,
            coefficients
                .as_flattened()
                .iter()
                .flat_map(|c| c.to_le_bytes())
                .collect(),
        ),
        (LINEAR, encode_linear(&weights.linear)),
        (
            OFFSETS,
            weights
                .offsets
                .iter()
                .flat_map(|o| o.to_le_bytes())
                .collect(),
        ),
    ];
    if let Some(network) = &weights.network {
        sections.push((NETWORK, encode_network(network)));
    }
    let mut contents = Vec::new();
    for (tag, bytes) in sections {
        contents.extend(tag);
        contents.extend((bytes.len() as u32).to_le_bytes());
        contents.extend(bytes);
    }
    let mut file = format!("{FILE_TYPE} {VERSION}\n").into_bytes();
    file.extend(crc32(&contents).to_le_bytes());
    file.extend(miniz_oxide::deflate::compress_to_vec(&contents, 9));
    file
}

fn decompress(packed: &[u8], limit: usize) -> Result<Vec<u8>, WeightsError> {
    miniz_oxide::inflate::decompress_to_vec_with_limit(packed, limit)
        .map_err(|_| WeightsError::Damaged("decompression failed"))
}

fn read_sections(body: &[u8]) -> Result<Weights, WeightsError> {
    let (checksum, packed) = body
        .split_first_chunk()
        .ok_or(WeightsError::Damaged("the file is truncated"))?;
    let contents = decompress(packed, MAX_UNPACKED)?;
    if crc32(&contents) != u32::from_le_bytes(*checksum) {
        return Err(WeightsError::Damaged("checksum mismatch"));
    }
    let (mut probcut, mut linear, mut network) = (None, None, None);
    let mut offsets = [0; PLIES];
    let mut rest = &contents[..];
    while let Some((tag, after)) = rest.split_first_chunk::<4>() {
        let (len, after) = after
            .split_first_chunk()
            .ok_or(WeightsError::Damaged("a section is truncated"))?;
        let (section, after) = after
            .split_at_checked(u32::from_le_bytes(*len) as usize)
            .ok_or(WeightsError::Damaged("a section is truncated"))?;
        match tag {
            PROBCUT => probcut = Some(decode_probcut(section)?),
            LINEAR => linear = Some(decode_linear(section)?),
            OFFSETS => offsets = decode_offsets(section)?,
            NETWORK => network = Some(decode_network(section)?),
            _ => return Err(WeightsError::Damaged("unknown section")),
        }
        rest = after;
    }
    match (probcut, linear) {
        (Some(probcut), Some(linear)) => Ok(Weights {
            linear,
            offsets,
            network,
            probcut,
        }),
        _ => Err(WeightsError::Damaged("a section is missing")),
    }
}

fn decode_probcut(section: &[u8]) -> Result<ProbCutModel, WeightsError> {
    let (numbers, rest) = section.as_chunks::<4>();
    let numbers: Vec<f32> = numbers.iter().map(|&n| f32::from_le_bytes(n)).collect();
    match numbers[..] {
        [a, b, c, d, e, f, g, h]
            if rest.is_empty() && numbers.iter().all(|n| n.is_finite() && n.abs() < 10.0) =>
        {
            Ok(ProbCutModel {
                midgame: [a, b, c, d],
                endgame: [e, f, g, h],
            })
        }
        _ => Err(WeightsError::Damaged(
            "the ProbCut section must hold eight finite numbers below 10",
        )),
    }
}

fn linear_bytes() -> usize {
    2 * shared_weights().count * STAGES
}

/// Decodes the pattern weights: zigzag differences to the previous stage, all low bytes before all
/// high bytes.
fn decode_linear(data: &[u8]) -> Result<Vec<Vec<i16>>, WeightsError> {
    if data.len() != linear_bytes() {
        return Err(WeightsError::Damaged("wrong number of pattern weights"));
    }
    let count = data.len() / 2 / STAGES;
    let (low, high) = data.split_at(count * STAGES);
    let mut stage = vec![0i16; count];
    let stages = low.chunks(count).zip(high.chunks(count));
    let values = stages.map(|(low, high)| {
        for ((value, &low), &high) in stage.iter_mut().zip(low).zip(high) {
            let zigzag = u16::from_le_bytes([low, high]);
            let difference = (zigzag >> 1) as i16 ^ -((zigzag & 1) as i16);
            *value = value.wrapping_add(difference.wrapping_mul(WEIGHT_STEP));
        }
        stage.clone()
    });
    Ok(values.collect())
}

fn decode_offsets(section: &[u8]) -> Result<[i16; PLIES], WeightsError> {
    let (offsets, rest) = section.as_chunks::<2>();
    match <[[u8; 2]; PLIES]>::try_from(offsets) {
        Ok(offsets) if rest.is_empty() => Ok(offsets.map(i16::from_le_bytes)),
        _ => Err(WeightsError::Damaged("wrong number of offsets")),
    }
}

/// Encodes the network: the rows channel by channel, then the layer stacks, each with channel bias,
/// hidden weights by input, hidden bias and output weights.
fn encode_network(network: &NetworkWeights) -> Vec<u8> {
    let NetworkWeights { rows, stacks } = network;
    let mut bytes = Vec::with_capacity(rows.len() * CHANNELS + stacks.len() * STACK_BYTES);
    for channel in 0..CHANNELS {
        bytes.extend(rows.iter().map(|row| row.0[channel] as u8));
    }
    for stack in stacks {
        bytes.extend(stack.channel_bias.iter().flat_map(|n| n.to_le_bytes()));
        let hidden_weights = stack.hidden_weights.as_flattened();
        bytes.extend(hidden_weights.iter().flat_map(|n| n.to_le_bytes()));
        bytes.extend(stack.hidden_bias.iter().flat_map(|n| n.to_le_bytes()));
        bytes.extend(stack.output_weights.iter().flat_map(|n| n.to_le_bytes()));
    }
    bytes
}

/// Size of an encoded [`LayerStack`].
const STACK_BYTES: usize =
    2 * CHANNELS + 2 * HIDDEN_INPUTS * HIDDEN_UNITS + 4 * HIDDEN_UNITS + 2 * HIDDEN_UNITS;

fn decode_network(section: &[u8]) -> Result<NetworkWeights, WeightsError> {
    let count = shared_weights().count;
    if section.len() != count * CHANNELS + PLIES * STACK_BYTES {
        return Err(WeightsError::Damaged("wrong size of the network section"));
    }
    let (channels, rest) = section.split_at(count * CHANNELS);
    let row = |at: usize| FeatureRow(std::array::from_fn(|c| channels[c * count + at] as i8));
    let stacks = rest.chunks_exact(STACK_BYTES).map(|bytes| {
        let (numbers, _) = bytes.as_chunks::<2>();
        let number = |at: usize| i16::from_le_bytes(numbers[at]);
        let bias_start = CHANNELS + HIDDEN_INPUTS * HIDDEN_UNITS;
        LayerStack {
            channel_bias: std::array::from_fn(number),
            hidden_weights: std::array::from_fn(|input| {
                std::array::from_fn(|unit| number(CHANNELS + input * HIDDEN_UNITS + unit))
            }),
            hidden_bias: std::array::from_fn(|unit| {
                let [low, high] = [0, 1].map(|half| numbers[bias_start + 2 * unit + half]);
                i32::from_le_bytes([low[0], low[1], high[0], high[1]])
            }),
            output_weights: std::array::from_fn(|unit| {
                number(bias_start + 2 * HIDDEN_UNITS + unit)
            }),
        }
    });
    Ok(NetworkWeights {
        rows: (0..count).map(row).collect(),
        stacks: stacks.collect(),
    })
}

/// The inverse of [`decode_linear`].
fn encode_linear(values: &[Vec<i16>]) -> Vec<u8> {
    let (mut low, mut high) = (Vec::new(), Vec::new());
    for stage in 0..values.len() {
        for at in 0..values[stage].len() {
            let previous = if stage == 0 { 0 } else { values[stage - 1][at] };
            let difference = values[stage][at].wrapping_sub(previous) / WEIGHT_STEP;
            let zigzag = (difference << 1 ^ difference >> 15) as u16;
            low.push(zigzag as u8);
            high.push((zigzag >> 8) as u8);
        }
    }
    low.extend(high);
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(file: &[u8]) -> WeightsError {
        read(file).expect_err("the file is wrong")
    }

    fn sample_values() -> Vec<Vec<i16>> {
        let count = shared_weights().count;
        let value =
            |stage: usize, at: usize| ((at * 7 + stage * 3) % 900) as i16 * WEIGHT_STEP - 1800;
        (0..STAGES)
            .map(|stage| (0..count).map(|at| value(stage, at)).collect())
            .collect()
    }

    #[test]
    fn files_of_another_type_or_a_later_version_are_rejected() {
        assert_eq!(error(b"GIF89a"), WeightsError::FileType);
        assert_eq!(error(b"papan book 1\n"), WeightsError::FileType);
        let message = error(b"papan othello weights 3\nwhatever").to_string();
        assert_eq!(
            message,
            "weights file version 3 is not supported; supported versions: 1 to 2"
        );
        for cut in [
            &b"papan othello weights 1\n\x03\x00"[..],
            b"papan othello weights 2\n",
            b"papan othello weights 2\n\0\0\0\0\x03\x00",
        ] {
            assert!(matches!(error(cut), WeightsError::Damaged(_)));
        }
    }

    #[test]
    fn weights_round_trip_and_a_changed_byte_is_detected() {
        let probcut = ProbCutModel {
            midgame: [1.0, 0.5, -0.25, 0.125],
            endgame: [2.0, -1.0, 0.0, 0.75],
        };
        let mut weights = Weights {
            linear: sample_values(),
            offsets: std::array::from_fn(|empties| 40 - empties as i16),
            network: None,
            probcut,
        };
        assert_eq!(read(&write(&weights)).as_ref(), Ok(&weights));
        weights.network = Some(crate::eval::network::tests::random_network());
        let mut file = write(&weights);
        assert_eq!(read(&file).as_ref(), Ok(&weights));
        let middle = file.len() / 2;
        file[middle] ^= 0x10;
        assert!(matches!(error(&file), WeightsError::Damaged(_)));
    }

    #[test]
    fn a_version_1_file_gets_the_version_1_error_model() {
        let values = sample_values();
        let mut file = b"papan othello weights 1\n".to_vec();
        file.extend(miniz_oxide::deflate::compress_to_vec(
            &encode_linear(&values),
            6,
        ));
        let old = Weights {
            linear: values,
            offsets: [0; PLIES],
            network: None,
            probcut: ProbCutModel::VERSION_1,
        };
        assert_eq!(read(&file), Ok(old));
    }
}
