//! Df-pn (depth-first proof-number search) over all moves: does the defender at least draw?
//!
//! VCF searches and pairing strategies decide the leaves, a canonical key merges positions that are
//! equivalent for the question ([`crate::canonical_key`]), and dominated moves are left out. Proof
//! numbers refer to the defender: *proved* means that the defender holds the draw.
//!
//! The question has two forms. In the plain form only the attacker's lines count, which is the
//! Maker–Breaker game of positional game theory; its keys are coarse and draws are found fast. In the
//! countering form the defender's fours force the attacker as well; 5,5,4 and 8,4,4 are draws only in
//! this form, and only its disproofs are wins. A VCF that the defender threatens there restricts the
//! attacker's moves to its relevance zone.
//!
//! Submodules extract proof trees from the solved table, and search by iterative deepening over the
//! number of replies, which finds shallow draws sooner.
//!
//! Reference: A. Nagai, *Df-pn Algorithm for Searching AND/OR Trees and Its Applications*, 2002.

mod extract_draw;
mod extract_win;
mod iterative_deepening;
mod static_outcome;
mod vcf_cascade;

use papan_rules::{Bits as _, Player};
use rustc_hash::FxHashMap;

use self::iterative_deepening::DepthTables;
use self::static_outcome::StaticOutcome;
use self::vcf_cascade::VcfCascade;
use crate::canonical_key::CanonicalKey;
use crate::lines::{Cell, CellSet};
use crate::pairing::Pairing;
use crate::proof_numbers::{INFINITE, ProofNumbers, Selection};
use crate::state::State;

/// Solver of one position for one attacker.
pub struct DefenceSolver {
    state: State,
    attacker: Player,
    to_move: Player,
    /// Whether the defender's own lines count.
    counter: bool,
    canonical: CanonicalKey,
    table: FxHashMap<u64, ProofNumbers>,
    vcf: VcfCascade,
    /// The cells of both players below 64.
    stones: [u64; 2],
    pairing: Pairing,
    nodes: u64,
    node_limit: u64,
    halt: Box<dyn FnMut() -> bool + Send>,
    depths: DepthTables,
    max_positions: usize,
}

/// Step limit of the pairing search in each position.
const PAIRING_STEPS: usize = 60;
/// Node limit of a repeated search for one missing reply during proof extraction.
const EXTRACTION_NODES: u64 = 2_000_000;

/// The value of a position for the defender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefenceValue {
    /// The defender at least draws.
    Holds,
    /// The attacker wins.
    Loses,
    /// Not decided within the limits.
    Unknown,
}

/// The state of the replies to the attacker's most promising first move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootReplies {
    /// The move.
    pub cell: Cell,
    /// The replies that are proved to lose.
    pub losing: Vec<Cell>,
    /// The other replies.
    pub open: Vec<Cell>,
}

/// An entry of the table, for saving and restoring a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// The canonical key of the position.
    pub key: u64,
    /// The proof number: 0 if the defender holds.
    pub pn: u32,
    /// The disproof number: 0 if the attacker wins.
    pub dn: u32,
}

impl DefenceSolver {
    /// Creates a solver for whether `attacker` wins with `to_move` to move. With `counter`, the
    /// defender's own lines count. The solver polls `halt` and gives up when that returns true.
    #[must_use]
    pub fn new(
        state: State,
        attacker: Player,
        to_move: Player,
        counter: bool,
        halt: Box<dyn FnMut() -> bool + Send>,
    ) -> Self {
        Self {
            canonical: CanonicalKey::new(&state, attacker, counter),
            table: FxHashMap::default(),
            vcf: VcfCascade::new(&state),
            stones: Player::BOTH.map(|side| state.stones(side).low_word()),
            pairing: Pairing::default(),
            nodes: 0,
            node_limit: 0,
            state,
            attacker,
            to_move,
            counter,
            halt,
            depths: DepthTables::default(),
            max_positions: usize::MAX,
        }
    }

    /// Limits the number of positions in the table.
    #[must_use]
    pub fn with_max_positions(mut self, max_positions: usize) -> Self {
        self.max_positions = max_positions;
        self
    }

