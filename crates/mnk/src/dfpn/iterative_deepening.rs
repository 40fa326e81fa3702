//! Holding by few replies: every move of the attacker is answered, within so many
//! replies, by a position that pairs stop. Short proofs are found first, and what is
//! not found says nothing.

use papan_rules::Bits as _;
use rustc_hash::FxHashMap;

use crate::dfpn::{DefenceSolver, DefenceValue, INFINITE, StaticOutcome};
use crate::lines::Cell;

/// What a search by depth remembers.
#[derive(Debug, Default)]
pub(crate) struct Depths {
    /// Positions with the attacker to move that were not held within so many replies.
    failed: FxHashMap<u64, u8>,
    /// How often a move of the attacker was one that could not be answered.
    refuting: Vec<u32>,
    /// How often a reply of the defender held.
    holding: Vec<u32>,
    /// Replies that are tried.
    width: usize,
}

const NEVER: u8 = u8::MAX;
/// Steps of the search for pairs.
const PAIRS: usize = 200;

impl DefenceSolver {
    /// Looks for a hold within `depth` replies, trying the `width` lightest replies each
    /// time.
    pub fn deepen(&mut self, depth: u8, width: usize, most_nodes: u64) -> DefenceValue {
        self.begin(most_nodes);
        let cells = self.state.lines().cells();
        if self.depths.width != width {
            self.depths.failed.clear();
        }
        self.depths.width = width;
        self.depths.refuting.resize(cells, 0);
        self.depths.holding.resize(cells, 0);
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

    fn holds(&mut self, depth: u8) -> bool {
        let attacker = self.attacker;
        match self.known(attacker) {
            DefenceValue::Holds => return true,
            DefenceValue::Loses => return false,
            DefenceValue::Unknown => {}
        }
        let key = self.key(attacker);
        if self
            .depths
            .failed
            .get(&key)
            .is_some_and(|&known| known >= depth)
        {
            return false;
        }
        if self.count() {
            return false;
        }
        let seen = self.depths.failed.contains_key(&key);
        let sight = self.look(attacker, if seen { 0 } else { PAIRS });
        let mut moves = match sight {
            StaticOutcome::Completes | StaticOutcome::Paired(_) => {
                self.remember(key, (0, INFINITE));
                return true;
            }
            StaticOutcome::Moves(moves, _) => moves,
            StaticOutcome::Lost(_) | StaticOutcome::Counters(_) => {
                self.depths.failed.insert(key, NEVER);
                return false;
            }
        };
        if depth == 0 {
            self.depths.failed.insert(key, 0);
            return false;
        }
        moves.sort_by_key(|&cell| std::cmp::Reverse(self.depths.refuting[usize::from(cell)]));
        for cell in moves {
            self.put(cell, attacker);
            let answered = self.is_answered(depth);
            self.take(cell, attacker);
            if !answered {
                self.depths.refuting[usize::from(cell)] += 1 << depth.min(10);
                if !self.is_over() {
                    self.depths.failed.insert(key, depth);
                }
                return false;
            }
        }
        self.remember(key, (0, INFINITE));
        true
    }

    fn is_answered(&mut self, depth: u8) -> bool {
        let defender = self.attacker.other();
        let moves = match self.look(defender, 0) {
            StaticOutcome::Completes | StaticOutcome::Counters(_) => return true,
            StaticOutcome::Moves(moves, _) => moves,
            StaticOutcome::Lost(_) | StaticOutcome::Paired(_) => return false,
        };
        let mut replies: Vec<(u64, Cell)> = Vec::with_capacity(moves.len());
        for &cell in &moves {
            let key = self.key_after(cell, defender);
            if self.known_of(key) == DefenceValue::Holds {
                return true;
            }
            replies.push((self.weight_after(cell, defender), cell));
        }
        if moves.is_empty() {
            return self.state.cells_on(self.attacker, 0).is_empty();
        }
        replies.sort_unstable();
        replies.truncate(self.depths.width);
        for (_, cell) in replies {
            self.put(cell, defender);
            let holds = self.state.has_won(defender) || self.holds(depth - 1);
            self.take(cell, defender);
            if holds {
                self.depths.holding[usize::from(cell)] += 1;
                return true;
            }
        }
        false
    }
}
