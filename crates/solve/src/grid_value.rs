//! The value of a position of k in a row, with the reasons.
//!
//! Four questions are asked in turn, each time a little harder: does either side win by
//! threats, and does either side at least draw? The first two that settle the value end
//! it. What a limit cut off is not known; it is never taken for a no.

use std::sync::Arc;

use papan_rules::grid::GridPosition;
use papan_rules::{Bits, Game as _, Grid, Move, Player};
use papan_threats::{Attack, Duel, Effort, Hold, HoldKind, Proof, State, Verdict, Windows};

use crate::Reason;

/// How far a search for a value may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueLimits {
    /// Rounds, each about three times as long as the one before.
    pub rounds: u32,
    /// Positions that a search over all moves remembers.
    pub positions: usize,
}

impl Default for ValueLimits {
    fn default() -> Self {
        Self {
            rounds: 40,
            positions: 8_000_000,
        }
    }
}

/// What is known of a position.
#[derive(Clone, Debug, Default)]
pub struct GridValue {
    /// What was established, with the reasons; both halves of a draw.
    pub reasons: Vec<Reason>,
    /// The value for the player to move, if it is known: 1, 0 or -1.
    pub value: Option<i32>,
    /// A line of play in which both do their best, as far as the proofs tell it.
    pub pv: Vec<Move>,
    /// Nodes it took.
    pub nodes: u64,
}

/// What is still open while a value is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// The round.
    pub round: u32,
    /// Nodes so far.
    pub nodes: u64,
    /// For each player, whether it is open that he wins.
    pub wins: [bool; 2],
    /// Replies to the best first move that are closed, of how many, where the search
    /// over all moves says so.
    pub closed: Option<(usize, usize)>,
}

/// Whoever says that it is enough.
pub type Halt = Arc<dyn Fn() -> bool + Send + Sync>;

/// The value of an unfinished position.
pub fn grid_value<B: Bits>(
    grid: &Grid<B>,
    position: &GridPosition<B>,
    limits: &ValueLimits,
    halt: &Halt,
    progress: &mut dyn FnMut(&Open),
) -> GridValue {
    let mut state = State::new(Arc::new(Windows::new(grid)));
    for cell in 0..grid.cells() {
        if let Some(player) = grid.piece(position, cell) {
            state.put(cell as u16, player);
        }
    }
    let mover = grid.turn(position);
    let mut search = Search {
        mover,
        halt,
        questions: [mover, mover.other()].map(|attacker| {
            Question::new(&state, attacker, mover, position.plies() == 0, limits, halt)
        }),
        state,
    };
    search.run(limits, progress)
}

struct Search<'a> {
    state: State,
    mover: Player,
    halt: &'a Halt,
    questions: [Question; 2],
}

/// Does this player win, or does the other at least draw?
struct Question {
    attacker: Player,
    to_move: Player,
    attack: Attack,
    effort: Effort,
    plain: Duel,
    counter: Duel,
    depth: u8,
    /// Whether the plain form can still succeed.
    plain_lost: bool,
    answer: Option<Reason>,
}

/// Replies that are tried in the search by depth.
const WIDTH: usize = 8;

impl Question {
    fn new(
        state: &State,
        attacker: Player,
        to_move: Player,
        at_start: bool,
        limits: &ValueLimits,
        halt: &Halt,
    ) -> Self {
        let duel = |counter| {
            let halt = Arc::clone(halt);
            let halt = Box::new(move || halt());
            Duel::new(state.clone(), attacker, to_move, counter, halt).within(limits.positions)
        };
        let own = Arc::clone(halt);
        // Whoever moves first on the empty board at least draws.
        let first = at_start && attacker != to_move;
        Self {
            attacker,
            to_move,
            attack: Attack::new(Effort::FIRST, Box::new(move || own())),
            effort: Effort::FIRST,
            plain: duel(false),
            counter: duel(true),
            depth: 0,
            plain_lost: false,
            answer: first.then_some(Reason::MovesFirst(to_move)),
        }
    }

    fn nodes(&self) -> u64 {
        self.attack.nodes() + self.plain.nodes() + self.counter.nodes()
    }

