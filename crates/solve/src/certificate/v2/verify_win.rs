//! Verifier of win proofs: the attacker has a winning continuation against every reply.
//!
//! A proof may cover many replies at once by letting the defender pass. For every pass the verifier
//! keeps the set of cells that may hold the stone of unknown position. The attacker's moves and
//! completing cells must lie outside all these sets, and with the defender to move no line may be
//! completed by one move and the stones of unknown position. The proof then holds for any subset of
//! the stones that the verifier grants the defender.

use papan_rules::Bits;

use super::checker_board::{Attacker, CheckerBoard, Defender};
use super::proof_reader::ProofReader;
use super::syntax::{Branch, MAX_FINISHED, Reference, RepliesHeader};
use crate::certificate::{CheckError, ProofFault};

pub(super) struct WinVerifier<'a, 'b, B> {
    board: CheckerBoard<B>,
    reader: &'a mut ProofReader<'b>,
    /// For each stone of unknown position, the cells where it may be.
    unknown: Vec<B>,
    /// Stones of the nodes that can be referred to.
    finished: Vec<[B; 2]>,
}

/// Maximum number of stones of unknown position.
const MAX_UNKNOWN: usize = 6;

impl<'a, 'b, B: Bits> WinVerifier<'a, 'b, B> {
    pub(super) fn new(board: CheckerBoard<B>, reader: &'a mut ProofReader<'b>) -> Self {
        Self {
            board,
            reader,
            unknown: Vec::new(),
            finished: Vec::new(),
        }
    }

    /// Verifies a proof with the defender to move.
    pub(super) fn waiting(&mut self) -> Result<(), CheckError> {
        self.check_safety()?;
        self.replies()
    }

    /// Verifies a node, with the attacker to move.
    pub(super) fn node(&mut self) -> Result<(), CheckError> {
        match self.reader.number()? {
            0 => self.reference(),
            1 => {
                let before = self.board.held;
                let cell = self.attack()?;
                self.check_safety()?;
                self.replies()?;
                self.board.remove(cell, Attacker);
                if self.unknown.is_empty() && self.finished.len() < MAX_FINISHED {
                    self.finished.push(before);
                }
                Ok(())
            }
            tag => self.fours(tag / 2, tag % 2 == 1),
        }
    }

    /// Reads a cell that is certainly empty and places the attacker's stone on it.
    fn attack(&mut self) -> Result<usize, CheckError> {
        let cell = self.reader.below(self.board.cells)?;
        let hidden = self.unknown.iter().any(|place| place.contains(cell));
        if hidden || !self.board.empty.contains(cell) {
            return Err(self.reader.fault(ProofFault::Taken));
        }
        self.reader.add_work(2 * self.board.through[cell].len());
        self.board.put(cell, Attacker);
        Ok(cell)
    }

    /// Verifies a reference to a node that covers this position.
    fn reference(&mut self) -> Result<(), CheckError> {
        let Reference { node, symmetry } =
            Reference::read(self.reader, self.finished.len(), self.board.symmetries())?;
        let is_covered = self.board.is_covered_by(self.finished[node], symmetry);
        if is_covered && self.unknown.is_empty() {
            Ok(())
        } else {
            Err(self.reader.fault(ProofFault::OtherPosition))
        }
    }

    /// Verifies a sequence of fours, and the node after it if the proof continues.
    fn fours(&mut self, count: usize, continues: bool) -> Result<(), CheckError> {
        let mut played = Vec::new();
        for at in 0..count {
            let cell = self.attack()?;
            played.push((cell, Attacker));
            let ends = at + 1 == count && !continues;
            if self.board.has_won(Attacker) {
                if ends {
                    break;
                }
                return Err(self.reader.fault(ProofFault::GoesOn));
            }
            self.check_safety()?;
            let hidden = self.unknown.iter().fold(B::EMPTY, |a, &b| a | b);
            let completing = self.board.completing(Attacker).without(hidden);
            match (completing.count(), completing.first()) {
                (1, Some(reply)) if !ends => {
                    self.reader.add_work(2 * self.board.through[reply].len());
                    self.board.put(reply, Defender);
                    played.push((reply, Defender));
                }
                (2.., _) if ends => {}
                _ => return Err(self.reader.fault(ProofFault::NoThreat)),
            }
        }
        if continues {
            self.node()?;
        }
        for (cell, side) in played.into_iter().rev() {
            self.board.remove(cell, side);
        }
        Ok(())
    }

