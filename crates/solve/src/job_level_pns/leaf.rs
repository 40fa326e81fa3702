//! A leaf job: a win query with limited rounds, and the encoding of its result. The result of an open
//! leaf lists its moves in the order in which the engine likes them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use papan_mnk::{GridEngine, GridEngineOptions, Lines};
use papan_rules::{Bits, Game as _, Grid, GridPosition, Line, Notation as _, Player};
use papan_strategies::{Context, StopToken, Strategy as _, Turn};

use super::LeafResult;
use super::draw_bytes;
use super::varint::{VarintReader, push};
use super::win_bytes::{self, LeafProof};
use crate::grid_value::answer_win_query;
use crate::{ClaimProof, ValueLimits, check_claims, write_claims};

/// Positions in the table of a leaf search.
const POSITIONS: usize = 2_000_000;

/// Nodes of the engine that orders the moves of an open leaf, and the size of its table in MiB.
const ORDERING_NODES: u64 = 10_000;
const ORDERING_HASH: usize = 1;

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
    /// The result has a proof that does not hold.
    #[error("the proof of the leaf does not hold: {0}")]
    Proof(String),
}

/// What all leaves of a search look for, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafQuery {
    /// The player whose win is in question.
    pub attacker: Player,
    /// Effort per leaf, in rounds of iterative widening.
    pub rounds: u32,
    /// Whether no draws are looked for, as on boards where none can be proved.
    pub wins_only: bool,
}

/// Runs a leaf job and returns its encoded result; a stopped job is left open.
///
/// # Errors
/// If `position` is not an unfinished position of the game.
pub fn solve_leaf<B: Bits>(
    grid: &Grid<B>,
    position: &str,
    query: LeafQuery,
    stop: &StopToken,
) -> Result<Vec<u8>, LeafError> {
    let LeafQuery {
        attacker,
        rounds,
        wins_only,
    } = query;
    let parsed = parse(grid, position)?;
    let limits = ValueLimits {
        rounds,
        positions: POSITIONS,
        ..ValueLimits::default()
    };
    let context = Context::default().stopped_by(stop);
    let answer = answer_win_query(grid, &parsed, attacker, wins_only, &limits, &context);
    Ok(match answer {
        Some(ClaimProof::WinsToMove(_, proof)) => write_win(&LeafProof::ToMove(proof)),
        Some(ClaimProof::WinsWaiting(_, replies)) => write_win(&LeafProof::Waiting(replies)),
        Some(ClaimProof::Draws(_, proof)) => {
            let mut result = vec![DRAWS];
            draw_bytes::write(&proof, &mut result);
            result
        }
        // A leaf is not searched for the other forms.
        Some(ClaimProof::MovesFirst(_) | ClaimProof::WinsBySequences(..)) | None => {
            let mut result = vec![OPEN];
            for cell in preferred_moves(grid, &parsed, &context) {
                push(&mut result, cell.into());
            }
            result
        }
    })
}

/// Encodes a win as the result of a leaf.
pub(super) fn write_win(proof: &LeafProof) -> Vec<u8> {
    let mut result = vec![WINS];
    win_bytes::write(proof, &mut result);
    result
}

/// Returns the moves of a position that the engine searches, best first.
fn preferred_moves<B: Bits>(
    grid: &Grid<B>,
    position: &GridPosition<B>,
    context: &Context,
) -> Vec<u16> {
    let options = GridEngineOptions {
        nodes: Some(ORDERING_NODES),
        hash_mib: ORDERING_HASH,
        ..GridEngineOptions::default()
    };
    let line = Line::from_position(*position);
    let turn = Turn {
        game: grid,
        line: &line,
        context,
    };
    let decision = GridEngine::new(grid, options).decide(turn);
    let candidates = decision.map_or_else(|_| Vec::new(), |decision| decision.candidates);
    let cells = candidates
        .iter()
        .filter_map(|candidate| candidate.mv.cell());
    cells.map(|cell| cell as u16).collect()
}

pub(super) fn parse<B: Bits>(grid: &Grid<B>, position: &str) -> Result<GridPosition<B>, LeafError> {
    let parsed = grid
        .parse_position(position)
        .map_err(|error| LeafError::Position(error.to_string()))?;
    if grid.outcome(&parsed).is_some() {
        return Err(LeafError::Position(format!("{position} is over")));
    }
    Ok(parsed)
}

/// Checks a result that an untrusted worker sent: its proof is written as a certificate of the
/// position and given to the certificate checker.
///
/// # Errors
/// If the bytes are not a result, or the proof does not hold.
pub fn check_leaf<B: Bits>(
    grid: &Grid<B>,
    position: &str,
    attacker: Player,
    result: &[u8],
) -> Result<(), LeafError> {
    let parsed = parse(grid, position)?;
    let to_move = grid.turn(&parsed) == attacker;
    let symmetries = Lines::new(grid).symmetries().len();
    let claim = match read(result, grid.cells(), symmetries)? {
        LeafResult::Open(_) => return Ok(()),
        LeafResult::Wins(LeafProof::ToMove(proof)) if to_move => {
            ClaimProof::WinsToMove(attacker, proof)
        }
        LeafResult::Wins(LeafProof::Waiting(replies)) if !to_move => {
            ClaimProof::WinsWaiting(attacker, replies)
        }
        LeafResult::Wins(_) => {
            return Err(LeafError::Proof("the wrong player is to move".into()));
        }
        LeafResult::Draws(proof) => {
            ClaimProof::Draws(attacker.other(), Arc::unwrap_or_clone(proof))
        }
    };
    // The writer plays the moves of a proof and expects them to be possible.
    let checked = catch_unwind(AssertUnwindSafe(|| {
        check_claims(grid, &write_claims(grid, &parsed, &[claim]))
    }));
    match checked {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(LeafError::Proof(error.to_string())),
        Err(_) => Err(LeafError::Proof("its moves are impossible".into())),
    }
}

/// Decodes a result of [`solve_leaf`].
pub(super) fn read(bytes: &[u8], cells: usize, symmetries: usize) -> Result<LeafResult, LeafError> {
    match bytes.split_first() {
        Some((&OPEN, bytes)) => {
            let mut reader = VarintReader { bytes, cells };
            let mut moves = Vec::new();
            while !reader.bytes.is_empty() {
                moves.push(reader.cell().ok_or(LeafError::Result)?);
            }
            Ok(LeafResult::Open(moves))
        }
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
