//! Right moves of a puzzle, by exact search, and the verification of its solution.

use papan_othello::Options;
use papan_rules::{Move, Pieces, Player};
use papan_strategies::Context;

use super::line_board::LineBoard;
use super::{Goal, Puzzle};
use crate::{AnyGame, AnyLine, Solver};

/// A defect of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Its moves are not moves of its game.
    #[error("the moves are not moves of {0}")]
    Moves(String),
    /// Another move is as good, or the move of the solution is wrong.
    #[error("move {number} of the solution is `{played}`; right are `{right}`")]
    NotTheOnlyOne {
        /// The number of the move, from 1.
        number: usize,
        /// The move of the solution.
        played: String,
        /// The right moves.
        right: String,
    },
    /// The goal is not reached at its end.
    #[error("the solution ends before the goal is reached")]
    TooShort,
    /// It is too large to be solved here.
    #[error("the position cannot be solved")]
    Unsolved,
}

/// A small table on one thread: endgames of this size are solved in milliseconds.
const OPTIONS: Options = Options {
    threads: 1,
    hash_mib: 16,
};

/// Computes right moves.
pub(super) struct Judge {
    solver: Option<Solver>,
}

impl Judge {
    /// Creates the judge of a game.
    pub(super) fn new(game: &AnyGame) -> Option<Self> {
        let solver = match game.pieces() {
            Pieces::Discs => Some(game.solver(&[], &OPTIONS).ok()?),
            Pieces::Marks | Pieces::Stones => None,
        };
        Some(Self { solver })
    }

    /// Returns the moves that reach a goal, of which this many moves are left; `None` if the game
    /// has no such goal.
    pub(super) fn right(&mut self, line: &dyn AnyLine, goal: Goal) -> Option<Vec<Move>> {
        let player = line.turn();
        let by_lines = |reaches: &mut dyn FnMut(&mut LineBoard, usize) -> bool| {
            let mut board = LineBoard::new(line)?;
            let cells = board.playable(player);
            let right = cells.into_iter().filter(|&cell| reaches(&mut board, cell));
            Some(right.map(Move::on).collect())
        };
        match goal {
            Goal::WinIn(moves) => by_lines(&mut |b, cell| b.wins_with(player, cell, moves, false)),
            Goal::Fours(moves) => by_lines(&mut |b, cell| b.wins_with(player, cell, moves, true)),
            Goal::Block(moves) => by_lines(&mut |b, cell| b.holds_with(player, cell, moves)),
            Goal::Win => self.scoring(line, 1),
            Goal::Hold => self.scoring(line, 0),
        }
    }

    /// Returns the moves after which the player to move has at least this final score.
    fn scoring(&mut self, line: &dyn AnyLine, least: i32) -> Option<Vec<Move>> {
        let scores = self.scores(line)?.into_iter();
        let right = scores.filter(|(_, score)| *score >= least);
        Some(right.map(|(mv, _)| mv).collect())
    }

    /// Returns the exact final score of every move for the player to move.
    pub(super) fn scores(&mut self, line: &dyn AnyLine) -> Option<Vec<(Move, i32)>> {
        let solver = self.solver.as_mut()?;
        let player = line.turn();
        let mut scores = Vec::new();
        for mv in line.legal_moves() {
            let mut next = line.clone_line();
            next.play(mv).ok()?;
            let score = match next.outcome() {
                Some(_) => next.final_score(player),
                None => {
                    let solved = solver.solve(&*next, &Context::default()).ok()?;
                    sign(next.turn(), player) * solved.score
                }
            };
            scores.push((mv, score));
        }
        Some(scores)
    }
}

fn sign(turn: Player, player: Player) -> i32 {
    if turn == player { 1 } else { -1 }
}

/// Returns the goal after the solver and the opponent have moved.
pub(super) fn next_goal(goal: Goal) -> Goal {
    match goal {
        Goal::WinIn(moves) => Goal::WinIn(moves.saturating_sub(1)),
        Goal::Fours(moves) => Goal::Fours(moves.saturating_sub(1)),
        goal => goal,
    }
}

impl Puzzle {
    /// Solves the puzzle again: every move of the solver is the only right one, except that the last
    /// may be one of several that complete a line.
    ///
    /// # Errors
    /// With the first fault.
    pub fn verify(&self) -> Result<(), Fault> {
        let moves = || Fault::Moves(self.game.clone());
        let mut line = self.line().ok_or_else(moves)?;
        let game = line.game();
        let steps = self.steps().filter(|steps| steps.len() % 2 == 1);
        let steps = steps.ok_or_else(moves)?;
        let mut judge = Judge::new(&game).ok_or(Fault::Unsolved)?;
        let mut goal = self.goal;
        for (at, &mv) in steps.iter().enumerate() {
            if at % 2 == 0 {
                let right = judge.right(&*line, goal).ok_or(Fault::Unsolved)?;
                let last = at + 1 == steps.len() && goal.moves() == Some(1);
                if !right.contains(&mv) || right.len() > 1 && !last {
                    return Err(Fault::NotTheOnlyOne {
                        number: at + 1,
                        played: game.show_move(mv),
                        right: game.show_moves(&right),
                    });
                }
                goal = next_goal(goal);
            }
            line.play(mv).map_err(|_| moves())?;
        }
        let solver = self.line().ok_or_else(moves)?.turn();
        let won = line.outcome().is_some_and(|o| o.value_for(solver) > 0);
        match self.goal {
            Goal::WinIn(_) | Goal::Fours(_) if !won => Err(Fault::TooShort),
            _ => Ok(()),
        }
    }
}
