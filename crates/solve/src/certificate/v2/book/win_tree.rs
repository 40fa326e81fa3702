//! Why an attacker wins, as a tree in which positions are found.

use papan_rules::Bits;
use rustc_hash::FxHashSet;

use super::super::checker_board::CheckerBoard;
use super::super::verify_win::can_fill;
use super::{Frame, turned};

pub(super) struct WinTree<B> {
    /// Nodes come before those that lead to them.
    pub(super) nodes: Vec<WinNode<B>>,
    pub(super) root: usize,
}

/// A position with the attacker to move.
pub(super) struct WinNode<B> {
    /// The attacker's stones, the defender's.
    pub(super) held: [B; 2],
    /// For each stone of the defender without a known place, where it may be.
    pub(super) unknown: Vec<B>,
    pub(super) step: Step,
    /// Plies to the end, at most.
    pub(super) plies: u32,
}

pub(super) enum Step {
    /// Another node answers for this position.
    Reference { node: usize, symmetry: usize },
    /// A move, if the attacker has not made it yet, and where each reply leads; with
    /// symmetries of the position, which move neither side's stones.
    Move {
        cell: Option<usize>,
        next: Vec<usize>,
        symmetric: bool,
    },
    /// Fours, each with the reply that it forces; the last forces none if nothing follows.
    Fours {
        cells: Vec<(usize, Option<usize>)>,
        then: Option<usize>,
    },
}

impl<B: Bits> WinTree<B> {
    /// What the attacker plays here, if he is to move, and how many plies are left at most;
    /// `None` when the proof does not say that he wins here. Of all nodes that answer for
    /// the position, the one with the fewest plies: so they become fewer with every move.
    pub(super) fn find(
        &self,
        board: &CheckerBoard<B>,
        stones: [B; 2],
        to_move: bool,
    ) -> Option<(Option<usize>, u32)> {
        let mut look = Look {
            tree: self,
            board,
            to_move,
            empty: board.empty.without(stones[0] | stones[1]),
            found: None,
            seen: FxHashSet::default(),
        };
        for symmetry in 0..board.symmetries.len() {
            let here = stones.map(|set| board.image(set, symmetry));
            look.visit(self.root, here, board.inverse(symmetry).to_vec());
        }
        look.found
    }
}

struct Look<'a, B> {
    tree: &'a WinTree<B>,
    board: &'a CheckerBoard<B>,
    to_move: bool,
    /// The empty cells of the board.
    empty: B,
    found: Option<(Option<usize>, u32)>,
    seen: FxHashSet<(usize, [B; 2])>,
}

impl<B: Bits> Look<'_, B> {
    /// `here` are the stones on the board by the proof's names of cells.
    fn visit(&mut self, node: usize, here: [B; 2], frame: Frame) {
        if !self.seen.insert((node, here)) {
            return;
        }
        let tree = self.tree;
        let this = &tree.nodes[node];
        match &this.step {
            &Step::Reference { node, symmetry } => {
                let there = here.map(|set| self.board.image(set, symmetry));
                let frame = turned(self.board, &frame, symmetry);
                self.visit(node, there, frame);
            }
            Step::Move {
                cell,
                next,
                symmetric,
            } => {
                let mut held = this.held;
                let mut plies = this.plies;
                if let Some(cell) = *cell {
                    self.judge(true, held, this, here, Some((cell, &frame)), plies);
                    if !here[0].contains(cell) {
                        return;
                    }
                    held[0] = held[0] | B::single(cell);
                    plies -= 1;
                }
                self.judge(false, held, this, here, None, plies);
                let keeps = |&s: &usize| {
                    s == 0 || *symmetric && held.iter().all(|&set| self.board.image(set, s) == set)
                };
                let symmetries: Vec<usize> =
                    (0..self.board.symmetries.len()).filter(keeps).collect();
                for symmetry in symmetries {
                    let there = here.map(|set| self.board.image(set, symmetry));
                    let frame = turned(self.board, &frame, symmetry);
                    for &node in next {
                        self.visit(node, there, frame.clone());
                    }
                }
            }
            Step::Fours { cells, then } => {
                let (mut held, mut plies) = (this.held, this.plies);
                for &(cell, reply) in cells {
                    self.judge(true, held, this, here, Some((cell, &frame)), plies);
                    if !here[0].contains(cell) {
                        return;
                    }
                    held[0] = held[0] | B::single(cell);
                    plies -= 1;
                    self.judge(false, held, this, here, None, plies);
                    let Some(reply) = reply else { return };
                    held[1] = held[1] | B::single(reply);
                    plies -= 1;
                }
                if let Some(then) = *then {
                    self.visit(then, here, frame);
                }
            }
        }
    }

    /// Whether this place of the proof answers for the position: the attacker has all his
    /// stones, and the defender none but his and those without a known place.
    fn judge(
        &mut self,
        to_move: bool,
        held: [B; 2],
        node: &WinNode<B>,
        here: [B; 2],
        cell: Option<(usize, &Frame)>,
        plies: u32,
    ) {
        let sooner = self.found.is_none_or(|(_, known)| plies < known);
        if to_move != self.to_move || !sooner || !here[0].covers(held[0]) {
            return;
        }
        let more = here[1].without(held[1]);
        if !can_fill(more, &node.unknown, more.count() as usize) {
            return;
        }
        let on_board = cell.map(|(cell, frame)| usize::from(frame[cell]));
        // A stone too many of his own may stand there: then any other will do.
        let free = on_board.filter(|&cell| self.empty.contains(cell));
        self.found = Some((free.or(cell.and(self.empty.first())), plies));
    }
}
