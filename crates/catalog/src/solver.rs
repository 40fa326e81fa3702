//! Exact values of positions, by the best solver of each game.

use std::sync::Arc;

use papan_othello::{Engine, EngineError, Options, SmallEngine, board_of, moves_of};
use papan_rules::{Game as _, Line, Move, Othello};
use papan_strategies::{Candidate, Context, Decision, NoMove, Perfect, Progress, Score};

use crate::any_line::TypedLine;
use crate::registry::most_solvable;
use crate::seat::TypedSeat;
use crate::{AnyGame, AnyLine, BoardInfo, Family, GameVisitor, Seat};

/// A solved position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolvedPosition {
    /// The final score that the player to move reaches with best play.
    pub score: i32,
    /// A best line of play; empty when the game is over.
    pub pv: Vec<Move>,
    /// Nodes it took.
    pub nodes: u64,
}

/// Why a position was not solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// Too many cells are empty.
    #[error("{empty} cells of {board} are empty; positions with at most {most} are solved")]
    TooMuchLeft {
        /// The board.
        board: String,
        /// How many cells are empty.
        empty: usize,
        /// How many may be.
        most: usize,
    },
    /// The engine could not be set up.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Nothing is left to solve.
    #[error("the game is over; there is nothing left to solve")]
    GameOver,
    /// The solver gave up.
    #[error("{0}")]
    Failed(NoMove),
    /// Somebody asked to stop.
    #[error("stopped before the end")]
    Stopped,
}

/// Solves positions of one game, with a table kept between positions.
pub enum Solver {
    /// Othello on 8x8.
    Engine(Box<Engine>),
    /// Othello on fewer squares.
    Small(Box<SmallEngine>),
    /// Everything small enough.
    Perfect(Box<dyn Seat>),
}

struct Sit;

impl GameVisitor for Sit {
    type Output = (BoardInfo, Box<dyn Seat>);

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let seat = TypedSeat::new(game, Box::new(Perfect::default()));
        (BoardInfo::of(&**game), Box::new(seat))
    }
}

struct IsSolved;

impl GameVisitor for IsSolved {
    type Output = bool;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let board = BoardInfo::of(&**game);
        board.empty <= most_solvable(&board)
    }
}

impl AnyGame {
    /// Whether the exact values of all positions are found while one waits.
    pub(crate) fn is_solved(&self) -> bool {
        self.visit(IsSolved)
    }

    /// Returns the solver for these positions of this game.
    ///
    /// # Errors
    /// When one of them has too many empty cells, or the engine cannot be set up.
    pub fn solver(
        &self,
        lines: &[Box<dyn AnyLine>],
        options: &Options,
    ) -> Result<Solver, SolveError> {
        if let Self::Othello(game) = self {
            return Ok(match game.side() {
                8 => Solver::Engine(Box::new(Engine::new(options)?)),
                _ => Solver::Small(Box::new(SmallEngine::new(game, options)?)),
            });
        }
        let (board, seat) = self.visit(Sit);
        let empty = lines.iter().map(|line| empty_cells(&**line)).max();
        let empty = empty.unwrap_or(board.cells);
        let most = most_solvable(&board);
        if empty > most {
            let board = board.label();
            return Err(SolveError::TooMuchLeft { board, empty, most });
        }
        Ok(Solver::Perfect(seat))
    }
}

fn empty_cells(line: &dyn AnyLine) -> usize {
    let cells = 0..line.game().cells();
    cells.filter(|&cell| line.piece(cell).is_none()).count()
}

