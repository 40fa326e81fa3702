//! VCF decision: whether there is a win by continuous fours, not necessarily the shortest one.
//!
//! Almost all VCF searches fail, and iterative deepening ([`crate::vcf`]) searches a failure once for
//! each depth. This search has no depth limit, and updates only the stones per line and the list of
//! the attacker's pairs: the two empty cells of each live line that is two cells short. A four is a pair of the move and the reply that it forces; where two pairs share a
//! cell, a stone there leaves two completing cells.

use papan_rules::{Bits as _, Player};

use crate::lines::{Cell, Lines};
use crate::state::State;

/// The answer of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VcfDecision {
    /// The attacker wins; the moves are in [`VcfDecider::sequence`].
    Wins,
    /// There is no VCF.
    Fails,
    /// The node limit was reached.
    Unknown,
}

/// Number of entries of the table.
const TABLE_SIZE: usize = 1 << 15;
/// [`Entry::best`] of a failure.
const FAILURE: Cell = Cell::MAX;

/// An entry of the table; unused entries have key 0.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    /// The winning move, or [`FAILURE`].
    best: Cell,
}

/// The search with its table of failures and winning moves, which is kept between calls.
#[derive(Debug)]
pub(crate) struct VcfDecider {
    table: Vec<Entry>,
    nodes: u64,
    limit: u64,
    /// The attacker's cells of the last win, in order.
    pub(crate) sequence: Vec<Cell>,
    attacker: Player,
    /// Stones of each player on each line.
    counts: Vec<[u8; 2]>,
    owners: Vec<Option<Player>>,
    /// Pairs of all nodes on the path; those of a node are the last ones.
    pairs: Vec<[Cell; 2]>,
    /// The node that has seen a cell on a pair last.
    seen: Vec<u64>,
    visit: u64,
}

impl VcfDecider {
    pub(crate) fn new() -> Self {
        Self {
            table: vec![Entry::default(); TABLE_SIZE],
            nodes: 0,
            limit: 0,
            sequence: Vec::new(),
            attacker: Player::First,
            counts: Vec::new(),
            owners: Vec::new(),
            pairs: Vec::new(),
            seen: Vec::new(),
            visit: 0,
        }
    }

    /// Returns the nodes searched so far, over all calls.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches a VCF of the attacker, who is to move, with at most `max_nodes` nodes. The game is
    /// not over.
    pub(crate) fn search(
        &mut self,
        state: &State,
        attacker: Player,
        max_nodes: u64,
    ) -> VcfDecision {
        self.sequence.clear();
        self.nodes += 1;
        if let Some(cell) = state.completing(attacker) {
            self.sequence.push(cell);
            return VcfDecision::Wins;
        }
        let length = state.length();
        if length < 3 {
            return VcfDecision::Unknown;
        }
        if state.line_count(attacker, length - 2) == 0 {
            return VcfDecision::Fails;
        }
        let threats = state.completing_cells(attacker.other());
        if threats.count() > 1 {
            return VcfDecision::Fails;
        }
        let lines = state.lines();
        let (counts, owners) = state.counts_and_owners();
        self.attacker = attacker;
        self.counts.clear();
        self.counts.extend_from_slice(counts);
        self.owners.clear();
        self.owners.extend_from_slice(owners);
        self.seen.resize(lines.cells(), 0);
        self.pairs.clear();
        for line in state.lines_with(attacker, length - 2) {
            self.push_pair(lines, line, 0);
        }
        self.limit = self.nodes + max_nodes;
        let block = threats.first().map(|cell| cell as Cell);
        let key = state.hash() ^ (attacker.index() as u64 + 1).wrapping_mul(0x9e37_79b9_97f4_a7c1);
        let found = self.node(state, 0, key, block);
        self.sequence.reverse();
        found
    }

    /// Adds the two empty cells of a line, unless the pairs from `start` on contain them.
    #[inline]
    fn push_pair(&mut self, lines: &Lines, line: usize, start: usize) {
        let mut pair = [0; 2];
        let empty = lines.members(line).iter().copied();
        let empty = empty.filter(|&cell| self.owners[usize::from(cell)].is_none());
        for (slot, cell) in pair.iter_mut().zip(empty) {
            *slot = cell;
        }
        // Overlapping lines may lack the same two cells, which are in order.
        if !self.pairs[start..].contains(&pair) {
            self.pairs.push(pair);
        }
    }

    #[inline]
    fn put(&mut self, lines: &Lines, cell: Cell, side: Player) {
        self.owners[usize::from(cell)] = Some(side);
        for &line in lines.through(cell) {
            self.counts[line as usize][side.index()] += 1;
        }
    }

    #[inline]
    fn remove(&mut self, lines: &Lines, cell: Cell, side: Player) {
        self.owners[usize::from(cell)] = None;
        for &line in lines.through(cell) {
            self.counts[line as usize][side.index()] -= 1;
        }
    }

