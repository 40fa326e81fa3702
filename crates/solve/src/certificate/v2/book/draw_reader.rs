//! Reads why a defender at least draws, from a file that has been checked.

use papan_rules::Bits;

use super::super::checker_board::{Attacker, CheckerBoard, Defender};
use super::super::proof_reader::ProofReader;
use super::super::verify_win::MOST_FINISHED;
use super::draw_tree::{DrawTree, DrawTreeNode, Reply, Step};
use crate::certificate::CheckError;

struct Reader<'a, 'b, B> {
    stones: CheckerBoard<B>,
    body: &'a mut ProofReader<'b>,
    nodes: Vec<DrawTreeNode<B>>,
    /// Those that can be referred to.
    finished: Vec<usize>,
}

impl<B: Bits> DrawTree<B> {
    /// The proof that comes next in a file, in its plain form.
    pub(super) fn read(
        stones: CheckerBoard<B>,
        body: &mut ProofReader<'_>,
        to_move: bool,
    ) -> Result<Self, CheckError> {
        let mut reader = Reader {
            stones,
            body,
            nodes: Vec::new(),
            finished: Vec::new(),
        };
        let root = if to_move {
            reader.reply()?.1
        } else {
            Some(reader.node()?)
        };
        Ok(Self {
            nodes: reader.nodes,
            root,
            counter: false,
        })
    }
}

impl<B: Bits> Reader<'_, '_, B> {
    /// The defender's cell, and what follows unless the game ends with it.
    fn reply(&mut self) -> Result<(u16, Option<usize>), CheckError> {
        let cell = self.body.below(self.stones.cells)?;
        self.stones.put(cell, Defender);
        let next = match self.stones.has_won(Defender) {
            true => None,
            false => Some(self.node()?),
        };
        self.stones.remove(cell, Defender);
        Ok((cell as u16, next))
    }

    /// The attacker is to move.
    fn node(&mut self) -> Result<usize, CheckError> {
        let step = match self.body.number()? {
            0 => {
                let node = self.body.below(self.finished.len())?;
                let symmetry = self.body.below(self.stones.symmetries.len())?;
                Step::Reference {
                    node: self.finished[node],
                    symmetry,
                }
            }
            1 => Step::Replies(self.replies()?),
            tag => {
                let mut pairs = Vec::new();
                for _ in 2..tag {
                    let a = self.body.below(self.stones.cells)?;
                    pairs.push([a as u16, self.body.below(self.stones.cells)? as u16]);
                }
                Step::Pairs(pairs)
            }
        };
        let refers = matches!(step, Step::Reference { .. });
        let held = self.stones.held;
        self.nodes.push(DrawTreeNode { held, step });
        let at = self.nodes.len() - 1;
        if !refers && self.finished.len() < MOST_FINISHED {
            self.finished.push(at);
        }
        Ok(at)
    }

    fn replies(&mut self) -> Result<Vec<Reply>, CheckError> {
        let count = self.body.number()?;
        let mut replies = Vec::new();
        let mut next = 0;
        for _ in 0..count {
            let cell = next + self.body.below(self.stones.cells)?;
            next = cell + 1;
            self.stones.put(cell, Attacker);
            let (reply, next) = self.reply()?;
            self.stones.remove(cell, Attacker);
            let cell = cell as u16;
            replies.push(Reply { cell, reply, next });
        }
        Ok(replies)
    }
}
