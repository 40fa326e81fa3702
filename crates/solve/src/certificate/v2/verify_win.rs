//! Checks why an attacker wins.
//!
//! Going down the tree, the checker keeps for every pass of the defender the set of
//! cells of which one, not known which, may hold his stone. Every move of the attacker
//! and every cell that he threatens to complete must lie outside all these sets, and
//! at each position of the defender no line may be completed by one move and the
//! stones without a known place. Whatever stones the defender lacks of those that the
//! checker gives him, the proof still holds.

use papan_rules::Bits;

use super::checker_board::{Attacker, CheckerBoard, Defender};
use super::proof_reader::ProofReader;
use crate::certificate::{CheckError, ProofFault};

type Checked = Result<(), CheckError>;

pub(super) struct WinVerifier<'a, 'b, B> {
    pub(super) stones: CheckerBoard<B>,
    pub(super) body: &'a mut ProofReader<'b>,
    /// For each stone of the defender without a known place, where it may be.
    pub(super) unknown: Vec<B>,
    /// Finished nodes that may be referred to: the attacker's stones, the defender's.
    pub(super) finished: Vec<[B; 2]>,
}

/// CheckerBoard without a known place, at most.
const MOST_UNKNOWN: usize = 6;
/// Nodes that can be referred to.
pub(super) const MOST_FINISHED: usize = 1 << 20;

impl<B: Bits> WinVerifier<'_, '_, B> {
    /// The attacker is to move.
    pub(super) fn node(&mut self) -> Checked {
        match self.body.number()? {
            0 => self.reference(),
            1 => {
                let before = self.stones.held;
                let cell = self.attack()?;
                self.safe()?;
                self.answers()?;
                self.stones.remove(cell, Attacker);
                if self.unknown.is_empty() && self.finished.len() < MOST_FINISHED {
                    self.finished.push(before);
                }
                Ok(())
            }
            tag => self.fours(tag / 2, tag % 2 == 1),
        }
    }

    /// A cell that is certainly empty, and the attacker's stone on it.
    fn attack(&mut self) -> Result<usize, CheckError> {
        let cell = self.body.below(self.stones.cells)?;
        let hidden = self.unknown.iter().any(|place| place.contains(cell));
        if hidden || !self.stones.empty.contains(cell) {
            return Err(self.body.fault(ProofFault::Taken));
        }
        self.body.costs(2 * self.stones.through[cell].len());
        self.stones.put(cell, Attacker);
        Ok(cell)
    }

    /// Somebody else's node answers for this position: the attacker has there no stone
    /// that he lacks here, and the defender has here none that he lacks there.
    fn reference(&mut self) -> Checked {
        let node = self.body.below(self.finished.len())?;
        let symmetry = self.body.below(self.stones.symmetries.len())?;
        let [attackers, defenders] = self.stones.held.map(|set| self.stones.image(set, symmetry));
        let [there_attackers, there_defenders] = self.finished[node];
        let fits = attackers.covers(there_attackers) && there_defenders.covers(defenders);
        if fits && self.unknown.is_empty() {
            Ok(())
        } else {
            Err(self.body.fault(ProofFault::OtherPosition))
        }
    }

    fn fours(&mut self, count: usize, goes_on: bool) -> Checked {
        let mut played = Vec::new();
        for at in 0..count {
            let last = at + 1 == count;
            let cell = self.attack()?;
            played.push((cell, Attacker));
            let ends = last && !goes_on;
            if self.stones.has_won(Attacker) {
                if ends {
                    break;
                }
                return Err(self.body.fault(ProofFault::GoesOn));
            }
            self.safe()?;
            let hidden = self.unknown.iter().fold(B::EMPTY, |a, &b| a | b);
            let completing = self.stones.completing(Attacker).without(hidden);
            match (completing.count(), completing.first()) {
                (1, Some(reply)) if !ends => {
                    self.body.costs(2 * self.stones.through[reply].len());
                    self.stones.put(reply, Defender);
                    played.push((reply, Defender));
                }
                (2.., _) if ends => {}
                _ => return Err(self.body.fault(ProofFault::NoThreat)),
            }
        }
        if goes_on {
            self.node()?;
        }
        for (cell, side) in played.into_iter().rev() {
            self.stones.remove(cell, side);
        }
        Ok(())
    }

