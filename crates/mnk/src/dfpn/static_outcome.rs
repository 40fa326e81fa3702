//! Static evaluation of a df-pn node: immediate wins, VCFs, pairing draws, and otherwise the moves to
//! search.

use papan_rules::{Bits as _, Player};

use super::{DefenceSolver, list};
use crate::lines::{Cell, CellSet};
use crate::relevance_zone::relevance_zone;
use crate::win_proof::WinProof;

/// The outcome of a position, as far as it is known without a search over all moves.
pub(super) enum StaticOutcome {
    /// The defender completes a line, or has two cells that do.
    Completes,
    /// A pairing strategy stops the attacker, who is to move.
    Paired(Vec<(Cell, Cell)>),
    /// The defender wins by this VCF.
    CounterVcf(Vec<Cell>),
    /// The attacker wins.
    Lost(WinProof),
    /// The moves to search.
    Moves {
        /// The cells, without dominated ones.
        cells: Vec<Cell>,
        /// A win that the attacker threatens. With it, `cells` is its relevance zone.
        threat: Option<WinProof>,
    },
}

/// Fixed-point unit of potentials: the weight of a completed line.
const POTENTIAL_ONE: u64 = 1 << 20;
/// Potential above which no pairing strategy is looked for.
const MAX_PAIRING_POTENTIAL: u64 = 4 * POTENTIAL_ONE;

impl DefenceSolver {
    /// Evaluates the position on the board, with a step limit for the pairing search.
    pub(super) fn static_outcome(
        &mut self,
        to_move: Player,
        pairing_steps: usize,
    ) -> StaticOutcome {
        if to_move == self.attacker {
            self.outcome_for_attacker(pairing_steps)
        } else {
            self.outcome_for_defender()
        }
    }

    fn outcome_for_attacker(&mut self, pairing_steps: usize) -> StaticOutcome {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        if let Some(cells) = self.find_vcf(attacker) {
            return StaticOutcome::Lost(WinProof::Fours { cells, then: None });
        }
        if self.state.cells_on(attacker, 0).is_empty() {
            return StaticOutcome::Paired(Vec::new());
        }
        if self.counter {
            let completing = self.state.completing_cells(defender);
            match completing.count() {
                0 => {}
                1 => return moves(list(completing)),
                _ => return StaticOutcome::Completes,
            }
        }
        if self.potential() < MAX_PAIRING_POTENTIAL
            && let Some(pairs) = self.pairing.find(&self.state, attacker, pairing_steps)
        {
            return StaticOutcome::Paired(pairs);
        }
        moves(self.undominated_cells(self.live_cells()))
    }

    /// Returns the zone of a VCF that the defender threatens while the attacker is to move. Any
    /// attacking move outside it loses to that VCF.
    pub(super) fn counter_threat(&mut self) -> Option<CellSet> {
        let defender = self.attacker.other();
        if !self.counter {
            return None;
        }
        let cells = self.find_vcf(defender)?;
        let threat = WinProof::Fours { cells, then: None };
        relevance_zone(&mut self.state, defender, &threat)
    }