    /// Tries a little harder than the last time.
    fn step(&mut self, state: &mut State, round: u32) {
        let nodes = 3_000_u64.saturating_mul(3_u64.saturating_pow(round.min(20)));
        self.attack.limit(nodes * 10);
        self.attack(state, round);
        if self.answer.is_none() && !self.plain_lost {
            self.hold_plainly(nodes);
        }
        if self.answer.is_none() {
            self.hold_countering(nodes);
        }
    }

    fn attack(&mut self, state: &mut State, round: u32) {
        if round > 0 {
            self.effort = self.effort.raised();
            self.attack.set_effort(self.effort);
        }
        for level in 1..=(2 + (round / 2) as usize).min(3) {
            let found = if self.attacker == self.to_move {
                let proof = self.attack.win(state, self.attacker, level);
                proof.map(|proof| Reason::WinsToMove(self.attacker, proof))
            } else {
                let answers = self.attack.refute(state, self.attacker, level);
                answers.map(|answers| Reason::WinsWaiting(self.attacker, answers))
            };
            if found.is_some() {
                self.answer = found;
                return;
            }
        }
    }

    fn hold_plainly(&mut self, nodes: u64) {
        let mut verdict = Verdict::Unknown;
        if self.attacker == self.to_move {
            verdict = self.plain.deepen(self.depth, WIDTH, nodes);
            self.depth = self.depth.saturating_add(1);
        }
        if verdict == Verdict::Unknown {
            verdict = self.plain.run(nodes / 2);
        }
        match verdict {
            Verdict::Holds => self.held(false),
            Verdict::Loses => self.plain_lost = true,
            Verdict::Unknown => {}
        }
    }

    fn hold_countering(&mut self, nodes: u64) {
        match self.counter.run(nodes) {
            Verdict::Holds => self.held(true),
            Verdict::Loses if self.attacker == self.to_move => {
                let proof = self.counter.loss();
                self.answer = proof.map(|proof| Reason::WinsToMove(self.attacker, proof));
            }
            Verdict::Loses => {
                let answers = self.counter.loss_of_mover();
                self.answer = answers.map(|answers| Reason::WinsWaiting(self.attacker, answers));
            }
            Verdict::Unknown => {}
        }
    }

    fn held(&mut self, counter: bool) {
        let duel = if counter {
            &mut self.counter
        } else {
            &mut self.plain
        };
        self.answer = duel
            .hold()
            .map(|hold| Reason::Draws(self.attacker.other(), hold));
    }
}

impl Search<'_> {
    fn run(&mut self, limits: &ValueLimits, progress: &mut dyn FnMut(&Open)) -> GridValue {
        for round in 0..limits.rounds {
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
                progress(&self.open(round));
                if (self.halt)() {
                    return self.conclude();
                }
            }
        }
        self.conclude()
    }

    fn nodes(&self) -> u64 {
        self.questions.iter().map(Question::nodes).sum()
    }

    fn open(&mut self, round: u32) -> Open {
        let closed = self.questions[0].counter.closed_replies();
        let open = |player: Player| {
            let mut all = self.questions.iter();
            all.any(|q| q.attacker == player && q.answer.is_none())
        };
        Open {
            round,
            nodes: self.nodes(),
            wins: [open(Player::First), open(Player::Second)],
            closed,
        }
    }

    /// The value for the player to move, if the answers settle it.
    fn value(&self) -> Option<i32> {
        let won = |at: usize| {
            let answer = self.questions[at].answer.as_ref();
            answer.is_some_and(|reason| {
                matches!(reason, Reason::WinsToMove(..) | Reason::WinsWaiting(..))
            })
        };
        if won(0) {
            return Some(1);
        }
        if won(1) {
            return Some(-1);
        }
        self.questions
            .iter()
            .all(|question| question.answer.is_some())
            .then_some(0)
    }

    fn conclude(&mut self) -> GridValue {
        let value = self.value();
        let nodes = self.nodes();
        let answers = self.questions.iter_mut();
        let mut reasons: Vec<Reason> = answers.filter_map(|q| q.answer.take()).collect();
        if let Some(1 | -1) = value {
            // A win says all.
            reasons.retain(|r| matches!(r, Reason::WinsToMove(..) | Reason::WinsWaiting(..)));
        }
        let pv = self.line(&reasons);
        GridValue {
            pv: pv
                .into_iter()
                .map(|cell| Move::on(usize::from(cell)))
                .collect(),
            reasons,
            value,
            nodes,
        }
    }

    /// What the proofs say about best play.
    fn line(&mut self, reasons: &[Reason]) -> Vec<u16> {
        let mover = self.mover;
        for reason in reasons {
            match reason {
                Reason::WinsToMove(_, proof) => {
                    return winning_line(&mut self.state, mover, Arc::clone(proof));
                }
                Reason::WinsWaiting(player, answers) => {
                    let replies = answers.branches.iter();
                    let hardest = replies.max_by_key(|branch| branch.proof.size());
                    let cell = hardest.and_then(|branch| branch.cells.first());
                    let cell = cell.or(self.state.empty().first());
                    let Some(cell) = cell.map(|cell| cell as u16) else {
                        return Vec::new();
                    };
                    let mut line = vec![cell];
                    if let Some(proof) = answers.to(cell) {
                        self.state.put(cell, mover);
                        line.extend(winning_line(&mut self.state, *player, proof));
                        self.state.take(cell, mover);
                    }
                    return line;
                }
                _ => {}
            }
        }
        let holds = reasons.iter().filter_map(|reason| match reason {
            Reason::Draws(player, hold) => Some((*player, hold)),
            _ => None,
        });
        drawing_line(mover, &holds.collect::<Vec<_>>())
    }
}

