//! Why a defender at least draws, as a tree in which positions are found.
//!
//! A node answers for a position if, with the cells of the board named anew, the attacker
//! lacks at least as much of every line that he can still complete there: each such line has
//! a line of the node that he can complete and that lacks no other cells. Where
//! the defender's own lines count, the same holds the other way round. Names are changed
//! by symmetries, and by exchanging a move of the attacker with one that beats it.

use papan_rules::Bits;
use rustc_hash::FxHashSet;

use super::super::checker_board::CheckerBoard;
use super::super::verify_draw::WHOLE;
use super::{Frame, turned};

pub(super) struct DrawTree<B> {
    /// Nodes come before those that lead to them.
    pub(super) nodes: Vec<DrawTreeNode<B>>,
    /// Where the attacker is to move first, unless the game ends before.
    pub(super) root: Option<usize>,
    /// Whether the defender's own lines count.
    pub(super) counter: bool,
}

/// A position with the attacker to move.
pub(super) struct DrawTreeNode<B> {
    /// The attacker's stones, the defender's.
    pub(super) held: [B; 2],
    pub(super) step: Step,
}

pub(super) enum Step {
    /// Another node answers for this position.
    Reference { node: usize, symmetry: usize },
    /// Pairs of cells that stop the attacker.
    Pairs(Vec<[u16; 2]>),
    /// A reply to every move that no other beats.
    Replies(Vec<Reply>),
}

pub(super) struct Reply {
    pub(super) cell: u16,
    pub(super) reply: u16,
    /// What follows, unless the reply ends the game.
    pub(super) next: Option<usize>,
}

impl<B: Bits> DrawTree<B> {
    /// The cells on which the defender, who is to move, keeps at least the draw, as far as
    /// the proof says. `stones` are the attacker's and the defender's.
    pub(super) fn replies(&self, board: &CheckerBoard<B>, stones: [B; 2]) -> B {
        let empty = board.empty.without(stones[0] | stones[1]);
        let holds = |&cell: &usize| {
            let after = stones[1] | B::single(cell);
            let mut lines = board.through[cell].iter();
            let completes = lines.any(|&line| after.covers(board.lines[line as usize]));
            completes || self.answers_for(board, [stones[0], after])
        };
        let cells = empty.cells().filter(holds);
        cells.fold(B::EMPTY, |set, cell| set | B::single(cell))
    }

    /// Whether the defender at least draws, with the attacker to move.
    pub(super) fn answers_for(&self, board: &CheckerBoard<B>, stones: [B; 2]) -> bool {
        let left = |own: B, other: B| {
            let lines = board.lines.iter().filter(move |line| !line.meets(other));
            lines.map(|line| line.without(own)).collect::<Vec<B>>()
        };
        let mut look = Look {
            tree: self,
            board,
            stones,
            attackers: left(stones[0], stones[1]),
            defenders: left(stones[1], stones[0]),
            seen: FxHashSet::default(),
        };
        let Some(root) = self.root else { return false };
        let mut symmetries = 0..board.symmetries.len();
        symmetries.any(|symmetry| look.visit(root, board.inverse(symmetry)))
    }
}

struct Look<'a, B> {
    tree: &'a DrawTree<B>,
    board: &'a CheckerBoard<B>,
    stones: [B; 2],
    /// What each line lacks that a side can still complete.
    attackers: Vec<B>,
    defenders: Vec<B>,
    seen: FxHashSet<(usize, Frame)>,
}

