//! What `papan bench` measured.

use serde::Serialize;

use super::Score;

/// How fast papan is here, and whether it is right.
#[derive(Clone, Debug, Serialize)]
pub struct Bench {
    /// The code path in use.
    pub code: &'static str,
    /// Strategies from the start of a board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategies: Option<Vec<StrategyBench>>,
    /// The Othello engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub othello: Option<EndgameBench>,
}

/// One strategy from the start of a board.
#[derive(Clone, Debug, Serialize)]
pub struct StrategyBench {
    /// The game and the strategy.
    pub strategy: String,
    /// Nodes, which never change.
    pub nodes: u64,
    /// How long they took.
    pub seconds: f64,
}

/// Perft and endgames of Othello.
#[derive(Clone, Debug, Serialize)]
pub struct EndgameBench {
    /// Perft, unless left out.
    pub perft: Option<PerftBench>,
    /// The endgames.
    pub problems: Vec<Problem>,
    /// What was not as known.
    pub mismatches: Vec<Mismatch>,
    /// Nodes of all.
    pub nodes: u64,
    /// Processor time of all.
    pub user_seconds: f64,
    /// Time of all.
    pub wall_seconds: f64,
    /// Nodes in a second of processor time.
    pub nodes_per_second: f64,
    /// A number that changes when a search does.
    pub signature: Option<String>,
}

/// Lines of play counted.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PerftBench {
    /// How many plies.
    pub depth: u32,
    /// Lines of play.
    pub lines: u64,
    /// The published number.
    pub expected: Option<u64>,
    /// Processor time.
    pub user_seconds: f64,
}

/// One endgame.
#[derive(Clone, Debug, Serialize)]
pub struct Problem {
    /// Its line of the file.
    pub line: usize,
    /// Empty squares.
    pub empties: u32,
    /// What it is worth.
    #[serde(flatten)]
    pub score: Score,
    /// A best move.
    pub best: Option<String>,
    /// Nodes.
    pub nodes: u64,
    /// Processor time.
    pub user_seconds: f64,
    /// Time.
    pub wall_seconds: f64,
}

/// A score that is not as the file has it.
#[derive(Clone, Debug, Serialize)]
pub struct Mismatch {
    /// The line of the file.
    pub line: usize,
    /// The move; without, the position itself.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// What was found, in discs.
    pub found: i32,
    /// What is known, in discs.
    pub known: i32,
}
