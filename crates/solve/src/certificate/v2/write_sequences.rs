//! Writer of win proofs by sequences.

use std::collections::HashMap;

use papan_mnk::{Cell, SequenceProof, SequenceReplies, SequenceRoot};

use super::proof_reader::push_number;

/// Writes a proof. `geometric` are the symmetries that every proof may use; permutations beyond them
/// are listed first.
pub(super) fn write_sequence_proof(
    proof: &SequenceProof,
    geometric: &[Vec<Cell>],
    bytes: &mut Vec<u8>,
) {
    let mut numbers: HashMap<Vec<Cell>, usize> = HashMap::new();
    let mut listed = Vec::new();
    let identity: Vec<Cell> = (0..geometric[0].len() as Cell).collect();
    for permutation in std::iter::once(&identity).chain(&proof.symmetries) {
        if numbers.contains_key(permutation) {
            continue;
        }
        for images in geometric {
            let both = permutation.iter().map(|&cell| images[usize::from(cell)]);
            let number = numbers.len();
            numbers.entry(both.collect()).or_insert(number);
        }
        listed.push(permutation);
    }
    push_number(bytes, listed.len() - 1);
    for permutation in &listed[1..] {
        for &image in *permutation {
            push_number(bytes, usize::from(image));
        }
    }
    let symmetries = proof.symmetries.iter();
    let mut writer = SequenceWriter {
        proof,
        symmetries: symmetries.map(|images| numbers[images]).collect(),
        finished: HashMap::new(),
        bytes,
    };
    match &proof.root {
        SequenceRoot::Node(node) => writer.node(*node),
        SequenceRoot::Replies(replies) => writer.replies(replies),
    }
}

struct SequenceWriter<'a> {
    proof: &'a SequenceProof,
    /// The number in the file of each symmetry of the proof.
    symmetries: Vec<usize>,
    /// The number in the file of each node that is written.
    finished: HashMap<usize, usize>,
    bytes: &'a mut Vec<u8>,
}

impl SequenceWriter<'_> {
    fn number(&mut self, number: usize) {
        push_number(self.bytes, number);
    }

    fn node(&mut self, node: usize) {
        let proof = self.proof;
        let this = &proof.nodes[node];
        self.number(usize::from(this.cell) + 1);
        self.replies(&this.replies);
        let number = self.finished.len();
        self.finished.insert(node, number);
    }

    fn replies(&mut self, replies: &SequenceReplies) {
        self.number(replies.sequences.len());
        for sequence in &replies.sequences {
            self.number(sequence.len());
            for &cell in sequence {
                self.number(usize::from(cell));
            }
        }
        for link in &replies.survivors {
            match self.finished.get(&link.node) {
                Some(&number) => {
                    let symmetry = self.symmetries[link.symmetry];
                    for number in [0, number, symmetry] {
                        self.number(number);
                    }
                }
                None => self.node(link.node),
            }
        }
    }
}