/// The attacker's moves, and the replies that need the longest answer.
fn winning_line(state: &mut State, attacker: Player, proof: Arc<Proof>) -> Vec<u16> {
    let mut line: Vec<u16> = Vec::new();
    let mut next = Some(proof);
    while let Some(proof) = next.take() {
        let Some(cell) = proof.first() else { break };
        let reply = longest_reply(state, attacker, &proof, cell);
        line.push(cell);
        let Some(reply) = reply else { break };
        next = proof.after(state, attacker, reply);
        line.push(reply);
        state.put(cell, attacker);
        state.put(reply, attacker.other());
    }
    for (at, &cell) in line.iter().enumerate() {
        let side = if at % 2 == 0 {
            attacker
        } else {
            attacker.other()
        };
        if state.owner(cell) == Some(side) {
            state.take(cell, side);
        }
    }
    line
}

fn longest_reply(state: &mut State, attacker: Player, proof: &Proof, cell: u16) -> Option<u16> {
    state.put(cell, attacker);
    let won = state.has_won(attacker);
    let completing = state.completing(attacker);
    let any = state.empty().first().map(|cell| cell as u16);
    state.take(cell, attacker);
    if won {
        return None;
    }
    match proof {
        Proof::Fours { .. } => completing,
        Proof::Move { answers, .. } => {
            let branches = answers.branches.iter();
            let hardest = branches.max_by_key(|branch| branch.proof.size());
            let cell = hardest.and_then(|branch| branch.cells.first());
            cell.map(|cell| cell as u16).or(any)
        }
    }
}

/// The mover's first move, and the other's reply to it, as far as their proofs have them.
fn drawing_line(mover: Player, holds: &[(Player, &Hold)]) -> Vec<u16> {
    let of = |player| {
        holds
            .iter()
            .find(|(p, _)| *p == player)
            .map(|(_, hold)| hold)
    };
    let first = of(mover).and_then(|hold| hold.first);
    let replies = of(mover.other()).and_then(|hold| {
        let root = hold.root.filter(|root| root.symmetry == 0)?;
        match &hold.nodes[root.node].kind {
            HoldKind::Replies(replies) => Some(replies),
            HoldKind::Pairs(_) => None,
        }
    });
    let reply = |cell: u16| {
        let found = replies?.iter().find(|reply| reply.cell == cell);
        found.map(|reply| reply.reply)
    };
    match first {
        Some(cell) => std::iter::once(cell).chain(reply(cell)).collect(),
        None => Vec::new(),
    }
}
