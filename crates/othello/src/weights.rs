//! The weights file: everything that belongs to an evaluation.
//!
//! A line with the kind and the version, then the contents, packed. Version 2 holds sections,
//! each a tag of four letters, its length and its bytes, with a checksum before them all.
//! Version 1 held nothing but the tables.
// Stages and weights of several arrays move in step; one index for all of them says so.
#![allow(clippy::needless_range_loop)]

use crate::evaluation::{Evaluation, STAGES, shared_weights};
use crate::network::{CHANNELS, INPUTS, PLIES, Ply, Row, UNITS};
use crate::selectivity::ProbCut;
use thiserror::Error;

/// A weights file begins with these words and its version.
const KIND: &str = "papan othello weights";

/// The version that is written; it and the earlier ones are read.
const VERSION: u32 = 2;

/// Weights in a file are multiples of this.
pub const STEP: i16 = 4;

const PROBCUT: &[u8; 4] = b"PCUT";
const LINEAR: &[u8; 4] = b"LINE";
const OFFSETS: &[u8; 4] = b"OFFS";
const NETWORK: &[u8; 4] = b"NETW";

/// No file unpacks to more.
const LARGEST: usize = 256 << 20;

/// Why a file cannot be read as weights.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum WeightsError {
    /// The file is something else.
    #[error("not a weights file: it should begin with `{KIND} {VERSION}`")]
    Kind,
    /// The file was made by a later version of papan.
    #[error("weights of version {found}; this papan reads versions 1 to {VERSION}")]
    Version {
        /// What the file says.
        found: String,
    },
    /// The file is damaged or cut off.
    #[error("damaged weights: {0}")]
    Damaged(&'static str),
}

/// Reads a weights file.
///
/// # Errors
/// When the file is of another kind or a later version, or damaged.
pub fn read(file: &[u8]) -> Result<Weights, WeightsError> {
    let line = file
        .iter()
        .position(|&b| b == b'\n')
        .ok_or(WeightsError::Kind)?;
    let header = std::str::from_utf8(&file[..line]).map_err(|_| WeightsError::Kind)?;
    let version = header.strip_prefix(KIND).ok_or(WeightsError::Kind)?.trim();
    let body = &file[line + 1..];
    match version {
        "1" => {
            let linear = linear(&unpacked(body, linear_bytes())?)?;
            Ok(Weights {
                linear,
                offsets: [0; PLIES],
                network: None,
                probcut: ProbCut::FIRST,
            })
        }
        "2" => read_sections(body),
        _ => Err(WeightsError::Version {
            found: version.to_owned(),
        }),
    }
}

/// What a weights file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// A value per stage and shared weight, in units of a 128th of a disc.
    pub linear: Vec<Vec<i16>>,
    /// What is added for each number of empty squares, in the same units.
    pub offsets: [i16; PLIES],
    /// A row per shared weight, and a ply for each number of empty squares.
    pub network: Option<(Vec<Row>, Vec<Ply>)>,
    /// What multi-ProbCut knows of them.
    pub probcut: ProbCut,
}

/// The file of the weights that come with papan.
#[must_use]
pub fn shipped_file() -> &'static [u8] {
    include_bytes!("../weights/othello.weights")
}

impl Weights {
    /// Those that come with papan.
    pub fn shipped() -> Self {
        read(shipped_file()).expect("the weights that come with papan are well-formed")
    }

    /// The evaluation that they make.
    ///
    /// # Errors
    /// When the network does not fit the tables, or could overflow.
    pub fn evaluation(&self) -> Result<Evaluation, WeightsError> {
        let evaluation = Evaluation::new(&self.linear, self.probcut).with_offsets(self.offsets);
        match &self.network {
            None => Ok(evaluation),
            Some((rows, plies)) => {
                evaluation
                    .with_network(rows, plies)
                    .ok_or(WeightsError::Damaged(
                        "its network is too small or too large",
                    ))
            }
        }
    }
}

/// The file that holds these weights.
pub fn write(weights: &Weights) -> Vec<u8> {
    let probcut = weights.probcut.searching.iter();
    let constants = probcut.chain(&weights.probcut.solving);
    let constants: Vec<u8> = constants.flat_map(|c| c.to_le_bytes()).collect();
    let mut sections = vec![
        (PROBCUT, constants),
        (LINEAR, packed_linear(&weights.linear)),
        (
            OFFSETS,
            weights
                .offsets
                .iter()
                .flat_map(|o| o.to_le_bytes())
                .collect(),
        ),
    ];
    if let Some((rows, plies)) = &weights.network {
        sections.push((NETWORK, packed_network(rows, plies)));
    }
    let mut contents = Vec::new();
    for (tag, bytes) in sections {
        contents.extend(tag);
        contents.extend((bytes.len() as u32).to_le_bytes());
        contents.extend(bytes);
    }
    let mut file = format!("{KIND} {VERSION}\n").into_bytes();
    file.extend(crc32fast::hash(&contents).to_le_bytes());
    file.extend(miniz_oxide::deflate::compress_to_vec(&contents, 9));
    file
}

