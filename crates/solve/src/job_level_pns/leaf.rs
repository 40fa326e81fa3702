//! One leaf: does the attacker win from here, as far as some seconds tell?

use std::sync::Arc;

use papan_rules::{Bits, Game as _, Grid, Notation as _, Player};

use papan_strategies::Context;

use super::LeafAnswer;
use super::draw_bytes;
use super::win_bytes::{self, LeafProof};
use crate::grid_value::wins_or_not;
use crate::{ClaimProof, ValueLimits};

/// Positions that the search of a leaf remembers.
const POSITIONS: usize = 2_000_000;

const OPEN: u8 = 0;
const WINS: u8 = 1;
const HOLDS: u8 = 2;

/// Why a leaf has no answer, or what came back is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeafError {
    /// The job is no position of the game, or one that is over.
    #[error("{0}")]
    Position(String),
    /// The bytes are no answer.
    #[error("this is no answer of a job")]
    Answer,
}

/// Works on a leaf with as many rounds of effort as are wanted: its answer as bytes.
///
/// # Errors
/// When it is no position, or one that is over.
pub fn solve_leaf<B: Bits>(
    grid: &Grid<B>,
    position: &str,
    attacker: Player,
    rounds: u32,
) -> Result<Vec<u8>, LeafError> {
    let parsed = grid.parse_position(position);
    let parsed = parsed.map_err(|error| LeafError::Position(error.to_string()))?;
    if grid.outcome(&parsed).is_some() {
        return Err(LeafError::Position(format!("{position} is over")));
    }
    let limits = ValueLimits {
        rounds,
        positions: POSITIONS,
        threads: 1,
    };
    let mut answer;
    match wins_or_not(grid, &parsed, attacker, &limits, &Context::default()) {
        Some(ClaimProof::WinsToMove(_, proof)) => {
            answer = vec![WINS];
            win_bytes::write(&LeafProof::ToMove(proof), &mut answer);
        }
        Some(ClaimProof::WinsWaiting(_, answers)) => {
            answer = vec![WINS];
            win_bytes::write(&LeafProof::Waiting(answers), &mut answer);
        }
        Some(ClaimProof::Draws(_, hold)) => {
            answer = vec![HOLDS];
            draw_bytes::write(&hold, &mut answer);
        }
        Some(ClaimProof::MovesFirst(_)) | None => answer = vec![OPEN],
    }
    Ok(answer)
}

/// Reads what [`solve_leaf`] wrote.
pub(super) fn read(bytes: &[u8], cells: usize, symmetries: usize) -> Result<LeafAnswer, LeafError> {
    match bytes.split_first() {
        Some((&OPEN, [])) => Ok(LeafAnswer::Open),
        Some((&HOLDS, hold)) => {
            let hold = draw_bytes::read(hold, cells, symmetries).ok_or(LeafError::Answer)?;
            Ok(LeafAnswer::Holds(Arc::new(hold)))
        }
        Some((&WINS, proof)) => {
            let proof = win_bytes::read(proof, cells).ok_or(LeafError::Answer)?;
            Ok(LeafAnswer::Wins(proof))
        }
        _ => Err(LeafError::Answer),
    }
}
