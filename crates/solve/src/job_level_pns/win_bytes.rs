//! Binary encoding of win proofs in results of leaf jobs. Shared subtrees are written once.

use std::collections::HashMap;
use std::sync::Arc;

use papan_mnk::{CellSet, ReplyBranch, ReplyProofs, WinProof};
use papan_rules::Bits as _;

use super::varint::{VarintReader, push};

/// A proof that the attacker wins at a leaf.
#[derive(Clone, Debug)]
pub(crate) enum LeafProof {
    /// With the attacker to move.
    ToMove(Arc<WinProof>),
    /// With the defender to move.
    Waiting(ReplyProofs),
}

/// Maximum depth of a proof; each level takes a cell.
const MAX_DEPTH: usize = 1000;

const REFERENCE: u32 = 0;
const FOURS: u32 = 1;
const MOVE: u32 = 2;

/// Appends a win proof.
pub(super) fn write(proof: &LeafProof, out: &mut Vec<u8>) {
    let mut writer = Writer {
        out,
        written: HashMap::new(),
    };
    match proof {
        LeafProof::ToMove(proof) => {
            writer.number(0);
            writer.proof(proof);
        }
        LeafProof::Waiting(replies) => {
            writer.number(1);
            writer.replies(replies);
        }
    }
}

struct Writer<'a> {
    out: &'a mut Vec<u8>,
    /// Index of each written proof, by its address.
    written: HashMap<*const WinProof, u32>,
}

impl Writer<'_> {
    fn number(&mut self, number: u32) {
        push(self.out, number);
    }

    fn proof(&mut self, proof: &Arc<WinProof>) {
        if let Some(&number) = self.written.get(&Arc::as_ptr(proof)) {
            self.number(REFERENCE);
            self.number(number);
            return;
        }
        match &**proof {
            WinProof::Fours { cells, then } => {
                self.number(FOURS);
                self.number(cells.len() as u32);
                for &cell in cells {
                    self.number(cell.into());
                }
                self.number(then.is_some().into());
                if let Some(then) = then {
                    self.proof(then);
                }
            }
            WinProof::Move { cell, replies } => {
                self.number(MOVE);
                self.number((*cell).into());
                self.replies(replies);
            }
        }
        let number = self.written.len() as u32;
        self.written.insert(Arc::as_ptr(proof), number);
    }

    fn replies(&mut self, replies: &ReplyProofs) {
        let flags = u32::from(replies.rest.is_some()) + 2 * u32::from(replies.symmetric);
        self.number(flags);
        if let Some(rest) = &replies.rest {
            self.proof(rest);
        }
        self.number(replies.branches.len() as u32);
        for branch in &replies.branches {
            self.number(branch.at_once.into());
            self.number(branch.cells.count());
            for cell in branch.cells.cells() {
                self.number(cell as u32);
            }
            self.proof(&branch.proof);
        }
    }
}

/// Decodes a proof on a board with this many cells.
pub(super) fn read(bytes: &[u8], cells: usize) -> Option<LeafProof> {
    let mut reader = Reader {
        numbers: VarintReader { bytes, cells },
        proofs: Vec::new(),
    };
    let proof = match reader.numbers.next()? {
        0 => LeafProof::ToMove(reader.proof(0)?),
        1 => LeafProof::Waiting(reader.replies(0)?),
        _ => return None,
    };
    reader.numbers.bytes.is_empty().then_some(proof)
}

struct Reader<'a> {
    numbers: VarintReader<'a>,
    /// The proofs read so far.
    proofs: Vec<Arc<WinProof>>,
}

impl Reader<'_> {
    fn proof(&mut self, depth: usize) -> Option<Arc<WinProof>> {
        if depth > MAX_DEPTH {
            return None;
        }
        let proof = match self.numbers.next()? {
            REFERENCE => {
                let number = self.numbers.next()? as usize;
                return self.proofs.get(number).cloned();
            }
            FOURS => {
                let count = self.numbers.count()?;
                let cells = (0..count)
                    .map(|_| self.numbers.cell())
                    .collect::<Option<_>>()?;
                let then = match self.numbers.next()? {
                    0 => None,
                    1 => Some(self.proof(depth + 1)?),
                    _ => return None,
                };
                WinProof::Fours { cells, then }
            }
            MOVE => WinProof::Move {
                cell: self.numbers.cell()?,
                replies: self.replies(depth + 1)?,
            },
            _ => return None,
        };
        let proof = Arc::new(proof);
        self.proofs.push(Arc::clone(&proof));
        Some(proof)
    }

    fn replies(&mut self, depth: usize) -> Option<ReplyProofs> {
        let flags = self.numbers.next()?;
        let rest = match flags & 1 {
            0 => None,
            _ => Some(self.proof(depth + 1)?),
        };
        let count = self.numbers.count()?;
        let branches = (0..count).map(|_| {
            let at_once = self.numbers.next()? != 0;
            let count = self.numbers.count()?;
            let mut cells = CellSet::EMPTY;
            for _ in 0..count {
                cells = cells | CellSet::single(usize::from(self.numbers.cell()?));
            }
            let proof = self.proof(depth + 1)?;
            Some(ReplyBranch {
                cells,
                at_once,
                proof,
            })
        });
        Some(ReplyProofs {
            rest,
            branches: branches.collect::<Option<_>>()?,
            symmetric: flags & 2 != 0,
        })
    }
}