fn unpacked(packed: &[u8], most: usize) -> Result<Vec<u8>, WeightsError> {
    miniz_oxide::inflate::decompress_to_vec_with_limit(packed, most)
        .map_err(|_| WeightsError::Damaged("it cannot be unpacked"))
}

fn read_sections(body: &[u8]) -> Result<Weights, WeightsError> {
    let cut_off = WeightsError::Damaged("it is cut off");
    let Some((checksum, packed)) = body.split_first_chunk() else {
        return Err(cut_off);
    };
    let contents = unpacked(packed, LARGEST)?;
    if crc32fast::hash(&contents) != u32::from_le_bytes(*checksum) {
        return Err(WeightsError::Damaged("its checksum is another"));
    }
    let (mut probcut, mut values, mut network) = (None, None, None);
    let mut offsets = [0; PLIES];
    let mut rest = &contents[..];
    while let Some((tag, after)) = rest.split_first_chunk::<4>() {
        let (len, after) = after
            .split_first_chunk()
            .ok_or(WeightsError::Damaged("a section is cut off"))?;
        let (section, after) = after
            .split_at_checked(u32::from_le_bytes(*len) as usize)
            .ok_or(WeightsError::Damaged("a section is cut off"))?;
        match tag {
            PROBCUT => probcut = Some(constants(section)?),
            LINEAR => values = Some(linear(section)?),
            OFFSETS => offsets = read_offsets(section)?,
            NETWORK => network = Some(read_network(section)?),
            _ => return Err(WeightsError::Damaged("it holds an unknown section")),
        }
        rest = after;
    }
    match (probcut, values) {
        (Some(probcut), Some(linear)) => Ok(Weights {
            linear,
            offsets,
            network,
            probcut,
        }),
        _ => Err(WeightsError::Damaged("a section is missing")),
    }
}

fn constants(section: &[u8]) -> Result<ProbCut, WeightsError> {
    let (numbers, rest) = section.as_chunks::<4>();
    let numbers: Vec<f32> = numbers.iter().map(|&n| f32::from_le_bytes(n)).collect();
    match numbers[..] {
        [a, b, c, d, e, f, g, h]
            if rest.is_empty() && numbers.iter().all(|n| n.is_finite() && n.abs() < 10.0) =>
        {
            Ok(ProbCut {
                searching: [a, b, c, d],
                solving: [e, f, g, h],
            })
        }
        _ => Err(WeightsError::Damaged(
            "ProbCut's constants are not eight sensible numbers",
        )),
    }
}

fn linear_bytes() -> usize {
    2 * shared_weights().1 * STAGES
}

/// Low and high bytes are kept apart, each stage as the difference to the one before.
fn linear(data: &[u8]) -> Result<Vec<Vec<i16>>, WeightsError> {
    if data.len() != linear_bytes() {
        return Err(WeightsError::Damaged("it holds too few weights"));
    }
    let count = data.len() / 2 / STAGES;
    let (low, high) = data.split_at(count * STAGES);
    let mut stage = vec![0i16; count];
    let stages = low.chunks(count).zip(high.chunks(count));
    let values = stages.map(|(low, high)| {
        for ((value, &low), &high) in stage.iter_mut().zip(low).zip(high) {
            let zigzag = u16::from_le_bytes([low, high]);
            let difference = (zigzag >> 1) as i16 ^ -((zigzag & 1) as i16);
            *value = value.wrapping_add(difference.wrapping_mul(STEP));
        }
        stage.clone()
    });
    Ok(values.collect())
}

fn read_offsets(section: &[u8]) -> Result<[i16; PLIES], WeightsError> {
    let (offsets, rest) = section.as_chunks::<2>();
    match <[[u8; 2]; PLIES]>::try_from(offsets) {
        Ok(offsets) if rest.is_empty() => Ok(offsets.map(i16::from_le_bytes)),
        _ => Err(WeightsError::Damaged(
            "it holds too few or too many offsets",
        )),
    }
}

