//! One of the two questions that settle a value.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use papan_mnk::{DefenceSolver, DefenceValue, NodeBudget, State, ThreatSearch};
use papan_rules::Player;
use papan_strategies::Context;

use super::ValueLimits;
use crate::ClaimProof;

/// Does this player win, or does the other at least draw?
pub(super) struct WinQuery {
    pub(super) attacker: Player,
    to_move: Player,
    attack: ThreatSearch,
    effort: NodeBudget,
    pub(super) plain: DefenceSolver,
    pub(super) counter: DefenceSolver,
    depth: u8,
    /// Whether the plain form can still succeed.
    plain_lost: bool,
    /// Whether one of the searches of this round has found something.
    found: Arc<AtomicBool>,
    threads: usize,
    pub(super) answer: Option<ClaimProof>,
}

/// Replies that are tried in the search by depth.
pub(super) const WIDTH: usize = 8;
/// The round from which on the search over all moves comes first.
const LATE: u32 = 8;
/// Replies that a hold may take.
const DEEPEST: u8 = 60;

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
        let stop = || {
            let (context, found) = (context.clone(), Arc::clone(&found));
            Box::new(move || context.is_over() || found.load(Ordering::Relaxed))
        };
        let duel = |counter| {
            let halt = stop();
            DefenceSolver::new(state.clone(), attacker, to_move, counter, halt)
                .with_max_positions(limits.positions)
        };
        // Whoever moves first on the empty board at least draws.
        let first = at_start && attacker != to_move;
        Self {
            attacker,
            to_move,
            attack: ThreatSearch::new(NodeBudget::INITIAL, stop()),
            effort: NodeBudget::INITIAL,
            plain: duel(false),
            counter: duel(true),
            depth: 0,
            threads: limits.threads,
            plain_lost: false,
            found,
            answer: first.then_some(ClaimProof::MovesFirst(to_move)),
        }
    }

    /// The same, where a hold has to be of the stronger form.
    pub(super) fn countering(mut self) -> Self {
        self.plain_lost = true;
        self
    }

    pub(super) fn nodes(&self) -> u64 {
        self.attack.nodes() + self.plain.nodes() + self.counter.nodes()
    }

    /// Whether it is known that the attacker wins.
    pub(super) fn is_won(&self) -> bool {
        matches!(
            self.answer,
            Some(ClaimProof::WinsToMove(..) | ClaimProof::WinsWaiting(..))
        )
    }

    /// Tries a little harder than the last time.
    pub(super) fn step(&mut self, state: &mut State, round: u32) {
        let nodes = 3_000_u64 << round.min(40);
        self.found.store(false, Ordering::Relaxed);
        self.attack.limit_nodes(nodes * 3);
        if self.threads > 1 {
            self.step_side_by_side(state, round, nodes);
            return;
        }
        // What looks at all moves ends last, and once the others have had their chance, first.
        let late = round >= LATE;
        if late {
            self.counter(nodes);
        }
        if self.answer.is_none() {
            self.answer = self.attack(state, round);
        }
        if self.answer.is_none() && !self.plain_lost {
            let verdict = hold_plainly(&mut self.plain, &mut self.depth, plain_nodes(nodes, round));
            self.conclude_plainly(verdict);
        }
        if self.answer.is_none() && !late {
            self.counter(nodes);
        }
    }

    fn counter(&mut self, nodes: u64) {
        let verdict = self.counter.run(nodes);
        self.conclude_countering(verdict);
    }

    /// The three searches at once; the first that finds something ends the others.
    fn step_side_by_side(&mut self, state: &State, round: u32, nodes: u64) {
        let found = Arc::clone(&self.found);
        let tell = |verdict: DefenceValue, certain: bool| {
            if certain {
                found.store(true, Ordering::Relaxed);
            }
            verdict
        };
        let (won, plainly, countering) = std::thread::scope(|scope| {
            let Self {
                attack,
                effort,
                plain,
                depth,
                counter,
                ..
            } = self;
            let plainly = (!self.plain_lost).then(|| {
                scope.spawn(|| {
                    let verdict = hold_plainly(plain, depth, plain_nodes(nodes, round));
                    tell(verdict, verdict == DefenceValue::Holds)
                })
            });
            let countering = scope.spawn(|| {
                let verdict = counter.run(nodes);
                tell(verdict, verdict != DefenceValue::Unknown)
            });
            let sides = (self.attacker, self.to_move);
            let won = win(attack, effort, sides, &mut state.clone(), round);
            if won.is_some() {
                found.store(true, Ordering::Relaxed);
            }
            let join = |thread: std::thread::ScopedJoinHandle<'_, DefenceValue>| {
                thread.join().unwrap_or(DefenceValue::Unknown)
            };
            let plainly = plainly.map_or(DefenceValue::Loses, join);
            (won, plainly, join(countering))
        });
        self.found.store(false, Ordering::Relaxed);
        self.answer = won;
        if self.answer.is_none() {
            self.conclude_plainly(plainly);
        }
        if self.answer.is_none() {
            self.conclude_countering(countering);
        }
    }

    fn attack(&mut self, state: &mut State, round: u32) -> Option<ClaimProof> {
        let sides = (self.attacker, self.to_move);
        win(&mut self.attack, &mut self.effort, sides, state, round)
    }

    fn conclude_plainly(&mut self, verdict: DefenceValue) {
        match verdict {
            DefenceValue::Holds => self.held(false),
            DefenceValue::Loses => self.plain_lost = true,
            DefenceValue::Unknown => {}
        }
    }

    fn conclude_countering(&mut self, verdict: DefenceValue) {
        match verdict {
            DefenceValue::Holds => self.held(true),
            DefenceValue::Loses if self.attacker == self.to_move => {
                let proof = self.counter.win_proof();
                self.answer = proof.map(|proof| ClaimProof::WinsToMove(self.attacker, proof));
            }
            DefenceValue::Loses => {
                let answers = self.counter.reply_proofs();
                self.answer =
                    answers.map(|answers| ClaimProof::WinsWaiting(self.attacker, answers));
            }
            DefenceValue::Unknown => {}
        }
    }

    fn held(&mut self, counter: bool) {
        let duel = if counter {
            &mut self.counter
        } else {
            &mut self.plain
        };
        self.answer = duel
            .draw_proof()
            .map(|hold| ClaimProof::Draws(self.attacker.other(), hold));
    }
}

