//! VCF search (victory by continuous fours) by the rule, on line classes.
//!
//! Every move of the attacker is a four, which leaves the defender few replies: one, or at caro also
//! the cells that block a five at its second end. At renju a reply may be forbidden, which wins for
//! White, and so may a move of Black, which is not made.

use papan_rules::{Bits as _, GomokuRule, Player, Wide};

use super::board::Board;
use super::geometry::DIRECTIONS;
use super::line_class::LineClass;
use super::tables::MoveClass;
use crate::lines::Cell;

/// VCF search by iterative deepening with a table of failures.
#[derive(Debug)]
pub(crate) struct VcfSearch {
    failures: Vec<Failure>,
    nodes: u64,
    limit: u64,
    /// Whether a limit cut off part of the tree since the flag was last cleared.
    cut: bool,
    is_narrow: bool,
    /// The moves of both sides of a win, last first.
    line: Vec<Cell>,
}

/// An entry of the table of failures; unused entries have key 0.
#[derive(Clone, Copy, Debug, Default)]
struct Failure {
    key: u64,
    /// Depth of the failed search.
    depth: u16,
    /// Whether the depth limit cut the search off; otherwise it failed for good.
    cut: bool,
}

const TABLE_SIZE: usize = 1 << 14;
/// Maximum number of fours in a sequence.
const MAX_DEPTH: u16 = 60;
/// Fours added to the depth of each iteration.
const DEEPER: u16 = 3;

impl VcfSearch {
    pub(crate) fn new() -> Self {
        Self {
            failures: vec![Failure::default(); TABLE_SIZE],
            nodes: 0,
            limit: 0,
            cut: false,
            is_narrow: false,
            line: Vec::new(),
        }
    }

    /// Returns the nodes searched so far, over all calls.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches for a VCF within `max_nodes`, with the attacker to move. Returns the moves of both
    /// sides up to the attacker's five, or up to a position where every reply to a four is
    /// forbidden. The game is not over.
    pub(crate) fn win(
        &mut self,
        board: &mut Board,
        attacker: Player,
        max_nodes: u64,
    ) -> Option<Vec<Cell>> {
        self.is_narrow = false;
        self.run(board, attacker, max_nodes, 1)
    }

    /// The same over fewer moves: after the first, only fours on a line with the last one, and
    /// without deepening.
    pub(crate) fn narrow_win(
        &mut self,
        board: &mut Board,
        attacker: Player,
        max_nodes: u64,
    ) -> Option<Vec<Cell>> {
        self.is_narrow = true;
        self.run(board, attacker, max_nodes, MAX_DEPTH)
    }

    fn run(
        &mut self,
        board: &mut Board,
        attacker: Player,
        max_nodes: u64,
        mut depth: u16,
    ) -> Option<Vec<Cell>> {
        if board.count_of(attacker, MoveClass::Five) == 0 && !board.has_four(attacker) {
            return None;
        }
        self.limit = self.nodes + max_nodes;
        while depth <= MAX_DEPTH {
            self.cut = false;
            self.line.clear();
            if self.search(board, attacker, depth, None) {
                self.line.reverse();
                return Some(std::mem::take(&mut self.line));
            }
            if !self.cut || self.nodes >= self.limit {
                return None;
            }
            depth += DEEPER;
        }
        None
    }

    /// Searches a node; a narrow search considers fours near the cell of the `last` one.
    fn search(
        &mut self,
        board: &mut Board,
        attacker: Player,
        depth: u16,
        last: Option<Cell>,
    ) -> bool {
        self.nodes += 1;
        let defender = attacker.other();
        if let Some(cell) = board.cells(attacker, MoveClass::Five).first() {
            self.line.push(cell as Cell);
            return true;
        }
        // A four of the defender must be stopped by a four in its gap.
        let fives = board.cells(defender, MoveClass::Five);
        if fives.count() > 1 {
            return false;
        }
        if !board.has_four(attacker) {
            return false;
        }
        let only = fives.first();
        if only.is_none()
            && let Some(cell) = board.cells(attacker, MoveClass::OpenFour).first()
        {
            self.finish(board, attacker, cell as Cell);
            return true;
        }
        if depth == 0 || self.nodes >= self.limit {
            self.cut = true;
            return false;
        }
        let last = last.filter(|_| self.is_narrow);
        let narrow = last.map_or(0, |last| u64::from(last) + 1) * 2 + u64::from(self.is_narrow);
        let key = board.hash()
            ^ (attacker.index() as u64 + 1).wrapping_mul(0x9e37_79b9_97f4_a7c1)
            ^ narrow.wrapping_mul(0xd6e8_feb8_6659_fd93);
        let slot = key as usize % TABLE_SIZE;
        let failure = self.failures[slot];
        if failure.key == key {
            if !failure.cut {
                return false;
            }
            if failure.depth >= depth {
                self.cut = true;
                return false;
            }
        }
        let was_cut = std::mem::take(&mut self.cut);
        let won = self.try_fours(board, attacker, depth, only, last);
        if !won && self.nodes < self.limit {
            self.failures[slot] = Failure {
                key,
                depth,
                cut: self.cut,
            };
        }
        self.cut |= was_cut;
        won
    }

