//! Continuous fours: wins in which every move threatens to complete a line.

use papan_rules::{Bits as _, Player};

use crate::lines::Cell;
use crate::state::State;

/// Searches for wins by continuous fours, shortest first, and remembers failures.
#[derive(Debug)]
pub(crate) struct VcfSearch {
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

impl VcfSearch {
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
        'collect: for line in state.with_count(attacker, state.length() - 2) {
            for cell in state.gaps(line) {
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
        let reply = match foresee(state, attacker, cell) {
            Four::Wins => return true,
            Four::Forces { reply, goes_on } => {
                // What the next node would say is known without playing there.
                if !goes_on || depth == 1 {
                    self.nodes += 1;
                    self.cut |= goes_on;
                    return false;
                }
                reply
            }
        };
        let defender = attacker.other();
        state.put(cell, attacker);
        state.put(reply, defender);
        let won = self.search(state, attacker, depth - 1);
        state.take(reply, defender);
        state.take(cell, attacker);
        won
    }
}

/// What a move on a line that lacks two cells leads to.
#[derive(Debug, PartialEq, Eq)]
enum Four {
    /// It threatens to complete lines on two cells.
    Wins,
    /// The defender must reply there; is a line left then that lacks two cells?
    Forces { reply: Cell, goes_on: bool },
}

/// Foresees a four without playing it: looking at lines is much cheaper than changing
/// them. The attacker cannot complete a line yet.
fn foresee(state: &State, attacker: Player, cell: Cell) -> Four {
    let lines = state.lines();
    let (me, other) = (attacker.index(), attacker.other().index());
    let two_short = state.length() - 2;
    let held = |line: u32| {
        let counts = state.counts(line as usize);
        (counts[other] == 0).then_some(usize::from(counts[me]))
    };
    let (mut reply, mut spent) = (None, 0);
    for &line in lines.through(cell) {
        if held(line) == Some(two_short) {
            spent += 1;
            let mut gaps = state.gaps(line as usize);
            let gap = gaps.find(|&gap| gap != cell);
            if reply.is_some() && reply != gap {
                return Four::Wins;
            }
            reply = gap;
        }
    }
    let reply = reply.expect("the cell is on a line that lacks two");
    let holds = |line: u32, cell: Cell| lines.mask(line as usize).contains(usize::from(cell));
    let stopped = lines.through(reply).iter();
    let stopped = stopped.filter(|&&w| held(w) == Some(two_short) && !holds(w, cell));
    let left = state.total(attacker, two_short) as usize - spent - stopped.count();
    let grows =
        |&line: &u32| held(line).is_some_and(|held| held + 1 == two_short) && !holds(line, reply);
    let goes_on = left > 0 || lines.through(cell).iter().any(grows);
    Four::Forces { reply, goes_on }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Lines;
    use papan_rules::{Grid, SplitMix, Wide};
    use std::sync::Arc;

    #[test]
    fn what_is_foreseen_of_a_four_is_what_playing_it_shows() {
        let mut random = SplitMix::new(1);
        let mut seen = [0; 3];
        for (sides, length) in [
            (&[9, 9][..], 5),
            (&[4, 4, 4], 4),
            (&[5, 5], 3),
            (&[6, 6], 2),
        ] {
            let grid = Grid::<Wide>::new(sides, length).expect("a board");
            let lines = Arc::new(Lines::new(&grid));
            for _ in 0..400 {
                let mut state = State::new(Arc::clone(&lines));
                for at in 0..random.next() as usize % 24 {
                    let cell = (random.next() % lines.cells() as u64) as Cell;
                    if state.owner(cell).is_none() {
                        state.put(cell, Player::BOTH[at % 2]);
                    }
                }
                let side = Player::First;
                if state.has_won(side) || state.completing(side).is_some() {
                    continue;
                }
                for cell in state.cells_on(side, length - 2).cells() {
                    let cell = cell as Cell;
                    let on_one = state
                        .with_count(side, length - 2)
                        .any(|line| state.gaps(line).any(|gap| gap == cell));
                    if !on_one {
                        continue;
                    }
                    let foreseen = foresee(&state, side, cell);
                    state.put(cell, side);
                    let replies = state.completing_cells(side);
                    let reply = replies.first().expect("a four") as Cell;
                    let played = if replies.count() > 1 {
                        seen[0] += 1;
                        Four::Wins
                    } else {
                        state.put(reply, side.other());
                        let goes_on = state.total(side, length - 2) > 0;
                        state.take(reply, side.other());
                        seen[1 + usize::from(goes_on)] += 1;
                        Four::Forces { reply, goes_on }
                    };
                    state.take(cell, side);
                    assert_eq!(foreseen, played, "{sides:?}");
                }
            }
        }
        assert!(seen.iter().all(|&many| many > 20), "{seen:?}");
    }
}
