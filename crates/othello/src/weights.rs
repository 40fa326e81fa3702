//! The trained evaluation: one table of pattern weights for every two plies of the game.
// Slots and weights of several arrays move in step; one index for all of them says so.
#![allow(clippy::needless_range_loop)]

use crate::board::Board;
use crate::features::{Features, KINDS, Lanes, SLOT_OFFSETS, SLOTS, TABLE, folding};
use std::sync::{Arc, LazyLock};
use thiserror::Error;

/// The tables: stage 0 is the start of the game, the last one its end.
pub(crate) const STAGES: usize = 30;

/// The weights are counted in this fraction of a disc.
pub(crate) const UNIT: i32 = 128;

/// A weights file begins with these words and its version.
const KIND: &str = "papan othello weights";
const VERSION: u32 = 1;

/// Pattern weights, ready for the search.
pub struct Weights {
    tables: Vec<i16>,
}

/// Why a file cannot be read as weights.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum WeightsError {
    /// The file is something else.
    #[error("not a weights file: it should begin with `{KIND} {VERSION}`")]
    Kind,
    /// The file was made by another version of papan.
    #[error("weights of version {found}; this papan reads version {VERSION}")]
    Version {
        /// What the file says.
        found: String,
    },
    /// The file is damaged or cut off.
    #[error("damaged weights: {0}")]
    Damaged(&'static str),
}

/// The table for a number of empty squares.
#[inline(always)]
pub(crate) const fn stage(empties: u32) -> usize {
    let stage = (60u32.saturating_sub(empties) / 2) as usize;
    if stage < STAGES { stage } else { STAGES - 1 }
}

/// For every entry of a stage's table, the number of the weight it shares with its mirror
/// image; and how many different weights there are.
pub(crate) fn shared_weights() -> (Vec<u32>, usize) {
    let mut shared = Vec::with_capacity(TABLE);
    let mut count = 0;
    for kind in 0..KINDS.len() {
        let begin = shared.len();
        for (index, folded) in folding(kind).into_iter().enumerate() {
            if folded as usize == index {
                shared.push(count);
                count += 1;
            } else {
                shared.push(shared[begin + folded as usize]);
            }
        }
    }
    (shared, count as usize)
}

static SHIPPED: LazyLock<Arc<Weights>> = LazyLock::new(|| {
    let file = include_bytes!("../weights/othello.weights");
    Arc::new(Weights::read(file).expect("the weights that come with papan are well-formed"))
});

impl Weights {
    /// The weights that come with papan, unpacked at the first call.
    pub fn shipped() -> Arc<Self> {
        SHIPPED.clone()
    }

    /// Weights that know nothing: every position is even.
    pub fn blank() -> Self {
        Self {
            tables: vec![0; STAGES * TABLE],
        }
    }

    /// From one value per shared weight and stage, in units of a 128th of a disc.
    pub(crate) fn from_shared(values: &[Vec<i16>]) -> Self {
        let (shared, _) = shared_weights();
        let mut tables = Vec::with_capacity(STAGES * TABLE);
        for stage in values {
            tables.extend(shared.iter().map(|&at| stage[at as usize]));
        }
        Self { tables }
    }