/// Every channel of all rows by itself, then the plies: what the sums begin with, the units'
/// weights input by input, what their sums begin with, and what they count for.
fn packed_network(rows: &[Row], plies: &[Ply]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(rows.len() * CHANNELS + plies.len() * PLY_BYTES);
    for channel in 0..CHANNELS {
        bytes.extend(rows.iter().map(|row| row.0[channel] as u8));
    }
    for ply in plies {
        let before = ply.bias.iter().chain(ply.weights.as_flattened());
        bytes.extend(before.flat_map(|number| number.to_le_bytes()));
        bytes.extend(ply.begin.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(ply.out.iter().flat_map(|number| number.to_le_bytes()));
    }
    bytes
}

const PLY_BYTES: usize = 2 * CHANNELS + 2 * INPUTS * UNITS + 4 * UNITS + 2 * UNITS;

fn read_network(section: &[u8]) -> Result<(Vec<Row>, Vec<Ply>), WeightsError> {
    let (_, count) = shared_weights();
    if section.len() != count * CHANNELS + PLIES * PLY_BYTES {
        return Err(WeightsError::Damaged("its network has another size"));
    }
    let (channels, rest) = section.split_at(count * CHANNELS);
    let row = |at: usize| Row(std::array::from_fn(|c| channels[c * count + at] as i8));
    let plies = rest.chunks_exact(PLY_BYTES).map(|bytes| {
        let (numbers, _) = bytes.as_chunks::<2>();
        let number = |at: usize| i16::from_le_bytes(numbers[at]);
        let begin = CHANNELS + INPUTS * UNITS;
        Ply {
            bias: std::array::from_fn(number),
            weights: std::array::from_fn(|input| {
                std::array::from_fn(|unit| number(CHANNELS + input * UNITS + unit))
            }),
            begin: std::array::from_fn(|unit| {
                let [low, high] = [0, 1].map(|half| numbers[begin + 2 * unit + half]);
                i32::from_le_bytes([low[0], low[1], high[0], high[1]])
            }),
            out: std::array::from_fn(|unit| number(begin + 2 * UNITS + unit)),
        }
    });
    Ok(((0..count).map(row).collect(), plies.collect()))
}

fn packed_linear(values: &[Vec<i16>]) -> Vec<u8> {
    let (mut low, mut high) = (Vec::new(), Vec::new());
    for stage in 0..values.len() {
        for at in 0..values[stage].len() {
            let before = if stage == 0 { 0 } else { values[stage - 1][at] };
            let difference = values[stage][at].wrapping_sub(before) / STEP;
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

    fn reason(file: &[u8]) -> WeightsError {
        read(file).expect_err("the file is wrong")
    }

    fn some_values() -> Vec<Vec<i16>> {
        let (_, count) = shared_weights();
        let value = |stage: usize, at: usize| ((at * 7 + stage * 3) % 900) as i16 * STEP - 1800;
        (0..STAGES)
            .map(|stage| (0..count).map(|at| value(stage, at)).collect())
            .collect()
    }

    #[test]
    fn files_of_another_kind_or_a_later_version_are_refused_with_the_reason() {
        assert_eq!(reason(b"GIF89a"), WeightsError::Kind);
        assert_eq!(reason(b"papan book 1\n"), WeightsError::Kind);
        let words = reason(b"papan othello weights 3\nwhatever").to_string();
        assert_eq!(
            words,
            "weights of version 3; this papan reads versions 1 to 2"
        );
        for cut in [
            &b"papan othello weights 1\n\x03\x00"[..],
            b"papan othello weights 2\n",
            b"papan othello weights 2\n\0\0\0\0\x03\x00",
        ] {
            assert!(matches!(reason(cut), WeightsError::Damaged(_)));
        }
    }

    #[test]
    fn weights_written_are_read_again_and_a_changed_byte_is_noticed() {
        let probcut = ProbCut {
            searching: [1.0, 0.5, -0.25, 0.125],
            solving: [2.0, -1.0, 0.0, 0.75],
        };
        let mut weights = Weights {
            linear: some_values(),
            offsets: std::array::from_fn(|empties| 40 - empties as i16),
            network: None,
            probcut,
        };
        assert_eq!(read(&write(&weights)).as_ref(), Ok(&weights));
        weights.network = Some(crate::network::tests::some_network());
        let mut file = write(&weights);
        assert_eq!(read(&file).as_ref(), Ok(&weights));
        assert!(weights.evaluation().is_ok());
        let middle = file.len() / 2;
        file[middle] ^= 0x10;
        assert!(matches!(reason(&file), WeightsError::Damaged(_)));
    }

    #[test]
    fn a_file_of_the_first_version_is_read_with_the_constants_of_its_time() {
        let values = some_values();
        let mut file = b"papan othello weights 1\n".to_vec();
        file.extend(miniz_oxide::deflate::compress_to_vec(
            &packed_linear(&values),
            6,
        ));
        let old = Weights {
            linear: values,
            offsets: [0; PLIES],
            network: None,
            probcut: ProbCut::FIRST,
        };
        assert_eq!(read(&file), Ok(old));
    }
}