    /// Writes the rest of a win after a four that cannot be stopped, last move first.
    fn finish(&mut self, board: &mut Board, attacker: Player, cell: Cell) {
        board.put(cell, attacker);
        let fives = board.cells(attacker, MoveClass::Five);
        let reply = fives.first();
        let last = fives.without_first().first();
        board.undo();
        for end in [last, reply].into_iter().flatten() {
            self.line.push(end as Cell);
        }
        self.line.push(cell);
    }

    fn try_fours(
        &mut self,
        board: &mut Board,
        attacker: Player,
        depth: u16,
        only: Option<usize>,
        last: Option<Cell>,
    ) -> bool {
        use MoveClass::{DoubtfulFour, Four, FourThree, OpenFour};
        for class in [OpenFour, FourThree, DoubtfulFour, Four] {
            let mut cells = board.cells(attacker, class);
            if let Some(only) = only {
                cells = cells & Wide::single(only);
            } else if let Some(last) = last {
                cells = cells & board.geometry().near[usize::from(last)];
            }
            for cell in cells.cells() {
                let cell = cell as Cell;
                if class == DoubtfulFour && board.is_forbidden(attacker, cell) {
                    continue;
                }
                board.put(cell, attacker);
                let won = self.wins_after_four(board, attacker, depth, cell);
                board.undo();
                if won {
                    self.line.push(cell);
                    return true;
                }
                if self.nodes >= self.limit {
                    self.cut = true;
                    return false;
                }
            }
        }
        false
    }

    /// Returns whether every reply to the attacker's four loses.
    fn wins_after_four(
        &mut self,
        board: &mut Board,
        attacker: Player,
        depth: u16,
        four: Cell,
    ) -> bool {
        let defender = attacker.other();
        let replies = replies_to_four(board, attacker);
        let before = self.line.len();
        for reply in replies.cells() {
            let reply = reply as Cell;
            if board.is_forbidden(defender, reply) {
                continue;
            }
            self.line.truncate(before);
            board.put(reply, defender);
            // A stone beside a four may leave another five.
            let won = board.count_of(attacker, MoveClass::Five) > 0 && {
                self.line.extend(
                    board
                        .cells(attacker, MoveClass::Five)
                        .first()
                        .map(|cell| cell as Cell),
                );
                true
            } || self.search(board, attacker, depth - 1, Some(four));
            board.undo();
            if !won {
                return false;
            }
            self.line.push(reply);
        }
        true
    }
}

/// Returns the replies to the attacker's fours that may stop them.
pub(super) fn replies_to_four(board: &Board, attacker: Player) -> Wide {
    let fives = board.cells(attacker, MoveClass::Five);
    if board.rule() != GomokuRule::Caro {
        // Of two gaps one stays open.
        return fives.first().map_or(Wide::EMPTY, Wide::single);
    }
    let mut replies = fives;
    for gap in fives.cells() {
        let gap = gap as Cell;
        for direction in 0..DIRECTIONS {
            if board.line_class(attacker, gap, direction) != LineClass::Five {
                continue;
            }
            for sign in [-1, 1] {
                for distance in 1..=5 {
                    let Some(there) = board.at(gap, direction, sign * distance) else {
                        break;
                    };
                    if board.owner(there) == Some(attacker) {
                        continue;
                    }
                    if board.owner(there).is_none() {
                        replies = replies | Wide::single(usize::from(there));
                    }
                    break;
                }
            }
        }
    }
    replies
}
