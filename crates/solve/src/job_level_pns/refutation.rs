//! Assembly of the draw proof of a refuted root from the tree and the draw proofs of its leaves.

use std::collections::HashMap;
use std::sync::Arc;

use papan_mnk::{CellSet, DrawLink, DrawNode, DrawNodeKind, DrawProof, DrawReply};
use papan_rules::{Bits, Game as _};

use super::{JobLevelTree, PositionResult, ProofSource};

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
        replies: HashMap::new(),
    };
    assembler.proof.root = Some(assembler.node(0)?);
    Some(assembler.proof)
}

struct Assembler<'a, B: Bits> {
    search: &'a JobLevelTree<B>,
    proof: DrawProof,
    /// Nodes of canonical positions with the attacker to move.
    links: HashMap<String, DrawLink>,
    /// Replies in canonical positions with the defender to move.
    replies: HashMap<String, Reply>,
}

impl<B: Bits> Assembler<'_, B> {
    /// Returns the link to a position with the attacker to move.
    fn node(&mut self, node: usize) -> Option<DrawLink> {
        let canonical = &self.search.canonical[&node];
        let link = if let Some(link) = self.links.get(&canonical.text) {
            *link
        } else {
            let link = match self.search.draw_source(node) {
                ProofSource::Job(leaf) => self.append(&leaf).next?,
                ProofSource::Subtree(refuted) => {
                    let kind = self.replies(refuted)?;
                    let link = self.push(kind);
                    self.pull_back(link, self.canonical_to_node(refuted))
                }
            };
            self.links.insert(canonical.text.clone(), link);
            link
        };
        Some(self.pull_back(link, canonical.symmetry))
    }

    fn replies(&mut self, node: usize) -> Option<DrawNodeKind> {
        let position = self.search.position(node);
        let empty = self.search.empty(&position);
        if empty.len() == 1 {
            // The last cell completes no line, so there is nothing to reply to.
            return Some(DrawNodeKind::Pairs(Vec::new()));
        }
        let mut answers: HashMap<u16, Reply> = HashMap::new();
        for &child in self.search.tree.children(node) {
            let answer = self.reply(child)?;
            answers.insert(self.search.tree.cell(child), answer);
        }
        let symmetries = &self.search.symmetries;
        let stabiliser = symmetries.stabiliser(&self.search.grid, &position);
        let replies = empty.iter().map(|&cell| {
            // The tree contains the least cell of each orbit.
            let image = |&&at: &&usize| symmetries.images(at)[cell];
            let symmetry = stabiliser.iter().min_by_key(image)?;
            let answer = *answers.get(&image(&symmetry))?;
            let Reply { cell: reply, next } = self.pull_back_reply(answer, *symmetry);
            let cell = cell as u16;
            Some(DrawReply { cell, reply, next })
        });
        Some(DrawNodeKind::Replies(replies.collect::<Option<_>>()?))
    }

    /// Returns the reply at a refuted position with the defender to move.
    fn reply(&mut self, node: usize) -> Option<Reply> {
        let canonical = &self.search.canonical[&node];
        let reply = if let Some(reply) = self.replies.get(&canonical.text) {
            *reply
        } else {
            let reply = match self.search.draw_source(node) {
                ProofSource::Job(leaf) => {
                    let Appended { first, next } = self.append(&leaf);
                    Reply { cell: first?, next }
                }
                ProofSource::Subtree(refuted) => {
                    let reply = self.reply_below(refuted)?;
                    self.pull_back_reply(reply, self.canonical_to_node(refuted))
                }
            };
            self.replies.insert(canonical.text.clone(), reply);
            reply
        };
        Some(self.pull_back_reply(reply, canonical.symmetry))
    }

    /// Returns the reply at an expanded position with the defender to move.
    fn reply_below(&mut self, node: usize) -> Option<Reply> {
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

    /// Returns the symmetry that maps the canonical position of a node to the node's.
    fn canonical_to_node(&self, node: usize) -> usize {
        let symmetry = self.search.canonical[&node].symmetry;
        self.search.symmetries.inverse(symmetry)
    }

    /// Returns the link for a position whose image under a symmetry has this link.
    fn pull_back(&self, link: DrawLink, symmetry: usize) -> DrawLink {
        DrawLink {
            node: link.node,
            symmetry: self.search.symmetries.compose(symmetry, link.symmetry),
        }
    }

    /// Returns the reply in a position whose image under a symmetry has this reply.
    fn pull_back_reply(&self, Reply { cell, next }: Reply, symmetry: usize) -> Reply {
        Reply {
            cell: self.search.symmetries.preimage(symmetry, cell),
            next: next.map(|link| self.pull_back(link, symmetry)),
        }
    }

    fn push(&mut self, kind: DrawNodeKind) -> DrawLink {
        let stones = [CellSet::EMPTY; 2];
        self.proof.nodes.push(DrawNode { stones, kind });
        DrawLink {
            node: self.proof.nodes.len() - 1,
            symmetry: self.search.symmetries.identity(),
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
            next: moved(leaf.root),
        }
    }
}

/// The entry point of a leaf's proof in the assembled one.
struct Appended {
    /// The defender's first move, if the defender is to move.
    first: Option<u16>,
    /// The first position with the attacker to move.
    next: Option<DrawLink>,
}

impl<B: Bits> JobLevelTree<B> {
    /// Returns where the refutation of a node is.
    fn draw_source(&self, node: usize) -> ProofSource<Arc<DrawProof>> {
        match self.results.get(&self.canonical[&node].text) {
            Some(PositionResult::Draws(source)) => source.clone(),
            _ => ProofSource::Subtree(node),
        }
    }
}
