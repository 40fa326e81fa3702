//! Reader of verified draw proofs.

use papan_rules::Bits;

use super::super::checker_board::{Attacker, CheckerBoard, Defender};
use super::super::proof_reader::ProofReader;
use super::super::syntax::{Reference, read_increasing_cell};
use super::draw_tree::{Defence, DrawTree, DrawTreeNode, Reply};
use super::tree_reader::TreeReader;
use crate::certificate::CheckError;

impl<B: Bits> DrawTree<B> {
    /// Reads the next proof of a file. `counter` if the defender's own lines count.
    pub(super) fn read(
        board: CheckerBoard<B>,
        reader: &mut ProofReader<'_>,
        to_move: bool,
        counter: bool,
    ) -> Result<Self, CheckError> {
        let mut tree = TreeReader::new(board, reader);
        let root = if to_move {
            tree.reply()?.next
        } else {
            Some(tree.node()?)
        };
        Ok(Self {
            nodes: tree.nodes,
            root,
            counter,
        })
    }
}

/// The defender's cell, and the node after it unless the game ends with it.
struct DefenderMove {
    cell: u16,
    next: Option<usize>,
}

impl<B: Bits> TreeReader<'_, '_, B, DrawTreeNode<B>> {
    fn reply(&mut self) -> Result<DefenderMove, CheckError> {
        let cell = self.cell()?;
        self.board.put(cell, Defender);
        let next = if self.board.has_won(Defender) {
            None
        } else {
            Some(self.node()?)
        };
        self.board.remove(cell, Defender);
        Ok(DefenderMove {
            cell: cell as u16,
            next,
        })
    }

    /// Reads a node, with the attacker to move.
    fn node(&mut self) -> Result<usize, CheckError> {
        let defence = match self.reader.number()? {
            0 => {
                let Reference { node, symmetry } = self.reference()?;
                Defence::Reference { node, symmetry }
            }
            1 => Defence::Replies(self.replies()?),
            tag => {
                let mut pairs = Vec::new();
                for _ in 2..tag {
                    pairs.push([self.cell()? as u16, self.cell()? as u16]);
                }
                Defence::Pairs(pairs)
            }
        };
        let is_reference = matches!(defence, Defence::Reference { .. });
        let node = DrawTreeNode {
            held: self.board.held,
            defence,
        };
        Ok(self.push(node, !is_reference))
    }

    fn replies(&mut self) -> Result<Vec<Reply>, CheckError> {
        let count = self.reader.number()?;
        let mut replies = Vec::new();
        let mut next = 0;
        for _ in 0..count {
            let cell = read_increasing_cell(self.reader, next, self.board.cells)?;
            next = cell + 1;
            self.board.put(cell, Attacker);
            let reply = self.reply()?;
            self.board.remove(cell, Attacker);
            replies.push(Reply {
                cell: cell as u16,
                reply: reply.cell,
                next: reply.next,
            });
        }
        Ok(replies)
    }
}
