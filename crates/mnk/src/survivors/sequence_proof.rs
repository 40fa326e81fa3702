//! Win proofs by sequences: one strategic move per position, with the VCF sequences that refute
//! replies to it.
//!
//! A proof is extracted from the table of a [`SurvivorSearch`]. It holds each position once up to
//! line-preserving symmetry, so it is a graph, not a tree. Which replies a sequence refutes is not
//! stored: replaying it tells.

use std::collections::HashMap;

use papan_rules::Bits;

use super::vcf::replays;
use super::{SurvivorSearch, Survivors, VcfLimits};
use crate::lines::Cell;

/// The VCF limit while extracting: the tables have changed since the proof, so a VCF found then may
/// need more nodes now.
const EXTRACTION_LIMIT: u64 = 3_000_000;

/// Proof that the attacker wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SequenceProof {
    /// The line-preserving permutations of the board; the identity is the first.
    pub symmetries: Vec<Vec<Cell>>,
    /// Positions with the attacker to move. A node comes after those that it links to.
    pub nodes: Vec<SequenceNode>,
    /// Where the proof starts.
    pub root: SequenceRoot,
}

/// The start of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SequenceRoot {
    /// The attacker is to move: the index of the node.
    Node(usize),
    /// The defender is to move.
    Replies(SequenceReplies),
}

/// The attacker's move in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SequenceNode {
    /// The attacker's cell.
    pub cell: Cell,
    /// The proof against every reply.
    pub replies: SequenceReplies,
}

/// Proof that the attacker wins against every reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SequenceReplies {
    /// The attacker's cells of VCF sequences.
    pub sequences: Vec<Vec<Cell>>,
    /// The replies that no sequence refutes, in increasing order of their cells.
    pub survivors: Vec<SequenceLink>,
}

/// A reply, and the node that answers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequenceLink {
    /// The defender's cell.
    pub reply: Cell,
    /// The node.
    pub node: usize,
    /// The symmetry that maps the position after the reply to the node's.
    pub symmetry: usize,
}

/// A node, and the symmetry that maps its position to the canonical one.
#[derive(Clone, Copy)]
struct Extracted {
    node: usize,
    symmetry: usize,
}

/// A proof under construction.
struct Extraction {
    nodes: Vec<SequenceNode>,
    known: HashMap<u64, Extracted>,
    /// The number of each permutation.
    numbers: HashMap<Vec<Cell>, usize>,
}

/// A strategic move with its sequences and survivors.
struct Choice<B> {
    cell: usize,
    sequences: Vec<Vec<Cell>>,
    survivors: B,
}

impl<B: Bits> SurvivorSearch<B> {
    /// Extracts the proof of a position that [`SurvivorSearch::prove`] has proved; `None` if it has
    /// not, or if the search is stopped.
    pub fn sequence_proof(&mut self, to_move: bool) -> Option<SequenceProof> {
        let limits = std::mem::replace(
            &mut self.limits,
            VcfLimits {
                attack: EXTRACTION_LIMIT,
                defence: 1,
            },
        );
        let numbered = self.symmetries.iter().cloned().enumerate();
        let mut extraction = Extraction {
            nodes: Vec::new(),
            known: HashMap::new(),
            numbers: numbered.map(|(number, images)| (images, number)).collect(),
        };
        self.recording = true;
        let root = if to_move {
            self.extract(&mut extraction)
                .map(|root| SequenceRoot::Node(root.node))
        } else {
            self.extract_replies(&mut extraction)
                .map(SequenceRoot::Replies)
        };
        self.recording = false;
        self.limits = limits;
        Some(SequenceProof {
            symmetries: self.symmetries.clone(),
            nodes: extraction.nodes,
            root: root?,
        })
    }

    /// Adds the position, with the attacker to move, and everything below it.
    fn extract(&mut self, extraction: &mut Extraction) -> Option<Extracted> {
        let here = self.canonical();
        if let Some(&known) = extraction.known.get(&here.key) {
            return Some(known);
        }
        if (self.halt)() {
            return None;
        }
        let choice = self.choose()?;
        self.toggle(choice.cell, 0);
        let replies = self.link(choice.sequences, choice.survivors, extraction);
        self.toggle(choice.cell, 0);
        let added = Extracted {
            node: extraction.nodes.len(),
            symmetry: here.symmetry,
        };
        extraction.nodes.push(SequenceNode {
            cell: choice.cell as Cell,
            replies: replies?,
        });
        extraction.known.insert(here.key, added);
        Some(added)
    }

    /// Extracts the nodes of the survivors, with the defender to move.
    fn link(
        &mut self,
        sequences: Vec<Vec<Cell>>,
        survivors: B,
        extraction: &mut Extraction,
    ) -> Option<SequenceReplies> {
        let mut links = Vec::new();
        for reply in survivors.cells() {
            self.toggle(reply, 1);
            let here = self.canonical();
            let found = self.extract(extraction);
            self.toggle(reply, 1);
            let found = found?;
            let there = &self.inverses[found.symmetry];
            let to_canonical = self.symmetries[here.symmetry].iter();
            let images: Vec<Cell> = to_canonical.map(|&cell| there[usize::from(cell)]).collect();
            links.push(SequenceLink {
                reply: reply as Cell,
                node: found.node,
                symmetry: extraction.numbers[&images],
            });
        }
        Some(SequenceReplies {
            sequences,
            survivors: links,
        })
    }