    /// Reads a weights file.
    ///
    /// # Errors
    /// When the file is of another kind or version, or damaged.
    pub fn read(file: &[u8]) -> Result<Self, WeightsError> {
        let line = file
            .iter()
            .position(|&b| b == b'\n')
            .ok_or(WeightsError::Kind)?;
        let header = std::str::from_utf8(&file[..line]).map_err(|_| WeightsError::Kind)?;
        let version = header.strip_prefix(KIND).ok_or(WeightsError::Kind)?.trim();
        if version != VERSION.to_string() {
            return Err(WeightsError::Version {
                found: version.to_owned(),
            });
        }
        let (_, count) = shared_weights();
        let bytes = 2 * count * STAGES;
        let data = miniz_oxide::inflate::decompress_to_vec_with_limit(&file[line + 1..], bytes)
            .map_err(|_| WeightsError::Damaged("it cannot be unpacked"))?;
        if data.len() != bytes {
            return Err(WeightsError::Damaged("it holds too few weights"));
        }
        // Low and high bytes are kept apart, each stage as the difference to the one before.
        let (low, high) = data.split_at(count * STAGES);
        let mut values = vec![vec![0i16; count]; STAGES];
        for stage in 0..STAGES {
            for at in 0..count {
                let place = stage * count + at;
                let zigzag = u16::from_le_bytes([low[place], high[place]]);
                let difference = (zigzag >> 1) as i16 ^ -((zigzag & 1) as i16);
                let before = if stage == 0 { 0 } else { values[stage - 1][at] };
                values[stage][at] = before.wrapping_add(difference.wrapping_mul(STEP));
            }
        }
        Ok(Self::from_shared(&values))
    }

    /// The file that holds these shared weights.
    pub(crate) fn file(values: &[Vec<i16>]) -> Vec<u8> {
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
        let mut file = format!("{KIND} {VERSION}\n").into_bytes();
        file.extend(miniz_oxide::deflate::compress_to_vec(&low, 9));
        file
    }

    /// The sum of the weights, in units of a 128th of a disc, from the mover's side.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub(crate) fn sum(&self, mine: &Lanes, empties: u32) -> i32 {
        let begin = stage(empties) * TABLE;
        let table = &self.tables[begin..begin + TABLE];
        let mut sum = 0;
        for slot in 0..SLOTS {
            let at = SLOT_OFFSETS[slot] as usize + usize::from(mine.0[slot]);
            debug_assert!(at < TABLE);
            // SAFETY: a slot's number is below three to the power of its squares, and the table
            // of its kind has that many entries from its offset on.
            sum += i32::from(unsafe { *table.get_unchecked(at) });
        }
        sum
    }

    /// The expected final difference in discs, from the mover's side.
    pub fn estimate(&self, board: Board) -> f32 {
        self.sum(&Features::new(board).mine, board.empties()) as f32 / UNIT as f32
    }
}

/// Weights in a file are multiples of this.
pub(crate) const STEP: i16 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_another_kind_or_version_are_refused_with_the_reason() {
        assert_eq!(Weights::read(b"GIF89a").err(), Some(WeightsError::Kind));
        assert_eq!(
            Weights::read(b"papan book 1\n").err(),
            Some(WeightsError::Kind)
        );
        let newer = Weights::read(b"papan othello weights 2\nwhatever").err();
        assert_eq!(newer, Some(WeightsError::Version { found: "2".into() }));
        let words = newer.expect("it is refused").to_string();
        assert_eq!(words, "weights of version 2; this papan reads version 1");
        let cut = Weights::read(b"papan othello weights 1\n\x03\x00").err();
        assert!(matches!(cut, Some(WeightsError::Damaged(_))));
    }

    #[test]
    fn weights_written_are_read_again() {
        let (_, count) = shared_weights();
        let value = |stage: usize, at: usize| ((at * 7 + stage * 3) % 900) as i16 * STEP - 1800;
        let values: Vec<Vec<i16>> = (0..STAGES)
            .map(|stage| (0..count).map(|at| value(stage, at)).collect())
            .collect();
        let read = Weights::read(&Weights::file(&values)).expect("the file is whole");
        assert!(read.tables == Weights::from_shared(&values).tables);
    }

    #[test]
    fn the_shipped_weights_prefer_the_corner_and_know_no_left_from_right() {
        let weights = Weights::shipped();
        let board = crate::testing::random_position(1, 30);
        let estimate = weights.estimate(board);
        for symmetry in 1..8 {
            assert_eq!(weights.estimate(board.transformed(symmetry)), estimate);
        }
        let corners = Board {
            me: board.me | crate::square::CORNERS,
            opp: board.opp & !crate::square::CORNERS,
        };
        assert!(weights.estimate(corners) > estimate);
    }
}
