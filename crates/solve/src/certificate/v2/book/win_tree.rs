//! Lookup of positions in a win proof.

use papan_rules::Bits;
use rustc_hash::FxHashSet;

use super::super::checker_board::CheckerBoard;
use super::super::verify_win::can_fill;
use super::{CellNames, renamed_by};

/// A win proof as a tree.
pub(super) struct WinTree<B> {
    /// Nodes come before their parents.
    pub(super) nodes: Vec<WinNode<B>>,
    pub(super) root: usize,
}

/// A position with the attacker to move.
pub(super) struct WinNode<B> {
    /// The stones of the attacker and of the defender.
    pub(super) held: [B; 2],
    /// For each stone of unknown position, the cells where it may be.
    pub(super) unknown: Vec<B>,
    pub(super) attack: Attack,
    /// Upper bound on the plies to the win.
    pub(super) plies: u32,
}

/// The attack at a node.
pub(super) enum Attack {
    /// Another node covers the position.
    Reference { node: usize, symmetry: usize },
    /// A move, unless it was made before the proof starts, and the nodes after the replies. If
    /// `symmetric`, up to symmetries of the position.
    Move {
        cell: Option<usize>,
        next: Vec<usize>,
        symmetric: bool,
    },
    /// A sequence of fours, and the node after it.
    Fours {
        fours: Vec<Four>,
        then: Option<usize>,
    },
}

/// A four and the reply that it forces. The last four of a proof has none.
pub(super) struct Four {
    pub(super) cell: usize,
    pub(super) reply: Option<usize>,
}

/// A position found in a proof.
#[derive(Clone, Copy)]
pub(super) struct FoundWin {
    /// The attacker's move, if the attacker is to move.
    pub(super) cell: Option<usize>,
    /// Upper bound on the plies to the win.
    pub(super) plies: u32,
}

impl<B: Bits> WinTree<B> {
    /// Looks a position up; `None` if the proof does not cover it. Of all nodes that cover it, the
    /// one with the fewest plies is taken, so that the bound decreases with every move.
    pub(super) fn find(
        &self,
        board: &CheckerBoard<B>,
        stones: [B; 2],
        to_move: bool,
    ) -> Option<FoundWin> {
        let mut lookup = Lookup {
            tree: self,
            board,
            to_move,
            empty: board.empty.without(stones[0] | stones[1]),
            found: None,
            visited: FxHashSet::default(),
        };
        for symmetry in 0..board.symmetries() {
            let here = stones.map(|set| board.image(set, symmetry));
            lookup.visit(self.root, here, board.inverse(symmetry));
        }
        lookup.found
    }
}

/// A search for the shortest node that covers a position.
struct Lookup<'a, B> {
    tree: &'a WinTree<B>,
    board: &'a CheckerBoard<B>,
    to_move: bool,
    /// The empty cells of the board.
    empty: B,
    found: Option<FoundWin>,
    visited: FxHashSet<(usize, [B; 2])>,
}

impl<B: Bits> Lookup<'_, B> {
    /// Visits a node and its descendants. `here` are the stones on the board under the names of the
    /// proof.
    fn visit(&mut self, node: usize, here: [B; 2], names: CellNames) {
        if !self.visited.insert((node, here)) {
            return;
        }
        let tree = self.tree;
        let this = &tree.nodes[node];
        match &this.attack {
            &Attack::Reference { node, symmetry } => {
                let there = here.map(|set| self.board.image(set, symmetry));
                let names = renamed_by(self.board, &names, symmetry);
                self.visit(node, there, names);
            }
            Attack::Move {
                cell,
                next,
                symmetric,
            } => {
                let mut held = this.held;
                let mut plies = this.plies;
                if let Some(cell) = *cell {
                    self.consider(true, held, this, here, Some((cell, &names)), plies);
                    if !here[0].contains(cell) {
                        return;
                    }
                    held[0] = held[0] | B::single(cell);
                    plies -= 1;
                }
                self.consider(false, held, this, here, None, plies);
                let keeps = |&s: &usize| {
                    s == 0 || *symmetric && held.iter().all(|&set| self.board.image(set, s) == set)
                };
                let symmetries: Vec<usize> = (0..self.board.symmetries()).filter(keeps).collect();
                for symmetry in symmetries {
                    let there = here.map(|set| self.board.image(set, symmetry));
                    let names = renamed_by(self.board, &names, symmetry);
                    for &node in next {
                        self.visit(node, there, names.clone());
                    }
                }
            }
            Attack::Fours { fours, then } => {
                let (mut held, mut plies) = (this.held, this.plies);
                for &Four { cell, reply } in fours {
                    self.consider(true, held, this, here, Some((cell, &names)), plies);
                    if !here[0].contains(cell) {
                        return;
                    }
                    held[0] = held[0] | B::single(cell);
                    plies -= 1;
                    self.consider(false, held, this, here, None, plies);
                    let Some(reply) = reply else { return };
                    held[1] = held[1] | B::single(reply);
                    plies -= 1;
                }
                if let Some(then) = *then {
                    self.visit(then, here, names);
                }
            }
        }
    }

    /// Records a place of the proof if it covers the position: the attacker has all its stones, and
    /// the defender no others but those of unknown position.
    fn consider(
        &mut self,
        to_move: bool,
        held: [B; 2],
        node: &WinNode<B>,
        here: [B; 2],
        move_on: Option<(usize, &CellNames)>,
        plies: u32,
    ) {
        let is_shorter = self.found.is_none_or(|found| plies < found.plies);
        if to_move != self.to_move || !is_shorter || !here[0].covers(held[0]) {
            return;
        }
        let more = here[1].without(held[1]);
        if !can_fill(more, &node.unknown, more.count() as usize) {
            return;
        }
        let on_board = move_on.map(|(cell, names)| usize::from(names[cell]));
        // If an extra stone of the attacker occupies the cell, any other move will do.
        let free = on_board.filter(|&cell| self.empty.contains(cell));
        self.found = Some(FoundWin {
            cell: free.or(move_on.and(self.empty.first())),
            plies,
        });
    }
}
