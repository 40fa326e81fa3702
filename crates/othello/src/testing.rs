//! What several test modules share: random positions and the plainest possible search.

use crate::board::Board;

/// A small generator, so that a failing case can be named by its seed.
pub(crate) fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A position with `empties` empty squares, reached by random moves from the start, where the
/// game is not over.
pub(crate) fn random_position(mut seed: u64, empties: u32) -> Board {
    loop {
        let mut board = Board::START;
        while board.empties() > empties && !board.is_over() {
            let mut moves = board.moves();
            if moves.is_empty() {
                board = board.passed();
                continue;
            }
            let nth = splitmix(&mut seed) % u64::from(moves.len());
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
