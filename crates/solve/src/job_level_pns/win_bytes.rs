//! Proofs of wins as they travel between machines. What is shared is written once.

use std::collections::HashMap;
use std::sync::Arc;

use papan_mnk::{CellSet, ReplyBranch, ReplyProofs, WinProof};
use papan_rules::Bits as _;

use super::varint::{Numbers, push};

/// A proof that the attacker wins.
#[derive(Clone, Debug)]
pub(crate) enum LeafProof {
    /// The attacker is to move.
    ToMove(Arc<WinProof>),
    /// The other is.
    Waiting(ReplyProofs),
}

/// No proof goes deeper: each step takes a cell.
const DEEPEST: usize = 1000;

const AGAIN: u32 = 0;
const FOURS: u32 = 1;
const MOVE: u32 = 2;

/// Appends a proof to bytes.
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
        LeafProof::Waiting(answers) => {
            writer.number(1);
            writer.answers(answers);
        }
    }
}

struct Writer<'a> {
    out: &'a mut Vec<u8>,
    /// Numbers of what is written, by where it is in memory.
    written: HashMap<*const WinProof, u32>,
}

impl Writer<'_> {
    fn number(&mut self, number: u32) {
        push(self.out, number);
    }

    fn proof(&mut self, proof: &Arc<WinProof>) {
        if let Some(&number) = self.written.get(&Arc::as_ptr(proof)) {
            self.number(AGAIN);
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
            WinProof::Move { cell, answers } => {
                self.number(MOVE);
                self.number((*cell).into());
                self.answers(answers);
            }
        }
        let number = self.written.len() as u32;
        self.written.insert(Arc::as_ptr(proof), number);
    }

    fn answers(&mut self, answers: &ReplyProofs) {
        let flags = u32::from(answers.rest.is_some()) + 2 * u32::from(answers.symmetric);
        self.number(flags);
        if let Some(rest) = &answers.rest {
            self.proof(rest);
        }
        self.number(answers.branches.len() as u32);
        for branch in &answers.branches {
            self.number(branch.at_once.into());
            self.number(branch.cells.count());
            for cell in branch.cells.cells() {
                self.number(cell as u32);
            }
            self.proof(&branch.proof);
        }
    }
}

/// Reads what [`write`] wrote, on a board of so many cells.
pub(super) fn read(bytes: &[u8], cells: usize) -> Option<LeafProof> {
    let mut reader = Reader {
        numbers: Numbers { bytes, cells },
        read: Vec::new(),
    };
    let proof = match reader.numbers.next()? {
        0 => LeafProof::ToMove(reader.proof(0)?),
        1 => LeafProof::Waiting(reader.answers(0)?),
        _ => return None,
    };
    reader.numbers.bytes.is_empty().then_some(proof)
}

struct Reader<'a> {
    numbers: Numbers<'a>,
    read: Vec<Arc<WinProof>>,
}

impl Reader<'_> {
    fn proof(&mut self, depth: usize) -> Option<Arc<WinProof>> {
        if depth > DEEPEST {
            return None;
        }
        let proof = match self.numbers.next()? {
            AGAIN => {
                let number = self.numbers.next()? as usize;
                return self.read.get(number).cloned();
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
                answers: self.answers(depth + 1)?,
            },
            _ => return None,
        };
        let proof = Arc::new(proof);
        self.read.push(Arc::clone(&proof));
        Some(proof)
    }

    fn answers(&mut self, depth: usize) -> Option<ReplyProofs> {
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