impl Solver {
    /// The exact value of the position at the end of a line.
    ///
    /// # Errors
    /// When the game is over there, or the context ended it early.
    pub fn solve(
        &mut self,
        line: &dyn AnyLine,
        context: &Context,
    ) -> Result<SolvedPosition, SolveError> {
        if line.outcome().is_some() {
            return Err(SolveError::GameOver);
        }
        let (score, pv, nodes) = match (self, line.game()) {
            (Self::Engine(engine), AnyGame::Othello(game)) => {
                let line = TypedLine::of(&game, line).ok_or_else(another_game)?;
                solve_with_engine(engine, &game, line, context)?
            }
            (Self::Small(engine), AnyGame::Othello(game)) => {
                let line = TypedLine::of(&game, line).ok_or_else(another_game)?;
                let report = engine.solve(line, context);
                if !report.exact {
                    return Err(SolveError::Stopped);
                }
                (report.score, report.pv, report.nodes)
            }
            (Self::Engine(_) | Self::Small(_), _) => return Err(another_game()),
            (Self::Perfect(seat), _) => solve_with_seat(&mut **seat, line, context)?,
        };
        Ok(SolvedPosition { score, pv, nodes })
    }
}

fn another_game() -> SolveError {
    SolveError::Failed(NoMove::Failed("a line of another game".into()))
}

type Value = (i32, Vec<Move>, u64);

fn solve_with_engine(
    engine: &mut Engine,
    game: &Othello,
    line: &Line<Othello>,
    context: &Context,
) -> Result<Value, SolveError> {
    let board = board_of(line.position());
    let report = engine.solve(board, &context.stop, |report| {
        context.report(&Progress {
            depth: report.depth,
            nodes: report.nodes,
            score: Some(Score::about_discs(report.score as f32)),
            pv: moves_of(board, &report.pv),
            ..Progress::default()
        });
    });
    if !report.exact {
        return Err(SolveError::Stopped);
    }
    let mut pv = moves_of(board, &report.pv);
    if pv.is_empty() {
        pv.extend(game.legal_moves(line.position()).next());
    }
    Ok((report.score, pv, report.nodes))
}

fn solve_with_seat(
    seat: &mut dyn Seat,
    line: &dyn AnyLine,
    context: &Context,
) -> Result<Value, SolveError> {
    let decision = seat.decide(line, context).map_err(SolveError::Failed)?;
    let (value, pv) = settled(&decision).ok_or(SolveError::Stopped)?;
    Ok((value, pv, decision.nodes))
}

/// Returns the value of a position and a best line. An interrupted search knows only some of the
/// moves, whose best says nothing about the others.
fn settled(decision: &Decision) -> Option<(i32, Vec<Move>)> {
    let value = |candidate: &Candidate| candidate.score.and_then(Score::proven);
    if decision.candidates.iter().any(|c| value(c).is_none()) {
        return None;
    }
    let chosen = decision.chosen()?;
    Some((value(chosen)?, chosen.pv.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_strategies::Term;

    fn solve(game: &str, position: &str) -> Result<SolvedPosition, SolveError> {
        let game: AnyGame = game.parse().unwrap();
        let lines = [game.line_from(position).unwrap()];
        let mut solver = game.solver(&lines, &Options::default())?;
        solver.solve(&*lines[0], &Context::default())
    }

    #[test]
    fn what_is_left_decides_and_not_the_size_of_the_board() {
        // Rows of OOXX and XXOO have no five in a row; O's last cell is left.
        let full = ("OOXX".repeat(4) + &"XXOO".repeat(4)).repeat(8);
        let solved = solve("tictactoe:16x16:5", &format!("{}- O", &full[..255])).unwrap();
        assert_eq!((solved.score, solved.pv.len()), (0, 1));

        let whole = "-".repeat(256) + " X";
        let error = solve("tictactoe:16x16:5", &whole).unwrap_err().to_string();
        assert_eq!(
            error,
            "256 cells of 16x16 are empty; positions with at most 20 are solved"
        );
    }

    #[test]
    fn a_search_that_was_stopped_does_not_take_the_best_move_so_far_for_the_value() {
        let known = |cell, value| Candidate {
            score: Some(Score::result(value)),
            ..Candidate::new(Move::on(cell), vec![Term::deciding("value", value)])
        };
        let mut decision = Decision {
            best: Move::on(0),
            candidates: vec![known(0, 0), known(1, -1)],
            nodes: 2,
        };
        assert_eq!(settled(&decision).map(|(value, _)| value), Some(0));
        decision
            .candidates
            .push(Candidate::new(Move::on(2), Vec::new()));
        assert_eq!(settled(&decision), None);
    }
}