    /// Verifies the proofs against all replies of the defender, who is to move.
    fn replies(&mut self) -> Result<(), CheckError> {
        let header = RepliesHeader::read(self.reader)?;
        if header.branches > self.board.cells {
            return Err(self.reader.fault(ProofFault::Number));
        }
        if header.symmetric && !self.unknown.is_empty() {
            return Err(self.reader.fault(ProofFault::Symmetry));
        }
        let mut branches = Vec::with_capacity(header.branches);
        let mut named = B::EMPTY;
        for _ in 0..header.branches {
            let branch = Branch::read(self.reader, &self.board)?;
            named = named | branch.cells;
            branches.push(branch);
        }
        let others = self.board.empty.without(named);
        if header.rest {
            self.with_unknown(others)?;
        } else if !(others.is_empty() || header.symmetric && self.are_images(others, named)) {
            return Err(self.reader.fault(ProofFault::Unanswered));
        }
        for branch in branches {
            if branch.is_unknown() {
                self.with_unknown(branch.cells)?;
                continue;
            }
            for cell in branch.cells.cells() {
                self.reader.add_work(2 * self.board.through[cell].len());
                self.board.put(cell, Defender);
            }
            if self.board.has_won(Defender) {
                return Err(self.reader.fault(ProofFault::DefenderFirst));
            }
            self.node()?;
            for cell in branch.cells.cells() {
                self.board.remove(cell, Defender);
            }
        }
        Ok(())
    }

    fn with_unknown(&mut self, place: B) -> Result<(), CheckError> {
        if self.unknown.len() == MAX_UNKNOWN {
            return Err(self.reader.fault(ProofFault::TooManyUnknown));
        }
        self.unknown.push(place);
        self.node()?;
        self.unknown.pop();
        Ok(())
    }

    /// Returns whether each of the cells is the image of a named one under a symmetry of the
    /// position.
    fn are_images(&self, cells: B, named: B) -> bool {
        let fixes = |&symmetry: &usize| {
            let mut held = self.board.held.iter();
            held.all(|&set| self.board.image(set, symmetry) == set)
        };
        let stabiliser = (0..self.board.symmetries()).filter(fixes);
        let images = stabiliser.fold(B::EMPTY, |set, symmetry| {
            set | self.board.image(named, symmetry)
        });
        images.covers(cells)
    }

    /// Checks that the defender, who is to move, cannot complete a line, wherever the stones of
    /// unknown position are.
    fn check_safety(&mut self) -> Result<(), CheckError> {
        let max_lacking = (self.unknown.len() + 1).min(self.board.length);
        for lacking in 0..=max_lacking {
            for line in self.board.lines_lacking(Defender, lacking) {
                self.reader.add_work(1);
                let gaps = self.board.gaps(line);
                if lacking <= 1 || can_fill(gaps, &self.unknown, lacking - 1) {
                    return Err(self.reader.fault(ProofFault::DefenderFirst));
                }
            }
        }
        Ok(())
    }
}

/// Returns whether distinct stones of unknown position can fill `wanted` of the gaps.
pub(super) fn can_fill<B: Bits>(gaps: B, unknown: &[B], wanted: usize) -> bool {
    if wanted == 0 {
        return true;
    }
    if unknown.len() < wanted {
        return false;
    }
    if can_fill(gaps, &unknown[1..], wanted) {
        return true;
    }
    let mut here = (gaps & unknown[0]).cells();
    here.any(|cell| can_fill(gaps.without(B::single(cell)), &unknown[1..], wanted - 1))
}
