//! Search limits: depth, confidence, nodes and time.

use papan_strategies::Budget;

/// Limits of a search. The default has none and solves the position.
///
/// ```
/// use papan_othello::{Board, Engine, Options, SearchLimits};
/// use papan_strategies::StopToken;
///
/// let limits = SearchLimits { nodes: Some(10_000), every_move: true, ..SearchLimits::default() };
/// let mut engine = Engine::new(&Options { threads: 1, hash_mib: 1 })?;
/// let result = engine.search(Board::START, &limits, &StopToken::default(), |_| {});
/// assert_eq!(result.moves.len(), 4);
/// # Ok::<(), papan_othello::EngineError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SearchLimits {
    /// Depth in plies. A depth of at least the number of empty squares solves the position.
    pub depth: Option<u32>,
    /// Highest confidence, in percent, of the last iteration; a value below 100 ends the iterative
    /// deepening with a selective search.
    pub confidence: Option<u8>,
    /// Number of nodes of all threads. With one thread the same limit gives the same result every
    /// time.
    pub nodes: Option<u64>,
    /// Time for this decision; it is already running.
    pub budget: Budget,
    /// Whether to score every legal move (as MultiPV in UCI) instead of the best one only.
    pub every_move: bool,
}
