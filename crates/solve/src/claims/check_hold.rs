//! Checks why a defender at least draws.

use papan_rules::Bits;

use super::body::Body;
use super::check_win::MOST_FINISHED;
use super::stones::{Attacker, Defender, Stones};
use super::{ClaimError, ClaimFault};

type Checked = Result<(), ClaimError>;

pub(super) struct HoldCheck<'a, 'b, B> {
    pub(super) stones: Stones<B>,
    pub(super) body: &'a mut Body<'b>,
    /// Whether the defender's own lines count.
    pub(super) counter: bool,
    /// Finished nodes: the attacker's stones, the defender's.
    pub(super) finished: Vec<[B; 2]>,
}

/// The weight of a completed line.
pub(super) const WHOLE: u64 = 1 << 40;

impl<B: Bits> HoldCheck<'_, '_, B> {
    /// The defender is to move: his reply, and what follows.
    pub(super) fn reply(&mut self) -> Checked {
        let reply = self.body.below(self.stones.cells)?;
        if !self.stones.empty.contains(reply) {
            return Err(self.body.fault(ClaimFault::Taken));
        }
        self.stones.put(reply, Defender);
        if !self.stones.has_won(Defender) {
            self.node()?;
        }
        self.stones.take(reply, Defender);
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
            self.finished.push(self.stones.held);
        }
        Ok(())
    }

    fn replies(&mut self) -> Checked {
        let count = self.body.number()?;
        if count > self.stones.cells {
            return Err(self.body.fault(ClaimFault::Number));
        }
        let mut answered = B::EMPTY;
        let mut next = 0;
        for _ in 0..count {
            let cell = next + self.body.below(self.stones.cells)?;
            if cell >= self.stones.cells {
                return Err(self.body.fault(ClaimFault::Number));
            }
            if !self.stones.empty.contains(cell) {
                return Err(self.body.fault(ClaimFault::Taken));
            }
            next = cell + 1;
            answered = answered | B::single(cell);
            self.stones.put(cell, Attacker);
            if self.stones.has_won(Attacker) {
                return Err(self.body.fault(ClaimFault::AttackerCompletes));
            }
            self.reply()?;
            self.stones.take(cell, Attacker);
        }
        let completing = self.stones.completing(Attacker);
        let own = self.stones.completing(Defender);
        for cell in self.stones.empty.without(answered).cells() {
            if completing.contains(cell) {
                return Err(self.body.fault(ClaimFault::AttackerCompletes));
            }
            let countered = self.counter && !own.without(B::single(cell)).is_empty();
            if !countered && !self.is_beaten(cell, answered) {
                return Err(self.body.fault(ClaimFault::Unanswered));
            }
        }
        Ok(())
    }

    /// Whether all lines through a cell that count also hold one of the answered cells,
    /// the same for all: a move there is at least as good.
    fn is_beaten(&self, cell: usize, answered: B) -> bool {
        let mut shared = answered;
        let mut any = false;
        for &line in &self.stones.through[cell] {
            let line = line as usize;
            let attackers = self.stones.is_free_of(line, Defender);
            let defenders = self.counter && self.stones.is_free_of(line, Attacker);
            if attackers || defenders {
                any = true;
                shared = shared & self.stones.lines[line];
            }
        }
        !any || !shared.is_empty()
    }

    /// Pairs of empty cells that stop the attacker.
    fn pairs(&mut self, count: usize) -> Checked {
        if count > self.stones.cells {
            return Err(self.body.fault(ClaimFault::Number));
        }
        let mut partner = vec![None; self.stones.cells];
        let mut paired = B::EMPTY;
        for _ in 0..count {
            let a = self.body.below(self.stones.cells)?;
            let b = self.body.below(self.stones.cells)?;
            let free = |c: usize| self.stones.empty.contains(c) && partner[c].is_none();
            if a == b || !free(a) || !free(b) {
                return Err(self.body.fault(ClaimFault::Taken));
            }
            (partner[a], partner[b]) = (Some(b), Some(a));
            paired = paired | B::single(a) | B::single(b);
        }
        let mut sum = 0_u64;
        let mut weights = vec![0_u64; self.stones.cells];
        for lacking in 1..=self.stones.length {
            for line in self.stones.lines_lacking(Attacker, lacking) {
                let gaps = self.stones.gaps(line);
                let mut halves = (gaps & paired).cells();
                if halves.any(|a| partner[a].is_some_and(|b| gaps.contains(b))) {
                    continue;
                }
                let open = gaps.without(paired);
                let weight = WHOLE >> open.count().min(40);
                sum += weight;
                for cell in open.cells() {
                    weights[cell] += weight;
                }
            }
        }
        let heaviest = weights.into_iter().max().unwrap_or(0);
        if sum + heaviest < WHOLE {
            Ok(())
        } else {
            Err(self.body.fault(ClaimFault::TooHeavy))
        }
    }

    /// A finished node answers for this position: what is left here for the attacker he
    /// has there, and what the defender counts on there he has here.
    fn reference(&mut self) -> Checked {
        let node = self.body.below(self.finished.len())?;
        let symmetry = self.body.below(self.stones.symmetries.len())?;
        let [there_attackers, there_defenders] =
            self.finished[node].map(|set| self.stones.preimage(set, symmetry));
        let [attackers, defenders] = self.stones.held;
        let fits = self.stones.lines.iter().enumerate().all(|(number, &line)| {
            let no_better = !self.stones.is_free_of(number, Defender)
                || !line.meets(there_defenders) && there_attackers.covers(line & attackers);
            let no_worse = !self.counter
                || line.meets(there_attackers)
                || self.stones.is_free_of(number, Attacker)
                    && defenders.covers(line & there_defenders);
            no_better && no_worse
        });
        if fits {
            Ok(())
        } else {
            Err(self.body.fault(ClaimFault::OtherPosition))
        }
    }
}
