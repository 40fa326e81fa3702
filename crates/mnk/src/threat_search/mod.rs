//! Does the attacker win? WinProof-number search over his threats.
//!
//! Level 1 is continuous fours. At level n the attacker's move must threaten a win of
//! level n-1 if the defender passes; the zone of that win holds the replies that need
//! an answer of their own. At the highest level a move may threaten nothing: then
//! every reply needs one. What is found is a fact. What is not found within the limits
//! is not known.

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
use crate::relevance_zone::relevance_zone;
use crate::state::State;
use crate::vcf::VcfSearch;
use crate::win_proof::{ReplyProofs, WinProof};

/// The highest level: every move and every reply.
pub const MAX_ORDER: usize = 4;

const INFINITE: u32 = u32::MAX / 4;
/// Positions that are remembered at each level.
const MOST_NODES: usize = 400_000;

/// Searches for wins of either side, and remembers.
pub struct ThreatSearch {
    fours: VcfSearch,
    effort: NodeBudget,
    levels: [Level; 3],
    halt: Box<dyn FnMut() -> bool + Send>,
    halted: bool,
    /// Nodes after which it gives up.
    most_nodes: u64,
}

#[derive(Default)]
struct Level {
    table: FxHashMap<u64, Node>,
    /// Proofs stay when the table is emptied.
    proofs: FxHashMap<u64, Arc<WinProof>>,
    nodes: u64,
    limit: u64,
}

/// The attacker to move.
struct Node {
    pn: u32,
    dn: u32,
    moves: Vec<CandidateMove>,
    /// Moves that have not been looked at, worst first.
    pending: Vec<Cell>,
    proof: Option<Arc<WinProof>>,
    /// Nodes that were already spent in vain on this as the root of a search.
    spent: u64,
}

impl ThreatSearch {
    /// Tries as hard as this; `halt` is asked now and then whether to give up.
    #[must_use]
    pub fn new(effort: NodeBudget, halt: Box<dyn FnMut() -> bool + Send>) -> Self {
        Self {
            fours: VcfSearch::new(),
            effort,
            levels: Default::default(),
            halt,
            halted: false,
            most_nodes: u64::MAX,
        }
    }

    /// Tries harder or less hard from now on. What was found stays; what was not is
    /// forgotten.
    pub fn set_budget(&mut self, effort: NodeBudget) {
        self.effort = effort;
        for level in &mut self.levels {
            level.table.clear();
        }
    }

    /// Gives up after so many nodes from now on.
    pub fn limit_nodes(&mut self, nodes: u64) {
        self.most_nodes = self.nodes().saturating_add(nodes);
        self.halted = false;
    }

    /// Asks somebody else from now on whether to give up.
    pub fn set_halt(&mut self, halt: Box<dyn FnMut() -> bool + Send>) {
        self.halt = halt;
        self.halted = false;
    }