    fn outcome_for_defender(&mut self) -> StaticOutcome {
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
            return moves(list(completing));
        }
        if self.counter
            && let Some(cells) = self.find_vcf(defender)
        {
            return StaticOutcome::CounterVcf(cells);
        }
        if let Some(cells) = self.find_vcf(attacker) {
            let threat = WinProof::Fours { cells, then: None };
            if let Some(zone) = relevance_zone(&mut self.state, attacker, &threat) {
                return StaticOutcome::Moves {
                    cells: list(zone & self.state.empty()),
                    threat: Some(threat),
                };
            }
        }
        moves(self.undominated_cells(self.live_cells()))
    }

    /// Returns the Erdős–Selfridge potential of the attacker's live lines: a line that lacks e cells
    /// weighs 2^-e.
    fn potential(&self) -> u64 {
        let length = self.state.length();
        (0..length)
            .map(|count| {
                let lines = u64::from(self.state.line_count(self.attacker, count));
                (lines * POTENTIAL_ONE) >> (length - count).min(40)
            })
            .sum()
    }

    /// Returns the potential after a move.
    pub(super) fn potential_after(&self, cell: Cell, side: Player) -> u64 {
        let (attacker, defender) = (self.attacker.index(), self.attacker.other().index());
        let length = self.state.length();
        let through = self.state.lines().through(cell).iter();
        let change: u64 = through
            .map(|&line| self.state.counts(line as usize))
            .filter(|counts| counts[defender] == 0)
            .map(|counts| POTENTIAL_ONE >> (length - usize::from(counts[attacker])).min(40))
            .sum();
        if side == self.attacker {
            self.potential() + change
        } else {
            self.potential().saturating_sub(change)
        }
    }

    /// Returns the empty cells on live lines that count.
    fn live_cells(&self) -> CellSet {
        let cells = self.state.cells_on(self.attacker, 0);
        if self.counter {
            cells | self.state.cells_on(self.attacker.other(), 0)
        } else {
            cells
        }
    }

    /// Leaves out dominated cells: a cell is dominated by one that lies on all of its live lines.
    /// Of equivalent cells the first is kept.
    fn undominated_cells(&self, cells: CellSet) -> Vec<Cell> {
        let is_dominated = |&x: &usize| {
            let others = self.common_cells(x).without(CellSet::single(x));
            let mut dominators = others.cells();
            dominators.any(|y| y < x || !self.common_cells(y).contains(x))
        };
        let left = cells.cells().filter(|cell| !is_dominated(cell));
        left.map(|cell| cell as Cell).collect()
    }

    /// Returns the cells on the same live lines as a cell. They are equivalent moves, but lead to
    /// different keys.
    pub(super) fn equivalent_cells(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        let cell = usize::from(cell);
        let common = self.common_cells(cell).without(CellSet::single(cell));
        common
            .cells()
            .filter(move |&other| self.common_cells(other).contains(cell))
            .map(|other| other as Cell)
    }

    /// Returns the empty cells that all live lines through a cell have in common.
    fn common_cells(&self, cell: usize) -> CellSet {
        let (attacker, defender) = (self.attacker.index(), self.attacker.other().index());
        let lines = self.state.lines();
        let mut common = self.state.empty();
        for &line in lines.through(cell as Cell) {
            let counts = self.state.counts(line as usize);
            if counts[defender] == 0 || self.counter && counts[attacker] == 0 {
                common = common & lines.mask(line as usize);
                if common.count() == 1 {
                    break;
                }
            }
        }
        common
    }
}

fn moves(cells: Vec<Cell>) -> StaticOutcome {
    StaticOutcome::Moves {
        cells,
        threat: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Lines;
    use crate::state::State;
    use crate::vcf::VcfSearch;
    use papan_rules::{Grid, SplitMix, Wide};
    use std::sync::Arc;

    #[test]
    fn a_move_outside_the_zone_of_a_counter_threat_loses_to_fours() {
        let mut random = SplitMix::new(3);
        let grid = Grid::<Wide>::new(&[6, 6], 4).expect("a board");
        let lines = Arc::new(Lines::new(&grid));
        let mut moves = 0;
        for _ in 0..300 {
            let mut state = State::new(Arc::clone(&lines));
            for at in 0..4 + random.below(8) {
                let cell = random.below(lines.cells()) as Cell;
                if state.owner(cell).is_none() {
                    state.put(cell, Player::BOTH[at % 2]);
                }
            }
            let is_over = |side| state.has_won(side) || state.completing(side).is_some();
            if Player::BOTH.into_iter().any(is_over) {
                continue;
            }
            let (attacker, defender) = (Player::First, Player::Second);
            let halt = Box::new(|| false);
            let mut solver = DefenceSolver::new(state.clone(), attacker, attacker, true, halt);
            let Some(zone) = solver.counter_threat() else {
                continue;
            };
            for cell in state.empty().without(zone).cells() {
                let cell = cell as Cell;
                state.put(cell, attacker);
                let win = VcfSearch::new().win(&mut state, defender, 100_000);
                state.remove(cell, attacker);
                assert!(win.is_some(), "{cell}");
                moves += 1;
            }
        }
        assert!(moves > 200, "{moves}");
    }
}
