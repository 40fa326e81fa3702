//! What can be seen of a position without a search.

use papan_rules::{Bits as _, Player};

use super::{DefenceSolver, FOURS, list};
use crate::lines::{Cell, CellSet};
use crate::relevance_zone::relevance_zone;
use crate::win_proof::WinProof;

/// What can be seen of a position at once.
pub(crate) enum StaticOutcome {
    /// The defender completes a line, or already has.
    Completes,
    /// Pairs stop the attacker.
    Paired(Vec<(Cell, Cell)>),
    /// The defender wins by fours.
    Counters(Vec<Cell>),
    /// The attacker wins by this.
    Lost(WinProof),
    /// These moves have to be looked at; where the attacker threatens a win, that comes
    /// with it, and replies outside its zone need no answer.
    Moves(Vec<Cell>, Option<WinProof>),
}

impl DefenceSolver {
    /// Looks at the position on the board.
    pub(crate) fn look(&mut self, to_move: Player, pairs: usize) -> StaticOutcome {
        if to_move == self.attacker {
            self.look_as_attacker(pairs)
        } else {
            self.look_as_defender()
        }
    }

    fn look_as_attacker(&mut self, pairs: usize) -> StaticOutcome {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        if let Some(cells) = self.fours.win(&mut self.state, attacker, FOURS) {
            return StaticOutcome::Lost(WinProof::Fours { cells, then: None });
        }
        if self.state.cells_on(attacker, 0).is_empty() {
            return StaticOutcome::Paired(Vec::new());
        }
        if self.counter {
            let completing = self.state.completing_cells(defender);
            match completing.count() {
                0 => {}
                1 => return StaticOutcome::Moves(list(completing), None),
                _ => return StaticOutcome::Completes,
            }
        }
        if self.weight() < 4 << 20
            && let Some(pairs) = self.pairing.find(&self.state, attacker, pairs)
        {
            return StaticOutcome::Paired(pairs);
        }
        StaticOutcome::Moves(self.cells_that_matter(self.attacker_cells()), None)
    }

    fn look_as_defender(&mut self) -> StaticOutcome {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        if self.counter && self.state.completing(defender).is_some() {
            return StaticOutcome::Completes;
        }
        let completing = self.state.completing_cells(attacker);
        if completing.count() > 1 {
            let cells = completing.first().map(|cell| cell as Cell);
            return StaticOutcome::Lost(WinProof::Fours {
                cells: cells.into_iter().collect(),
                then: None,
            });
        }
        if !completing.is_empty() {
            return StaticOutcome::Moves(list(completing), None);
        }
        if self.counter
            && let Some(cells) = self.fours.win(&mut self.state, defender, FOURS)
        {
            return StaticOutcome::Counters(cells);
        }
        let cells = self.attacker_cells();
        if let Some(cells_won) = self.fours.win(&mut self.state, attacker, FOURS) {
            let proof = WinProof::Fours {
                cells: cells_won,
                then: None,
            };
            if let Some(zone) = relevance_zone(&mut self.state, attacker, &proof) {
                return StaticOutcome::Moves(list(zone & self.state.empty()), Some(proof));
            }
        }
        StaticOutcome::Moves(self.cells_that_matter(cells), None)
    }

    /// The weight of the attacker's lines, in units of 2^-20.
    pub(crate) fn weight(&self) -> u64 {
        let length = self.state.length();
        (0..length)
            .map(|count| {
                let total = u64::from(self.state.total(self.attacker, count));
                total << 20 >> (length - count).min(40)
            })
            .sum()
    }

    /// The same once a side has played on a cell.
    pub(crate) fn weight_after(&self, cell: Cell, side: Player) -> u64 {
        let (attacker, defender) = (self.attacker.index(), self.attacker.other().index());
        let length = self.state.length();
        let through = self.state.lines().through(cell).iter();
        let counts = through.map(|&line| self.state.counts(line as usize));
        let live = counts.filter(|counts| counts[defender] == 0);
        let moved: u64 = live
            .map(|counts| (1 << 20) >> (length - usize::from(counts[attacker])).min(40))
            .sum();
        if side == self.attacker {
            self.weight() + moved
        } else {
            self.weight().saturating_sub(moved)
        }
    }

    /// The empty cells on lines that somebody whose lines count can complete.
    fn attacker_cells(&self) -> CellSet {
        let cells = self.state.cells_on(self.attacker, 0);
        if self.counter {
            cells | self.state.cells_on(self.attacker.other(), 0)
        } else {
            cells
        }
    }

    /// Leaves out cells all of whose live lines also hold another cell: that one is
    /// at least as good, for both sides.
    fn cells_that_matter(&self, cells: CellSet) -> Vec<Cell> {
        let single = |cell: usize| CellSet::single(cell);
        let beaten = |&x: &usize| {
            let others = self.shared(x).without(single(x));
            let mut better = others.cells();
            better.any(|y| y < x || !self.shared(y).contains(x))
        };
        let left = cells.cells().filter(|cell| !beaten(cell));
        left.map(|cell| cell as Cell).collect()
    }

    /// The cells on the same live lines as a cell: whoever plays there has the same, but
    /// keys tell them apart.
    pub(crate) fn twins(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        let cell = usize::from(cell);
        let shared = self.shared(cell).without(CellSet::single(cell));
        let twins = shared
            .cells()
            .filter(move |&other| self.shared(other).contains(cell));
        twins.map(|other| other as Cell)
    }

    /// The empty cells that all live lines through a cell have in common.
    fn shared(&self, cell: usize) -> CellSet {
        let (attacker, defender) = (self.attacker.index(), self.attacker.other().index());
        let lines = self.state.lines();
        let mut shared = self.state.empty();
        for &line in lines.through(cell as Cell) {
            let counts = self.state.counts(line as usize);
            if counts[defender] == 0 || self.counter && counts[attacker] == 0 {
                shared = shared & lines.mask(line as usize);
                if shared.count() == 1 {
                    break;
                }
            }
        }
        shared
    }
}
