//! The value of a position of k in a row, with the reasons.
//!
//! Four questions are asked in turn, each time a little harder: does either side win by
//! threats, and does either side at least draw? The first two that settle the value end
//! it. What a limit cut off is not known; it is never taken for a no.

mod best_line;
mod query;

use std::sync::Arc;

use papan_mnk::{DefenceSolver, DefenceValue, Lines, RootReplies, State};
use papan_rules::{Bits, Game as _, Grid, GridPosition, Move, Player};
use papan_strategies::{Context, Progress, StepKind, StepProgress};

use self::best_line::best_line;
use self::query::{WIDTH, WinQuery};
use crate::ClaimProof;
use crate::checkpoint::{Entries, SearchCheckpoint};

/// How long the first player's way to keep a draw is looked for.
const OPENING_DEPTH: u8 = 6;
const OPENING_NODES: u64 = 20_000;

/// How far a search for a value may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueLimits {
    /// Rounds, each about twice as long as the one before.
    pub rounds: u32,
    /// Positions that a search over all moves remembers.
    pub positions: usize,
    /// Threads: the searches for a win, for a plain and for a countering hold run beside
    /// each other where there are several.
    pub threads: usize,
}

impl Default for ValueLimits {
    fn default() -> Self {
        Self {
            rounds: 40,
            positions: 8_000_000,
            threads: 1,
        }
    }
}

/// What is known of a position.
#[derive(Clone, Debug, Default)]
pub struct GridValue {
    /// What was established, with the reasons; both halves of a draw.
    pub reasons: Vec<ClaimProof>,
    /// The value for the player to move, if it is known: 1, 0 or -1.
    pub value: Option<i32>,
    /// A line of play in which both do their best, as far as the proofs tell it.
    pub pv: Vec<Move>,
    /// Where the value is not known, which replies to the most promising move are closed.
    pub replies: Option<RootReplies>,
    /// Nodes it took.
    pub nodes: u64,
}

/// The value of an unfinished position. What an earlier search remembered is taken from
/// `memory`; what this one does is left there if it did not come to an end. The context
/// ends it early, by its time or its token, and is told after every step what is open.
pub fn grid_value<B: Bits>(
    grid: &Grid<B>,
    position: &GridPosition<B>,
    limits: &ValueLimits,
    memory: &mut SearchCheckpoint,
    context: &Context,
) -> GridValue {
    let state = State::from_position(&Arc::new(Lines::new(grid)), grid, position);
    let mover = grid.turn(position);
    let mut search = Search {
        mover,
        context,
        questions: [mover, mover.other()].map(|attacker| {
            let at_start = position.plies() == 0;
            WinQuery::new(&state, attacker, mover, at_start, limits, context)
        }),
        state,
    };
    search.recall(std::mem::take(memory));
    let found = search.run(limits.rounds);
    if found.value.is_none() {
        *memory = search.memory();
    }
    found
}

/// Whether a player wins an unfinished position, or the other at least draws: one of the
/// questions alone. A draw is one in which the other's own fours count.
pub(crate) fn wins_or_not<B: Bits>(
    grid: &Grid<B>,
    position: &GridPosition<B>,
    attacker: Player,
    limits: &ValueLimits,
    context: &Context,
) -> Option<ClaimProof> {
    let mut state = State::from_position(&Arc::new(Lines::new(grid)), grid, position);
    let mover = grid.turn(position);
    let question = WinQuery::new(&state, attacker, mover, false, limits, context);
    let mut question = question.countering();
    for round in 0..limits.rounds {
        question.step(&mut state, round);
        if question.answer.is_some() {
            break;
        }
    }
    question.answer
}

struct Search<'a> {
    state: State,
    mover: Player,
    context: &'a Context,
    questions: [WinQuery; 2],
}

