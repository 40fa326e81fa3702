//! The engine: searches positions on 8x8 with a transposition table of its own.

use crate::board::Board;
use crate::eval::evaluation::Evaluation;
use crate::eval::node::Node;
use crate::eval::score::{SCORE_MAX, to_discs};
use crate::parallel;
use crate::parallel::thread_pool::ThreadPool;
use crate::search::iterative_deepening::iterative_deepening;
use crate::search::limits::SearchLimits;
use crate::search::probcut::Margins;
use crate::search::pvs::pvs;
use crate::search::result::SearchResult;
use crate::search::shared::SharedState;
use crate::search::stop_checker::SharedLimits;
use crate::search::time_management::moves_to_go;
use crate::tt::TranspositionTable;
use papan_strategies::{Budget, StopToken, usable_threads};
use std::sync::Arc;
use thiserror::Error;

/// Engine configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Number of search threads, 1 to [`MAX_THREADS`].
    pub threads: usize,
    /// Size of the transposition table in mebibytes, rounded down to a power of two.
    pub hash_mib: usize,
}

impl Options {
    /// Default size of the transposition table for playing, in mebibytes.
    pub const DEFAULT_HASH_MIB: usize = 64;
    /// Default size of the transposition table for solving, in mebibytes.
    pub const SOLVER_HASH_MIB: usize = 256;

    /// Checks the options and allocates the transposition table.
    pub(crate) fn allocate_tt(&self) -> Result<TranspositionTable, EngineError> {
        if !(1..=MAX_THREADS).contains(&self.threads) {
            return Err(EngineError::Threads {
                asked: self.threads,
            });
        }
        let largest = papan_strategies::available_mib();
        let too_large = || EngineError::HashTooLarge {
            asked: self.hash_mib,
            largest,
        };
        if self.hash_mib > largest {
            return Err(too_large());
        }
        TranspositionTable::new(self.hash_mib).ok_or_else(too_large)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: 1,
            hash_mib: Self::DEFAULT_HASH_MIB,
        }
    }
}

/// Maximum number of search threads. Where the platform has none, one is used.
pub const MAX_THREADS: usize = 256;

/// Why an engine cannot be created.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EngineError {
    /// The transposition table does not fit in memory.
    #[error("a hash table of {asked} MiB does not fit in memory; the maximum is {largest} MiB")]
    HashTooLarge {
        /// The requested size in mebibytes.
        asked: usize,
        /// The largest size that fits, in mebibytes.
        largest: usize,
    },
    /// The build contains no weights, and none were installed.
    #[error(
        "the Othello engine has no weights: this build does not contain them; load the file othello.weights first"
    )]
    NoWeights,
    /// The number of threads is out of range.
    #[error("{asked} threads are not supported; use 1 to {max}", max = MAX_THREADS)]
    Threads {
        /// The requested number of threads.
        asked: usize,
    },
}

/// An Othello engine with its transposition table and evaluation.
///
/// ```
/// use papan_othello::{Board, Engine, Options, SearchLimits};
/// use papan_strategies::StopToken;
///
/// let mut engine = Engine::new(&Options { threads: 1, hash_mib: 1 })?;
/// let limits = SearchLimits { depth: Some(4), ..SearchLimits::default() };
/// let result = engine.search(Board::START, &limits, &StopToken::default(), |_| {});
/// assert_eq!(result.depth, 4);
/// assert!(result.best.is_some());
/// # Ok::<(), papan_othello::EngineError>(())
/// ```
pub struct Engine {
    tt: TranspositionTable,
    evaluation: Arc<Evaluation>,
    /// ProbCut margins for the evaluation.
    margins: Margins,
    threads: usize,
    /// Number of cores.
    cores: usize,
}

impl Engine {
    /// Creates an engine with the [current](Evaluation::current) evaluation: the installed one, or
    /// the one that comes with papan.
    ///
    /// # Errors
    /// When the transposition table does not fit in memory, the number of threads is out of range,
    /// or there is no evaluation.
    pub fn new(options: &Options) -> Result<Self, EngineError> {
        let evaluation = Evaluation::current().ok_or(EngineError::NoWeights)?;
        Self::with_evaluation(options, evaluation)
    }

    /// Creates an engine with another evaluation.
    ///
    /// # Errors
    /// When the transposition table does not fit in memory, or the number of threads is out of
    /// range.
    pub fn with_evaluation(
        options: &Options,
        evaluation: Arc<Evaluation>,
    ) -> Result<Self, EngineError> {
        let tt = options.allocate_tt()?;
        // Computed now, so that the first search does not have to wait for it.
        crate::board::stability::edge_stability();
        Ok(Self {
            tt,
            margins: Margins::new(&evaluation.probcut()),
            evaluation,
            threads: usable_threads(options.threads),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
        })
    }

    /// Clears the transposition table.
    pub fn clear(&mut self) {
        self.tt.clear(self.threads);
    }

    /// Searches until a limit is reached, `stop` is set, or the position is solved.
    ///
    /// `progress` is called after each iteration. With one thread, limits without time, and a new or
    /// cleared engine, the same position always gives the same result.
    pub fn search(
        &mut self,
        board: Board,
        limits: &SearchLimits,
        stop: &StopToken,
        mut progress: impl FnMut(&SearchResult),
    ) -> SearchResult {
        self.tt.new_search();
        let moves = moves_to_go(board.empties(), limits.budget.left());
        let budget = limits.budget.clone().among(moves).stretched(3);
        let shared = SharedState::new(
            &self.tt,
            &self.evaluation,
            &self.margins,
            SharedLimits::new(stop, limits.nodes, budget),
            ThreadPool::new(self.threads, self.cores),
        );
        let mut result = parallel::run(&shared, self.threads, |thread| {
            iterative_deepening(thread, board, limits, &mut progress)
        });
        // The helpers have finished by now.
        result.nodes = shared.limits().nodes();
        result
    }

    /// Returns the score, in discs, of a search to exactly `depth` plies without forward pruning:
    /// the score that plain negamax over the same evaluation finds.
    pub fn score_at_depth(&mut self, board: Board, depth: u32) -> i32 {
        let never = StopToken::default();
        self.clear();
        let shared = SharedState::new(
            &self.tt,
            &self.evaluation,
            &self.margins,
            SharedLimits::new(&never, None, Budget::default()),
            ThreadPool::default(),
        );
        let best = parallel::run(&shared, 1, |thread| {
            pvs(thread, &Node::new(board), -SCORE_MAX, SCORE_MAX, depth)
        });
        to_discs(best.score)
    }

    /// Solves a position: finds the exact score and a principal variation to the end of the game.
    /// `exact` of the result is false if the search was stopped before.
    pub fn solve(
        &mut self,
        board: Board,
        stop: &StopToken,
        progress: impl FnMut(&SearchResult),
    ) -> SearchResult {
        self.search(board, &SearchLimits::default(), stop, progress)
    }
}
