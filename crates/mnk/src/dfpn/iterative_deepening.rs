//! Iterative deepening over the number of replies, with a beam of the best replies.
//!
//! Every move of the attacker must be answered, within a fixed number of replies, by a position with
//! a pairing strategy. Drawn boards often have such shallow, wide proofs, on which df-pn wanders. The
//! beam makes the search incomplete: a failure says nothing.

use papan_rules::Bits as _;
use rustc_hash::FxHashMap;

use super::static_outcome::StaticOutcome;
use super::{DefenceSolver, DefenceValue};
use crate::lines::Cell;
use crate::proof_numbers::ProofNumbers;

/// Tables of the depth-limited search.
#[derive(Debug, Default)]
pub(super) struct DepthTables {
    /// Depth up to which a position with the attacker to move was not held.
    failed: FxHashMap<u64, u8>,
    /// History scores of attacking moves that had no answer.
    history: Vec<u32>,
    /// Number of replies tried in each position.
    width: usize,
}

/// Depth of a failure that no deeper search changes.
const FAILED_FOR_GOOD: u8 = u8::MAX;
/// Step limit of the pairing search.
const PAIRING_STEPS: usize = 200;

impl DefenceSolver {
    /// Searches for a draw within `depth` replies, trying the `width` replies that leave the least
    /// potential.
    pub fn deepen(&mut self, depth: u8, width: usize, max_nodes: u64) -> DefenceValue {
        self.limit_nodes(max_nodes);
        let cells = self.state.lines().cells();
        if self.depths.width != width {
            self.depths.failed.clear();
        }
        self.depths.width = width;
        self.depths.history.resize(cells, 0);
        let holds = if self.to_move == self.attacker {
            self.holds(depth)
        } else {
            self.is_answered(depth.saturating_add(1))
        };
        if holds {
            DefenceValue::Holds
        } else {
            DefenceValue::Unknown
        }
    }

    /// Returns whether the defender holds within `depth` replies, with the attacker to move.
    fn holds(&mut self, depth: u8) -> bool {
        let attacker = self.attacker;
        let key = self.key(attacker);
        match self.table_value(key) {
            DefenceValue::Holds => return true,
            DefenceValue::Loses => return false,
            DefenceValue::Unknown => {}
        }
        let failed = self.depths.failed.get(&key).copied();
        if failed.is_some_and(|failed| failed >= depth) {
            return false;
        }
        self.nodes += 1;
        if self.is_exhausted() {
            return false;
        }
        let pairing_steps = if failed.is_some() { 0 } else { PAIRING_STEPS };
        let mut cells = match self.static_outcome(attacker, pairing_steps) {
            StaticOutcome::Completes | StaticOutcome::Paired(_) => {
                self.store(key, ProofNumbers::PROVED);
                return true;
            }
            StaticOutcome::Moves { cells, .. } => cells,
            StaticOutcome::Lost(_) | StaticOutcome::CounterVcf(_) => {
                self.depths.failed.insert(key, FAILED_FOR_GOOD);
                return false;
            }
        };
        if depth == 0 {
            self.depths.failed.insert(key, 0);
            return false;
        }
        cells.sort_by_key(|&cell| std::cmp::Reverse(self.depths.history[usize::from(cell)]));
        for cell in cells {
            self.put(cell, attacker);
            let answered = self.is_answered(depth);
            self.remove(cell, attacker);
            if !answered {
                self.depths.history[usize::from(cell)] += 1 << depth.min(10);
                if !self.is_over_limit() {
                    self.depths.failed.insert(key, depth);
                }
                return false;
            }
        }
        self.store(key, ProofNumbers::PROVED);
        true
    }

    /// Returns whether the defender, who is to move, has a reply that holds.
    fn is_answered(&mut self, depth: u8) -> bool {
        let defender = self.attacker.other();
        let cells = match self.static_outcome(defender, 0) {
            StaticOutcome::Completes | StaticOutcome::CounterVcf(_) => return true,
            StaticOutcome::Moves { cells, .. } => cells,
            StaticOutcome::Lost(_) | StaticOutcome::Paired(_) => return false,
        };
        let mut replies: Vec<(u64, Cell)> = Vec::with_capacity(cells.len());
        for &cell in &cells {
            let key = self.key_after(cell, defender);
            if self.table_value(key) == DefenceValue::Holds {
                return true;
            }
            replies.push((self.potential_after(cell, defender), cell));
        }
        if cells.is_empty() {
            return self.state.cells_on(self.attacker, 0).is_empty();
        }
        replies.sort_unstable();
        replies.truncate(self.depths.width);
        replies.into_iter().any(|(_, cell)| {
            self.put(cell, defender);
            let holds = self.state.has_won(defender) || self.holds(depth - 1);
            self.remove(cell, defender);
            holds
        })
    }
}
