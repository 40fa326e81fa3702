//! Checks why a defender at least draws.

use papan_rules::{Bits, Wide};

use super::body::Body;
use super::check_win::MOST_FINISHED;
use super::stones::{Attacker, Defender, Stones, single};
use super::{ClaimError, ClaimFault};

type Checked = Result<(), ClaimError>;

pub(super) struct HoldCheck<'a, 'b> {
    pub(super) stones: Stones,
    pub(super) body: &'a mut Body<'b>,
    /// Whether the defender's own lines count.
    pub(super) counter: bool,
    /// Finished nodes: the attacker's stones, the defender's.
    pub(super) finished: Vec<[Wide; 2]>,
}

/// The weight of a completed line.
const WHOLE: u64 = 1 << 40;

impl HoldCheck<'_, '_> {
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
        let mut answered = Wide::EMPTY;
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
            answered = answered | single(cell);
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
            let countered = self.counter && !own.without(single(cell)).is_empty();
            if !countered && !self.is_beaten(cell, answered) {
                return Err(self.body.fault(ClaimFault::Unanswered));
            }
        }
        Ok(())
    }

    /// Whether all lines through a cell that count also hold one of the answered cells,
    /// the same for all: a move there is at least as good.
    fn is_beaten(&self, cell: usize, answered: Wide) -> bool {
        let mut shared = answered;
        let mut any = false;
        for &line in &self.stones.through[cell] {
            let line = line as usize;
            let attackers = self.stones.is_free_of(line, Defender);
            let defenders = self.counter && self.stones.is_free_of(line, Attacker);
            if attackers || defenders {
                any = true;
                let cells = self.stones.lines[line].iter();
                shared =
                    shared & cells.fold(Wide::EMPTY, |set, &cell| set | single(usize::from(cell)));
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
        for _ in 0..count {
            let a = self.body.below(self.stones.cells)?;
            let b = self.body.below(self.stones.cells)?;
            let free = |c: usize| self.stones.empty.contains(c) && partner[c].is_none();
            if a == b || !free(a) || !free(b) {
                return Err(self.body.fault(ClaimFault::Taken));
            }
            (partner[a], partner[b]) = (Some(b), Some(a));
        }
        let mut sum = 0_u64;
        let mut weights = vec![0_u64; self.stones.cells];
        for lacking in 1..=self.stones.length {
            for line in self.stones.lines_lacking(Attacker, lacking) {
                let gaps: Vec<usize> = self.stones.gaps(line).collect();
                if gaps
                    .iter()
                    .any(|&a| partner[a].is_some_and(|b| gaps.contains(&b)))
                {
                    continue;
                }
                let open = gaps.into_iter().filter(|&cell| partner[cell].is_none());
                let weight = WHOLE >> open.clone().count().min(40);
                sum += weight;
                for cell in open {
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
        let images = &self.stones.symmetries[symmetry];
        let there = self.finished[node];
        let here = self.stones.held;
        let fits = self.stones.lines.iter().enumerate().all(|(number, line)| {
            let cells = || {
                line.iter()
                    .map(|&c| (usize::from(c), usize::from(images[usize::from(c)])))
            };
            let no_better = !self.stones.is_free_of(number, Defender)
                || cells().all(|(cell, image)| {
                    !there[1].contains(image)
                        && (!here[0].contains(cell) || there[0].contains(image))
                });
            let no_worse = !self.counter
                || cells().any(|(_, image)| there[0].contains(image))
                || self.stones.is_free_of(number, Attacker)
                    && cells()
                        .all(|(cell, image)| !there[1].contains(image) || here[1].contains(cell));
            no_better && no_worse
        });
        if fits {
            Ok(())
        } else {
            Err(self.body.fault(ClaimFault::OtherPosition))
        }
    }
}