    /// Returns the nodes searched so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the replies to the attacker's most promising first move. `None` if the defender is to
    /// move or in the plain form.
    pub fn root_replies(&mut self) -> Option<RootReplies> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        if self.to_move != attacker || !self.counter {
            return None;
        }
        let StaticOutcome::Moves { cells, .. } = self.static_outcome(attacker, 0) else {
            return None;
        };
        let disproof_number = |cell: Cell| {
            let entry = self.table.get(&self.key_after(cell, attacker));
            entry.map_or(INFINITE, |numbers| numbers.dn)
        };
        let cell = cells
            .into_iter()
            .min_by_key(|&cell| disproof_number(cell))?;
        self.put(cell, attacker);
        let replies = list(self.state.empty());
        let (losing, open) = replies.into_iter().partition(|&reply| {
            self.table_value(self.key_after(reply, defender)) == DefenceValue::Loses
        });
        self.remove(cell, attacker);
        Some(RootReplies { cell, losing, open })
    }

    /// Returns the entries of the table.
    pub fn entries(&self) -> impl Iterator<Item = TableEntry> {
        let entries = self.table.iter();
        entries.map(|(&key, &ProofNumbers { pn, dn })| TableEntry { key, pn, dn })
    }

    /// Adds entries of an earlier search of the same position.
    pub fn restore(&mut self, entries: impl IntoIterator<Item = TableEntry>) {
        let entries = entries.into_iter();
        self.table
            .extend(entries.map(|TableEntry { key, pn, dn }| (key, ProofNumbers { pn, dn })));
    }

    /// Returns the number of positions in the table.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.table.len()
    }

    /// Searches up to `max_nodes` more nodes. Calling it again continues the search.
    pub fn run(&mut self, max_nodes: u64) -> DefenceValue {
        self.run_here(self.to_move, max_nodes)
    }

    /// As [`Self::run`], for the position on the board.
    fn run_here(&mut self, to_move: Player, max_nodes: u64) -> DefenceValue {
        self.limit_nodes(max_nodes);
        match self.search(to_move, ProofNumbers::UNBOUNDED) {
            ProofNumbers { pn: 0, .. } => DefenceValue::Holds,
            ProofNumbers { dn: 0, .. } => DefenceValue::Loses,
            _ => DefenceValue::Unknown,
        }
    }

    /// Returns the value in the table of the position with this key.
    fn table_value(&self, key: u64) -> DefenceValue {
        match self.table.get(&key) {
            Some(ProofNumbers { pn: 0, .. }) => DefenceValue::Holds,
            Some(ProofNumbers { dn: 0, .. }) => DefenceValue::Loses,
            _ => DefenceValue::Unknown,
        }
    }

    /// Returns the key of the position on the board.
    fn key(&self, to_move: Player) -> u64 {
        self.canonical.key(to_move)
    }

    /// Returns the key after a move.
    fn key_after(&self, cell: Cell, side: Player) -> u64 {
        self.canonical.key_after(&self.state, cell, side)
    }

    fn put(&mut self, cell: Cell, side: Player) {
        self.canonical.put(&mut self.state, cell, side);
        self.toggle(cell, side);
    }

    fn remove(&mut self, cell: Cell, side: Player) {
        self.canonical.remove(&mut self.state, cell, side);
        self.toggle(cell, side);
    }

    /// Adds a stone to the word of its player or removes it.
    fn toggle(&mut self, cell: Cell, side: Player) {
        if cell < 64 {
            self.stones[side.index()] ^= 1 << cell;
        }
    }

    /// Returns a VCF of the attacker, who is to move.
    fn find_vcf(&mut self, attacker: Player) -> Option<Vec<Cell>> {
        self.vcf.win(&mut self.state, self.stones, attacker)
    }

    fn search(&mut self, to_move: Player, thresholds: ProofNumbers) -> ProofNumbers {
        let key = self.key(to_move);
        if let Some(&numbers) = self.table.get(&key)
            && numbers.is_solved()
        {
            return numbers;
        }
        // Step 1. Decide the position statically.
        self.nodes += 1;
        let mut cells = match self.static_outcome(to_move, PAIRING_STEPS) {
            StaticOutcome::Completes | StaticOutcome::Paired(_) | StaticOutcome::CounterVcf(_) => {
                return self.store(key, ProofNumbers::PROVED);
            }
            StaticOutcome::Lost(_) => return self.store(key, ProofNumbers::DISPROVED),
            StaticOutcome::Moves { cells, .. } => cells,
        };
        let attacks = to_move == self.attacker;
        if cells.is_empty() {
            // The attacker has no live line left, or the defender has no move against one.
            let safe = self.state.cells_on(self.attacker, 0).is_empty();
            let numbers = if attacks || safe {
                ProofNumbers::PROVED
            } else {
                ProofNumbers::DISPROVED
            };
            return self.store(key, numbers);
        }
        if attacks && let Some(zone) = self.counter_threat() {
            cells.retain(|&cell| zone.contains(usize::from(cell)));
            if cells.is_empty() {
                return self.store(key, ProofNumbers::PROVED);
            }
        }
        let children: Vec<Child> = cells
            .into_iter()
            .map(|cell| Child {
                cell,
                key: self.key_after(cell, to_move),
                initial: self.initial_numbers(cell, to_move),
            })
            .collect();
        // Step 2. Search the most-proving child until another one is.
        loop {
            let numbers = |child: &Child| *self.table.get(&child.key).unwrap_or(&child.initial);
            let selection = Selection::of(
                children.iter().map(|child| {
                    let ProofNumbers { pn, dn } = numbers(child);
                    if attacks { (dn, pn) } else { (pn, dn) }
                }),
                INFINITE,
            );
            let own = if attacks {
                ProofNumbers {
                    pn: selection.sum,
                    dn: selection.least,
                }
            } else {
                ProofNumbers {
                    pn: selection.least,
                    dn: selection.sum,
                }
            };
            let Some(best) = selection.best else {
                return self.store(key, own);
            };
            let child = &children[best];
            let ProofNumbers { pn, dn } = numbers(child);
            if own.is_solved() || own.reaches(thresholds) || self.is_exhausted() {
                return self.store(key, own);
            }
            let child_thresholds = if attacks {
                ProofNumbers {
                    pn: thresholds.pn - (selection.sum - pn),
                    dn: selection.child_threshold(thresholds.dn),
                }
            } else {
                ProofNumbers {
                    pn: selection.child_threshold(thresholds.pn),
                    dn: thresholds.dn - (selection.sum - dn),
                }
            };
            self.put(child.cell, to_move);
            self.search(to_move.other(), child_thresholds);
            self.remove(child.cell, to_move);
        }
    }

    /// Returns the numbers of an unvisited child: the larger the attacker's potential, the harder
    /// the defence.
    fn initial_numbers(&self, cell: Cell, side: Player) -> ProofNumbers {
        let potential = (self.potential_after(cell, side) >> 18) as u32;
        ProofNumbers {
            pn: 1 + potential,
            dn: 1 + 16 / (1 + potential),
        }
    }

    fn store(&mut self, key: u64, numbers: ProofNumbers) -> ProofNumbers {
        if self.table.len() >= self.max_positions {
            // Keep the solved positions; if nearly all are solved, give up.
            self.table.retain(|_, numbers| numbers.is_solved());
            if self.table.len() > self.max_positions / 10 * 9 {
                self.node_limit = 0;
            }
        }
        self.table.insert(key, numbers);
        numbers
    }

    fn limit_nodes(&mut self, max_nodes: u64) {
        self.node_limit = self.nodes + max_nodes;
    }

    /// Returns whether the node limit has been reached.
    fn is_over_limit(&self) -> bool {
        self.nodes >= self.node_limit
    }

    /// Returns whether to give up, polling `halt` every 64 nodes.
    fn is_exhausted(&mut self) -> bool {
        self.is_over_limit() || (self.nodes.is_multiple_of(64) && (self.halt)())
    }
}

/// A move of a node, with the key of the position after it.
struct Child {
    cell: Cell,
    key: u64,
    /// Numbers until the table has some.
    initial: ProofNumbers,
}

fn list(cells: CellSet) -> Vec<Cell> {
    cells.cells().map(|cell| cell as Cell).collect()
}
