//! Why the attacker does not win: what the leaves brought, joined by the replies of the
//! upper tree.

use std::collections::HashMap;

use papan_mnk::{CellSet, DrawLink, DrawNode, DrawNodeKind, DrawProof, DrawReply};
use papan_rules::{Bits, Game as _, GridPosition, Notation as _};

use super::JobLevelTree;

/// A reply and what follows it.
type Answer = (u16, Option<DrawLink>);

/// The reason why the other at least draws, once the root is refuted.
pub(super) fn refutation<B: Bits>(upper: &JobLevelTree<B>) -> Option<DrawProof> {
    let mut joining = Joining {
        upper,
        hold: DrawProof {
            counter: true,
            ..DrawProof::default()
        },
        known: HashMap::new(),
    };
    joining.hold.root = Some(joining.node(0)?);
    Some(joining.hold)
}

struct Joining<'a, B: Bits> {
    upper: &'a JobLevelTree<B>,
    hold: DrawProof,
    /// Positions with the attacker to move that are joined already.
    known: HashMap<String, DrawLink>,
}

impl<B: Bits> Joining<'_, B> {
    /// The attacker is to move: a reply to each of his moves.
    fn node(&mut self, node: usize) -> Option<DrawLink> {
        let position = self.upper.position(node);
        let text = self.upper.grid.format_position(&position);
        if let Some(link) = self.known.get(&text) {
            return Some(*link);
        }
        let link = match self.upper.holds.get(&node) {
            Some(leaf) => self.append(leaf).1?,
            None => {
                let kind = self.replies(node, &position)?;
                self.push(kind)
            }
        };
        self.known.insert(text, link);
        Some(link)
    }

    fn replies(&mut self, node: usize, position: &GridPosition<B>) -> Option<DrawNodeKind> {
        let empty = self.upper.empty(position);
        if empty.len() == 1 {
            // It completes nothing, and nobody replies: there is nothing left to stop.
            return Some(DrawNodeKind::Pairs(Vec::new()));
        }
        let mut answers: HashMap<u16, Answer> = HashMap::new();
        for &child in self.upper.tree.children(node) {
            let answer = self.reply(child)?;
            answers.insert(self.upper.tree.cell(child), answer);
        }
        let same = self.upper.same(position);
        let replies = empty.iter().map(|&cell| {
            // The least image of a cell is what the tree looked at; it comes first.
            let image = |&&at: &&usize| usize::from(self.upper.lines.symmetries()[at][cell]);
            let leads = same.iter().min_by_key(image)?;
            let &(reply, next) = answers.get(&(image(&leads) as u16))?;
            self.turned(cell as u16, *leads, reply, next)
        });
        Some(DrawNodeKind::Replies(replies.collect::<Option<_>>()?))
    }

    /// The answer at a cell that a symmetry leads to one whose answer is known.
    fn turned(
        &self,
        cell: u16,
        symmetry: usize,
        reply: u16,
        next: Option<DrawLink>,
    ) -> Option<DrawReply> {
        let symmetries = self.upper.lines.symmetries();
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

    /// The other is to move: one reply suffices.
    fn reply(&mut self, node: usize) -> Option<Answer> {
        if let Some(leaf) = self.upper.holds.get(&node) {
            let (first, root) = self.append(leaf);
            return Some((first?, root));
        }
        let mut children = self.upper.tree.children(node).iter();
        let child = *children.find(|child| self.upper.tree.is_refuted(**child))?;
        let cell = self.upper.tree.cell(child);
        let position = self.upper.position(child);
        let next = match self.upper.grid.outcome(&position) {
            Some(outcome) if outcome.winner().is_some() => None,
            // The board is full.
            Some(_) => Some(self.push(DrawNodeKind::Replies(Vec::new()))),
            None => Some(self.node(child)?),
        };
        Some((cell, next))
    }

    fn push(&mut self, kind: DrawNodeKind) -> DrawLink {
        let stones = [CellSet::EMPTY; 2];
        self.hold.nodes.push(DrawNode { stones, kind });
        DrawLink {
            node: self.hold.nodes.len() - 1,
            symmetry: 0,
        }
    }

    /// What a leaf brought, its nodes behind those that are there: the other's first
    /// move, and what follows.
    fn append(&mut self, leaf: &DrawProof) -> (Option<u16>, Option<DrawLink>) {
        let before = self.hold.nodes.len();
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
            self.hold.nodes.push(node);
        }
        (leaf.first, moved(leaf.root))
    }
}
