//! The exact value of a position, from whoever knows the game best.

use std::time::{Duration, Instant};

use papan_othello::{Engine, EngineError, Options, board_of, moves_of};
use papan_rules::{Game as _, Line, Move, Othello};
use papan_strategies::{Context, Limits, NoMove, Progress, Score, StopToken};

use crate::any_line::TypedLine;
use crate::{AnyGame, AnyLine, StrategySpec, Unplayable};

/// A solved position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The final score that the player to move reaches with best play.
    pub score: i32,
    /// A best line of play; empty when the game is over.
    pub pv: Vec<Move>,
    /// Nodes it took.
    pub nodes: u64,
    /// Time it took.
    pub elapsed: Duration,
}

/// Why a position was not solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// Nobody can solve this board.
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
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

/// Solves positions of one game, remembering what it learned.
pub enum Solver {
    /// Othello on 8x8.
    Engine(Box<Engine>),
    /// Everything small enough.
    Perfect(Box<dyn crate::Seat>),
}

impl AnyGame {
    /// Whoever can solve this game.
    ///
    /// # Errors
    /// When nobody can, or the engine cannot be set up as asked.
    pub fn solver(&self, options: &Options) -> Result<Solver, SolveError> {
        if let Self::Othello(game) = self
            && game.side() == 8
        {
            return Ok(Solver::Engine(Box::new(Engine::new(options)?)));
        }
        let perfect: StrategySpec = "perfect".parse().expect("a recipe has that name");
        let seat = self.seat(&perfect, &Limits::default())?;
        Ok(Solver::Perfect(seat))
    }
}

impl Solver {
    /// The exact value of the position at the end of a line.
    ///
    /// # Errors
    /// When the game is over there, or it was stopped.
    pub fn solve(
        &mut self,
        line: &dyn AnyLine,
        stop: &StopToken,
        progress: &dyn Fn(&Progress),
    ) -> Result<Solved, SolveError> {
        if line.outcome().is_some() {
            return Err(SolveError::GameOver);
        }
        let started = Instant::now();
        let (score, pv, nodes) = match (self, line.game()) {
            (Self::Engine(engine), AnyGame::Othello(game)) => {
                let line = TypedLine::of(&game, line).ok_or_else(|| {
                    SolveError::Failed(NoMove::Failed("a line of another game".into()))
                })?;
                solve_with_engine(engine, &game, line, stop, progress)?
            }
            (Self::Engine(_), _) => {
                return Err(SolveError::Failed(NoMove::Failed(
                    "the engine solves Othello only".into(),
                )));
            }
            (Self::Perfect(seat), _) => solve_with_seat(&mut **seat, line, stop)?,
        };
        Ok(Solved {
            score,
            pv,
            nodes,
            elapsed: started.elapsed(),
        })
    }
}

type Value = (i32, Vec<Move>, u64);

fn solve_with_engine(
    engine: &mut Engine,
    game: &Othello,
    line: &Line<Othello>,
    stop: &StopToken,
    progress: &dyn Fn(&Progress),
) -> Result<Value, SolveError> {
    let board = board_of(line.position());
    let report = engine.solve(board, stop, |report| {
        progress(&Progress {
            depth: report.depth,
            nodes: report.nodes,
            score: Some(Score::about_discs(report.score as f32)),
            pv: moves_of(board, &report.pv),
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
    seat: &mut dyn crate::Seat,
    line: &dyn AnyLine,
    stop: &StopToken,
) -> Result<Value, SolveError> {
    let context = Context::default().stopped_by(stop);
    let decision = seat.decide(line, &context).map_err(SolveError::Failed)?;
    let chosen = decision.chosen().ok_or(SolveError::Stopped)?;
    let value = chosen.score.and_then(Score::proven);
    let value = value.ok_or(SolveError::Stopped)?;
    Ok((value, chosen.pv.clone(), decision.nodes))
}