    /// Nodes looked at so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.fours.nodes() + self.levels.iter().map(|level| level.nodes).sum::<u64>()
    }

    /// Whether it was told to give up.
    #[must_use]
    pub fn is_halted(&self) -> bool {
        self.halted
    }

    /// A win of the attacker, who is to move, within the limits of a level. Nobody has
    /// won yet.
    pub fn win(
        &mut self,
        state: &mut State,
        attacker: Player,
        level: usize,
    ) -> Option<Arc<WinProof>> {
        if level == 1 {
            let cells = self.fours.win(state, attacker, self.effort.fours)?;
            return Some(Arc::new(WinProof::Fours { cells, then: None }));
        }
        let key = key(state, attacker);
        let at = level - 2;
        if let Some(proof) = self.levels[at].proofs.get(&key) {
            return Some(Arc::clone(proof));
        }
        let effort = self.effort.of(level);
        if let Some(node) = self.levels[at].table.get(&key)
            && (node.dn == 0 || node.spent >= effort)
        {
            return None;
        }
        self.levels[at].limit = self.levels[at].nodes + effort;
        self.search(state, attacker, level, INFINITE, INFINITE);
        if let Some(proof) = self.levels[at].proofs.get(&key) {
            return Some(Arc::clone(proof));
        }
        if let Some(node) = self.levels[at].table.get_mut(&key) {
            node.spent = effort;
        }
        if self.levels[at].table.len() > MOST_NODES {
            self.levels[at].table.clear();
        }
        if self.levels[at].proofs.len() > MOST_NODES {
            self.levels[at].proofs.clear();
        }
        None
    }

    /// ReplyProofs to every reply of the defender, who is to move, within the limits of a
    /// level. Nobody has won yet.
    pub fn win_against_replies(
        &mut self,
        state: &mut State,
        attacker: Player,
        level: usize,
    ) -> Option<ReplyProofs> {
        if state.completing(attacker.other()).is_some() {
            return None;
        }
        let rest = self.win(state, attacker, level)?;
        let zone = relevance_zone(state, attacker, &rest)? & state.empty();
        let mut waiting = CandidateMove {
            cell: 0,
            pn: 0,
            dn: 0,
            answers: ReplyProofs {
                rest: Some(rest),
                ..ReplyProofs::default()
            },
            four: false,
            open: zone.cells().map(|cell| Reply::new(cell as Cell)).collect(),
        };
        while let Some(reply) = waiting.open.first().copied() {
            state.put(reply.cell, attacker.other());
            let proof = self.win(state, attacker, level);
            state.take(reply.cell, attacker.other());
            cover(state, attacker, &mut waiting, reply.cell, proof?);
        }
        Some(waiting.answers)
    }

    fn gives_up(&mut self) -> bool {
        self.halted = self.halted || self.nodes() >= self.most_nodes || (self.halt)();
        self.halted
    }

    fn exhausted(&mut self, level: usize) -> bool {
        self.gives_up() || self.levels[level - 2].nodes >= self.levels[level - 2].limit
    }

    /// Searches a node until one of its numbers reaches its threshold, and returns them.
    fn search(
        &mut self,
        state: &mut State,
        attacker: Player,
        level: usize,
        most_pn: u32,
        most_dn: u32,
    ) -> (u32, u32) {
        let key = key(state, attacker);
        let at = level - 2;
        if self.levels[at].proofs.contains_key(&key) {
            return (0, INFINITE);
        }
        let mut node = match self.levels[at].table.remove(&key) {
            Some(node) => node,
            None => self.expand(state, attacker, level),
        };
        loop {
            // Step 1. The most promising move, the next, and the sum of the others.
            node.moves.retain(|mv| mv.dn > 0);
            let (mut best, mut second, mut sum) = (None, INFINITE, 0_u32);
            let mut least = INFINITE;
            for (index, mv) in node.moves.iter().enumerate() {
                sum = sum.saturating_add(mv.dn).min(INFINITE - 1);
                if mv.pn < least {
                    second = least;
                    least = mv.pn;
                    best = Some(index);
                } else {
                    second = second.min(mv.pn);
                }
            }
            // Step 2. Done?
            if node.proof.is_some() {
                (node.pn, node.dn) = (0, INFINITE);
                break;
            }
            if let Some(index) = best
                && node.moves[index].pn == 0
            {
                let proof = node.moves.swap_remove(index).into_proof();
                node.proof = Some(Arc::new(proof));
                continue;
            }
            // Step 3. More moves, when those at hand turn out hard.
            let looked = node.moves.len() as u32;
            if !node.pending.is_empty() && (best.is_none() || least > 8 + 4 * looked) {
                if self.exhausted(level) {
                    (node.pn, node.dn) = (least.min(INFINITE - 1), sum.max(1));
                    break;
                }
                self.look_at_more(state, attacker, level, &mut node);
                continue;
            }
            let Some(index) = best else {
                (node.pn, node.dn) = (INFINITE, 0);
                break;
            };
            let waiting = u32::from(!node.pending.is_empty());
            (node.pn, node.dn) = (least, sum.saturating_add(waiting));
            if node.pn >= most_pn || node.dn >= most_dn || self.exhausted(level) {
                break;
            }
            // Step 4. Go on with the best until another is better.
            let pn_limit = most_pn.min(second.saturating_add(second / 4 + 1));
            let others = node.dn - node.moves[index].dn;
            self.pursue(
                state,
                attacker,
                level,
                &mut node.moves[index],
                (pn_limit, most_dn - others),
            );
        }
        let numbers = (node.pn, node.dn);
        match node.proof.take() {
            Some(proof) => {
                self.levels[at].proofs.insert(key, proof);
            }
            None => {
                self.levels[at].table.insert(key, node);
            }
        }
        numbers
    }

    /// Searches the replies to a move until one of its numbers reaches its threshold.
    fn pursue(
        &mut self,
        state: &mut State,
        attacker: Player,
        level: usize,
        mv: &mut CandidateMove,
        (most_pn, most_dn): (u32, u32),
    ) {
        let defender = attacker.other();
        state.put(mv.cell, attacker);
        loop {
            let (mut hardest, mut least, mut second, mut sum) = (0, INFINITE, INFINITE, 0_u32);
            for (index, reply) in mv.open.iter().enumerate() {
                sum = sum.saturating_add(reply.pn).min(INFINITE - 1);
                if reply.dn < least {
                    second = least;
                    least = reply.dn;
                    hardest = index;
                } else {
                    second = second.min(reply.dn);
                }
            }
            (mv.pn, mv.dn) = (sum, least);
            if mv.open.is_empty() {
                (mv.pn, mv.dn) = (0, INFINITE);
                break;
            }
            if least == 0 {
                mv.pn = INFINITE;
                break;
            }
            if mv.pn >= most_pn || mv.dn >= most_dn || self.exhausted(level) {
                break;
            }
            let reply = mv.open[hardest];
            let pn_limit = most_pn - (sum - reply.pn);
            let dn_limit = most_dn.min(second.saturating_add(second / 4 + 1));
            state.put(reply.cell, defender);
            let (pn, dn) = self.search(state, attacker, level, pn_limit, dn_limit);
            let key = key(state, attacker);
            state.take(reply.cell, defender);
            (mv.open[hardest].pn, mv.open[hardest].dn) = (pn, dn);
            if pn == 0
                && let Some(proof) = self.levels[level - 2].proofs.get(&key).cloned()
            {
                cover(state, attacker, mv, reply.cell, proof);
            }
        }
        state.take(mv.cell, attacker);
    }

    /// A node that has not been seen before.
    fn expand(&mut self, state: &mut State, attacker: Player, level: usize) -> Node {
        self.levels[level - 2].nodes += 1;
        let mut node = Node {
            pn: 1,
            dn: 1,
            moves: Vec::new(),
            pending: Vec::new(),
            proof: self.win(state, attacker, level - 1),
            spent: 0,
        };
        if node.proof.is_some() {
            return node;
        }
        let defenders = state.completing_cells(attacker.other());
        if defenders.count() > 1 {
            return node;
        }
        let cells = if defenders.is_empty() {
            state.cells_on(attacker, (state.length() - 1).saturating_sub(level))
        } else {
            defenders
        };
        node.pending = cells.cells().map(|cell| cell as Cell).collect();
        let worths: Vec<i32> = node
            .pending
            .iter()
            .map(|&c| score_cell(state, attacker, c))
            .collect();
        let mut order: Vec<usize> = (0..worths.len()).collect();
        order.sort_by_key(|&at| worths[at]);
        node.pending = order.into_iter().map(|at| node.pending[at]).collect();
        if level == MAX_ORDER {
            distinct(state, &mut node.pending);
        }
        self.look_at_more(state, attacker, level, &mut node);
        node
    }

    /// Looks at the next few moves of a node: which of them threaten something?
    fn look_at_more(&mut self, state: &mut State, attacker: Player, level: usize, node: &mut Node) {
        let many = match level {
            2 => 3,
            3 => 6,
            _ => 3,
        };
        for _ in 0..many.min(node.pending.len()) {
            if self.gives_up() {
                return;
            }
            let Some(cell) = node.pending.pop() else {
                return;
            };
            state.put(cell, attacker);
            let found = self.threat(state, attacker, level, cell);
            state.take(cell, attacker);
            if let Some(found) = found {
                let done = found.pn == 0;
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

/// Keeps one cell of each orbit under the symmetries that leave the position as it is.
fn distinct(state: &State, cells: &mut Vec<Cell>) {
    let lines = Arc::clone(state.lines());
    let keeps = |images: &&Vec<Cell>| {
        let mut all = images.iter().enumerate();
        all.all(|(cell, &image)| state.owner(cell as Cell) == state.owner(image))
    };
    let fixing: Vec<&Vec<Cell>> = lines.symmetries().iter().filter(keeps).collect();
    if fixing.len() > 1 {
        let first = |cell: &Cell| fixing.iter().all(|s| s[usize::from(*cell)] >= *cell);
        cells.retain(first);
    }
}
