//! Lookup of positions in a win proof by sequences.

use papan_rules::Bits;
use rustc_hash::FxHashSet;

use super::super::checker_board::{Attacker, CheckerBoard, Defender};
use super::super::proof_reader::ProofReader;
use super::super::syntax::{MAX_FINISHED, Reference};
use super::super::verify_sequences::{read_permutations, read_sequence, replay};
use super::win_tree::FoundWin;
use super::{CellNames, renamed_by};
use crate::certificate::CheckError;

/// A win proof by sequences, as a graph.
pub(super) struct SequenceTree<B> {
    /// The board without stones, with the symmetries of the proof.
    board: CheckerBoard<B>,
    /// Nodes come before their parents.
    nodes: Vec<SequenceNode<B>>,
    root: usize,
}

/// A position with the attacker to move; at the root, the defender may be to move.
struct SequenceNode<B> {
    /// The stones of the attacker and of the defender.
    held: [B; 2],
    /// The attacker's move; `None` at a root with the defender to move.
    cell: Option<usize>,
    sequences: Vec<Vec<usize>>,
    survivors: Vec<Survivor>,
    /// Upper bound on the plies to the win.
    plies: u32,
}

/// A reply with a node of its own.
struct Survivor {
    reply: usize,
    node: usize,
    /// The symmetry that maps the position after the reply to the node's.
    symmetry: usize,
}

struct SequenceReader<'a, 'b, B> {
    board: CheckerBoard<B>,
    reader: &'a mut ProofReader<'b>,
    nodes: Vec<SequenceNode<B>>,
}

impl<B: Bits> SequenceReader<'_, '_, B> {
    /// Reads a node, with the attacker to move. Returns its index and the symmetry that leads there.
    fn node(&mut self) -> Result<Reference, CheckError> {
        let tag = self.reader.below(self.board.cells + 1)?;
        if tag == 0 {
            // Every node of a verified proof can be referred to by its index.
            let count = self.nodes.len().min(MAX_FINISHED);
            return Reference::read(self.reader, count, self.board.symmetries());
        }
        let held = self.board.held;
        let cell = tag - 1;
        self.board.put(cell, Attacker);
        let node = if self.board.has_won(Attacker) {
            SequenceNode {
                held,
                cell: Some(cell),
                sequences: Vec::new(),
                survivors: Vec::new(),
                plies: 1,
            }
        } else {
            self.replies(held, Some(cell))?
        };
        self.board.remove(cell, Attacker);
        self.nodes.push(node);
        Ok(Reference {
            node: self.nodes.len() - 1,
            symmetry: 0,
        })
    }

    /// Reads the sequences and the nodes of the replies that they do not refute.
    fn replies(
        &mut self,
        held: [B; 2],
        cell: Option<usize>,
    ) -> Result<SequenceNode<B>, CheckError> {
        let mut left = self.board.empty;
        let mut longest = 0;
        let count = self.reader.below(self.board.cells + 1)?;
        let mut sequences = Vec::with_capacity(count);
        for _ in 0..count {
            let sequence = read_sequence(&self.board, self.reader)?;
            for reply in left.cells() {
                self.board.put(reply, Defender);
                if let Some(plies) = replay(&mut self.board, self.reader, &sequence) {
                    left = left.without(B::single(reply));
                    longest = longest.max(plies);
                }
                self.board.remove(reply, Defender);
            }
            sequences.push(sequence);
        }
        let mut survivors = Vec::new();
        for reply in left.cells() {
            self.board.put(reply, Defender);
            let Reference { node, symmetry } = self.node()?;
            self.board.remove(reply, Defender);
            longest = longest.max(self.nodes[node].plies);
            survivors.push(Survivor {
                reply,
                node,
                symmetry,
            });
        }
        Ok(SequenceNode {
            held,
            cell,
            sequences,
            survivors,
            plies: longest + 1 + u32::from(cell.is_some()),
        })
    }
}

impl<B: Bits> SequenceTree<B> {
    /// Reads the next proof of a verified file. `empty` is the board without stones.
    pub(super) fn read(
        board: CheckerBoard<B>,
        mut empty: CheckerBoard<B>,
        reader: &mut ProofReader<'_>,
        to_move: bool,
    ) -> Result<Self, CheckError> {
        let mut reading = SequenceReader {
            board,
            reader,
            nodes: Vec::new(),
        };
        read_permutations(&mut reading.board, reading.reader)?;
        empty.add_permutations(reading.board.listed());
        let root = if to_move {
            reading.node()?.node
        } else {
            let held = reading.board.held;
            let node = reading.replies(held, None)?;
            reading.nodes.push(node);
            reading.nodes.len() - 1
        };
        Ok(Self {
            board: empty,
            nodes: reading.nodes,
            root,
        })
    }

