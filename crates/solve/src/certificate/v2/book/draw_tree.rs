//! Lookup of positions in a draw proof.
//!
//! A node covers a position if, under a renaming of the cells, each live line of the attacker has a
//! counterpart in the node that is live and lacks no other cells; if the defender's lines count,
//! the same holds the other way round for the defender. Renamings are symmetries of the board and
//! exchanges of a move with one that dominates it.

use papan_rules::Bits;
use rustc_hash::FxHashSet;

use super::super::checker_board::CheckerBoard;
use super::super::verify_draw::pairing_holds;
use super::{CellNames, renamed_by};

/// A draw proof as a tree.
pub(super) struct DrawTree<B> {
    /// Nodes come before their parents.
    pub(super) nodes: Vec<DrawTreeNode<B>>,
    /// The first node, unless the game ends before it.
    pub(super) root: Option<usize>,
    /// Whether the defender's own lines count.
    pub(super) counter: bool,
}

/// A position with the attacker to move.
pub(super) struct DrawTreeNode<B> {
    /// The stones of the attacker and of the defender.
    pub(super) held: [B; 2],
    pub(super) defence: Defence,
}

/// The defence at a node.
pub(super) enum Defence {
    /// Another node covers the position.
    Reference { node: usize, symmetry: usize },
    /// A pairing strategy.
    Pairs(Vec<[u16; 2]>),
    /// A reply to every move that is not dominated.
    Replies(Vec<Reply>),
}

/// A reply to a move of the attacker.
pub(super) struct Reply {
    /// The attacker's cell.
    pub(super) cell: u16,
    /// The defender's cell.
    pub(super) reply: u16,
    /// The node after the reply, unless it ends the game.
    pub(super) next: Option<usize>,
}

impl<B: Bits> DrawTree<B> {
    /// Returns the cells on which the defender, who is to move, keeps the draw according to the
    /// proof. `stones` are those of the attacker and of the defender.
    pub(super) fn replies(&self, board: &CheckerBoard<B>, stones: [B; 2]) -> B {
        let empty = board.empty.without(stones[0] | stones[1]);
        let holds = |&cell: &usize| {
            let after = stones[1] | B::single(cell);
            let mut lines = board.through[cell].iter();
            let completes = lines.any(|&line| after.covers(board.lines[line as usize]));
            completes || self.covers(board, [stones[0], after])
        };
        let cells = empty.cells().filter(holds);
        cells.fold(B::EMPTY, |set, cell| set | B::single(cell))
    }

    /// Returns whether the proof covers a position with the attacker to move.
    pub(super) fn covers(&self, board: &CheckerBoard<B>, stones: [B; 2]) -> bool {
        let left = |own: B, other: B| {
            let lines = board.lines.iter().filter(move |line| !line.meets(other));
            lines.map(|line| line.without(own)).collect::<Vec<B>>()
        };
        let mut lookup = Lookup {
            tree: self,
            board,
            stones,
            attackers: left(stones[0], stones[1]),
            defenders: left(stones[1], stones[0]),
            visited: FxHashSet::default(),
        };
        let Some(root) = self.root else { return false };
        let mut symmetries = 0..board.symmetries();
        symmetries.any(|symmetry| lookup.visit(root, &board.inverse(symmetry)))
    }
}

/// A search for a node that covers a position.
struct Lookup<'a, B> {
    tree: &'a DrawTree<B>,
    board: &'a CheckerBoard<B>,
    stones: [B; 2],
    /// The cells that each live line of a side lacks.
    attackers: Vec<B>,
    defenders: Vec<B>,
    visited: FxHashSet<(usize, CellNames)>,
}

