//! What can be seen of a position without a search.

use papan_rules::{Bits as _, Player};

use super::{Duel, FOURS, list};
use crate::proof::Proof;
use crate::windows::{Cell, CellSet};
use crate::zone::zone;

/// What can be seen of a position at once.
pub(crate) enum Sight {
    /// The defender completes a window, or already has.
    Completes,
    /// Pairs stop the attacker.
    Paired(Vec<(Cell, Cell)>),
    /// The defender wins by fours.
    Counters(Vec<Cell>),
    /// The attacker wins by this.
    Lost(Proof),
    /// These moves have to be looked at; where the attacker threatens a win, that comes
    /// with it, and replies outside its zone need no answer.
    Moves(Vec<Cell>, Option<Proof>),
}

impl Duel {
    /// Looks at the position on the board.
    pub(crate) fn look(&mut self, to_move: Player, pairs: usize) -> Sight {
        if to_move == self.attacker {
            self.look_as_attacker(pairs)
        } else {
            self.look_as_defender()
        }
    }

    fn look_as_attacker(&mut self, pairs: usize) -> Sight {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        if let Some(cells) = self.fours.win(&mut self.state, attacker, FOURS) {
            return Sight::Lost(Proof::Fours { cells, then: None });
        }
        if self.state.cells_on(attacker, 0).is_empty() {
            return Sight::Paired(Vec::new());
        }
        if self.counter {
            let completing = self.state.completing_cells(defender);
            match completing.count() {
                0 => {}
                1 => return Sight::Moves(list(completing), None),
                _ => return Sight::Completes,
            }
        }
        if self.weight() < 4 << 20
            && let Some(pairs) = self.pairing.find(&self.state, attacker, pairs)
        {
            return Sight::Paired(pairs);
        }
        Sight::Moves(self.cells_that_matter(self.attacker_cells()), None)
    }

    fn look_as_defender(&mut self) -> Sight {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        if self.counter && self.state.completing(defender).is_some() {
            return Sight::Completes;
        }
        let completing = self.state.completing_cells(attacker);
        if completing.count() > 1 {
            let cells = completing.first().map(|cell| cell as Cell);
            return Sight::Lost(Proof::Fours {
                cells: cells.into_iter().collect(),
                then: None,
            });
        }
        if !completing.is_empty() {
            return Sight::Moves(list(completing), None);
        }
        if self.counter
            && let Some(cells) = self.fours.win(&mut self.state, defender, FOURS)
        {
            return Sight::Counters(cells);
        }
        let cells = self.attacker_cells();
        if let Some(cells_won) = self.fours.win(&mut self.state, attacker, FOURS) {
            let proof = Proof::Fours {
                cells: cells_won,
                then: None,
            };
            if let Some(zone) = zone(&mut self.state, attacker, &proof) {
                return Sight::Moves(list(zone & self.state.empty()), Some(proof));
            }
        }
        Sight::Moves(self.cells_that_matter(cells), None)
    }

    /// The weight of the attacker's windows, in units of 2^-20.
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
        let through = self.state.windows().through(cell).iter();
        let counts = through.map(|&window| self.state.counts(window as usize));
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

    /// The empty cells on windows that somebody whose windows count can complete.
    fn attacker_cells(&self) -> CellSet {
        let cells = self.state.cells_on(self.attacker, 0);
        if self.counter {
            cells | self.state.cells_on(self.attacker.other(), 0)
        } else {
            cells
        }
    }

    /// Leaves out cells all of whose live windows also hold another cell: that one is
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

    /// The cells on the same live windows as a cell: whoever plays there has the same, but
    /// keys tell them apart.
    pub(crate) fn twins(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        let cell = usize::from(cell);
        let shared = self.shared(cell).without(CellSet::single(cell));
        let twins = shared
            .cells()
            .filter(move |&other| self.shared(other).contains(cell));
        twins.map(|other| other as Cell)
    }

    /// The empty cells that all live windows through a cell have in common.
    fn shared(&self, cell: usize) -> CellSet {
        let (attacker, defender) = (self.attacker.index(), self.attacker.other().index());
        let windows = self.state.windows();
        let mut shared = self.state.empty();
        for &window in windows.through(cell as Cell) {
            let counts = self.state.counts(window as usize);
            if counts[defender] == 0 || self.counter && counts[attacker] == 0 {
                shared = shared & windows.mask(window as usize);
                if shared.count() == 1 {
                    break;
                }
            }
        }
        shared
    }
}
