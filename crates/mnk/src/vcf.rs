//! VCF search (victory by continuous fours): wins in which every attacking move is a four.
//!
//! The defender has exactly one reply to a four, so the tree branches only at the attacker's moves
//! and a win is found with a few hundred nodes. A search without depth limit
//! ([`crate::vcf_decision`]) finds a win or none; where it reaches its node limit, and where a shortest win is
//! wanted, this search deepens iteratively. It is
//! the innermost threat search of the crate: lambda order 1 of [`crate::threat_search`], and a leaf
//! evaluator for df-pn and alpha-beta.
//!
//! Reference: L. V. Allis, H. J. van den Herik and M. P. H. Huntjens, *Go-Moku and Threat-Space
//! Search*, 1993.

use std::ops::RangeInclusive;

use papan_rules::{Bits as _, Player};

use crate::lines::Cell;
use crate::state::State;
use crate::vcf_decision::{VcfDecider, VcfDecision};

/// VCF search: a decision, and iterative deepening with a table of failures.
#[derive(Debug)]
pub(crate) struct VcfSearch {
    decider: VcfDecider,
    failures: Vec<Failure>,
    nodes: u64,
    limit: u64,
    /// Whether a limit cut off part of the tree since the flag was last cleared.
    cut: bool,
    /// The attacker's cells of a win, in reverse order.
    sequence: Vec<Cell>,
}

/// An entry of the table of failures; unused entries have key 0.
#[derive(Clone, Copy, Debug, Default)]
struct Failure {
    key: u64,
    /// Depth of the failed search.
    depth: u16,
    /// Whether the depth limit cut the search off; otherwise it failed for good.
    cut: bool,
}

/// Size of the table of failures.
const TABLE_SIZE: usize = 1 << 16;
/// Maximum number of fours in a sequence.
const MAX_DEPTH: u16 = 60;
/// Maximum number of attacking moves tried in one position.
const MAX_MOVES: usize = 64;

impl VcfSearch {
    pub(crate) fn new() -> Self {
        Self {
            decider: VcfDecider::new(),
            failures: vec![Failure::default(); TABLE_SIZE],
            nodes: 0,
            limit: 0,
            cut: false,
            sequence: Vec::new(),
        }
    }

