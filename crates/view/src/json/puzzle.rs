//! Output of `papan puzzles`, and the puzzles of the API.

use papan_catalog::AnyLine;
use papan_catalog::puzzles::{self, Attempt, Theme, Verdict};
use serde::Serialize;

use super::moves;

/// A puzzle, without its solution.
#[derive(Clone, Debug, Serialize)]
pub struct Puzzle {
    /// Its identifier.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// The moves that lead to the position.
    pub moves: Vec<String>,
    /// The position.
    pub position: String,
    /// The goal: `win-in`, `fours`, `block`, `win` or `hold`.
    pub goal: &'static str,
    /// The number of moves in which the goal is to be reached, where it has one.
    pub goal_moves: Option<usize>,
    /// Number of moves to find.
    pub length: usize,
    /// Its themes.
    pub themes: Vec<&'static str>,
    /// Its rating.
    pub rating: u16,
}

impl Puzzle {
    /// Creates the output from a puzzle and its position.
    #[must_use]
    pub fn new(puzzle: &puzzles::Puzzle, line: &dyn AnyLine) -> Self {
        Self {
            id: puzzle.id(),
            game: puzzle.game.clone(),
            moves: moves(&line.game(), line.moves()),
            position: line.position_text(),
            goal: puzzle.goal.name(),
            goal_moves: puzzle.goal.moves(),
            length: puzzle.length(),
            themes: puzzle.themes.iter().copied().map(Theme::name).collect(),
            rating: puzzle.rating,
        }
    }
}

/// A puzzle with the verdict on an attempt.
#[derive(Clone, Debug, Serialize)]
pub struct PuzzleAttempt {
    /// The puzzle.
    #[serde(flatten)]
    pub puzzle: Puzzle,
    /// `open`, `wrong` or `solved`.
    pub verdict: &'static str,
    /// The right moves so far, with the replies between them.
    pub played: Vec<String>,
}

impl PuzzleAttempt {
    /// Creates the output from an attempt at a puzzle.
    #[must_use]
    pub fn new(puzzle: &puzzles::Puzzle, line: &dyn AnyLine, attempt: &Attempt) -> Self {
        Self {
            puzzle: Puzzle::new(puzzle, line),
            verdict: match attempt.verdict {
                Verdict::Open => "open",
                Verdict::Wrong(_) => "wrong",
                Verdict::Solved => "solved",
            },
            played: moves(&line.game(), &attempt.played),
        }
    }
}
