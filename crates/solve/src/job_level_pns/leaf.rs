//! A leaf job: a win query with limited rounds, and the encoding of its result.

use std::sync::Arc;

use papan_rules::{Bits, Game as _, Grid, Notation as _, Player};

use papan_strategies::Context;

use super::LeafResult;
use super::draw_bytes;
use super::win_bytes::{self, LeafProof};
use crate::grid_value::answer_win_query;
use crate::{ClaimProof, ValueLimits};

/// Positions in the table of a leaf search.
const POSITIONS: usize = 2_000_000;

const OPEN: u8 = 0;
const WINS: u8 = 1;
const DRAWS: u8 = 2;

/// Why a leaf job has no valid result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeafError {
    /// The job is not an unfinished position of the game.
    #[error("{0}")]
    Position(String),
    /// The bytes are not the result of a leaf job.
    #[error("this is not the result of a leaf job")]
    Result,
}

/// Runs a leaf job for the given number of rounds and returns its encoded result.
///
/// # Errors
/// If `position` is not an unfinished position of the game.
pub fn solve_leaf<B: Bits>(
    grid: &Grid<B>,
    position: &str,
    attacker: Player,
    rounds: u32,
) -> Result<Vec<u8>, LeafError> {
    let parsed = grid
        .parse_position(position)
        .map_err(|error| LeafError::Position(error.to_string()))?;
    if grid.outcome(&parsed).is_some() {
        return Err(LeafError::Position(format!("{position} is over")));
    }
    let limits = ValueLimits {
        rounds,
        positions: POSITIONS,
        threads: 1,
    };
    let mut result = Vec::new();
    match answer_win_query(grid, &parsed, attacker, &limits, &Context::default()) {
        Some(ClaimProof::WinsToMove(_, proof)) => {
            result.push(WINS);
            win_bytes::write(&LeafProof::ToMove(proof), &mut result);
        }
        Some(ClaimProof::WinsWaiting(_, replies)) => {
            result.push(WINS);
            win_bytes::write(&LeafProof::Waiting(replies), &mut result);
        }
        Some(ClaimProof::Draws(_, proof)) => {
            result.push(DRAWS);
            draw_bytes::write(&proof, &mut result);
        }
        // A leaf is not searched for the other forms.
        Some(ClaimProof::MovesFirst(_) | ClaimProof::WinsBySequences(..)) | None => {
            result.push(OPEN);
        }
    }
    Ok(result)
}

/// Decodes a result of [`solve_leaf`].
pub(super) fn read(bytes: &[u8], cells: usize, symmetries: usize) -> Result<LeafResult, LeafError> {
    match bytes.split_first() {
        Some((&OPEN, [])) => Ok(LeafResult::Open),
        Some((&DRAWS, proof)) => {
            let proof = draw_bytes::read(proof, cells, symmetries).ok_or(LeafError::Result)?;
            Ok(LeafResult::Draws(Arc::new(proof)))
        }
        Some((&WINS, proof)) => {
            let proof = win_bytes::read(proof, cells).ok_or(LeafError::Result)?;
            Ok(LeafResult::Wins(proof))
        }
        _ => Err(LeafError::Result),
    }
}