impl<B: Bits> Look<'_, B> {
    /// Whether a node or one that follows it answers for the position.
    fn visit(&mut self, node: usize, frame: &[u16]) -> bool {
        if !self.seen.insert((node, frame.to_vec())) {
            return false;
        }
        let tree = self.tree;
        let this = &tree.nodes[node];
        match &this.step {
            &Step::Reference { node, symmetry } => {
                let frame = turned(self.board, frame, symmetry);
                self.visit(node, &frame)
            }
            Step::Pairs(pairs) => self.pairs_hold(pairs, frame),
            Step::Replies(replies) => {
                self.fits(this, frame)
                    || self.visit_replies(replies, frame)
                    || self.visit_exchanged(this, replies, frame)
            }
        }
    }

    fn visit_replies(&mut self, replies: &[Reply], frame: &[u16]) -> bool {
        replies.iter().any(|reply| self.follow(reply, frame))
    }

    /// What follows a reply, if both it and the move that it answers were played.
    fn follow(&mut self, reply: &Reply, frame: &[u16]) -> bool {
        let on_board = |cell: u16| usize::from(frame[usize::from(cell)]);
        let taken = self.stones[0] | self.stones[1];
        let played =
            self.stones[0].contains(on_board(reply.cell)) && taken.contains(on_board(reply.reply));
        match reply.next {
            Some(next) if played => self.visit(next, frame),
            _ => false,
        }
    }

    /// The same for moves without a reply of their own, which another beats: with both
    /// cells exchanged, the reply to that one answers.
    fn visit_exchanged(
        &mut self,
        node: &DrawTreeNode<B>,
        replies: &[Reply],
        frame: &[u16],
    ) -> bool {
        let answered = replies.iter().fold(B::EMPTY, |set, reply| {
            set | B::single(usize::from(reply.cell))
        });
        let free = self.board.empty.without(node.held[0] | node.held[1]);
        for x in free.without(answered).cells() {
            if !self.stones[0].contains(usize::from(frame[x])) {
                continue;
            }
            let shared = self.shared(node, x, answered);
            for reply in replies {
                let y = usize::from(reply.cell);
                if shared.contains(y) {
                    let mut frame = frame.to_vec();
                    frame.swap(x, y);
                    if self.follow(reply, &frame) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// The answered cells on every line through a cell that counts; none where none counts.
    fn shared(&self, node: &DrawTreeNode<B>, cell: usize, answered: B) -> B {
        let counts =
            |line: &B| !line.meets(node.held[1]) || self.tree.counter && !line.meets(node.held[0]);
        let lines = self.board.through[cell].iter();
        let lines = lines.map(|&line| self.board.lines[line as usize]);
        let mut lines = lines.filter(counts).peekable();
        match lines.peek() {
            None => B::EMPTY,
            Some(_) => lines.fold(answered, |shared, line| shared & line),
        }
    }

    fn fits(&self, node: &DrawTreeNode<B>, frame: &[u16]) -> bool {
        let mut names: Frame = vec![0; frame.len()];
        for (name, &cell) in frame.iter().enumerate() {
            names[usize::from(cell)] = name as u16;
        }
        let [attackers, defenders] = node.held;
        let left = |own: B, other: B| {
            let lines = self.board.lines.iter();
            let lines = lines.filter(move |line| !line.meets(other));
            lines.map(move |line| line.without(own))
        };
        let no_better = self.attackers.iter().all(|&lacks| {
            let lacks = renamed(lacks, &names);
            left(attackers, defenders).any(|there| lacks.covers(there))
        });
        no_better
            && (!self.tree.counter
                || left(defenders, attackers).all(|there| {
                    let lacks = renamed(there, frame);
                    self.defenders.iter().any(|&here| lacks.covers(here))
                }))
    }

    /// Whether the pairs that are still free stop the attacker, as the checker weighs it.
    fn pairs_hold(&self, pairs: &[[u16; 2]], frame: &[u16]) -> bool {
        let empty = self.board.empty.without(self.stones[0] | self.stones[1]);
        let on_board = |pair: &[u16; 2]| {
            let cells = pair.map(|cell| usize::from(frame[usize::from(cell)]));
            B::single(cells[0]) | B::single(cells[1])
        };
        let pairs = pairs.iter().map(on_board);
        let pairs: Vec<B> = pairs.filter(|&pair| empty.covers(pair)).collect();
        let paired = pairs.iter().fold(B::EMPTY, |set, &pair| set | pair);
        let mut sum = 0_u64;
        let mut weights = vec![0_u64; self.board.cells];
        for &lacks in &self.attackers {
            if pairs.iter().any(|&pair| lacks.covers(pair)) {
                continue;
            }
            let open = lacks.without(paired);
            let weight = WHOLE >> open.count().min(40);
            sum += weight;
            for cell in open.cells() {
                weights[cell] += weight;
            }
        }
        sum + weights.into_iter().max().unwrap_or(0) < WHOLE
    }
}

fn renamed<B: Bits>(set: B, names: &[u16]) -> B {
    set.cells().fold(B::EMPTY, |image, cell| {
        image | B::single(usize::from(names[cell]))
    })
}