impl<B: Bits> Lookup<'_, B> {
    /// Returns whether a node or a descendant covers the position.
    fn visit(&mut self, node: usize, names: &[u16]) -> bool {
        if !self.visited.insert((node, names.to_vec())) {
            return false;
        }
        let tree = self.tree;
        let this = &tree.nodes[node];
        match &this.defence {
            &Defence::Reference { node, symmetry } => {
                let names = renamed_by(self.board, names, symmetry);
                self.visit(node, &names)
            }
            Defence::Pairs(pairs) => self.pairs_hold(pairs, names),
            Defence::Replies(replies) => {
                self.fits(this, names)
                    || self.visit_replies(replies, names)
                    || self.visit_exchanged(this, replies, names)
            }
        }
    }

    fn visit_replies(&mut self, replies: &[Reply], names: &[u16]) -> bool {
        replies.iter().any(|reply| self.follow(reply, names))
    }

    /// Visits the node after a reply, if the move and the reply were both played.
    fn follow(&mut self, reply: &Reply, names: &[u16]) -> bool {
        let on_board = |cell: u16| usize::from(names[usize::from(cell)]);
        let taken = self.stones[0] | self.stones[1];
        let played =
            self.stones[0].contains(on_board(reply.cell)) && taken.contains(on_board(reply.reply));
        match reply.next {
            Some(next) if played => self.visit(next, names),
            _ => false,
        }
    }

    /// Visits the nodes after moves without a reply of their own: with the cells of the move and of
    /// a dominating one exchanged, the reply to that one holds.
    fn visit_exchanged(
        &mut self,
        node: &DrawTreeNode<B>,
        replies: &[Reply],
        names: &[u16],
    ) -> bool {
        let answered = replies.iter().fold(B::EMPTY, |set, reply| {
            set | B::single(usize::from(reply.cell))
        });
        let free = self.board.empty.without(node.held[0] | node.held[1]);
        for x in free.without(answered).cells() {
            if !self.stones[0].contains(usize::from(names[x])) {
                continue;
            }
            let dominators = self.dominators(node, x, answered);
            for reply in replies {
                let y = usize::from(reply.cell);
                if dominators.contains(y) {
                    let mut names = names.to_vec();
                    names.swap(x, y);
                    if self.follow(reply, &names) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Returns the answered cells on every line through a cell that counts; none if no line counts.
    fn dominators(&self, node: &DrawTreeNode<B>, cell: usize, answered: B) -> B {
        let counts =
            |line: &B| !line.meets(node.held[1]) || self.tree.counter && !line.meets(node.held[0]);
        self.board.through[cell]
            .iter()
            .map(|&line| self.board.lines[line as usize])
            .filter(counts)
            .reduce(|common, line| common & line)
            .map_or(B::EMPTY, |common| common & answered)
    }

    /// Returns whether a node covers the position, under this naming of the cells.
    fn fits(&self, node: &DrawTreeNode<B>, names: &[u16]) -> bool {
        let mut inverse: CellNames = vec![0; names.len()];
        for (name, &cell) in names.iter().enumerate() {
            inverse[usize::from(cell)] = name as u16;
        }
        let [attackers, defenders] = node.held;
        let live_gaps = |own: B, other: B| {
            let lines = self.board.lines.iter();
            lines
                .filter(move |line| !line.meets(other))
                .map(move |line| line.without(own))
        };
        let no_better = self.attackers.iter().all(|&lacks| {
            let lacks = renamed(lacks, &inverse);
            live_gaps(attackers, defenders).any(|there| lacks.covers(there))
        });
        no_better
            && (!self.tree.counter
                || live_gaps(defenders, attackers).all(|there| {
                    let lacks = renamed(there, names);
                    self.defenders.iter().any(|&here| lacks.covers(here))
                }))
    }

    /// Returns whether the pairs that are still empty stop the attacker.
    fn pairs_hold(&self, pairs: &[[u16; 2]], names: &[u16]) -> bool {
        let empty = self.board.empty.without(self.stones[0] | self.stones[1]);
        let on_board = |pair: &[u16; 2]| {
            let cells = pair.map(|cell| usize::from(names[usize::from(cell)]));
            B::single(cells[0]) | B::single(cells[1])
        };
        let pairs: Vec<B> = pairs
            .iter()
            .map(on_board)
            .filter(|&pair| empty.covers(pair))
            .collect();
        let mut weights = vec![0_u64; self.board.cells];
        pairing_holds(self.attackers.iter().copied(), &pairs, &mut weights)
    }
}

/// Returns the cells with other names.
fn renamed<B: Bits>(set: B, names: &[u16]) -> B {
    set.cells().fold(B::EMPTY, |image, cell| {
        image | B::single(usize::from(names[cell]))
    })
}