    /// Returns the nodes searched so far, over all calls.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes + self.decider.nodes()
    }

    /// Returns the attacker's cells of a VCF, not necessarily the shortest one. The attacker is to move
    /// and the game is not over.
    pub(crate) fn win(
        &mut self,
        state: &mut State,
        attacker: Player,
        max_nodes: u64,
    ) -> Option<Vec<Cell>> {
        match self.decider.search(state, attacker, max_nodes) {
            VcfDecision::Wins => Some(self.decider.sequence.clone()),
            VcfDecision::Fails => None,
            VcfDecision::Unknown => self.shortest(state, attacker, 1..=MAX_DEPTH, max_nodes),
        }
    }

    /// Returns the attacker's cells of a shortest VCF whose number of fours is in a range, if one is
    /// found within `max_nodes` and there is no shorter one.
    pub(crate) fn shortest(
        &mut self,
        state: &mut State,
        attacker: Player,
        depths: RangeInclusive<u16>,
        max_nodes: u64,
    ) -> Option<Vec<Cell>> {
        self.limit = self.nodes + max_nodes;
        self.sequence.clear();
        for depth in depths {
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
        if state.line_count(attacker, two_short) == 0 {
            return false;
        }
        if depth == 0 || self.nodes >= self.limit {
            self.cut = true;
            return false;
        }
        let defender = attacker.other();
        let key = state.hash() ^ (attacker.index() as u64 + 1).wrapping_mul(0x9e37_79b9_97f4_a7c1);
        let slot = key as usize % TABLE_SIZE;
        let failure = self.failures[slot];
        if failure.key == key {
            if !failure.cut {
                return false;
            }
            if failure.depth >= depth {
                self.cut = true;
                return false;
            }
        }
        // A four of the defender must be blocked by a four.
        let only = match state.completing(defender) {
            None => None,
            Some(cell) => {
                let both = |w: usize| state.gaps(w).next() != Some(cell);
                if state.lines_with(defender, state.length() - 1).any(both) {
                    return false;
                }
                Some(cell)
            }
        };
        let was_cut = std::mem::take(&mut self.cut);
        let won = self.try_moves(state, attacker, depth, only);
        if !won && self.nodes < self.limit {
            self.failures[slot] = Failure {
                key,
                depth,
                cut: self.cut,
            };
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
        let mut moves = [0 as Cell; MAX_MOVES];
        let mut count = 0;
        'collect: for line in state.lines_with(attacker, state.length() - 2) {
            for cell in state.gaps(line) {
                let fits = only.is_none_or(|only| only == cell);
                // Not `contains`: its vectorised form crashes LLVM 22 for wasm32 with simd128.
                let is_new = moves[..count].iter().all(|&other| other != cell);
                if fits && is_new {
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

    /// Plays a four and the reply that it forces.
    fn try_four(&mut self, state: &mut State, attacker: Player, depth: u16, cell: Cell) -> bool {
        let reply = match four_outcome(state, attacker, cell) {
            FourOutcome::Wins => return true,
            FourOutcome::Forces { reply, continues } => {
                // The result of the child is known without visiting it.
                if !continues || depth == 1 {
                    self.nodes += 1;
                    self.cut |= continues;
                    return false;
                }
                reply
            }
        };
        let defender = attacker.other();
        state.put(cell, attacker);
        state.put(reply, defender);
        let won = self.search(state, attacker, depth - 1);
        state.remove(reply, defender);
        state.remove(cell, attacker);
        won
    }
}

/// The result of a move on a live line that is two cells short.
#[derive(Debug, PartialEq, Eq)]
enum FourOutcome {
    /// It leaves two completing cells.
    Wins,
    /// The defender must reply on `reply`. `continues` if a live line two cells short remains.
    Forces { reply: Cell, continues: bool },
}

/// Returns the outcome of a four without playing it, because reading line counts is much cheaper
/// than updating them. The attacker has no completing cell yet.
fn four_outcome(state: &State, attacker: Player, cell: Cell) -> FourOutcome {
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
                return FourOutcome::Wins;
            }
            reply = gap;
        }
    }
    let reply = reply.expect("the cell is on a live line two cells short");
    let holds = |line: u32, cell: Cell| lines.mask(line as usize).contains(usize::from(cell));
    let blocked = lines
        .through(reply)
        .iter()
        .filter(|&&line| held(line) == Some(two_short) && !holds(line, cell))
        .count();
    let left = state.line_count(attacker, two_short) as usize - spent - blocked;
    let grows =
        |&line: &u32| held(line).is_some_and(|held| held + 1 == two_short) && !holds(line, reply);
    let continues = left > 0 || lines.through(cell).iter().any(grows);
    FourOutcome::Forces { reply, continues }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Lines;
    use papan_rules::{Grid, SplitMix, Wide};
    use std::sync::Arc;

    #[test]
    fn the_predicted_outcome_of_a_four_matches_playing_it() {
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
                        .lines_with(side, length - 2)
                        .any(|line| state.gaps(line).any(|gap| gap == cell));
                    if !on_one {
                        continue;
                    }
                    let predicted = four_outcome(&state, side, cell);
                    state.put(cell, side);
                    let replies = state.completing_cells(side);
                    let reply = replies.first().expect("a four") as Cell;
                    let played = if replies.count() > 1 {
                        seen[0] += 1;
                        FourOutcome::Wins
                    } else {
                        state.put(reply, side.other());
                        let continues = state.line_count(side, length - 2) > 0;
                        state.remove(reply, side.other());
                        seen[1 + usize::from(continues)] += 1;
                        FourOutcome::Forces { reply, continues }
                    };
                    state.remove(cell, side);
                    assert_eq!(predicted, played, "{sides:?}");
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
    }
}
