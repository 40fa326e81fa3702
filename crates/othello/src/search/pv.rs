//! Principal variation, reconstructed from the transposition table.

use crate::board::Board;
use crate::board::square::Square;
use crate::eval::node::Node;
use crate::eval::score::DISC;
use crate::search::move_picker::MovePicker;
use crate::search::node_type::NodeType;
use crate::search::nws::nws_child;
use crate::search::selectivity::Selectivity;
use crate::search::worker::SearchThread;
use crate::tt::TranspositionTable;

/// Longest principal variation: a game has at most 60 moves.
const MAX_PV_LEN: usize = 60;

/// Follows the best moves in the transposition table as far as there are entries. Passes are
/// omitted.
pub(crate) fn pv_from_tt(tt: &TranspositionTable, mut board: Board) -> Vec<Square> {
    let mut pv = Vec::new();
    let mut passes = 0;
    while pv.len() < MAX_PV_LEN && passes < 2 {
        let moves = board.moves();
        if moves.is_empty() {
            passes += 1;
            board = board.passed();
            continue;
        }
        passes = 0;
        let Some(entry) = tt.probe(board) else {
            break;
        };
        if !moves.contains(entry.mv) {
            break;
        }
        pv.push(entry.mv);
        board = board.child(entry.mv);
    }
    pv
}

/// Returns a complete principal variation of a solved position: every move is proven to keep
/// `score`, in discs. Passes are omitted.
pub(crate) fn solved_pv(
    thread: &mut SearchThread<'_>,
    mut board: Board,
    mut score: i32,
) -> Vec<Square> {
    let mut pv = Vec::new();
    thread.selectivity = Selectivity::Exact;
    while !board.is_over() && !thread.stopped() {
        let mut moves = board.moves();
        if moves.is_empty() {
            (board, score) = (board.passed(), -score);
            continue;
        }
        let node = Node::new(board);
        let hash_move = thread.tt().probe(board).map(|entry| entry.mv);
        let mut chosen = None;
        if let Some(square) = hash_move.filter(|&mv| moves.contains(mv)) {
            moves = moves.without(square);
            chosen = keeps_score(thread, &node, square, score).then_some(square);
        }
        if chosen.is_none() {
            let alpha = DISC * (score - 1);
            let mut picker = MovePicker::new(thread, &node, moves, alpha, node.empties());
            while let (None, Some(square)) = (chosen, picker.next()) {
                chosen = keeps_score(thread, &node, square, score).then_some(square);
            }
        }
        let Some(square) = chosen else { break };
        pv.push(square);
        (board, score) = (board.child(square), -score);
    }
    pv
}

/// Returns whether a move achieves `score`, in discs.
fn keeps_score(thread: &mut SearchThread<'_>, node: &Node, square: Square, score: i32) -> bool {
    let alpha = DISC * (score - 1);
    nws_child(thread, node, square, alpha, node.empties(), NodeType::All) > alpha
}
