//! Verifier of draw proofs: every move of the attacker has a reply, down to pairing strategies.

use papan_rules::Bits;

use super::checker_board::{Attacker, CheckerBoard, Defender, Side};
use super::proof_reader::ProofReader;
use super::syntax::{MAX_FINISHED, Reference, read_increasing_cell};
use crate::certificate::{CheckError, ProofFault};

pub(super) struct DrawVerifier<'a, 'b, B> {
    board: CheckerBoard<B>,
    /// The stones of the attacker and of the defender. Line counts are not maintained: most nodes
    /// place a stone or two and ask about few lines.
    held: [B; 2],
    empty: B,
    reader: &'a mut ProofReader<'b>,
    /// Whether the defender's own lines count.
    counter: bool,
    /// Stones of the nodes that can be referred to.
    finished: Vec<[B; 2]>,
    /// Buffers for the pairs and the cell weights of a node.
    pairs: Vec<B>,
    weights: Vec<u64>,
}

impl<'a, 'b, B: Bits> DrawVerifier<'a, 'b, B> {
    pub(super) fn new(
        board: CheckerBoard<B>,
        reader: &'a mut ProofReader<'b>,
        counter: bool,
    ) -> Self {
        Self {
            held: board.held,
            empty: board.empty,
            board,
            reader,
            counter,
            finished: Vec::new(),
            pairs: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// Places a stone and returns whether that completes a line.
    fn put(&mut self, cell: usize, side: Side) -> bool {
        let held = self.held[side as usize] | B::single(cell);
        self.held[side as usize] = held;
        self.empty = self.empty.without(B::single(cell));
        let lines = &self.board.through[cell];
        self.reader.add_work(lines.len());
        let mut lines = lines.iter();
        lines.any(|&line| held.covers(self.board.lines[line as usize]))
    }

    fn remove(&mut self, cell: usize, side: Side) {
        let held = &mut self.held[side as usize];
        *held = held.without(B::single(cell));
        self.empty = self.empty | B::single(cell);
    }

    /// Returns whether a side has no stone on a line.
    fn is_free_of(&self, line: usize, side: Side) -> bool {
        !self.board.lines[line].meets(self.held[side as usize])
    }

    /// Returns the cells that complete a line of a side.
    fn completing(&mut self, side: Side) -> B {
        self.reader.add_work(self.board.lines.len());
        let held = self.held[side as usize];
        let lacking = self.board.lines.iter().map(|line| line.without(held));
        let one_short = lacking.filter(|&cells| cells.without_first().is_empty());
        one_short.fold(B::EMPTY, |set, cell| set | cell & self.empty)
    }

    /// Verifies the reply of the defender, who is to move, and the node after it.
    pub(super) fn reply(&mut self) -> Result<(), CheckError> {
        let reply = self.reader.below(self.board.cells)?;
        if !self.empty.contains(reply) {
            return Err(self.reader.fault(ProofFault::Taken));
        }
        if !self.put(reply, Defender) {
            self.node()?;
        }
        self.remove(reply, Defender);
        Ok(())
    }

    /// Verifies a node, with the attacker to move.
    pub(super) fn node(&mut self) -> Result<(), CheckError> {
        match self.reader.number()? {
            0 => return self.reference(),
            1 => self.replies()?,
            tag => self.pairs(tag - 2)?,
        }
        if self.finished.len() < MAX_FINISHED {
            self.finished.push(self.held);
        }
        Ok(())
    }

    fn replies(&mut self) -> Result<(), CheckError> {
        let count = self.reader.number()?;
        if count > self.board.cells {
            return Err(self.reader.fault(ProofFault::Number));
        }
        let mut answered = B::EMPTY;
        let mut next = 0;
        for _ in 0..count {
            let cell = read_increasing_cell(self.reader, next, self.board.cells)?;
            if !self.empty.contains(cell) {
                return Err(self.reader.fault(ProofFault::Taken));
            }
            next = cell + 1;
            answered = answered | B::single(cell);
            if self.put(cell, Attacker) {
                return Err(self.reader.fault(ProofFault::AttackerCompletes));
            }
            self.reply()?;
            self.remove(cell, Attacker);
        }
        let completing = self.completing(Attacker);
        let own = self.completing(Defender);
        for cell in self.empty.without(answered).cells() {
            if completing.contains(cell) {
                return Err(self.reader.fault(ProofFault::AttackerCompletes));
            }
            self.reader.add_work(self.board.through[cell].len());
            let countered = self.counter && !own.without(B::single(cell)).is_empty();
            if !countered && !self.is_dominated(cell, answered) {
                return Err(self.reader.fault(ProofFault::Unanswered));
            }
        }
        Ok(())
    }

    /// Returns whether an answered cell dominates a cell: it lies on every line through the cell
    /// that counts.
    fn is_dominated(&self, cell: usize, answered: B) -> bool {
        let mut common = answered;
        let mut any = false;
        for &line in &self.board.through[cell] {
            let line = line as usize;
            let attackers = self.is_free_of(line, Defender);
            let defenders = self.counter && self.is_free_of(line, Attacker);
            if attackers || defenders {
                any = true;
                common = common & self.board.lines[line];
            }
        }
        !any || !common.is_empty()
    }

    /// Verifies a pairing strategy.
    fn pairs(&mut self, count: usize) -> Result<(), CheckError> {
        if count > self.board.cells {
            return Err(self.reader.fault(ProofFault::Number));
        }
        self.pairs.clear();
        let mut paired = B::EMPTY;
        for _ in 0..count {
            let a = self.reader.below(self.board.cells)?;
            let b = self.reader.below(self.board.cells)?;
            let free = self.empty.without(paired);
            if a == b || !free.contains(a) || !free.contains(b) {
                return Err(self.reader.fault(ProofFault::Taken));
            }
            let pair = B::single(a) | B::single(b);
            self.pairs.push(pair);
            paired = paired | pair;
        }
        self.reader.add_work(self.board.lines.len());
        let defenders = self.held[Defender as usize];
        let lines = self.board.lines.iter();
        let gaps = lines
            .filter(|line| !line.meets(defenders))
            .map(|&line| line & self.empty);
        self.weights.clear();
        self.weights.resize(self.board.cells, 0);
        if pairing_holds(gaps, &self.pairs, &mut self.weights) {
            Ok(())
        } else {
            Err(self.reader.fault(ProofFault::TooHeavy))
        }
    }

    /// Verifies a reference: the node covers this position if every line that is live for the
    /// attacker here is live there with at least the same stones, and, if the defender's lines
    /// count, the other way round for the defender.
    fn reference(&mut self) -> Result<(), CheckError> {
        let Reference { node, symmetry } =
            Reference::read(self.reader, self.finished.len(), self.board.symmetries())?;
        self.reader.add_work(self.board.lines.len());
        let [there_attackers, there_defenders] =
            self.finished[node].map(|set| self.board.preimage(set, symmetry));
        let [attackers, defenders] = self.held;
        let fits = self.board.lines.iter().enumerate().all(|(number, &line)| {
            let no_better = !self.is_free_of(number, Defender)
                || !line.meets(there_defenders) && there_attackers.covers(line & attackers);
            let no_worse = !self.counter
                || line.meets(there_attackers)
                || self.is_free_of(number, Attacker) && defenders.covers(line & there_defenders);
            no_better && no_worse
        });
        if fits {
            Ok(())
        } else {
            Err(self.reader.fault(ProofFault::OtherPosition))
        }
    }
}

/// Fixed-point one: the weight of a completed line.
const WEIGHT_ONE: u64 = 1 << 40;

/// Returns whether disjoint pairs stop an attacker to move whose live lines lack these cells.
///
/// A line that contains a pair is safe. The others are weighed as if the attacker had all paired
/// cells; the defender stops them if their total weight, with the lines through one cell counted
/// twice, is less than 1 (Erdős and Selfridge, 1973). `weights` has a zero for each cell.
pub(super) fn pairing_holds<B: Bits>(
    live_gaps: impl Iterator<Item = B>,
    pairs: &[B],
    weights: &mut [u64],
) -> bool {
    let paired = pairs.iter().fold(B::EMPTY, |set, &pair| set | pair);
    let mut sum = 0_u64;
    for gaps in live_gaps {
        if pairs.iter().any(|&pair| gaps.covers(pair)) {
            continue;
        }
        let open = gaps.without(paired);
        let weight = WEIGHT_ONE >> open.count().min(40);
        sum += weight;
        for cell in open.cells() {
            weights[cell] += weight;
        }
    }
    let heaviest = weights.iter().copied().max().unwrap_or(0);
    sum + heaviest < WEIGHT_ONE
}
