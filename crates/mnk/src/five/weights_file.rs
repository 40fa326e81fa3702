//! The file of the weights: a header line, a checksum, and the numbers as variable-length integers.

use papan_rules::fnv::fnv1a;
use thiserror::Error;

use super::tables::{SETS, THREATS};
use super::weights::{GomokuTable, GomokuWeights};

/// A weights file starts with these words and its version.
const FILE_TYPE: &str = "papan gomoku weights";
const VERSION: &str = "2";

/// Why a weights file cannot be read.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum GomokuWeightsError {
    /// The file is not a weights file of five in a row.
    #[error("not a weights file of gomoku: expected the header `{FILE_TYPE} {VERSION}`")]
    FileType,
    /// The file was written by another version of papan.
    #[error("gomoku weights file version {found} is not supported; supported version: {VERSION}")]
    Version {
        /// The version in the header.
        found: String,
    },
    /// The file is damaged or truncated.
    #[error("damaged weights file: {0}")]
    Damaged(&'static str),
}

impl GomokuWeights {
    /// Reads a weights file.
    ///
    /// # Errors
    /// When the file has another type or version, or is damaged.
    pub fn read(file: &[u8]) -> Result<Self, GomokuWeightsError> {
        use GomokuWeightsError::{Damaged, FileType, Version};
        let line = file.iter().position(|&b| b == b'\n').ok_or(FileType)?;
        let header = std::str::from_utf8(&file[..line]).map_err(|_| FileType)?;
        let version = header.strip_prefix(FILE_TYPE).ok_or(FileType)?.trim();
        if version != VERSION {
            return Err(Version {
                found: version.to_owned(),
            });
        }
        let (sum, body) = file[line + 1..]
            .split_first_chunk()
            .ok_or(Damaged("it ends early"))?;
        if u64::from_le_bytes(*sum) != fnv1a(body) {
            return Err(Damaged("its checksum is wrong"));
        }
        let mut rest = body;
        let mut tables = Vec::with_capacity(Self::TABLES);
        for _ in 0..Self::TABLES {
            let threats = (0..THREATS)
                .map(|_| read_number(&mut rest))
                .collect::<Option<Vec<i16>>>()
                .ok_or(Damaged("it ends early"))?;
            let mut list = || {
                let pair = |_| Some([read_number(&mut rest)?, read_number(&mut rest)?]);
                (0..SETS).map(pair).collect::<Option<Vec<[i16; 2]>>>()
            };
            let values = list().ok_or(Damaged("it ends early"))?;
            let orders = list().ok_or(Damaged("it ends early"))?;
            tables.push(GomokuTable {
                values,
                orders,
                threats,
            });
        }
        if !rest.is_empty() {
            return Err(Damaged("it is too long"));
        }
        Ok(Self { tables })
    }

    /// Returns the contents of a weights file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut body = Vec::new();
        for table in &self.tables {
            for &number in &table.threats {
                write_number(number, &mut body);
            }
            for list in [&table.values, &table.orders] {
                for &number in list.as_flattened() {
                    write_number(number, &mut body);
                }
            }
        }
        let mut file = format!("{FILE_TYPE} {VERSION}\n").into_bytes();
        file.extend(fnv1a(&body).to_le_bytes());
        file.extend(body);
        file
    }
}

/// Writes a number in steps of seven bits, its sign in the lowest.
fn write_number(number: i16, out: &mut Vec<u8>) {
    let mut left = (i32::from(number) << 1 ^ i32::from(number) >> 15) as u32 & 0xffff;
    while left >= 128 {
        out.push(left as u8 | 128);
        left >>= 7;
    }
    out.push(left as u8);
}

fn read_number(file: &mut &[u8]) -> Option<i16> {
    let mut number = 0_u32;
    for shift in [0, 7, 14] {
        let (&byte, rest) = file.split_first()?;
        *file = rest;
        number |= u32::from(byte & 127) << shift;
        if byte < 128 {
            let number = u16::try_from(number).ok()?;
            return Some((number >> 1) as i16 ^ -((number & 1) as i16));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_back_and_damage_is_noticed() {
        let mut weights = GomokuWeights::by_hand();
        let table = &mut weights.tables[3];
        table.threats[THREATS - 1] = -77;
        table.values[5] = [i16::MIN, i16::MAX];
        table.orders[SETS - 1] = [-64, 63];
        let file = weights.write();
        assert_eq!(GomokuWeights::read(&file), Ok(weights));
        let damaged = |file: &[u8]| {
            matches!(
                GomokuWeights::read(file),
                Err(GomokuWeightsError::Damaged(_))
            )
        };
        assert!(damaged(&file[..file.len() - 1]));
        let mut changed = file.clone();
        changed[100] ^= 1;
        assert!(damaged(&changed));
        assert_eq!(
            GomokuWeights::read(b"GIF89a"),
            Err(GomokuWeightsError::FileType)
        );
        assert!(matches!(
            GomokuWeights::read(b"papan gomoku weights 9\n"),
            Err(GomokuWeightsError::Version { .. })
        ));
    }
}
