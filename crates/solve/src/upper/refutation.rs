//! Why the attacker does not win: what the leaves brought, joined by the replies of the
//! upper tree.

use std::collections::HashMap;

use papan_mnk::{CellSet, Hold, HoldKind, HoldLink, HoldNode, HoldReply};
use papan_rules::{Bits, Game as _, GridPosition, Notation as _};

use super::UpperTree;

/// A reply and what follows it.
type Answer = (u16, Option<HoldLink>);

/// The reason why the other at least draws, once the root is refuted.
pub(super) fn refutation<B: Bits>(upper: &UpperTree<B>) -> Option<Hold> {
    let mut joining = Joining {
        upper,
        hold: Hold {
            counter: true,
            ..Hold::default()
        },
        known: HashMap::new(),
    };
    joining.hold.root = Some(joining.node(0)?);
    Some(joining.hold)
}

struct Joining<'a, B: Bits> {
    upper: &'a UpperTree<B>,
    hold: Hold,
    /// Positions with the attacker to move that are joined already.
    known: HashMap<String, HoldLink>,
}

impl<B: Bits> Joining<'_, B> {
    /// The attacker is to move: a reply to each of his moves.
    fn node(&mut self, node: usize) -> Option<HoldLink> {
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

    fn replies(&mut self, node: usize, position: &GridPosition<B>) -> Option<HoldKind> {
        let empty = self.upper.empty(position);
        if empty.len() == 1 {
            // It completes nothing, and nobody replies: there is nothing left to stop.
            return Some(HoldKind::Pairs(Vec::new()));
        }
        let mut answers: HashMap<u16, Answer> = HashMap::new();
        for &child in self.upper.tree.children(node) {
            let answer = self.reply(child)?;
            answers.insert(self.upper.tree.cell(child), answer);
        }
        let same = self.upper.same(position);
        let replies = empty.iter().map(|&cell| {
            // The least image of a cell is what the tree looked at; it comes first.
            let image = |&&at: &&usize| usize::from(self.upper.windows.symmetries()[at][cell]);
            let leads = same.iter().min_by_key(image)?;
            let &(reply, next) = answers.get(&(image(&leads) as u16))?;
            self.turned(cell as u16, *leads, reply, next)
        });
        Some(HoldKind::Replies(replies.collect::<Option<_>>()?))
    }

    /// The answer at a cell that a symmetry leads to one whose answer is known.
    fn turned(
        &self,
        cell: u16,
        symmetry: usize,
        reply: u16,
        next: Option<HoldLink>,
    ) -> Option<HoldReply> {
        let symmetries = self.upper.windows.symmetries();
        let images = &symmetries[symmetry];
        let reply = images.iter().position(|image| *image == reply)? as u16;
        let next = match next {
            None => None,
            Some(link) => {
                let further = &symmetries[link.symmetry];
                let both = |cell: usize| further[usize::from(images[cell])];
                let same = |found: &[u16]| (0..found.len()).all(|cell| found[cell] == both(cell));
                let symmetry = symmetries.iter().position(|found| same(found))?;
                Some(HoldLink {
                    node: link.node,
                    symmetry,
                })
            }
        };
        Some(HoldReply { cell, reply, next })
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
            Some(_) => Some(self.push(HoldKind::Replies(Vec::new()))),
            None => Some(self.node(child)?),
        };
        Some((cell, next))
    }

    fn push(&mut self, kind: HoldKind) -> HoldLink {
        let stones = [CellSet::EMPTY; 2];
        self.hold.nodes.push(HoldNode { stones, kind });
        HoldLink {
            node: self.hold.nodes.len() - 1,
            symmetry: 0,
        }
    }

    /// What a leaf brought, its nodes behind those that are there: the other's first
    /// move, and what follows.
    fn append(&mut self, leaf: &Hold) -> (Option<u16>, Option<HoldLink>) {
        let before = self.hold.nodes.len();
        let moved = |link: Option<HoldLink>| {
            link.map(|link| HoldLink {
                node: link.node + before,
                ..link
            })
        };
        for node in &leaf.nodes {
            let mut node = node.clone();
            if let HoldKind::Replies(replies) = &mut node.kind {
                for reply in replies {
                    reply.next = moved(reply.next);
                }
            }
            self.hold.nodes.push(node);
        }
        (leaf.first, moved(leaf.root))
    }
}
