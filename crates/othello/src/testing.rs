//! What several test modules share: random positions and the plainest possible search.

use crate::board::Board;
use papan_rules::SplitMix;

/// A position with `empties` empty squares, reached by random moves from the start, where the
/// game is not over.
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

/// The exact score by plain negamax: no window, no table, no ordering.
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
