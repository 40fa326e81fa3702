//! Lambda search: df-pn restricted to the attacker's threats.
//!
//! Order 1 is a VCF ([`crate::vcf`]). A move of order n must threaten a win of order n - 1 if the
//! defender passes; the relevance zone of that win contains the only replies that need an answer of
//! their own. Order 2 corresponds to VCT (victory by continuous threats). At the highest order a
//! move may threaten nothing, and then every reply needs an answer.
//!
//! Proof and disproof numbers select the next threat to search; thresholds use the 1 + ε trick (ε =
//! 1/4) so that the search does not switch between siblings too often. A win found is a proof; a
//! failure within the budget says nothing.
//!
//! References:
//!
//! - T. Thomsen, *Lambda-Search in Game Trees, with Application to Go*, 2000.
//! - K. Yoshizoe, A. Kishimoto and M. Müller, *Lambda Depth-First Proof Number Search and Its
//!   Application to Go*, 2007.
//! - J. Pawlewicz and Ł. Lew, *Improving Depth-First PN-Search: 1 + ε Trick*, 2007.

mod candidate_move;
mod node_budget;
mod threat;

use std::sync::Arc;

use papan_rules::{Bits, Player};
use rustc_hash::FxHashMap;

use self::candidate_move::{CandidateMove, Reply, cover};
pub use self::node_budget::NodeBudget;
use crate::lines::Cell;
use crate::move_ordering::score_cell;
use crate::proof_numbers::{INFINITE, ProofNumbers, Selection};
use crate::relevance_zone::relevance_zone;
use crate::state::State;
use crate::vcf::VcfSearch;
use crate::win_proof::{ReplyProofs, WinProof};

/// The highest order: every move and every reply is searched.
pub const MAX_ORDER: usize = 4;

/// Maximum number of positions stored per order.
const MAX_STORED: usize = 400_000;

/// Lambda search for wins of either side. Keeps its tables between calls.
pub struct ThreatSearch {
    vcf: VcfSearch,
    budget: NodeBudget,
    orders: [OrderTables; 3],
    halt: Box<dyn FnMut() -> bool + Send>,
    halted: bool,
    /// Total node count at which the search gives up.
    node_limit: u64,
}

/// The tables of one order.
#[derive(Default)]
struct OrderTables {
    table: FxHashMap<u64, Node>,
    /// Proofs are kept when the table is cleared.
    proofs: FxHashMap<u64, Arc<WinProof>>,
    nodes: u64,
    limit: u64,
}

/// A position with the attacker to move.
struct Node {
    numbers: ProofNumbers,
    moves: Vec<CandidateMove>,
    /// Moves not examined yet, worst first.
    pending: Vec<Cell>,
    proof: Option<Arc<WinProof>>,
    /// Node budget of a search that failed with this node as its root.
    spent: u64,
}

impl ThreatSearch {
    /// Creates a search with a node budget; it polls `halt` and gives up when that returns true.
    #[must_use]
    pub fn new(budget: NodeBudget, halt: Box<dyn FnMut() -> bool + Send>) -> Self {
        Self {
            vcf: VcfSearch::new(),
            budget,
            orders: Default::default(),
            halt,
            halted: false,
            node_limit: u64::MAX,
        }
    }

    /// Changes the budget. Proofs are kept; unproved positions are forgotten, because they were
    /// searched with the old budget.
    pub fn set_budget(&mut self, budget: NodeBudget) {
        self.budget = budget;
        for order in &mut self.orders {
            order.table.clear();
        }
    }

    /// Limits the search to `nodes` more nodes.
    pub fn limit_nodes(&mut self, nodes: u64) {
        self.node_limit = self.nodes().saturating_add(nodes);
        self.halted = false;
    }

