//! Continuous fours: wins in which every move threatens to complete a window.

use papan_rules::Player;

use crate::state::State;
use crate::windows::Cell;

/// Searches for wins by continuous fours, shortest first, and remembers failures.
#[derive(Debug)]
pub(crate) struct Fours {
    /// Failures by position: the hash, and the depth with whether it was cut short.
    failures: Vec<(u64, u16)>,
    nodes: u64,
    limit: u64,
    /// Whether something was not looked at since the flag was last cleared.
    cut: bool,
    /// Only the attacker's cells, last to first, once a win is found.
    sequence: Vec<Cell>,
}

/// Entries of the table of failures.
const ENTRIES: usize = 1 << 16;
/// No line of fours is longer.
const DEEPEST: u16 = 60;
const CUT: u16 = 1 << 15;

impl Fours {
    pub(crate) fn new() -> Self {
        Self {
            failures: vec![(0, 0); ENTRIES],
            nodes: 0,
            limit: 0,
            cut: false,
            sequence: Vec::new(),
        }
    }

    /// Nodes looked at so far, over all calls.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The attacker's cells of a win by fours, if there is one within `most_nodes`.
    /// The attacker is to move, and nobody has won.
    pub(crate) fn win(
        &mut self,
        state: &mut State,
        attacker: Player,
        most_nodes: u64,
    ) -> Option<Vec<Cell>> {
        self.limit = self.nodes + most_nodes;
        self.sequence.clear();
        for depth in 1..=DEEPEST {
            self.cut = false;
            if self.search(state, attacker, depth) {
                self.sequence.reverse();
                return Some(std::mem::take(&mut self.sequence));
            }
            if !self.cut || self.nodes >= self.limit {
                return None;
            }
        }
        None
    }

    fn search(&mut self, state: &mut State, attacker: Player, depth: u16) -> bool {
        self.nodes += 1;
        if let Some(cell) = state.completing(attacker) {
            self.sequence.push(cell);
            return true;
        }
        let Some(two_short) = state.length().checked_sub(2) else {
            return false;
        };
        if state.total(attacker, two_short) == 0 {
            return false;
        }
        if depth == 0 || self.nodes >= self.limit {
            self.cut = true;
            return false;
        }
        let defender = attacker.other();
        let key = state.hash() ^ (attacker.index() as u64 + 1).wrapping_mul(0x9e37_79b9_97f4_a7c1);
        let slot = key as usize % ENTRIES;
        if self.failures[slot].0 == key {
            let known = self.failures[slot].1;
            if known & CUT == 0 {
                return false;
            }
            if known & !CUT >= depth {
                self.cut = true;
                return false;
            }
        }
        // The defender's own four must be stopped by a four.
        let only = match state.completing(defender) {
            None => None,
            Some(cell) => {
                let both = |w: usize| state.gaps(w).next() != Some(cell);
                if state.with_count(defender, state.length() - 1).any(both) {
                    return false;
                }
                Some(cell)
            }
        };
        let was_cut = std::mem::take(&mut self.cut);
        let won = self.try_moves(state, attacker, depth, only);
        if !won && self.nodes < self.limit {
            self.failures[slot] = (key, depth | if self.cut { CUT } else { 0 });
        }
        self.cut |= was_cut;
        won
    }

    fn try_moves(
        &mut self,
        state: &mut State,
        attacker: Player,
        depth: u16,
        only: Option<Cell>,
    ) -> bool {
        let mut moves = [0 as Cell; 64];
        let mut count = 0;
        'collect: for window in state.with_count(attacker, state.length() - 2) {
            for cell in state.gaps(window) {
                let fits = only.is_none_or(|only| only == cell);
                if fits && !moves[..count].contains(&cell) {
                    if count == moves.len() {
                        self.cut = true;
                        break 'collect;
                    }
                    moves[count] = cell;
                    count += 1;
                }
            }
        }
        for &cell in &moves[..count] {
            if self.try_four(state, attacker, depth, cell) {
                self.sequence.push(cell);
                return true;
            }
        }
        false
    }

    /// Plays a four and whatever it forces.
    fn try_four(&mut self, state: &mut State, attacker: Player, depth: u16, cell: Cell) -> bool {
        state.put(cell, attacker);
        let reply = state
            .completing(attacker)
            .expect("a stone on a window that lacked two leaves it lacking one");
        let other = |w: usize| state.gaps(w).next() != Some(reply);
        let mut won = state.with_count(attacker, state.length() - 1).any(other);
        if !won {
            state.put(reply, attacker.other());
            won = self.search(state, attacker, depth - 1);
            state.take(reply, attacker.other());
        }
        state.take(cell, attacker);
        won
    }
}