impl Search<'_> {
    fn duels(&mut self) -> impl Iterator<Item = &mut DefenceSolver> {
        let questions = self.questions.iter_mut();
        questions.flat_map(|question| [&mut question.plain, &mut question.counter])
    }

    fn recall(&mut self, memory: SearchCheckpoint) {
        for (duel, table) in self.duels().zip(memory.tables) {
            duel.restore(table);
        }
    }

    fn memory(&mut self) -> SearchCheckpoint {
        let mut tables = self.duels().map(|duel| duel.entries().collect::<Entries>());
        SearchCheckpoint {
            tables: std::array::from_fn(|_| tables.next().unwrap_or_default()),
        }
    }

    fn run(&mut self, rounds: u32) -> GridValue {
        for round in 0..rounds {
            for at in 0..2 {
                if self.questions[at].answer.is_none() {
                    let Self {
                        state, questions, ..
                    } = self;
                    questions[at].step(state, round);
                }
                if self.value().is_some() {
                    return self.conclude();
                }
                let progress = self.progress(round);
                self.context.report(&progress);
                if self.context.is_over() {
                    return self.conclude();
                }
            }
        }
        self.conclude()
    }

    fn nodes(&self) -> u64 {
        self.questions.iter().map(WinQuery::nodes).sum()
    }

    fn progress(&mut self, round: u32) -> Progress {
        let replies = self.questions[0].counter.root_replies();
        let open = self.questions.iter().filter(|q| q.answer.is_none());
        let mut open: Vec<Player> = open.map(|question| question.attacker).collect();
        open.sort_unstable();
        Progress {
            depth: round,
            nodes: self.nodes(),
            part: replies.map(|replies| StepProgress {
                of: StepKind::Replies,
                done: replies.losing.len() as u64,
                total: (replies.losing.len() + replies.open.len()) as u64,
            }),
            open,
            ..Progress::default()
        }
    }

    /// The value for the player to move, if the answers settle it.
    fn value(&self) -> Option<i32> {
        if self.questions[0].is_won() {
            return Some(1);
        }
        if self.questions[1].is_won() {
            return Some(-1);
        }
        self.questions
            .iter()
            .all(|question| question.answer.is_some())
            .then_some(0)
    }

    fn conclude(&mut self) -> GridValue {
        let value = self.value();
        self.open(value);
        let nodes = self.nodes();
        let answers = self.questions.iter_mut();
        let mut reasons: Vec<ClaimProof> = answers.filter_map(|q| q.answer.take()).collect();
        if let Some(1 | -1) = value {
            // A win says all.
            reasons
                .retain(|r| matches!(r, ClaimProof::WinsToMove(..) | ClaimProof::WinsWaiting(..)));
        }
        let pv = best_line(&mut self.state, self.mover, &reasons);
        GridValue {
            pv: pv
                .into_iter()
                .map(|cell| Move::on(usize::from(cell)))
                .collect(),
            replies: match value {
                None => self.questions[0].counter.root_replies(),
                Some(_) => None,
            },
            reasons,
            value,
            nodes,
        }
    }

    /// That the first player keeps the draw on the empty board needs no proof, but with
    /// which moves does: whoever plays from the certificate wants to know.
    fn open(&mut self, value: Option<i32>) {
        let waiting = &mut self.questions[1];
        let Some(ClaimProof::MovesFirst(player)) = waiting.answer else {
            return;
        };
        if value != Some(0) {
            return;
        }
        for depth in 0..OPENING_DEPTH {
            if waiting.plain.deepen(depth, WIDTH, OPENING_NODES) == DefenceValue::Holds
                && let Some(hold) = waiting.plain.draw_proof()
            {
                waiting.answer = Some(ClaimProof::Draws(player, hold));
                return;
            }
        }
        if waiting.counter.run(10 * OPENING_NODES) == DefenceValue::Holds
            && let Some(hold) = waiting.counter.draw_proof()
        {
            waiting.answer = Some(ClaimProof::Draws(player, hold));
        }
    }
}
