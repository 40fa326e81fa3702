//! Assembly of the draw proof of a refuted root from the tree and the draw proofs of its leaves.

use std::collections::HashMap;

use papan_mnk::{CellSet, DrawLink, DrawNode, DrawNodeKind, DrawProof, DrawReply};
use papan_rules::{Bits, Game as _, GridPosition, Notation as _};

use super::JobLevelTree;

/// A reply of the defender, and the node after it unless it ends the game.
#[derive(Clone, Copy)]
struct Reply {
    cell: u16,
    next: Option<DrawLink>,
}

/// Returns the proof that the defender at least draws, once the root is refuted.
pub(super) fn refutation<B: Bits>(search: &JobLevelTree<B>) -> Option<DrawProof> {
    let mut assembler = Assembler {
        search,
        proof: DrawProof {
            counter: true,
            ..DrawProof::default()
        },
        links: HashMap::new(),
    };
    assembler.proof.root = Some(assembler.node(0)?);
    Some(assembler.proof)
}

/// The entry point of a leaf's proof in the assembled one.
struct Appended {
    /// The defender's first move, if the defender is to move.
    first: Option<u16>,
    root: Option<DrawLink>,
}

struct Assembler<'a, B: Bits> {
    search: &'a JobLevelTree<B>,
    proof: DrawProof,
    /// Nodes of positions with the attacker to move.
    links: HashMap<String, DrawLink>,
}

impl<B: Bits> Assembler<'_, B> {
    /// Returns the node of a position with the attacker to move.
    fn node(&mut self, node: usize) -> Option<DrawLink> {
        let position = self.search.position(node);
        let text = self.search.grid.format_position(&position);
        if let Some(link) = self.links.get(&text) {
            return Some(*link);
        }
        let link = match self.search.draw_proofs.get(&node) {
            Some(leaf) => self.append(leaf).root?,
            None => {
                let kind = self.replies(node, &position)?;
                self.push(kind)
            }
        };
        self.links.insert(text, link);
        Some(link)
    }

    fn replies(&mut self, node: usize, position: &GridPosition<B>) -> Option<DrawNodeKind> {
        let empty = self.search.empty(position);
        if empty.len() == 1 {
            // The last cell completes no line, so there is nothing to reply to.
            return Some(DrawNodeKind::Pairs(Vec::new()));
        }
        let mut answers: HashMap<u16, Reply> = HashMap::new();
        for &child in self.search.tree.children(node) {
            let answer = self.reply(child)?;
            answers.insert(self.search.tree.cell(child), answer);
        }
        let stabiliser = self.search.stabiliser(position);
        let replies = empty.iter().map(|&cell| {
            // The tree contains the least cell of each orbit.
            let image = |&&at: &&usize| usize::from(self.search.lines.symmetries()[at][cell]);
            let symmetry = stabiliser.iter().min_by_key(image)?;
            let reply = *answers.get(&(image(&symmetry) as u16))?;
            self.preimage(cell as u16, *symmetry, reply)
        });
        Some(DrawNodeKind::Replies(replies.collect::<Option<_>>()?))
    }

    /// Maps the reply to the image of a cell back to the cell.
    fn preimage(
        &self,
        cell: u16,
        symmetry: usize,
        Reply { cell: reply, next }: Reply,
    ) -> Option<DrawReply> {
        let symmetries = self.search.lines.symmetries();
        let images = &symmetries[symmetry];
        let reply = images.iter().position(|image| *image == reply)? as u16;
        let next = match next {
            None => None,
            Some(link) => {
                let further = &symmetries[link.symmetry];
                let both = |cell: usize| further[usize::from(images[cell])];
                let same = |found: &[u16]| (0..found.len()).all(|cell| found[cell] == both(cell));
                let symmetry = symmetries.iter().position(|found| same(found))?;
                Some(DrawLink {
                    node: link.node,
                    symmetry,
                })
            }
        };
        Some(DrawReply { cell, reply, next })
    }

    /// Returns a reply at a refuted position with the defender to move.
    fn reply(&mut self, node: usize) -> Option<Reply> {
        if let Some(leaf) = self.search.draw_proofs.get(&node) {
            let Appended { first, root } = self.append(leaf);
            return Some(Reply {
                cell: first?,
                next: root,
            });
        }
        let mut children = self.search.tree.children(node).iter();
        let child = *children.find(|child| self.search.tree.is_refuted(**child))?;
        let cell = self.search.tree.cell(child);
        let position = self.search.position(child);
        let next = match self.search.grid.outcome(&position) {
            Some(outcome) if outcome.winner().is_some() => None,
            // The board is full.
            Some(_) => Some(self.push(DrawNodeKind::Replies(Vec::new()))),
            None => Some(self.node(child)?),
        };
        Some(Reply { cell, next })
    }

    fn push(&mut self, kind: DrawNodeKind) -> DrawLink {
        let stones = [CellSet::EMPTY; 2];
        self.proof.nodes.push(DrawNode { stones, kind });
        DrawLink {
            node: self.proof.nodes.len() - 1,
            symmetry: 0,
        }
    }

    /// Appends the nodes of a leaf's proof.
    fn append(&mut self, leaf: &DrawProof) -> Appended {
        let before = self.proof.nodes.len();
        let moved = |link: Option<DrawLink>| {
            link.map(|link| DrawLink {
                node: link.node + before,
                ..link
            })
        };
        for node in &leaf.nodes {
            let mut node = node.clone();
            if let DrawNodeKind::Replies(replies) = &mut node.kind {
                for reply in replies {
                    reply.next = moved(reply.next);
                }
            }
            self.proof.nodes.push(node);
        }
        Appended {
            first: leaf.first,
            root: moved(leaf.root),
        }
    }
}
