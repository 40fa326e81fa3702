//! m,n,k-games of either board width: solving, job-level search and certificate checking.
//!
//! Operations that exist only for k in a row are here instead of on [`AnyGame`], so a caller asks
//! once, with [`AnyGame::as_grid`], whether the game is one.

use std::sync::Arc;

use papan_rules::{
    Bits, Game, GameInfo as _, GomokuRule, Grid, GridPosition, Move, Notation as _, Player, Wide,
};
use papan_solve::{
    CheckError, CheckProgress, ClaimFile, JobLevelSearch, JobLevelTree, LeafError, LeafQuery,
    SearchCheckpoint, ValueLimits, check_claims, check_claims_with_progress, check_leaf,
    distinct_moves, grid_value, read_claims, solve_leaf, write_claims,
};
use papan_strategies::{Context, StopToken, Stopped};

use crate::{AnyGame, AnyLine, Family, TypedLine};

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

/// How many in a row win at gomoku.
const FIVE: usize = 5;

impl AnyGame {
    /// Returns the game as an m,n,k-game; `None` if it is another game. Freestyle gomoku is five in a
    /// row on its board.
    #[must_use]
    pub fn as_grid(&self) -> Option<AnyGrid> {
        match self {
            Self::Grid(grid) => Some(AnyGrid::Narrow(Arc::clone(grid))),
            Self::WideGrid(grid) => Some(AnyGrid::Wide(Arc::clone(grid))),
            Self::Gomoku(game) if game.rule() == GomokuRule::Freestyle => {
                let sides = [game.side(); 2];
                let narrow = Grid::new(&sides, FIVE).map(|grid| AnyGrid::Narrow(Arc::new(grid)));
                let wide = || Grid::new(&sides, FIVE).map(|grid| AnyGrid::Wide(Arc::new(grid)));
                narrow.or_else(|_| wide()).ok()
            }
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
            solve(grid, &position_of(grid, line)?, limits, checkpoint, context)
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
            Some(Box::new(JobLevelTree::new(grid, &position_of(grid, line)?)))
        })
    }

    /// Returns the moves in the position at the end of a line, one of each set of moves that are equal
    /// up to symmetry, those with the fewest lines and stones around them first. Empty if the line
    /// belongs to another game value.
    #[must_use]
    pub fn distinct_moves(&self, line: &dyn AnyLine) -> Vec<Move> {
        let cells = with_grid!(self, grid => {
            position_of(grid, line).map(|position| distinct_moves(grid, &position))
        });
        let cells = cells.unwrap_or_default().into_iter();
        cells.map(|cell| Move::on(usize::from(cell))).collect()
    }

    /// Returns the position at the end of a line as certificates write it.
    #[must_use]
    pub fn position_text(&self, line: &dyn AnyLine) -> Option<String> {
        with_grid!(self, grid => {
            position_of(grid, line).map(|position| grid.format_position(&position))
        })
    }

    /// Returns the name of the game as certificates write it.
    #[must_use]
    pub fn name(&self) -> String {
        with_grid!(self, grid => grid.name())
    }

    /// Returns the number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        with_grid!(self, grid => grid.cells())
    }

    /// Works on one leaf of a job-level search.
    ///
    /// # Errors
    /// When `position` is not a leaf of such a search.
    pub fn solve_leaf(
        &self,
        position: &str,
        query: LeafQuery,
        stop: &StopToken,
    ) -> Result<Vec<u8>, LeafError> {
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
    /// When the certificate cannot be read or does not prove its claims, or `progress` stops the check.
    pub fn check_claims_with_progress(
        &self,
        bytes: &[u8],
        progress: &mut dyn FnMut(CheckProgress) -> Result<(), Stopped>,
    ) -> Result<ClaimFile, CheckError> {
        with_grid!(self, grid => check_claims_with_progress(grid, bytes, progress))
    }
}

/// Returns the position at the end of a line of this game value, or of freestyle gomoku on a board of
/// this size.
fn position_of<B: Bits>(grid: &Arc<Grid<B>>, line: &dyn AnyLine) -> Option<GridPosition<B>>
where
    Grid<B>: Family + Game<Position = GridPosition<B>>,
{
    if let Some(line) = TypedLine::of(grid, line) {
        return Some(*line.position());
    }
    let same = match line.game() {
        AnyGame::Gomoku(game) => {
            game.rule() == GomokuRule::Freestyle && game.shape() == grid.shape()
        }
        _ => false,
    };
    if !same || grid.length() != FIVE {
        return None;
    }
    let cells: Vec<_> = (0..grid.cells()).map(|cell| line.piece(cell)).collect();
    grid.position(&cells, line.turn()).ok()
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
        assert!(matches!(grid("gomoku"), Some(AnyGrid::Wide(_))));
        assert!(matches!(grid("gomoku:8x8"), Some(AnyGrid::Narrow(_))));
        assert!(grid("gomoku:standard").is_none());
        assert!(grid("renju").is_none());
        assert!(grid("othello").is_none());
    }

    #[test]
    fn a_line_of_gomoku_is_one_of_five_in_a_row() {
        let [game, other] = ["gomoku", "gomoku:standard"].map(|n| n.parse::<AnyGame>().unwrap());
        let grid = game.as_grid().unwrap();
        assert_eq!(grid.name(), "tictactoe:15x15:5");
        let mut line = game.line();
        line.extend("h8").unwrap();
        let mut same = "tictactoe:15x15:5".parse::<AnyGame>().unwrap().line();
        same.extend("113").unwrap();
        assert_eq!(grid.position_text(&*line), Some(same.position_text()));
        assert_eq!(grid.distinct_moves(&*line).len(), 35);
        assert!(grid.position_text(&*other.line()).is_none());
        let smaller = "gomoku:14x14".parse::<AnyGame>().unwrap();
        assert!(grid.position_text(&*smaller.line()).is_none());
    }

    #[test]
    fn a_line_of_another_game_value_is_not_solved() {
        let [one, other] = [(); 2].map(|()| "tictactoe".parse::<AnyGame>().unwrap());
        let grid = one.as_grid().unwrap();
        assert!(grid.job_level_search(&*one.line()).is_some());
        assert!(grid.job_level_search(&*other.line()).is_none());
    }
}
