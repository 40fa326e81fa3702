//! Does the defender hold, or does the attacker win? WinProof-number search over all
//! moves, with fours and pairings at the leaves.
//!
//! In the plain form the defender's own lines do not count, and positions are the
//! same when the same lines are left of them. In the stronger form his fours force
//! the attacker, too: 5,5,4 and 8,4,4 are draws only because of that.

mod extract_win;
mod iterative_deepening;
mod static_outcome;

use papan_rules::{Bits as _, Player};
use rustc_hash::FxHashMap;

use self::iterative_deepening::Depths;
pub(crate) use self::static_outcome::StaticOutcome;
use crate::canonical_key::Live;
use crate::lines::{Cell, CellSet};
use crate::pairing::Pairing;
use crate::state::State;
use crate::vcf::VcfSearch;

/// Searches one position for one attacker.
pub struct DefenceSolver {
    pub(crate) state: State,
    pub(crate) attacker: Player,
    pub(crate) to_move: Player,
    pub(crate) counter: bool,
    live: Live,
    /// Numbers of holding and of losing by position.
    table: FxHashMap<u64, (u32, u32)>,
    fours: VcfSearch,
    pub(crate) pairing: Pairing,
    nodes: u64,
    limit: u64,
    halt: Box<dyn FnMut() -> bool + Send>,
    pub(crate) depths: Depths,
    most_positions: usize,
}

pub(crate) const INFINITE: u32 = u32::MAX / 4;
/// Nodes of the search for fours in each position.
const FOURS: u64 = 300;
/// Steps of the search for pairs.
const PAIRS: usize = 60;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefenceValue {
    /// The defender at least draws.
    Holds,
    /// The attacker wins.
    Loses,
    /// Not known within the limits.
    Unknown,
}

/// What is known of the replies to a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootReplies {
    /// The move.
    pub cell: Cell,
    /// The replies that lose.
    pub losing: Vec<Cell>,
    /// Those that are not known to.
    pub open: Vec<Cell>,
}

impl DefenceSolver {
    /// Does `attacker` win with `to_move` to move? `counter` is the stronger form.
    #[must_use]
    pub fn new(
        state: State,
        attacker: Player,
        to_move: Player,
        counter: bool,
        halt: Box<dyn FnMut() -> bool + Send>,
    ) -> Self {
        Self {
            live: Live::new(&state, attacker, counter),
            table: FxHashMap::default(),
            fours: VcfSearch::new(),
            pairing: Pairing::default(),
            nodes: 0,
            limit: 0,
            state,
            attacker,
            to_move,
            counter,
            halt,
            depths: Depths::default(),
            most_positions: usize::MAX,
        }
    }

    /// Remembers so many positions at most.
    #[must_use]
    pub fn with_max_positions(mut self, most_positions: usize) -> Self {
        self.most_positions = most_positions;
        self
    }