    /// Looks a position up; `None` if the proof does not cover it. Of all places that cover it, the
    /// one with the fewest plies is taken, so that the bound decreases with every move.
    pub(super) fn find(&self, stones: [B; 2], to_move: bool) -> Option<FoundWin> {
        let mut lookup = Lookup {
            tree: self,
            to_move,
            empty: self.board.empty.without(stones[0] | stones[1]),
            found: None,
            visited: FxHashSet::default(),
        };
        for symmetry in 0..self.board.symmetries() {
            let here = stones.map(|set| self.board.image(set, symmetry));
            lookup.visit(self.root, here, &self.board.inverse(symmetry));
        }
        lookup.found
    }

    /// Returns the cells that complete a line of `mine`.
    fn completing(&self, mine: B, theirs: B) -> B {
        let lines = self.board.lines.iter();
        lines.fold(B::EMPTY, |set, &line| {
            let gaps = line.without(mine);
            if gaps.count() == 1 && !line.meets(theirs) {
                set | gaps
            } else {
                set
            }
        })
    }
}

/// A search for the shortest place of a proof that covers a position.
struct Lookup<'a, B> {
    tree: &'a SequenceTree<B>,
    to_move: bool,
    /// The empty cells of the board.
    empty: B,
    found: Option<FoundWin>,
    visited: FxHashSet<(usize, [B; 2])>,
}

impl<B: Bits> Lookup<'_, B> {
    /// Visits a node and its descendants. `here` are the stones on the board under the names of the
    /// proof.
    fn visit(&mut self, node: usize, here: [B; 2], names: &[u16]) {
        if !self.visited.insert((node, here)) {
            return;
        }
        let tree = self.tree;
        let this = &tree.nodes[node];
        let mut held = this.held;
        let mut plies = this.plies;
        if let Some(cell) = this.cell {
            self.consider(held, here, Some((cell, names)), plies);
            if !here[0].contains(cell) {
                return;
            }
            held[0] = held[0] | B::single(cell);
            plies -= 1;
        }
        self.consider(held, here, None, plies);
        let mut others = here[1].without(held[1]);
        for survivor in &this.survivors {
            if here[1].contains(survivor.reply) {
                others = others.without(B::single(survivor.reply));
                let there = here.map(|set| tree.board.image(set, survivor.symmetry));
                let names: CellNames = renamed_by(&tree.board, names, survivor.symmetry);
                self.visit(survivor.node, there, &names);
            }
        }
        for reply in others.cells() {
            for sequence in &this.sequences {
                let replied = [held[0], held[1] | B::single(reply)];
                if self.follow(sequence, replied, here, names) {
                    break;
                }
            }
        }
    }

    /// Follows a sequence from a position with the attacker to move, as far as it is on the board.
    /// Returns whether it refutes the reply.
    fn follow(&mut self, sequence: &[usize], start: [B; 2], here: [B; 2], names: &[u16]) -> bool {
        let mut places = Vec::new();
        let mut held = start;
        // Plies after the last four of the sequence, once it wins.
        let mut last = None;
        for &cell in sequence {
            if (held[0] | held[1]).contains(cell) {
                break;
            }
            places.push((held, cell));
            if self.tree.completing(held[0], held[1]).contains(cell) {
                last = Some(0);
                break;
            }
            held[0] = held[0] | B::single(cell);
            let completing = self.tree.completing(held[0], held[1]);
            let threatened = !self.tree.completing(held[1], held[0]).is_empty();
            if threatened || completing.is_empty() {
                break;
            }
            if completing.count() > 1 {
                last = Some(2);
                break;
            }
            held[1] = held[1] | completing;
        }
        let Some(last) = last else { return false };
        let total = 2 * places.len() as u32 - 1 + last;
        for (at, &(held, cell)) in places.iter().enumerate() {
            let plies = total - 2 * at as u32;
            self.consider(held, here, Some((cell, names)), plies);
            if !here[0].contains(cell) {
                break;
            }
            let after = [held[0] | B::single(cell), held[1]];
            self.consider(after, here, None, plies - 1);
        }
        true
    }

    /// Records a place of the proof if it covers the position: the attacker has all its stones, and
    /// the defender no others. With a move, the attacker is to move.
    fn consider(
        &mut self,
        held: [B; 2],
        here: [B; 2],
        move_on: Option<(usize, &[u16])>,
        plies: u32,
    ) {
        let is_shorter = self.found.is_none_or(|found| plies < found.plies);
        let covers = here[0].covers(held[0]) && held[1].covers(here[1]);
        if move_on.is_some() != self.to_move || !is_shorter || !covers {
            return;
        }
        let on_board = move_on.map(|(cell, names)| usize::from(names[cell]));
        // If an extra stone of the attacker occupies the cell, any other move will do.
        let free = on_board.filter(|&cell| self.empty.contains(cell));
        self.found = Some(FoundWin {
            cell: free.or(move_on.and(self.empty.first())),
            plies,
        });
    }
}