    /// Returns the nodes searched so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.vcf.nodes() + self.orders.iter().map(|order| order.nodes).sum::<u64>()
    }

    /// Returns whether the search gave up because of `halt` or the node limit.
    #[must_use]
    pub fn is_halted(&self) -> bool {
        self.halted
    }

    /// Returns a proof that the attacker, who is to move, wins with threats of this order or lower.
    /// The game must not be over.
    pub fn win(
        &mut self,
        state: &mut State,
        attacker: Player,
        order: usize,
    ) -> Option<Arc<WinProof>> {
        if order == 1 {
            let cells = self.vcf.win(state, attacker, self.budget.vcf)?;
            return Some(Arc::new(WinProof::Fours { cells, then: None }));
        }
        let key = key(state, attacker);
        let at = order - 2;
        if let Some(proof) = self.orders[at].proofs.get(&key) {
            return Some(Arc::clone(proof));
        }
        let budget = self.budget.of(order);
        if let Some(node) = self.orders[at].table.get(&key)
            && (node.numbers.dn == 0 || node.spent >= budget)
        {
            return None;
        }
        self.orders[at].limit = self.orders[at].nodes + budget;
        self.search(state, attacker, order, ProofNumbers::UNBOUNDED);
        if let Some(proof) = self.orders[at].proofs.get(&key) {
            return Some(Arc::clone(proof));
        }
        if let Some(node) = self.orders[at].table.get_mut(&key) {
            node.spent = budget;
        }
        if self.orders[at].table.len() > MAX_STORED {
            self.orders[at].table.clear();
        }
        if self.orders[at].proofs.len() > MAX_STORED {
            self.orders[at].proofs.clear();
        }
        None
    }

    /// Returns proofs against every reply of the defender, who is to move, within this order. The
    /// game must not be over.
    pub fn win_against_replies(
        &mut self,
        state: &mut State,
        attacker: Player,
        order: usize,
    ) -> Option<ReplyProofs> {
        if state.completing(attacker.other()).is_some() {
            return None;
        }
        let rest = self.win(state, attacker, order)?;
        let zone = relevance_zone(state, attacker, &rest)? & state.empty();
        let mut waiting = CandidateMove {
            cell: 0,
            numbers: ProofNumbers::PROVED,
            replies: ReplyProofs {
                rest: Some(rest),
                ..ReplyProofs::default()
            },
            four: false,
            open: zone.cells().map(|cell| Reply::new(cell as Cell)).collect(),
        };
        while let Some(reply) = waiting.open.first().copied() {
            state.put(reply.cell, attacker.other());
            let proof = self.win(state, attacker, order);
            state.remove(reply.cell, attacker.other());
            cover(state, attacker, &mut waiting, reply.cell, proof?);
        }
        Some(waiting.replies)
    }

    fn should_stop(&mut self) -> bool {
        self.halted = self.halted || self.nodes() >= self.node_limit || (self.halt)();
        self.halted
    }

    fn exhausted(&mut self, order: usize) -> bool {
        self.should_stop() || self.orders[order - 2].nodes >= self.orders[order - 2].limit
    }

    /// Searches a node until one of its numbers reaches its threshold, and returns them.
    fn search(
        &mut self,
        state: &mut State,
        attacker: Player,
        order: usize,
        thresholds: ProofNumbers,
    ) -> ProofNumbers {
        let key = key(state, attacker);
        let at = order - 2;
        if self.orders[at].proofs.contains_key(&key) {
            return ProofNumbers::PROVED;
        }
        let mut node = match self.orders[at].table.remove(&key) {
            Some(node) => node,
            None => self.expand(state, attacker, order),
        };
        loop {
            // Step 1. Select the move with the least proof number.
            node.moves.retain(|mv| mv.numbers.dn > 0);
            let numbers = node.moves.iter().map(|mv| (mv.numbers.pn, mv.numbers.dn));
            let selection = Selection::of(numbers, INFINITE - 1);
            // Step 2. Return if a move is proved.
            if node.proof.is_some() {
                node.numbers = ProofNumbers::PROVED;
                break;
            }
            if let Some(index) = selection.best
                && node.moves[index].numbers.pn == 0
            {
                let proof = node.moves.swap_remove(index).into_proof();
                node.proof = Some(Arc::new(proof));
                continue;
            }
            // Step 3. Widen the node when its moves turn out hard.
            let is_hard =
                selection.best.is_none() || selection.least > 8 + 4 * node.moves.len() as u32;
            if !node.pending.is_empty() && is_hard {
                if self.exhausted(order) {
                    node.numbers = ProofNumbers {
                        pn: selection.least.min(INFINITE - 1),
                        dn: selection.sum.max(1),
                    };
                    break;
                }
                self.examine_more(state, attacker, order, &mut node);
                continue;
            }
            let Some(index) = selection.best else {
                node.numbers = ProofNumbers::DISPROVED;
                break;
            };
            let pending = u32::from(!node.pending.is_empty());
            node.numbers = ProofNumbers {
                pn: selection.least,
                dn: selection.sum.saturating_add(pending),
            };
            if node.numbers.reaches(thresholds) || self.exhausted(order) {
                break;
            }
            // Step 4. Search the best move until another one is better.
            let best = &mut node.moves[index];
            let thresholds = ProofNumbers {
                pn: selection.child_threshold(thresholds.pn),
                dn: thresholds.dn - (node.numbers.dn - best.numbers.dn),
            };
            self.search_replies(state, attacker, order, best, thresholds);
        }
        let numbers = node.numbers;
        match node.proof.take() {
            Some(proof) => {
                self.orders[at].proofs.insert(key, proof);
            }
            None => {
                self.orders[at].table.insert(key, node);
            }
        }
        numbers
    }

    /// Searches the replies to a move until one of its numbers reaches its threshold.
    fn search_replies(
        &mut self,
        state: &mut State,
        attacker: Player,
        order: usize,
        mv: &mut CandidateMove,
        thresholds: ProofNumbers,
    ) {
        let defender = attacker.other();
        state.put(mv.cell, attacker);
        loop {
            let replies = mv.open.iter();
            let numbers = replies.map(|reply| (reply.numbers.dn, reply.numbers.pn));
            let selection = Selection::of(numbers, INFINITE - 1);
            if mv.open.is_empty() {
                mv.numbers = ProofNumbers::PROVED;
                break;
            }
            if selection.least == 0 {
                mv.numbers = ProofNumbers::DISPROVED;
                break;
            }
            mv.numbers = ProofNumbers {
                pn: selection.sum,
                dn: selection.least,
            };
            if mv.numbers.reaches(thresholds) || self.exhausted(order) {
                break;
            }
            let Some(hardest) = selection.best else {
                break;
            };
            let reply = mv.open[hardest];
            let limits = ProofNumbers {
                pn: thresholds.pn - (selection.sum - reply.numbers.pn),
                dn: selection.child_threshold(thresholds.dn),
            };
            state.put(reply.cell, defender);
            let numbers = self.search(state, attacker, order, limits);
            let key = key(state, attacker);
            state.remove(reply.cell, defender);
            mv.open[hardest].numbers = numbers;
            if numbers.pn == 0
                && let Some(proof) = self.orders[order - 2].proofs.get(&key).cloned()
            {
                cover(state, attacker, mv, reply.cell, proof);
            }
        }
        state.remove(mv.cell, attacker);
    }

    /// Creates a node and examines its first moves.
    fn expand(&mut self, state: &mut State, attacker: Player, order: usize) -> Node {
        self.orders[order - 2].nodes += 1;
        let mut node = Node {
            numbers: ProofNumbers { pn: 1, dn: 1 },
            moves: Vec::new(),
            pending: Vec::new(),
            proof: self.win(state, attacker, order - 1),
            spent: 0,
        };
        if node.proof.is_some() {
            return node;
        }
        let forced = state.completing_cells(attacker.other());
        if forced.count() > 1 {
            return node;
        }
        let cells = if forced.is_empty() {
            state.cells_on(attacker, (state.length() - 1).saturating_sub(order))
        } else {
            forced
        };
        node.pending = cells.cells().map(|cell| cell as Cell).collect();
        node.pending
            .sort_by_cached_key(|&cell| score_cell(state, attacker, cell));
        if order == MAX_ORDER {
            retain_distinct(state, &mut node.pending);
        }
        self.examine_more(state, attacker, order, &mut node);
        node
    }

    /// Examines the next few moves of a node and keeps those that make a threat.
    fn examine_more(&mut self, state: &mut State, attacker: Player, order: usize, node: &mut Node) {
        let count = if order == 3 { 6 } else { 3 };
        for _ in 0..count.min(node.pending.len()) {
            if self.should_stop() {
                return;
            }
            let Some(cell) = node.pending.pop() else {
                return;
            };
            state.put(cell, attacker);
            let found = self.threat(state, attacker, order, cell);
            state.remove(cell, attacker);
            if let Some(found) = found {
                let done = found.numbers.pn == 0;
                node.moves.push(found);
                if done {
                    return;
                }
            }
        }
    }
}

fn key(state: &State, attacker: Player) -> u64 {
    state.hash() ^ (attacker.index() as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Keeps one cell of each orbit under the symmetries of the position.
fn retain_distinct(state: &State, cells: &mut Vec<Cell>) {
    let lines = Arc::clone(state.lines());
    let keeps = |images: &&Vec<Cell>| {
        let mut all = images.iter().enumerate();
        all.all(|(cell, &image)| state.owner(cell as Cell) == state.owner(image))
    };
    let stabiliser: Vec<&Vec<Cell>> = lines.symmetries().iter().filter(keeps).collect();
    if stabiliser.len() > 1 {
        let first = |cell: &Cell| stabiliser.iter().all(|s| s[usize::from(*cell)] >= *cell);
        cells.retain(first);
    }
}