/// Looks for a win by threats, harder from round to round.
fn win(
    attack: &mut ThreatSearch,
    effort: &mut NodeBudget,
    (attacker, to_move): (Player, Player),
    state: &mut State,
    round: u32,
) -> Option<ClaimProof> {
    // NodeBudget grows threefold where nodes grow twofold.
    if !round.is_multiple_of(3) {
        *effort = effort.increased();
        attack.set_budget(*effort);
    }
    let highest = (2 + (round / 3) as usize).min(3);
    (1..=highest).find_map(|level| {
        if attacker == to_move {
            let proof = attack.win(state, attacker, level);
            proof.map(|proof| ClaimProof::WinsToMove(attacker, proof))
        } else {
            let answers = attack.win_against_replies(state, attacker, level);
            answers.map(|answers| ClaimProof::WinsWaiting(attacker, answers))
        }
    })
}

/// What a plain hold is found with, if at all, is found soon: later rounds leave more to the
/// stronger form.
fn plain_nodes(nodes: u64, round: u32) -> u64 {
    nodes / u64::from(1 + round)
}

/// Looks for a hold, deeper and deeper while the nodes last.
fn hold_plainly(plain: &mut DefenceSolver, depth: &mut u8, nodes: u64) -> DefenceValue {
    let end = plain.nodes() + nodes;
    while plain.nodes() < end && *depth < DEEPEST {
        let left = end - plain.nodes();
        if plain.deepen(*depth, WIDTH, left) == DefenceValue::Holds {
            return DefenceValue::Holds;
        }
        if plain.nodes() >= end {
            break;
        }
        *depth += 1;
    }
    plain.run(nodes / 4)
}
