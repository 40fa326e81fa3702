//! Reader that rebuilds the tree of a verified proof.

use papan_rules::Bits;

use super::super::checker_board::CheckerBoard;
use super::super::proof_reader::ProofReader;
use super::super::syntax::{MAX_FINISHED, Reference};
use crate::certificate::CheckError;

/// A proof tree under construction, with the board at the current node.
pub(super) struct TreeReader<'a, 'b, B, N> {
    pub(super) board: CheckerBoard<B>,
    pub(super) reader: &'a mut ProofReader<'b>,
    /// Nodes come before their parents.
    pub(super) nodes: Vec<N>,
    /// Indices of the nodes that can be referred to.
    finished: Vec<usize>,
}

impl<'a, 'b, B: Bits, N> TreeReader<'a, 'b, B, N> {
    pub(super) fn new(board: CheckerBoard<B>, reader: &'a mut ProofReader<'b>) -> Self {
        Self {
            board,
            reader,
            nodes: Vec::new(),
            finished: Vec::new(),
        }
    }

    pub(super) fn cell(&mut self) -> Result<usize, CheckError> {
        self.reader.below(self.board.cells)
    }

    /// Reads a reference and resolves it to an index of `nodes`.
    pub(super) fn reference(&mut self) -> Result<Reference, CheckError> {
        let symmetries = self.board.symmetries();
        let reference = Reference::read(self.reader, self.finished.len(), symmetries)?;
        Ok(Reference {
            node: self.finished[reference.node],
            ..reference
        })
    }

    /// Adds a node and returns its index.
    pub(super) fn push(&mut self, node: N, can_be_referred_to: bool) -> usize {
        let at = self.nodes.len();
        self.nodes.push(node);
        if can_be_referred_to && self.finished.len() < MAX_FINISHED {
            self.finished.push(at);
        }
        at
    }
}
