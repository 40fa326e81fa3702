//! Syntax elements of version 2 proofs, shared by the verifiers and the book reader.

use papan_rules::Bits;

use super::checker_board::CheckerBoard;
use super::proof_reader::ProofReader;
use crate::certificate::{CheckError, ProofFault};

/// Maximum number of nodes that can be referred to.
pub(super) const MAX_FINISHED: usize = 1 << 20;

/// A reference to an earlier node.
pub(super) struct Reference {
    /// Index among the nodes that can be referred to.
    pub(super) node: usize,
    /// The symmetry that maps this position to the node's.
    pub(super) symmetry: usize,
}

impl Reference {
    pub(super) fn read(
        reader: &mut ProofReader<'_>,
        finished: usize,
        symmetries: usize,
    ) -> Result<Self, CheckError> {
        Ok(Self {
            node: reader.below(finished)?,
            symmetry: reader.below(symmetries)?,
        })
    }
}

/// Reads a cell of an increasing list, encoded as the distance from `next`, the least cell that can
/// follow.
pub(super) fn read_increasing_cell(
    reader: &mut ProofReader<'_>,
    next: usize,
    cells: usize,
) -> Result<usize, CheckError> {
    let cell = next + reader.below(cells)?;
    if cell < cells {
        Ok(cell)
    } else {
        Err(reader.fault(ProofFault::Number))
    }
}

/// The header of the replies to an attacking move.
pub(super) struct RepliesHeader {
    /// Whether one proof covers all replies that no branch names.
    pub(super) rest: bool,
    /// Whether other replies are images of named ones.
    pub(super) symmetric: bool,
    /// Number of branches.
    pub(super) branches: usize,
}

impl RepliesHeader {
    pub(super) fn read(reader: &mut ProofReader<'_>) -> Result<Self, CheckError> {
        let head = reader.number()?;
        Ok(Self {
            rest: head & 1 != 0,
            symmetric: head & 2 != 0,
            branches: head >> 2,
        })
    }
}

/// The replies that one proof refutes.
pub(super) struct Branch<B> {
    pub(super) cells: B,
    /// Whether the proof holds with stones on all the cells at once.
    pub(super) at_once: bool,
}

impl<B: Bits> Branch<B> {
    pub(super) fn read(
        reader: &mut ProofReader<'_>,
        board: &CheckerBoard<B>,
    ) -> Result<Self, CheckError> {
        let head = reader.number()?;
        let (at_once, count) = (head & 1 != 0, head >> 1);
        let mut cells = B::EMPTY;
        let mut next = 0;
        for _ in 0..count {
            let cell = read_increasing_cell(reader, next, board.cells)?;
            if count > board.cells {
                return Err(reader.fault(ProofFault::Number));
            }
            if !board.empty.contains(cell) {
                return Err(reader.fault(ProofFault::Taken));
            }
            cells = cells | B::single(cell);
            next = cell + 1;
        }
        if count == 0 {
            return Err(reader.fault(ProofFault::Number));
        }
        Ok(Self { cells, at_once })
    }

    /// Returns whether the position of the defender's stone is unknown: on one of several cells.
    pub(super) fn is_unknown(&self) -> bool {
        !self.at_once && self.cells.count() > 1
    }
}
