//! Values of k in a row with their certificates, and files of claims checked.

use papan_rules::{Bits, Game as _, Grid, GridPosition, Move, Player};
use papan_solve::{
    CheckError, ClaimFile, JobLevelSearch, JobLevelTree, LeafError, SearchCheckpoint, ValueLimits,
    check_claims, grid_value, read_claims, solve_leaf, write_claims,
};
use papan_strategies::Context;

use crate::any_line::TypedLine;
use crate::{AnyGame, AnyLine};

/// What is known of a position of k in a row.
#[derive(Clone, Debug)]
pub struct GridAnswer {
    /// The value for the player to move, if it is known: 1, 0 or -1.
    pub value: Option<i32>,
    /// What was established, as the certificate claims it.
    pub established: Option<ClaimFile>,
    /// The certificate of what was established.
    pub certificate: Option<Vec<u8>>,
    /// A line of play in which both do their best, as far as the proofs tell it.
    pub pv: Vec<Move>,
    /// Where the value is not known: the most promising move, the replies to it that are
    /// known to lose, and those that are not.
    pub replies: Option<(Move, Vec<Move>, Vec<Move>)>,
    /// Nodes it took.
    pub nodes: u64,
}

impl AnyGame {
    /// The value of the position at the end of a line, by threats and pairings; `None`
    /// where the game is not k in a row, or is over there. What the search remembers is
    /// taken from `memory` and left there.
    pub fn grid_value(
        &self,
        line: &dyn AnyLine,
        limits: &ValueLimits,
        memory: &mut SearchCheckpoint,
        context: &Context,
    ) -> Option<GridAnswer> {
        match self {
            Self::Grid(grid) => {
                let line = TypedLine::of(grid, line)?;
                answer(grid, line.position(), limits, memory, context)
            }
            Self::WideGrid(grid) => {
                let line = TypedLine::of(grid, line)?;
                answer(grid, line.position(), limits, memory, context)
            }
            _ => None,
        }
    }

    /// A search for a win of the player to move whose leaves others work on; `None`
    /// where the game is not k in a row, or is over there.
    #[must_use]
    pub fn job_level_search(&self, line: &dyn AnyLine) -> Option<Box<dyn JobLevelSearch>> {
        if line.outcome().is_some() {
            return None;
        }
        Some(match self {
            Self::Grid(grid) => Box::new(JobLevelTree::new(
                grid,
                TypedLine::of(grid, line)?.position(),
            )),
            Self::WideGrid(grid) => Box::new(JobLevelTree::new(
                grid,
                TypedLine::of(grid, line)?.position(),
            )),
            _ => return None,
        })
    }

    /// Works on a leaf of such a search, with so many rounds of effort; `None` where the
    /// game is not k in a row.
    #[must_use]
    pub fn solve_leaf(
        &self,
        position: &str,
        attacker: Player,
        rounds: u32,
    ) -> Option<Result<Vec<u8>, LeafError>> {
        match self {
            Self::Grid(grid) => Some(solve_leaf(grid, position, attacker, rounds)),
            Self::WideGrid(grid) => Some(solve_leaf(grid, position, attacker, rounds)),
            _ => None,
        }
    }

    /// Checks a certificate of claims; `None` where the game is not k in a row.
    #[must_use]
    pub fn check_claims(&self, bytes: &[u8]) -> Option<Result<ClaimFile, CheckError>> {
        match self {
            Self::Grid(grid) => Some(check_claims(grid, bytes)),
            Self::WideGrid(grid) => Some(check_claims(grid, bytes)),
            _ => None,
        }
    }
}

fn answer<B: Bits>(
    grid: &Grid<B>,
    position: &GridPosition<B>,
    limits: &ValueLimits,
    memory: &mut SearchCheckpoint,
    context: &Context,
) -> Option<GridAnswer> {
    if grid.outcome(position).is_some() {
        return None;
    }
    let found = grid_value(grid, position, limits, memory, context);
    let certificate =
        (!found.claims.is_empty()).then(|| write_claims(grid, position, &found.claims));
    Some(GridAnswer {
        value: found.value,
        established: certificate
            .as_deref()
            .and_then(|bytes| read_claims(bytes).ok()),
        certificate,
        pv: found.pv,
        replies: found.replies.map(|replies| {
            let on = |cell: u16| Move::on(usize::from(cell));
            let all = |cells: Vec<u16>| cells.into_iter().map(on).collect();
            (on(replies.cell), all(replies.losing), all(replies.open))
        }),
        nodes: found.nodes,
    })
}