    /// Nodes looked at so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The replies to the attacker's most promising first move, with the attacker to move.
    pub fn root_replies(&mut self) -> Option<RootReplies> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        if self.to_move != attacker || !self.counter {
            return None;
        }
        let StaticOutcome::Moves(moves, _) = self.look(attacker, 0) else {
            return None;
        };
        let mut best = None;
        for cell in moves {
            self.put(cell, attacker);
            let (_, dn) = *self
                .table
                .get(&self.key(defender))
                .unwrap_or(&(1, INFINITE));
            self.take(cell, attacker);
            if best.is_none_or(|(least, _)| dn < least) {
                best = Some((dn, cell));
            }
        }
        let (_, cell) = best?;
        self.put(cell, attacker);
        let (mut losing, mut open) = (Vec::new(), Vec::new());
        for reply in list(self.state.empty()) {
            self.put(reply, defender);
            match self.known(attacker) {
                DefenceValue::Loses => losing.push(reply),
                _ => open.push(reply),
            }
            self.take(reply, defender);
        }
        self.take(cell, attacker);
        Some(RootReplies { cell, losing, open })
    }

    /// What is remembered of positions: a key, and the numbers of holding and losing.
    pub fn entries(&self) -> impl Iterator<Item = (u64, u32, u32)> {
        self.table.iter().map(|(&key, &(pn, dn))| (key, pn, dn))
    }

    /// Goes on from what another search of the same position remembered.
    pub fn restore(&mut self, remembered: impl IntoIterator<Item = (u64, u32, u32)>) {
        let entries = remembered.into_iter().map(|(key, pn, dn)| (key, (pn, dn)));
        self.table.extend(entries);
    }

    /// Positions remembered.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.table.len()
    }

    /// Searches up to so many nodes more. Calling again goes on where it stopped.
    pub fn run(&mut self, most_nodes: u64) -> DefenceValue {
        self.limit = self.nodes + most_nodes;
        self.prove(self.to_move)
    }

    /// The verdict on the position on the board.
    pub(crate) fn prove(&mut self, to_move: Player) -> DefenceValue {
        match self.search(to_move, INFINITE, INFINITE) {
            (0, _) => DefenceValue::Holds,
            (_, 0) => DefenceValue::Loses,
            _ => DefenceValue::Unknown,
        }
    }

    /// Searches up to so many nodes for the position on the board.
    pub(crate) fn run_here(&mut self, to_move: Player, most_nodes: u64) -> DefenceValue {
        self.limit = self.nodes + most_nodes;
        self.prove(to_move)
    }

    /// What the table knows of the position on the board.
    pub(crate) fn known(&self, to_move: Player) -> DefenceValue {
        self.known_of(self.live.key(to_move))
    }

    /// What the table knows of a position by its key.
    pub(crate) fn known_of(&self, key: u64) -> DefenceValue {
        match self.table.get(&key) {
            Some((0, _)) => DefenceValue::Holds,
            Some((_, 0)) => DefenceValue::Loses,
            _ => DefenceValue::Unknown,
        }
    }

    pub(crate) fn key(&self, to_move: Player) -> u64 {
        self.live.key(to_move)
    }

    /// The key once a side has played on a cell.
    pub(crate) fn key_after(&self, cell: Cell, side: Player) -> u64 {
        self.live.key_after(&self.state, cell, side)
    }

    pub(crate) fn put(&mut self, cell: Cell, side: Player) {
        self.live.put(&mut self.state, cell, side);
    }

    pub(crate) fn take(&mut self, cell: Cell, side: Player) {
        self.live.take(&mut self.state, cell, side);
    }

    fn search(&mut self, to_move: Player, most_pn: u32, most_dn: u32) -> (u32, u32) {
        let key = self.live.key(to_move);
        if let Some(&numbers) = self.table.get(&key)
            && (numbers.0 == 0 || numbers.1 == 0)
        {
            return numbers;
        }
        // Step 1. What can be seen at once.
        self.nodes += 1;
        let moves = match self.look(to_move, PAIRS) {
            StaticOutcome::Completes | StaticOutcome::Paired(_) | StaticOutcome::Counters(_) => {
                return self.remember(key, (0, INFINITE));
            }
            StaticOutcome::Lost(_) => return self.remember(key, (INFINITE, 0)),
            StaticOutcome::Moves(moves, _) => moves,
        };
        let attacks = to_move == self.attacker;
        if moves.is_empty() {
            // Nothing that matters is left to attack; or nothing stops the attack.
            let safe = self.state.cells_on(self.attacker, 0).is_empty();
            let numbers = if attacks || safe {
                (0, INFINITE)
            } else {
                (INFINITE, 0)
            };
            return self.remember(key, numbers);
        }
        let mut children: Vec<(Cell, u64, (u32, u32))> = Vec::with_capacity(moves.len());
        for &cell in &moves {
            let key = self.key_after(cell, to_move);
            let first = self.first_numbers(cell, to_move);
            children.push((cell, key, first));
        }
        // Step 2. Go into the most promising child until it no longer is.
        loop {
            let (mut best, mut least, mut second, mut sum) = (0, INFINITE, INFINITE, 0_u32);
            for (at, &(_, key, first)) in children.iter().enumerate() {
                let (pn, dn) = self.table.get(&key).copied().unwrap_or(first);
                let (min, add) = if attacks { (dn, pn) } else { (pn, dn) };
                sum = sum.saturating_add(add).min(INFINITE);
                if min < least {
                    second = least;
                    least = min;
                    best = at;
                } else {
                    second = second.min(min);
                }
            }
            let numbers = if attacks { (sum, least) } else { (least, sum) };
            let over = numbers.0 >= most_pn || numbers.1 >= most_dn;
            if numbers.0 == 0 || numbers.1 == 0 || over || self.exhausted() {
                return self.remember(key, numbers);
            }
            let (cell, key, first) = children[best];
            let (pn, dn) = self.table.get(&key).copied().unwrap_or(first);
            let (min_limit, sum_limit, own) = if attacks {
                (most_dn, most_pn, pn)
            } else {
                (most_pn, most_dn, dn)
            };
            let min_limit = min_limit.min(second.saturating_add(second / 4 + 1));
            let sum_limit = sum_limit - (sum - own);
            self.put(cell, to_move);
            if attacks {
                self.search(to_move.other(), sum_limit, min_limit);
            } else {
                self.search(to_move.other(), min_limit, sum_limit);
            }
            self.take(cell, to_move);
        }
    }

    /// Numbers for the position after a move, before it has been looked at: the heavier
    /// the attacker's lines, the harder to hold.
    fn first_numbers(&self, cell: Cell, side: Player) -> (u32, u32) {
        let heavy = (self.weight_after(cell, side) >> 18) as u32;
        (1 + heavy, 1 + 16 / (1 + heavy))
    }

    pub(crate) fn remember(&mut self, key: u64, numbers: (u32, u32)) -> (u32, u32) {
        if self.table.len() >= self.most_positions {
            // What is settled is worth most; if all is, the limit is reached.
            self.table
                .retain(|_, numbers| numbers.0 == 0 || numbers.1 == 0);
            if self.table.len() > self.most_positions / 10 * 9 {
                self.limit = 0;
            }
        }
        self.table.insert(key, numbers);
        numbers
    }

    pub(crate) fn begin(&mut self, most_nodes: u64) {
        self.limit = self.nodes + most_nodes;
    }

    /// Counts a node; whether it was one too many.
    pub(crate) fn count(&mut self) -> bool {
        self.nodes += 1;
        self.exhausted()
    }

    /// Whether the limit has been reached.
    pub(crate) fn is_over(&self) -> bool {
        self.nodes >= self.limit
    }

    fn exhausted(&mut self) -> bool {
        self.nodes >= self.limit || (self.nodes.is_multiple_of(64) && (self.halt)())
    }
}

fn list(cells: CellSet) -> Vec<Cell> {
    cells.cells().map(|cell| cell as Cell).collect()
}
