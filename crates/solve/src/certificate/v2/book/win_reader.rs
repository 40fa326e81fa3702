//! Reader of verified win proofs.

use papan_rules::Bits;

use super::super::checker_board::{Attacker, CheckerBoard, Defender, Side};
use super::super::proof_reader::ProofReader;
use super::super::syntax::{Branch, Reference, RepliesHeader};
use super::tree_reader::TreeReader;
use super::win_tree::{Attack, Four, WinNode, WinTree};
use crate::certificate::{CheckError, ProofFault};

struct WinReader<'a, 'b, B> {
    tree: TreeReader<'a, 'b, B, WinNode<B>>,
    /// For each stone of unknown position, the cells where it may be.
    unknown: Vec<B>,
}

/// An attack with an upper bound on its plies.
struct TimedAttack {
    attack: Attack,
    plies: u32,
}

impl<B: Bits> WinTree<B> {
    /// Reads the next proof of a file.
    pub(super) fn read(
        board: CheckerBoard<B>,
        reader: &mut ProofReader<'_>,
        to_move: bool,
    ) -> Result<Self, CheckError> {
        let mut reader = WinReader {
            tree: TreeReader::new(board, reader),
            unknown: Vec::new(),
        };
        let root = if to_move {
            reader.node()?
        } else {
            let held = reader.tree.board.held;
            let replies = reader.replies(None)?;
            reader.push(held, replies, false)
        };
        Ok(Self {
            nodes: reader.tree.nodes,
            root,
        })
    }
}

impl<B: Bits> WinReader<'_, '_, B> {
    fn push(&mut self, held: [B; 2], attack: TimedAttack, can_be_referred_to: bool) -> usize {
        let node = WinNode {
            held,
            unknown: self.unknown.clone(),
            attack: attack.attack,
            plies: attack.plies,
        };
        self.tree.push(node, can_be_referred_to)
    }

    /// Reads a node, with the attacker to move.
    fn node(&mut self) -> Result<usize, CheckError> {
        let held = self.tree.board.held;
        let attack = match self.tree.reader.number()? {
            0 => {
                let Reference { node, symmetry } = self.tree.reference()?;
                TimedAttack {
                    attack: Attack::Reference { node, symmetry },
                    plies: self.tree.nodes[node].plies,
                }
            }
            1 => {
                let cell = self.tree.cell()?;
                self.tree.board.put(cell, Attacker);
                let mut attack = self.replies(Some(cell))?;
                self.tree.board.remove(cell, Attacker);
                attack.plies += 1;
                attack
            }
            tag => self.fours(tag / 2, tag % 2 == 1)?,
        };
        let is_move = matches!(attack.attack, Attack::Move { .. });
        Ok(self.push(held, attack, is_move && self.unknown.is_empty()))
    }

    /// Reads a sequence of fours, each with the reply that it forces.
    fn fours(&mut self, count: usize, continues: bool) -> Result<TimedAttack, CheckError> {
        let mut fours = Vec::new();
        let mut played: Vec<(usize, Side)> = Vec::new();
        let mut plies = 0;
        for at in 0..count {
            let cell = self.tree.cell()?;
            self.tree.board.put(cell, Attacker);
            played.push((cell, Attacker));
            plies += 1;
            if at + 1 == count && !continues {
                // With two completing cells, a reply and the completion follow.
                plies += if self.tree.board.has_won(Attacker) {
                    0
                } else {
                    2
                };
                fours.push(Four { cell, reply: None });
                break;
            }
            let hidden = self.unknown.iter().fold(B::EMPTY, |a, &b| a | b);
            let completing = self.tree.board.completing(Attacker).without(hidden);
            let reply = completing
                .first()
                .ok_or_else(|| self.tree.reader.fault(ProofFault::NoThreat))?;
            self.tree.board.put(reply, Defender);
            played.push((reply, Defender));
            plies += 1;
            fours.push(Four {
                cell,
                reply: Some(reply),
            });
        }
        let then = if continues { Some(self.node()?) } else { None };
        for (cell, side) in played.into_iter().rev() {
            self.tree.board.remove(cell, side);
        }
        let after = then.map_or(0, |node| self.tree.nodes[node].plies);
        Ok(TimedAttack {
            attack: Attack::Fours { fours, then },
            plies: plies + after,
        })
    }

    /// Reads the proofs against the replies to a move of the attacker.
    fn replies(&mut self, cell: Option<usize>) -> Result<TimedAttack, CheckError> {
        let header = RepliesHeader::read(self.tree.reader)?;
        let mut branches = Vec::new();
        let mut named = B::EMPTY;
        for _ in 0..header.branches {
            let branch = Branch::read(self.tree.reader, &self.tree.board)?;
            named = named | branch.cells;
            branches.push(branch);
        }
        let mut next = Vec::new();
        if header.rest {
            let others = self.tree.board.empty.without(named);
            next.push(self.with_unknown(others)?);
        }
        for branch in branches {
            if branch.is_unknown() {
                next.push(self.with_unknown(branch.cells)?);
                continue;
            }
            for cell in branch.cells.cells() {
                self.tree.board.put(cell, Defender);
            }
            next.push(self.node()?);
            for cell in branch.cells.cells() {
                self.tree.board.remove(cell, Defender);
            }
        }
        let longest = next.iter().map(|&node| self.tree.nodes[node].plies).max();
        Ok(TimedAttack {
            attack: Attack::Move {
                cell,
                next,
                symmetric: header.symmetric,
            },
            plies: 1 + longest.unwrap_or(0),
        })
    }

    fn with_unknown(&mut self, place: B) -> Result<usize, CheckError> {
        self.unknown.push(place);
        let node = self.node();
        self.unknown.pop();
        node
    }
}