    /// The defender is to move: an answer to every reply.
    pub(super) fn answers(&mut self) -> Checked {
        let head = self.body.number()?;
        let (rest, symmetric, count) = (head & 1 != 0, head & 2 != 0, head >> 2);
        if count > self.stones.cells {
            return Err(self.body.fault(ProofFault::Number));
        }
        if symmetric && !self.unknown.is_empty() {
            return Err(self.body.fault(ProofFault::Symmetry));
        }
        let mut branches = Vec::with_capacity(count);
        let mut named = B::EMPTY;
        for _ in 0..count {
            let branch = self.branch()?;
            named = named | branch.0;
            branches.push(branch);
        }
        let others = self.stones.empty.without(named);
        if rest {
            self.with_unknown(others)?;
        } else if !(others.is_empty() || symmetric && self.are_images(others, named)) {
            return Err(self.body.fault(ProofFault::Unanswered));
        }
        for (cells, at_once) in branches {
            if !at_once && cells.count() > 1 {
                self.with_unknown(cells)?;
                continue;
            }
            for cell in cells.cells() {
                self.body.costs(2 * self.stones.through[cell].len());
                self.stones.put(cell, Defender);
            }
            if self.stones.has_won(Defender) {
                return Err(self.body.fault(ProofFault::DefenderFirst));
            }
            self.node()?;
            for cell in cells.cells() {
                self.stones.remove(cell, Defender);
            }
        }
        Ok(())
    }

    fn branch(&mut self) -> Result<(B, bool), CheckError> {
        let head = self.body.number()?;
        let (at_once, count) = (head & 1 != 0, head >> 1);
        let mut cells = B::EMPTY;
        let mut next = 0;
        for _ in 0..count {
            let cell = next + self.body.below(self.stones.cells)?;
            if cell >= self.stones.cells || count > self.stones.cells {
                return Err(self.body.fault(ProofFault::Number));
            }
            if !self.stones.empty.contains(cell) {
                return Err(self.body.fault(ProofFault::Taken));
            }
            cells = cells | B::single(cell);
            next = cell + 1;
        }
        if count == 0 {
            return Err(self.body.fault(ProofFault::Number));
        }
        Ok((cells, at_once))
    }

    fn with_unknown(&mut self, place: B) -> Checked {
        if self.unknown.len() == MOST_UNKNOWN {
            return Err(self.body.fault(ProofFault::TooManyUnknown));
        }
        self.unknown.push(place);
        self.node()?;
        self.unknown.pop();
        Ok(())
    }

    /// Whether each of the cells is the image of a named one under a symmetry that leaves
    /// the position as it is.
    fn are_images(&self, cells: B, named: B) -> bool {
        let keeps = |&symmetry: &usize| {
            let held = self.stones.held;
            held.iter()
                .all(|&set| self.stones.image(set, symmetry) == set)
        };
        let all = (0..self.stones.symmetries.len()).filter(keeps);
        let images = all.fold(B::EMPTY, |set, symmetry| {
            set | self.stones.image(named, symmetry)
        });
        images.covers(cells)
    }

    /// The defender is to move and must not be able to complete a line, wherever his
    /// stones without a known place are.
    pub(super) fn safe(&mut self) -> Checked {
        let longest = (self.unknown.len() + 1).min(self.stones.length);
        for lacking in 0..=longest {
            for line in self.stones.lines_lacking(Defender, lacking) {
                self.body.costs(1);
                let gaps = self.stones.gaps(line);
                if lacking <= 1 || can_fill(gaps, &self.unknown, lacking - 1) {
                    return Err(self.body.fault(ProofFault::DefenderFirst));
                }
            }
        }
        Ok(())
    }
}

/// Whether so many of the gaps can be filled by different stones without a known place.
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
