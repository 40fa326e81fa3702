//! A win query: does one player win, or does the opponent at least draw?
//!
//! Four searches work on it in turn, with node limits that double every round: a threat search and
//! a survivor search for a win, the plain and the countering form of [`DefenceSolver`]. The first to
//! finish answers the query.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::ScopedJoinHandle;

use papan_mnk::{DefenceSolver, DefenceValue, NodeBudget, SequenceProof, State, ThreatSearch};
use papan_rules::Player;
use papan_strategies::{Context, usable_threads};

use super::ValueLimits;
use super::survivor_query::SurvivorQuery;
use crate::ClaimProof;

/// The searches of a win query, and its answer.
pub(super) struct WinQuery {
    pub(super) attacker: Player,
    to_move: Player,
    threats: ThreatSearch,
    budget: NodeBudget,
    survivors: Option<SurvivorQuery>,
    /// The solver for which only the attacker's lines count.
    pub(super) plain: DefenceSolver,
    /// The solver for which the defender's lines count as well.
    pub(super) countering: DefenceSolver,
    /// Depth of the next iteration of the plain solver.
    depth: u8,
    /// Whether the plain form is lost or not wanted.
    skip_plain: bool,
    /// Whether the countering form is not wanted.
    skip_countering: bool,
    /// Set by the first concurrent search that finds something, to stop the others.
    found: Arc<AtomicBool>,
    threads: usize,
    pub(super) answer: Option<ClaimProof>,
}

/// Replies tried in each position by iterative deepening.
pub(super) const BEAM_WIDTH: usize = 8;
/// Round from which the countering solver runs first.
const COUNTERING_FIRST_ROUND: u32 = 8;
/// Maximum depth of iterative deepening, in replies.
const MAX_DEPTH: u8 = 60;

impl WinQuery {
    pub(super) fn new(
        state: &State,
        attacker: Player,
        to_move: Player,
        at_start: bool,
        limits: &ValueLimits,
        context: &Context,
    ) -> Self {
        let found = Arc::new(AtomicBool::new(false));
        let halt = || {
            let (context, found) = (context.clone(), Arc::clone(&found));
            Box::new(move || context.is_over() || found.load(Ordering::Relaxed))
        };
        let solver = |counter| {
            DefenceSolver::new(state.clone(), attacker, to_move, counter, halt())
                .with_max_positions(limits.positions)
        };
        // Strategy stealing: the player who moves first on the empty board at least draws.
        let steals = at_start && attacker != to_move;
        Self {
            attacker,
            to_move,
            threats: ThreatSearch::new(NodeBudget::INITIAL, halt()),
            budget: NodeBudget::INITIAL,
            survivors: None,
            plain: solver(false),
            countering: solver(true),
            depth: 0,
            threads: usable_threads(limits.threads),
            skip_plain: false,
            skip_countering: false,
            found,
            answer: steals.then_some(ClaimProof::MovesFirst(to_move)),
        }
    }

    /// Adds a survivor search to the query.
    pub(super) fn with_survivors(
        mut self,
        state: &State,
        is_cube: bool,
        limits: &ValueLimits,
        context: &Context,
    ) -> Self {
        let (context, found) = (context.clone(), Arc::clone(&self.found));
        self.survivors = SurvivorQuery::new(
            state,
            self.attacker,
            self.attacker == self.to_move,
            is_cube,
            limits,
            Box::new(move || context.is_over() || found.load(Ordering::Relaxed)),
        );
        self
    }

    /// Requires a draw proof to be of the countering form.
    pub(super) fn countering_only(mut self) -> Self {
        self.skip_plain = true;
        self
    }

    /// Leaves out the searches for draws.
    pub(super) fn wins_only(mut self) -> Self {
        (self.skip_plain, self.skip_countering) = (true, true);
        self
    }

    pub(super) fn nodes(&self) -> u64 {
        let survivors = self.survivors.as_ref().map_or(0, SurvivorQuery::nodes);
        self.threats.nodes() + survivors + self.plain.nodes() + self.countering.nodes()
    }

    /// Returns whether the attacker is proved to win.
    pub(super) fn is_won(&self) -> bool {
        self.answer.as_ref().is_some_and(ClaimProof::is_win)
    }

    /// Runs one round of the searches.
    pub(super) fn step(&mut self, state: &mut State, round: u32) {
        let nodes = 3_000_u64 << round.min(40);
        self.found.store(false, Ordering::Relaxed);
        self.threats.limit_nodes(nodes * 3);
        if self.threads > 1 {
            self.step_concurrently(state, round, nodes);
            return;
        }
        let survivors_first = |query: &SurvivorQuery| query.runs_first(round);
        let survivors_first = self.survivors.as_ref().is_some_and(survivors_first);
        if survivors_first {
            self.run_survivors(nodes);
        }
        // The countering solver takes longest; late rounds are for it.
        let countering_first = round >= COUNTERING_FIRST_ROUND;
        if self.answer.is_none() && countering_first {
            self.run_countering(nodes);
        }
        if self.answer.is_none() {
            let sides = self.sides();
            self.answer = search_threats(&mut self.threats, &mut self.budget, sides, state, round);
        }
        if self.answer.is_none() && !self.skip_plain {
            let value = run_plain(&mut self.plain, &mut self.depth, plain_nodes(nodes, round));
            self.conclude_plain(value);
        }
        if self.answer.is_none() && !countering_first {
            self.run_countering(nodes);
        }
        if self.answer.is_none() && !survivors_first {
            self.run_survivors(nodes);
        }
    }

