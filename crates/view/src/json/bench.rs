//! Output of `papan bench`.

use serde::Serialize;

use super::Score;

/// Benchmark results.
#[derive(Clone, Debug, Serialize)]
pub struct Bench {
    /// The code path in use.
    pub code: &'static str,
    /// Strategies at start positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategies: Option<Vec<StrategyBench>>,
    /// The Othello engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub othello: Option<EndgameBench>,
}

/// A strategy at a start position.
#[derive(Clone, Debug, Serialize)]
pub struct StrategyBench {
    /// The game and the strategy.
    pub strategy: String,
    /// Nodes; deterministic.
    pub nodes: u64,
    /// Wall-clock time.
    pub seconds: f64,
}

/// Perft and endgame problems of Othello.
#[derive(Clone, Debug, Serialize)]
pub struct EndgameBench {
    /// Perft, unless skipped.
    pub perft: Option<PerftBench>,
    /// The endgames.
    pub problems: Vec<Problem>,
    /// Scores that differ from the known ones.
    pub mismatches: Vec<Mismatch>,
    /// Total nodes.
    pub nodes: u64,
    /// Total CPU time.
    pub user_seconds: f64,
    /// Total wall-clock time.
    pub wall_seconds: f64,
    /// Nodes per second of CPU time.
    pub nodes_per_second: f64,
    /// Bench signature: changes when the search changes.
    pub signature: Option<String>,
}

/// Perft result.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PerftBench {
    /// Depth in plies.
    pub depth: u32,
    /// Leaf nodes.
    pub lines: u64,
    /// The published count.
    pub expected: Option<u64>,
    /// CPU time.
    pub user_seconds: f64,
}

/// An endgame problem.
#[derive(Clone, Debug, Serialize)]
pub struct Problem {
    /// Line number in the file.
    pub line: usize,
    /// Empty squares.
    pub empties: u32,
    /// Its score.
    #[serde(flatten)]
    pub score: Score,
    /// A best move.
    pub best: Option<String>,
    /// Nodes.
    pub nodes: u64,
    /// CPU time.
    pub user_seconds: f64,
    /// Wall-clock time.
    pub wall_seconds: f64,
}

/// A score that differs from the file.
#[derive(Clone, Debug, Serialize)]
pub struct Mismatch {
    /// The line of the file.
    pub line: usize,
    /// The move; `None` for the position itself.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The score found, in discs.
    pub found: i32,
    /// The known score, in discs.
    pub known: i32,
}