    /// Extracts the proof against all replies of the defender, who is to move.
    fn extract_replies(&mut self, extraction: &mut Extraction) -> Option<SequenceReplies> {
        let Survivors::Replies(survivors) = self.survivors() else {
            return None;
        };
        let found = std::mem::take(&mut self.sequences);
        let sequences = self.cover(found, survivors);
        self.link(sequences, survivors, extraction)
    }

    /// Chooses the proved move with the fewest survivors.
    fn choose(&mut self) -> Option<Choice<B>> {
        if self.find_vcf(self.attacker, self.defender) {
            return Some(self.first_four());
        }
        let mut best: Option<Choice<B>> = None;
        for cell in self.strategic_moves().cells() {
            if !self.is_proved(self.key_with(cell, 0)) {
                continue;
            }
            self.toggle(cell, 0);
            if let Survivors::Replies(survivors) = self.survivors()
                && best
                    .as_ref()
                    .is_none_or(|best| survivors.count() < best.survivors.count())
                && survivors
                    .cells()
                    .all(|reply| self.is_proved(self.key_with(reply, 1)))
            {
                best = Some(Choice {
                    cell,
                    sequences: std::mem::take(&mut self.sequences),
                    survivors,
                });
            }
            self.toggle(cell, 0);
        }
        let mut best = best?;
        self.toggle(best.cell, 0);
        best.sequences = self.cover(best.sequences, best.survivors);
        self.toggle(best.cell, 0);
        Some(best)
    }

    fn is_proved(&self, key: u64) -> bool {
        let entry = self.table.get(&key);
        entry.is_some_and(|entry| entry.numbers.proof == 0)
    }

    /// Returns the first move of the VCF that was found last. The completing cell refutes every
    /// reply but the block, and the remaining fours refute the block.
    fn first_four(&self) -> Choice<B> {
        let sequence = &self.vcf.sequence;
        let first = usize::from(sequence[0]);
        let mine = self.attacker | B::single(first);
        let completing = self.board.completing(mine, self.defender).cells();
        let mut sequences: Vec<Vec<Cell>> = completing.map(|cell| vec![cell as Cell]).collect();
        if sequence.len() > 1 {
            sequences.push(sequence[1..].to_vec());
        }
        if self
            .board
            .completing(self.attacker, self.defender)
            .contains(first)
        {
            sequences.clear();
        }
        Choice {
            cell: first,
            sequences,
            survivors: B::EMPTY,
        }
    }

    /// Returns few of the sequences that together refute every reply but the survivors, by greedy
    /// set cover.
    fn cover(&self, sequences: Vec<Vec<Cell>>, survivors: B) -> Vec<Vec<Cell>> {
        let (mine, theirs) = (self.attacker, self.defender);
        let mut left = self.board.all.without(mine | theirs | survivors);
        let refutes = |sequence: &[Cell]| {
            let replies = left.cells();
            let refuted = replies
                .filter(|&reply| replays(&self.board, sequence, mine, theirs | B::single(reply)));
            refuted.fold(B::EMPTY, |set, reply| set | B::single(reply))
        };
        let mut candidates: Vec<(B, Vec<Cell>)> = sequences
            .into_iter()
            .map(|sequence| (refutes(&sequence), sequence))
            .collect();
        let mut chosen = Vec::new();
        while !left.is_empty() {
            // The most replies, then the shortest sequence.
            let best = candidates
                .iter()
                .enumerate()
                .max_by_key(|(_, (refuted, sequence))| {
                    ((*refuted & left).count(), std::cmp::Reverse(sequence.len()))
                })
                .map(|(at, _)| at);
            let Some(best) = best else { break };
            let (refuted, sequence) = candidates.swap_remove(best);
            left = left.without(refuted);
            chosen.push(sequence);
        }
        chosen
    }
}

impl SequenceProof {
    /// Returns the attacker's and the defender's cells of a line that the proof determines: the
    /// strategic moves against the survivor with the largest proof, then the first sequence.
    #[must_use]
    pub fn principal_variation(&self) -> Vec<Cell> {
        let sizes = self.sizes();
        let mut line = Vec::new();
        // Cell names of the node's orientation on the board.
        let mut names: Vec<Cell> = (0..self.symmetries[0].len() as Cell).collect();
        let mut replies = match &self.root {
            SequenceRoot::Replies(replies) => replies,
            SequenceRoot::Node(node) => {
                line.push(self.nodes[*node].cell);
                &self.nodes[*node].replies
            }
        };
        while let Some(link) = replies.survivors.iter().max_by_key(|link| sizes[link.node]) {
            line.push(names[usize::from(link.reply)]);
            let images = &self.symmetries[link.symmetry];
            let mut there = vec![0; names.len()];
            for (cell, &image) in images.iter().enumerate() {
                there[usize::from(image)] = names[cell];
            }
            names = there;
            let node = &self.nodes[link.node];
            line.push(names[usize::from(node.cell)]);
            replies = &node.replies;
        }
        line
    }

    /// Returns the size of the tree below each node, saturating.
    fn sizes(&self) -> Vec<u64> {
        let mut sizes: Vec<u64> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let below = node.replies.survivors.iter().map(|link| sizes[link.node]);
            sizes.push(below.fold(1, u64::saturating_add));
        }
        sizes
    }
}
