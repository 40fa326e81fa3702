//! The engine as others use it: give it a position and a task, get a report.

use crate::board::Board;
use crate::eval::evaluation::Evaluation;
use crate::eval::node::Node;
use crate::eval::score::{SCORE_MAX, to_discs};
use crate::parallel::ybwc::Crew;
use crate::search::limits::{SearchLimits, moves_to_go};
use crate::search::result::SearchResult;
use crate::search::shared::Search;
use crate::search::worker::Searcher;
use crate::tt::Table;
use papan_strategies::StopToken;
use std::sync::Arc;
use thiserror::Error;

/// How the engine is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many threads search together.
    pub threads: usize,
    /// The size of the hash table in mebibytes; the largest power of two in it is used.
    pub hash_mib: usize,
}

impl Options {
    /// The usual size of the hash table, in mebibytes, of a player at a board.
    pub const DEFAULT_HASH_MIB: usize = 64;
    /// The usual size of the hash table, in mebibytes, of whoever solves positions.
    pub const SOLVER_HASH_MIB: usize = 256;

    /// The hash table that is asked for, where threads and memory allow it.
    pub(crate) fn table(&self) -> Result<Table, EngineError> {
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
        Table::new(self.hash_mib).ok_or_else(too_large)
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

/// More threads than this only wait for each other; where there are no threads, there is one.
pub const MAX_THREADS: usize = if cfg!(target_family = "wasm") { 1 } else { 256 };

/// Why an engine cannot be set up.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EngineError {
    /// The hash table would not fit.
    #[error("a hash table of {asked} MiB is larger than memory; at most {largest} MiB fit")]
    HashTooLarge {
        /// What was asked for.
        asked: usize,
        /// The largest table that fits.
        largest: usize,
    },
    /// No search, or none that makes sense, has so many threads.
    #[error("{asked} threads cannot search together; 1 to {most} can", most = MAX_THREADS)]
    Threads {
        /// What was asked for.
        asked: usize,
    },
}

/// An engine with its hash table and evaluation.
///
/// ```
/// use papan_othello::{Board, Engine, Options, SearchLimits};
/// use papan_strategies::StopToken;
///
/// let mut engine = Engine::new(&Options { threads: 1, hash_mib: 1 })?;
/// let task = SearchLimits { depth: Some(4), ..SearchLimits::default() };
/// let report = engine.search(Board::START, &task, &StopToken::default(), |_| {});
/// assert_eq!(report.depth, 4);
/// assert!(report.best.is_some());
/// # Ok::<(), papan_othello::EngineError>(())
/// ```
pub struct Engine {
    table: Table,
    evaluation: Arc<Evaluation>,
    threads: usize,
    /// How many threads the machine runs at a time.
    cores: usize,
}

impl Engine {
    /// An engine with the weights that come with papan.
    ///
    /// # Errors
    /// When the hash table does not fit in memory, or for a number of threads that makes no sense.
    pub fn new(options: &Options) -> Result<Self, EngineError> {
        Self::with_evaluation(options, Evaluation::shipped())
    }

    /// An engine with an evaluation of your own.
    ///
    /// # Errors
    /// When the hash table does not fit in memory, or for a number of threads that makes no sense.
    pub fn with_evaluation(
        options: &Options,
        evaluation: Arc<Evaluation>,
    ) -> Result<Self, EngineError> {
        let table = options.table()?;
        // Made now, so that the first decision does not wait for it.
        crate::board::stability::edges();
        Ok(Self {
            table,
            evaluation,
            threads: options.threads,
            cores: std::thread::available_parallelism().map_or(1, usize::from),
        })
    }

    /// Forgets what earlier searches learned.
    pub fn clear(&mut self) {
        self.table.clear(self.threads);
    }

    /// Searches until the task's limits are reached, `stop` is set, or the position is solved.
    ///
    /// `progress` is called after each finished step of the deepening. On one thread, the same
    /// position, a task without time, and an engine just made or cleared give the same report.
    pub fn search(
        &mut self,
        board: Board,
        task: &SearchLimits,
        stop: &StopToken,
        mut progress: impl FnMut(&SearchResult),
    ) -> SearchResult {
        self.table.new_search();
        let mut search = Search::new(&self.table, &self.evaluation, stop);
        search.node_limit = task.nodes.unwrap_or(u64::MAX);
        let moves = moves_to_go(board.empties(), task.budget.left());
        search.budget = task.budget.clone().among(moves).stretched(3);
        search.crew = Crew::new(self.threads, self.cores);
        let search = search;
        let mut report = std::thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(|| Searcher::new(&search).help());
            }
            let mut searcher = Searcher::new(&search);
            let report = searcher.deepen(board, task, &mut progress);
            search.crew.dismiss();
            report
        });
        report.nodes = search.report(0);
        report
    }

    /// The score of a search of exactly so many plies, nothing guessed: what plain negamax over
    /// the same evaluation finds, sooner.
    pub fn score_at_depth(&mut self, board: Board, depth: u32) -> i32 {
        let never = StopToken::default();
        self.clear();
        let search = Search::new(&self.table, &self.evaluation, &never);
        let score = Searcher::new(&search)
            .pvs(&Node::new(board), -SCORE_MAX, SCORE_MAX, depth)
            .0;
        search.crew.dismiss();
        to_discs(score)
    }

    /// The exact score, a best line and the nodes it took; `report.exact` is false when it was
    /// stopped before.
    pub fn solve(
        &mut self,
        board: Board,
        stop: &StopToken,
        progress: impl FnMut(&SearchResult),
    ) -> SearchResult {
        self.search(board, &SearchLimits::default(), stop, progress)
    }

    /// Whether the mover wins, draws or loses: the report's score has the right sign.
    pub fn solve_outcome(
        &mut self,
        board: Board,
        stop: &StopToken,
        progress: impl FnMut(&SearchResult),
    ) -> SearchResult {
        let task = SearchLimits {
            outcome_only: true,
            ..SearchLimits::default()
        };
        self.search(board, &task, stop, progress)
    }
}
