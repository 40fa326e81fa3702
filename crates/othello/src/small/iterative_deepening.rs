//! Iterative deepening on smaller boards; several threads run lazy SMP.
//!
//! In lazy SMP (<https://www.chessprogramming.org/Lazy_SMP>) all threads search the same iterations
//! over one transposition table and differ only in a perturbed move ordering. The main thread's
//! result counts.

use super::board::SmallBoard;
use super::result::SmallResult;
use super::search::{SCORE_INFINITE, SmallSearch};
use crate::board::Board;
use crate::board::square::{Square, Squares};
use crate::tt::TranspositionTable;
use papan_rules::Move;
use papan_strategies::{Context, LimitChecker, Limits, Progress, StopToken};

/// With this many plies to the end or fewer, the next iteration goes to the end.
const MAX_SKIPPED_PLIES: u32 = 9;

/// Half the width of the first aspiration window, in discs.
const ASPIRATION_WIDTH: i32 = 2;

/// What all threads of a search share.
#[derive(Clone, Copy)]
pub(super) struct Root<'a> {
    pub(super) small: &'a SmallBoard,
    pub(super) tt: &'a TranspositionTable,
    pub(super) context: &'a Context,
    pub(super) max_depth: u32,
}

/// The result of a search with its move.
pub(super) struct RootResult {
    pub(super) result: SmallResult,
    /// `None` for a pass.
    pub(super) best: Option<Square>,
}

impl<'a> Root<'a> {
    /// Searches with iterative deepening until a limit is reached or the position is solved.
    pub(super) fn search(self, board: Board, threads: usize) -> RootResult {
        if self.small.moves(board) == 0 {
            let mut result = self.search(board.passed(), threads).result;
            result.score = -result.score;
            result.pv.insert(0, Move::PASS);
            return RootResult { result, best: None };
        }
        let stop_helpers = StopOnDrop(StopToken::default());
        std::thread::scope(|scope| {
            for helper in 1..threads as u32 {
                let mut context = self.context.clone();
                context.stop = stop_helpers.0.clone();
                context.listener = None;
                scope.spawn(move || {
                    let salt = helper.wrapping_mul(0x9e37_79b9) | 1;
                    let root = Root {
                        context: &context,
                        ..self
                    };
                    root.deepen(board, salt);
                });
            }
            let found = self.deepen(board, 0);
            drop(stop_helpers);
            found
        })
    }

    /// Runs the iterations of one thread.
    fn deepen(self, board: Board, salt: u32) -> RootResult {
        let mut search = self.start(self.context, salt);
        let empties = self.small.empties(board);
        let mut result = SmallResult {
            score: 0,
            exact: false,
            depth: 0,
            pv: Vec::new(),
            nodes: 0,
        };
        let mut moves: Vec<Square> = Squares(self.small.moves(board)).collect();
        let rotation = salt as usize % moves.len().max(1);
        moves.rotate_left(rotation);
        let mut depth = 0;
        while depth < empties.min(self.max_depth) {
            depth += 1;
            if depth + MAX_SKIPPED_PLIES > empties && self.max_depth >= empties {
                depth = empties;
            }
            let center = result.score;
            let Some(score) = search_with_aspiration(&mut search, board, &mut moves, depth, center)
            else {
                break;
            };
            result = SmallResult {
                score,
                exact: depth >= empties,
                depth,
                pv: self.pv(board, moves.first().copied(), depth),
                nodes: search.checker.nodes(),
            };
            self.context.report(&Progress {
                depth,
                nodes: result.nodes,
                score: Some(result.score()),
                pv: result.pv.clone(),
                ..Progress::default()
            });
            if self.context.budget().is_past(3, 5) && !result.exact {
                break;
            }
        }
        result.nodes = search.checker.nodes();
        let best = moves.first().copied();
        if result.pv.is_empty() {
            result.pv = self.pv(board, best, 1);
        }
        RootResult { result, best }
    }

    /// Creates a search under the limits of a context.
    pub(super) fn start(self, context: &Context, salt: u32) -> SmallSearch<'a> {
        SmallSearch {
            board: self.small,
            tt: self.tt,
            checker: LimitChecker::new(context),
            salt,
        }
    }

    /// Returns the principal variation after `first`, with passes. A search that reached the end of
    /// the game (`depth`) is extended to the end, as far as the time allows; else it is one move.
    pub(super) fn pv(self, board: Board, first: Option<Square>, depth: u32) -> Vec<Move> {
        let mut moves = Vec::new();
        let (mut board, mut next) = (board, first);
        let mut search = self.start(&self.context.with_limits(Limits::default()), 0);
        while moves.len() < 64 {
            if self.small.moves(board) == 0 {
                if self.small.moves(board.passed()) == 0 {
                    break;
                }
                moves.push(Move::PASS);
                board = board.passed();
            }
            let is_legal = |square: &Square| Squares(self.small.moves(board)).contains(*square);
            let Some(square) = next.take().filter(is_legal) else {
                break;
            };
            moves.push(self.small.mv(square));
            board = board.child(square);
            if depth > self.small.empties(board) {
                // Entries that the table has lost are searched again.
                let mover = if self.small.moves(board) != 0 {
                    board
                } else {
                    board.passed()
                };
                next = best_move(&mut search, mover);
            }
            if search.checker.is_over() {
                break;
            }
        }
        moves
    }
}

/// Returns the best move by a search to the end of the game.
fn best_move(search: &mut SmallSearch<'_>, board: Board) -> Option<Square> {
    let depth = search.board.empties(board);
    let mut best_score = -SCORE_INFINITE;
    let mut best = None;
    for square in Squares(search.board.moves(board)) {
        let score = -search.search(board.child(square), depth, -SCORE_INFINITE, -best_score);
        if best.is_none() || score > best_score {
            best_score = score;
            best = Some(square);
        }
    }
    best
}

/// Runs one iteration with an aspiration window around `center`. Moves the best move to the front.
/// Returns `None` when it was stopped.
fn search_with_aspiration(
    search: &mut SmallSearch<'_>,
    board: Board,
    moves: &mut [Square],
    depth: u32,
    center: i32,
) -> Option<i32> {
    let (mut alpha, mut beta) = (center - ASPIRATION_WIDTH, center + ASPIRATION_WIDTH);
    loop {
        let score = search_root(search, board, moves, depth, alpha, beta)?;
        if score <= alpha && alpha > -SCORE_INFINITE {
            alpha = -SCORE_INFINITE;
        } else if score >= beta && beta < SCORE_INFINITE {
            beta = SCORE_INFINITE;
        } else {
            return Some(score);
        }
    }
}

fn search_root(
    search: &mut SmallSearch<'_>,
    board: Board,
    moves: &mut [Square],
    depth: u32,
    mut alpha: i32,
    beta: i32,
) -> Option<i32> {
    let mut best = -SCORE_INFINITE;
    for at in 0..moves.len() {
        let child = board.child(moves[at]);
        let score = search.search_child(child, at == 0, depth, alpha, beta);
        if search.checker.is_over() {
            return None;
        }
        if score > best {
            best = score;
            moves[..=at].rotate_right(1);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
    }
    Some(best)
}

/// Stops the helpers even if the main thread panics.
struct StopOnDrop(StopToken);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}
