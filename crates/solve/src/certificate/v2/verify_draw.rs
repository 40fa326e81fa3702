//! Checks why a defender at least draws.

use papan_rules::Bits;

use super::checker_board::{Attacker, CheckerBoard, Defender, Side};
use super::proof_reader::ProofReader;
use super::verify_win::MOST_FINISHED;
use crate::certificate::{CheckError, ProofFault};

type Checked = Result<(), CheckError>;

pub(super) struct DrawVerifier<'a, 'b, B> {
    board: CheckerBoard<B>,
    /// The stones of the attacker and of the defender. No line is kept count of: most nodes
    /// set a stone or two and ask about few.
    held: [B; 2],
    empty: B,
    body: &'a mut ProofReader<'b>,
    /// Whether the defender's own lines count.
    counter: bool,
    /// Finished nodes: the attacker's stones, the defender's.
    finished: Vec<[B; 2]>,
    /// Room for the pairs of a node, and for the weights of its cells.
    pairs: Vec<B>,
    weights: Vec<u64>,
}

/// The weight of a completed line.
pub(super) const WHOLE: u64 = 1 << 40;

impl<'a, 'b, B: Bits> DrawVerifier<'a, 'b, B> {
    pub(super) fn new(
        board: CheckerBoard<B>,
        body: &'a mut ProofReader<'b>,
        counter: bool,
    ) -> Self {
        Self {
            held: board.held,
            empty: board.empty,
            board,
            body,
            counter,
            finished: Vec::new(),
            pairs: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// Sets a stone; whether that completes a line.
    fn put(&mut self, cell: usize, side: Side) -> bool {
        let held = &mut self.held[side as usize];
        *held = *held | B::single(cell);
        self.empty = self.empty.without(B::single(cell));
        let (held, lines) = (*held, &self.board.through[cell]);
        self.body.costs(lines.len());
        let mut lines = lines.iter();
        lines.any(|&line| held.covers(self.board.lines[line as usize]))
    }

    fn remove(&mut self, cell: usize, side: Side) {
        let held = &mut self.held[side as usize];
        *held = held.without(B::single(cell));
        self.empty = self.empty | B::single(cell);
    }

    /// Whether a side has no stone on a line.
    fn is_free_of(&self, line: usize, side: Side) -> bool {
        !self.board.lines[line].meets(self.held[side as usize])
    }

    /// The cells that complete a line of a side.
    fn completing(&mut self, side: Side) -> B {
        self.body.costs(self.board.lines.len());
        let held = self.held[side as usize];
        let lacking = self.board.lines.iter().map(|line| line.without(held));
        let one = lacking.filter(|&cells| cells.without_first().is_empty());
        one.fold(B::EMPTY, |set, cell| set | cell & self.empty)
    }

    /// The defender is to move: his reply, and what follows.
    pub(super) fn reply(&mut self) -> Checked {
        let reply = self.body.below(self.board.cells)?;
        if !self.empty.contains(reply) {
            return Err(self.body.fault(ProofFault::Taken));
        }
        if !self.put(reply, Defender) {
            self.node()?;
        }
        self.remove(reply, Defender);
        Ok(())
    }

    /// The attacker is to move.
    pub(super) fn node(&mut self) -> Checked {
        match self.body.number()? {
            0 => return self.reference(),
            1 => self.replies()?,
            tag => self.pairs(tag - 2)?,
        }
        if self.finished.len() < MOST_FINISHED {
            self.finished.push(self.held);
        }
        Ok(())
    }

    fn replies(&mut self) -> Checked {
        let count = self.body.number()?;
        if count > self.board.cells {
            return Err(self.body.fault(ProofFault::Number));
        }
        let mut answered = B::EMPTY;
        let mut next = 0;
        for _ in 0..count {
            let cell = next + self.body.below(self.board.cells)?;
            if cell >= self.board.cells {
                return Err(self.body.fault(ProofFault::Number));
            }
            if !self.empty.contains(cell) {
                return Err(self.body.fault(ProofFault::Taken));
            }
            next = cell + 1;
            answered = answered | B::single(cell);
            if self.put(cell, Attacker) {
                return Err(self.body.fault(ProofFault::AttackerCompletes));
            }
            self.reply()?;
            self.remove(cell, Attacker);
        }
        let completing = self.completing(Attacker);
        let own = self.completing(Defender);
        for cell in self.empty.without(answered).cells() {
            if completing.contains(cell) {
                return Err(self.body.fault(ProofFault::AttackerCompletes));
            }
            self.body.costs(self.board.through[cell].len());
            let countered = self.counter && !own.without(B::single(cell)).is_empty();
            if !countered && !self.is_beaten(cell, answered) {
                return Err(self.body.fault(ProofFault::Unanswered));
            }
        }
        Ok(())
    }

    /// Whether all lines through a cell that count also hold one of the answered cells,
    /// the same for all: a move there is at least as good.
    fn is_beaten(&self, cell: usize, answered: B) -> bool {
        let mut shared = answered;
        let mut any = false;
        for &line in &self.board.through[cell] {
            let line = line as usize;
            let attackers = self.is_free_of(line, Defender);
            let defenders = self.counter && self.is_free_of(line, Attacker);
            if attackers || defenders {
                any = true;
                shared = shared & self.board.lines[line];
            }
        }
        !any || !shared.is_empty()
    }

    /// Pairs of empty cells that stop the attacker.
    fn pairs(&mut self, count: usize) -> Checked {
        if count > self.board.cells {
            return Err(self.body.fault(ProofFault::Number));
        }
        self.pairs.clear();
        let mut paired = B::EMPTY;
        for _ in 0..count {
            let a = self.body.below(self.board.cells)?;
            let b = self.body.below(self.board.cells)?;
            let free = self.empty.without(paired);
            if a == b || !free.contains(a) || !free.contains(b) {
                return Err(self.body.fault(ProofFault::Taken));
            }
            let pair = B::single(a) | B::single(b);
            self.pairs.push(pair);
            paired = paired | pair;
        }
        self.body.costs(self.board.lines.len());
        let mut sum = 0_u64;
        self.weights.clear();
        self.weights.resize(self.board.cells, 0);
        for line in 0..self.board.lines.len() {
            if !self.is_free_of(line, Defender) {
                continue;
            }
            let gaps = self.board.lines[line] & self.empty;
            if self.pairs.iter().any(|&pair| gaps.covers(pair)) {
                continue;
            }
            let open = gaps.without(paired);
            let weight = WHOLE >> open.count().min(40);
            sum += weight;
            for cell in open.cells() {
                self.weights[cell] += weight;
            }
        }
        let heaviest = self.weights.iter().copied().max().unwrap_or(0);
        if sum + heaviest < WHOLE {
            Ok(())
        } else {
            Err(self.body.fault(ProofFault::TooHeavy))
        }
    }

    /// A finished node answers for this position: what is left here for the attacker he
    /// has there, and what the defender counts on there he has here.
    fn reference(&mut self) -> Checked {
        let node = self.body.below(self.finished.len())?;
        let symmetry = self.body.below(self.board.symmetries.len())?;
        self.body.costs(self.board.lines.len());
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
            Err(self.body.fault(ProofFault::OtherPosition))
        }
    }
}
