//! Test helpers: random positions, plain negamax, and a search without an engine.

use crate::board::Board;
use crate::eval::evaluation::Evaluation;
use crate::parallel;
use crate::parallel::thread_pool::ThreadPool;
use crate::search::probcut::Margins;
use crate::search::shared::SharedState;
use crate::search::stop_checker::SharedLimits;
use crate::search::worker::SearchThread;
use crate::tt::TranspositionTable;
use papan_rules::SplitMix;
use papan_strategies::{Budget, StopToken};

/// Returns a position with `empties` empty squares in which the mover has a move, reached by random
/// moves.
pub(crate) fn random_position(seed: u64, empties: u32) -> Board {
    let mut random = SplitMix::new(seed);
    loop {
        let mut board = Board::START;
        while board.empties() > empties && !board.is_over() {
            let mut moves = board.moves();
            if moves.is_empty() {
                board = board.passed();
                continue;
            }
            let nth = random.next() % u64::from(moves.len());
            let square = moves.nth(nth as usize).expect("nth is below the count");
            board = board.child(square);
        }
        if board.empties() == empties && !board.is_over() {
            return if board.moves().is_empty() {
                board.passed()
            } else {
                board
            };
        }
    }
}

/// Returns the exact score by plain negamax: no window, no table, no ordering.
pub(crate) fn negamax(board: Board) -> i32 {
    let moves = board.moves();
    if moves.is_empty() {
        let passed = board.passed();
        return if passed.moves().is_empty() {
            board.final_score()
        } else {
            -negamax(passed)
        };
    }
    moves
        .map(|square| -negamax(board.child(square)))
        .max()
        .expect("there is a move")
}

/// Runs `search` with the shipped evaluation and a fresh transposition table, as if there were a
/// core for every thread.
pub(crate) fn search_with<T>(
    threads: usize,
    nodes: Option<u64>,
    search: impl FnOnce(&mut SearchThread<'_>) -> T,
) -> T {
    let evaluation = Evaluation::shipped();
    let margins = Margins::new(&evaluation.probcut());
    let tt = TranspositionTable::new(1).expect("1 MiB is available");
    let stop = StopToken::default();
    let limits = SharedLimits::new(&stop, nodes, Budget::default());
    let pool = ThreadPool::new(threads, threads);
    let shared = SharedState::new(&tt, &evaluation, &margins, limits, pool);
    parallel::run(&shared, threads, search)
}