    /// Searches a node whose pairs are those from `start` on. The attacker must move on `block`, if
    /// there is one.
    fn node(&mut self, state: &State, start: usize, key: u64, block: Option<Cell>) -> VcfDecision {
        self.nodes += 1;
        self.visit += 1;
        let end = self.pairs.len();
        // Step 1. A shared cell wins at once.
        let mut has_move = false;
        for at in start..end {
            for cell in self.pairs[at] {
                if block.is_some_and(|block| block != cell) {
                    continue;
                }
                has_move = true;
                let seen = &mut self.seen[usize::from(cell)];
                if *seen == self.visit {
                    self.sequence.push(cell);
                    return VcfDecision::Wins;
                }
                *seen = self.visit;
            }
        }
        if !has_move {
            return VcfDecision::Fails;
        }
        if self.nodes >= self.limit {
            return VcfDecision::Unknown;
        }
        // Step 2. Look up the table.
        let slot = key as usize % TABLE_SIZE;
        let entry = self.table[slot];
        let known = (entry.key == key).then_some(entry.best);
        if known == Some(FAILURE) {
            return VcfDecision::Fails;
        }
        // Step 3. Try the fours, a known winning one first. No cell is on two pairs, so the reply is
        // unique.
        for round in [true, false] {
            if round && known.is_none() {
                continue;
            }
            for at in start..end {
                let [a, b] = self.pairs[at];
                for [cell, reply] in [[a, b], [b, a]] {
                    let is_allowed = block.is_none_or(|block| block == cell);
                    if !is_allowed || (known == Some(cell)) != round {
                        continue;
                    }
                    match self.four(state, start..end, key, [cell, reply]) {
                        VcfDecision::Wins => {
                            self.sequence.push(cell);
                            self.table[slot] = Entry { key, best: cell };
                            return VcfDecision::Wins;
                        }
                        VcfDecision::Unknown => return VcfDecision::Unknown,
                        VcfDecision::Fails => {}
                    }
                }
            }
        }
        self.table[slot] = Entry { key, best: FAILURE };
        VcfDecision::Fails
    }

    /// Plays a four and its reply, and searches on with the pairs that remain and those that the four
    /// makes.
    fn four(
        &mut self,
        state: &State,
        pairs: std::ops::Range<usize>,
        key: u64,
        [cell, reply]: [Cell; 2],
    ) -> VcfDecision {
        let lines = &**state.lines();
        let length = lines.length();
        let (attacker, defender) = (self.attacker, self.attacker.other());
        let (me, other) = (attacker.index(), defender.index());
        self.put(lines, cell, attacker);
        self.put(lines, reply, defender);
        // The reply may make a four of the defender's.
        let mut block = None;
        let mut is_lost = false;
        for &line in lines.through(reply) {
            let counts = self.counts[line as usize];
            if counts[me] == 0 && usize::from(counts[other]) + 1 == length {
                let mut members = lines.members(line as usize).iter().copied();
                let gap = members.find(|&gap| self.owners[usize::from(gap)].is_none());
                is_lost |= block.is_some() && block != gap;
                block = gap;
            }
        }
        let mut found = VcfDecision::Fails;
        if !is_lost {
            let start = self.pairs.len();
            for at in pairs {
                let pair = self.pairs[at];
                if !pair.contains(&cell) && !pair.contains(&reply) {
                    self.pairs.push(pair);
                }
            }
            for &line in lines.through(cell) {
                let counts = self.counts[line as usize];
                if counts[other] == 0 && usize::from(counts[me]) + 2 == length {
                    self.push_pair(lines, line as usize, start);
                }
            }
            if self.pairs.len() == start {
                self.nodes += 1;
            } else {
                let key = key ^ state.key(cell, attacker) ^ state.key(reply, defender);
                found = self.node(state, start, key, block);
            }
            self.pairs.truncate(start);
        }
        self.remove(lines, reply, defender);
        self.remove(lines, cell, attacker);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vcf::VcfSearch;
    use papan_rules::{Grid, SplitMix, Wide};
    use std::sync::Arc;

    /// Plays a sequence of fours against forced replies, and returns whether it wins.
    fn wins(state: &State, sequence: &[Cell], attacker: Player) -> bool {
        let mut state = state.clone();
        let defender = attacker.other();
        for &cell in sequence {
            let threats = state.completing_cells(defender);
            let completes = state.completing_cells(attacker).contains(usize::from(cell));
            if completes {
                return true;
            }
            if !threats.is_empty() && !threats.contains(usize::from(cell)) {
                return false;
            }
            state.put(cell, attacker);
            if !state.completing_cells(defender).is_empty() {
                return false;
            }
            let replies = state.completing_cells(attacker);
            match (replies.count(), replies.first()) {
                (0, _) | (_, None) => return false,
                (1, Some(reply)) => state.put(reply as Cell, defender),
                _ => return true,
            }
        }
        false
    }

    #[test]
    fn the_decision_is_that_of_iterative_deepening() {
        let mut random = SplitMix::new(11);
        let mut seen = [0; 2];
        for (sides, length, stones) in [
            (&[15, 15][..], 5, 40),
            (&[9, 9], 5, 24),
            (&[4, 4, 4], 4, 20),
            (&[6, 6], 4, 12),
            (&[5, 5], 3, 4),
        ] {
            let grid = Grid::<Wide>::new(sides, length).expect("a board");
            let lines = Arc::new(Lines::new(&grid));
            let mut decider = VcfDecider::new();
            for _ in 0..400 {
                let mut state = State::new(Arc::clone(&lines));
                for at in 0..random.below(stones) {
                    let cell = random.below(lines.cells().min(121)) as Cell;
                    if state.owner(cell).is_none() {
                        state.put(cell, Player::BOTH[at % 2]);
                    }
                }
                if Player::BOTH.into_iter().any(|side| state.has_won(side)) {
                    continue;
                }
                let found = decider.search(&state, Player::First, 1_000_000);
                let expected =
                    VcfSearch::new().shortest(&mut state, Player::First, 1..=60, 1_000_000);
                seen[usize::from(expected.is_some())] += 1;
                match expected {
                    Some(expected) => {
                        assert_eq!(found, VcfDecision::Wins, "{sides:?}");
                        assert!(wins(&state, &decider.sequence, Player::First), "{sides:?}");
                        assert!(decider.sequence.len() >= expected.len(), "{sides:?}");
                    }
                    None => assert_eq!(found, VcfDecision::Fails, "{sides:?}"),
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    }
}
