//! m,n,k-games of either board width: solving, job-level search and certificate checking.
//!
//! Operations that exist only for k in a row are here instead of on [`AnyGame`], so a caller asks
//! once, with [`AnyGame::as_grid`], whether the game is one.

use std::sync::Arc;

use papan_rules::{Bits, Game as _, Grid, GridPosition, Move, Player, Wide};
use papan_solve::{
    CheckError, CheckProgress, ClaimFile, JobLevelSearch, JobLevelTree, LeafError,
    SearchCheckpoint, ValueLimits, check_claims, check_claims_with_progress, check_leaf,
    grid_value, read_claims, solve_leaf, write_claims,
};
use papan_strategies::{Context, StopToken};

use crate::{AnyGame, AnyLine, TypedLine};

/// An m,n,k-game by name. Cloning is cheap and gives the same game value.
#[derive(Clone)]
pub enum AnyGrid {
    /// Up to 64 cells.
    Narrow(Arc<Grid<u64>>),
    /// Up to 400 cells.
    Wide(Arc<Grid<Wide>>),
}

/// Runs the same expression for either width.
macro_rules! with_grid {
    ($any:expr, $grid:ident => $body:expr) => {
        match $any {
            AnyGrid::Narrow($grid) => $body,
            AnyGrid::Wide($grid) => $body,
        }
    };
}

/// Result of solving a position of an m,n,k-game.
#[derive(Clone, Debug)]
pub struct GridSolution {
    /// The value for the player to move, 1, 0 or -1, if it is known.
    pub value: Option<i32>,
    /// The proved claims, as the certificate states them.
    pub established: Option<ClaimFile>,
    /// The certificate of those claims.
    pub certificate: Option<Vec<u8>>,
    /// The principal variation, as far as the proofs contain it.
    pub pv: Vec<Move>,
    /// Progress on the replies to the most promising move, if the value is not known.
    pub replies: Option<ReplyProgress>,
    /// Number of nodes searched.
    pub nodes: u64,
}

/// The replies to one move, split into proved and open ones.
#[derive(Clone, Debug)]
pub struct ReplyProgress {
    /// The most promising move.
    pub best: Move,
    /// Replies that are proved to lose.
    pub losing: Vec<Move>,
    /// Replies without a proof.
    pub open: Vec<Move>,
}

impl AnyGame {
    /// Returns the game as an m,n,k-game; `None` if it is another game.
    #[must_use]
    pub fn as_grid(&self) -> Option<AnyGrid> {
        match self {
            Self::Grid(grid) => Some(AnyGrid::Narrow(Arc::clone(grid))),
            Self::WideGrid(grid) => Some(AnyGrid::Wide(Arc::clone(grid))),
            _ => None,
        }
    }
}

impl AnyGrid {
    /// Returns how many in a row win.
    #[must_use]
    pub fn length(&self) -> usize {
        with_grid!(self, grid => grid.length())
    }

    /// Solves the position at the end of a line with threat search and pairing strategies. `None`
    /// if the game is over there or the line belongs to another game value. The search reads its
    /// tables from `checkpoint` and leaves them there.
    pub fn solve(
        &self,
        line: &dyn AnyLine,
        limits: &ValueLimits,
        checkpoint: &mut SearchCheckpoint,
        context: &Context,
    ) -> Option<GridSolution> {
        with_grid!(self, grid => {
            let line = TypedLine::of(grid, line)?;
            solve(grid, line.position(), limits, checkpoint, context)
        })
    }

    /// Starts a job-level proof-number search for a win of the player to move, whose leaves are
    /// solved elsewhere. `None` if the game is over there or the line belongs to another game
    /// value.
    #[must_use]
    pub fn job_level_search(&self, line: &dyn AnyLine) -> Option<Box<dyn JobLevelSearch>> {
        if line.outcome().is_some() {
            return None;
        }
        with_grid!(self, grid => {
            let line = TypedLine::of(grid, line)?;
            Some(Box::new(JobLevelTree::new(grid, line.position())))
        })
    }

    /// Works on one leaf of a job-level search for `rounds` rounds of effort.
    ///
    /// # Errors
    /// When `position` is not a leaf of such a search.
    pub fn solve_leaf(
        &self,
        position: &str,
        attacker: Player,
        rounds: u32,
        stop: &StopToken,
    ) -> Result<Vec<u8>, LeafError> {
        let query = papan_solve::LeafQuery {
            attacker,
            rounds,
            wins_only: false,
        };
        with_grid!(self, grid => solve_leaf(grid, position, query, stop))
    }

    /// Checks the result of a leaf that an untrusted worker sent.
    ///
    /// # Errors
    /// When it is not a result, or its proof does not hold.
    pub fn check_leaf(
        &self,
        position: &str,
        attacker: Player,
        result: &[u8],
    ) -> Result<(), LeafError> {
        with_grid!(self, grid => check_leaf(grid, position, attacker, result))
    }

    /// Checks a certificate of claims.
    ///
    /// # Errors
    /// When the certificate cannot be read or does not prove its claims.
    pub fn check_claims(&self, bytes: &[u8]) -> Result<ClaimFile, CheckError> {
        with_grid!(self, grid => check_claims(grid, bytes))
    }

    /// Checks a certificate of claims and reports progress.
    ///
    /// # Errors
    /// When the certificate cannot be read or does not prove its claims.
    pub fn check_claims_with_progress(
        &self,
        bytes: &[u8],
        progress: &mut dyn FnMut(CheckProgress),
    ) -> Result<ClaimFile, CheckError> {
        with_grid!(self, grid => check_claims_with_progress(grid, bytes, progress))
    }
}

fn solve<B: Bits>(
    grid: &Grid<B>,
    position: &GridPosition<B>,
    limits: &ValueLimits,
    checkpoint: &mut SearchCheckpoint,
    context: &Context,
) -> Option<GridSolution> {
    if grid.outcome(position).is_some() {
        return None;
    }
    let found = grid_value(grid, position, limits, checkpoint, context);
    let certificate =
        (!found.claims.is_empty()).then(|| write_claims(grid, position, &found.claims));
    Some(GridSolution {
        value: found.value,
        established: certificate
            .as_deref()
            .and_then(|bytes| read_claims(bytes).ok()),
        certificate,
        pv: found.pv,
        replies: found.replies.map(|replies| {
            let on = |cell: u16| Move::on(usize::from(cell));
            let all = |cells: Vec<u16>| cells.into_iter().map(on).collect();
            ReplyProgress {
                best: on(replies.cell),
                losing: all(replies.losing),
                open: all(replies.open),
            }
        }),
        nodes: found.nodes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_games_of_k_in_a_row_are_grids() {
        let grid = |name: &str| name.parse::<AnyGame>().unwrap().as_grid();
        assert!(matches!(grid("tictactoe:8x8:5"), Some(AnyGrid::Narrow(_))));
        assert!(matches!(grid("tictactoe:15x15:5"), Some(AnyGrid::Wide(_))));
        assert!(grid("othello").is_none());
    }

    #[test]
    fn a_line_of_another_game_value_is_not_solved() {
        let [one, other] = [(); 2].map(|()| "tictactoe".parse::<AnyGame>().unwrap());
        let grid = one.as_grid().unwrap();
        assert!(grid.job_level_search(&*one.line()).is_some());
        assert!(grid.job_level_search(&*other.line()).is_none());
    }
}