    fn run_survivors(&mut self, nodes: u64) {
        let proof = self.survivors.as_mut().and_then(|s| s.run(nodes));
        self.conclude_survivors(proof);
    }

    fn conclude_survivors(&mut self, proof: Option<SequenceProof>) {
        self.answer = proof.map(|proof| ClaimProof::WinsBySequences(self.attacker, proof));
    }

    fn sides(&self) -> Sides {
        Sides {
            attacker: self.attacker,
            to_move: self.to_move,
        }
    }

    fn run_countering(&mut self, nodes: u64) {
        if self.skip_countering {
            return;
        }
        let value = self.countering.run(nodes);
        self.conclude_countering(value);
    }

    /// Runs the searches on threads of their own; the first to find something stops the
    /// others.
    fn step_concurrently(&mut self, state: &State, round: u32, nodes: u64) {
        let found = Arc::clone(&self.found);
        let stop_others_if = |is_decisive: bool| {
            if is_decisive {
                found.store(true, Ordering::Relaxed);
            }
        };
        let sides = self.sides();
        let (won, by_sequences, plain, countering) = std::thread::scope(|scope| {
            let Self {
                threats,
                survivors,
                budget,
                plain,
                depth,
                countering,
                ..
            } = self;
            let plain = (!self.skip_plain).then(|| {
                scope.spawn(|| {
                    let value = run_plain(plain, depth, plain_nodes(nodes, round));
                    stop_others_if(value == DefenceValue::Holds);
                    value
                })
            });
            let countering = scope.spawn(|| {
                let value = countering.run(nodes);
                stop_others_if(value != DefenceValue::Unknown);
                value
            });
            let survivors = scope.spawn(|| {
                let proof = survivors.as_mut().and_then(|s| s.run(nodes));
                stop_others_if(proof.is_some());
                proof
            });
            let won = search_threats(threats, budget, sides, &mut state.clone(), round);
            stop_others_if(won.is_some());
            let join = |thread: ScopedJoinHandle<'_, DefenceValue>| {
                thread.join().unwrap_or(DefenceValue::Unknown)
            };
            let plain = plain.map_or(DefenceValue::Loses, join);
            let by_sequences = survivors.join().unwrap_or(None);
            (won, by_sequences, plain, join(countering))
        });
        self.found.store(false, Ordering::Relaxed);
        self.answer = won;
        if self.answer.is_none() {
            self.conclude_survivors(by_sequences);
        }
        if self.answer.is_none() {
            self.conclude_plain(plain);
        }
        if self.answer.is_none() {
            self.conclude_countering(countering);
        }
    }

    fn conclude_plain(&mut self, value: DefenceValue) {
        match value {
            DefenceValue::Holds => {
                let proof = self.plain.draw_proof();
                self.answer = proof.map(|proof| ClaimProof::Draws(self.attacker.other(), proof));
            }
            DefenceValue::Loses => self.skip_plain = true,
            DefenceValue::Unknown => {}
        }
    }

    fn conclude_countering(&mut self, value: DefenceValue) {
        match value {
            DefenceValue::Holds => {
                let proof = self.countering.draw_proof();
                self.answer = proof.map(|proof| ClaimProof::Draws(self.attacker.other(), proof));
            }
            DefenceValue::Loses if self.attacker == self.to_move => {
                let proof = self.countering.win_proof();
                self.answer = proof.map(|proof| ClaimProof::WinsToMove(self.attacker, proof));
            }
            DefenceValue::Loses => {
                let replies = self.countering.reply_proofs();
                self.answer =
                    replies.map(|replies| ClaimProof::WinsWaiting(self.attacker, replies));
            }
            DefenceValue::Unknown => {}
        }
    }
}

/// The players of a query.
#[derive(Clone, Copy)]
struct Sides {
    attacker: Player,
    to_move: Player,
}

/// Searches for a win by threats, with higher order and budget in later rounds.
fn search_threats(
    threats: &mut ThreatSearch,
    budget: &mut NodeBudget,
    Sides { attacker, to_move }: Sides,
    state: &mut State,
    round: u32,
) -> Option<ClaimProof> {
    // The budget triples where the nodes of a round double: skip every third increase.
    if !round.is_multiple_of(3) {
        *budget = budget.increased();
        threats.set_budget(*budget);
    }
    let max_order = (2 + (round / 3) as usize).min(3);
    (1..=max_order).find_map(|order| {
        if attacker == to_move {
            let proof = threats.win(state, attacker, order);
            proof.map(|proof| ClaimProof::WinsToMove(attacker, proof))
        } else {
            let replies = threats.win_against_replies(state, attacker, order);
            replies.map(|replies| ClaimProof::WinsWaiting(attacker, replies))
        }
    })
}

/// Returns the node limit of the plain solver. Plain draws are found soon or not at all, so later
/// rounds leave more nodes to the countering solver.
fn plain_nodes(nodes: u64, round: u32) -> u64 {
    nodes / u64::from(1 + round)
}

/// Runs the plain solver: iterative deepening while the nodes last, then df-pn.
fn run_plain(plain: &mut DefenceSolver, depth: &mut u8, nodes: u64) -> DefenceValue {
    let end = plain.nodes() + nodes;
    while plain.nodes() < end && *depth < MAX_DEPTH {
        let left = end - plain.nodes();
        if plain.deepen(*depth, BEAM_WIDTH, left) == DefenceValue::Holds {
            return DefenceValue::Holds;
        }
        if plain.nodes() >= end {
            break;
        }
        *depth += 1;
    }
    plain.run(nodes / 4)
}
