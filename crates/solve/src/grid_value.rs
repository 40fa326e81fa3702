//! The value of a position of k in a row, with the reasons.
//!
//! Four questions are asked in turn, each time a little harder: does either side win by
//! threats, and does either side at least draw? The first two that settle the value end
//! it. What a limit cut off is not known; it is never taken for a no.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use papan_rules::grid::GridPosition;
use papan_rules::{Bits, Game as _, Grid, Move, Player};
use papan_threats::{Attack, Duel, Effort, Hold, HoldKind, Proof, State, Verdict, Windows};

use crate::Reason;
use crate::search_memory::{Entries, SearchMemory};

/// How far a search for a value may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueLimits {
    /// Rounds, each about three times as long as the one before.
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

/// The value of an unfinished position. What an earlier search remembered is taken from
/// `memory`; what this one does is left there if it did not come to an end.
pub fn grid_value<B: Bits>(
    grid: &Grid<B>,
    position: &GridPosition<B>,
    limits: &ValueLimits,
    memory: &mut SearchMemory,
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
    search.recall(std::mem::take(memory));
    let found = search.run(limits, progress);
    if found.value.is_none() {
        *memory = search.memory();
    }
    found
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
    /// Whether one of the searches of this round has found something.
    found: Arc<AtomicBool>,
    threads: usize,
    answer: Option<Reason>,
}

/// Replies that are tried in the search by depth.
const WIDTH: usize = 8;
/// Replies that a hold may take.
const DEEPEST: u8 = 60;

impl Question {
    fn new(
        state: &State,
        attacker: Player,
        to_move: Player,
        at_start: bool,
        limits: &ValueLimits,
        halt: &Halt,
    ) -> Self {
        let found = Arc::new(AtomicBool::new(false));
        let stop = || {
            let (halt, found) = (Arc::clone(halt), Arc::clone(&found));
            Box::new(move || halt() || found.load(Ordering::Relaxed))
        };
        let duel = |counter| {
            let halt = stop();
            Duel::new(state.clone(), attacker, to_move, counter, halt).within(limits.positions)
        };
        // Whoever moves first on the empty board at least draws.
        let first = at_start && attacker != to_move;
        Self {
            attacker,
            to_move,
            attack: Attack::new(Effort::FIRST, stop()),
            effort: Effort::FIRST,
            plain: duel(false),
            counter: duel(true),
            depth: 0,
            threads: limits.threads,
            plain_lost: false,
            found,
            answer: first.then_some(Reason::MovesFirst(to_move)),
        }
    }

    fn nodes(&self) -> u64 {
        self.attack.nodes() + self.plain.nodes() + self.counter.nodes()
    }

    /// Tries a little harder than the last time.
    fn step(&mut self, state: &mut State, round: u32) {
        let nodes = 3_000_u64.saturating_mul(3_u64.saturating_pow(round.min(20)));
        self.found.store(false, Ordering::Relaxed);
        self.attack.limit(nodes * 10);
        if self.threads > 1 {
            self.step_side_by_side(state, round, nodes);
            return;
        }
        self.answer = self.attack(state, round);
        if self.answer.is_none() && !self.plain_lost {
            let verdict = hold_plainly(&mut self.plain, &mut self.depth, nodes);
            self.conclude_plainly(verdict);
        }
        if self.answer.is_none() {
            let verdict = self.counter.run(nodes);
            self.conclude_countering(verdict);
        }
    }

    /// The three searches at once; the first that finds something ends the others.
    fn step_side_by_side(&mut self, state: &State, round: u32, nodes: u64) {
        let found = Arc::clone(&self.found);
        let tell = |verdict: Verdict, certain: bool| {
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
                    let verdict = hold_plainly(plain, depth, nodes);
                    tell(verdict, verdict == Verdict::Holds)
                })
            });
            let countering = scope.spawn(|| {
                let verdict = counter.run(nodes);
                tell(verdict, verdict != Verdict::Unknown)
            });
            let sides = (self.attacker, self.to_move);
            let won = win(attack, effort, sides, &mut state.clone(), round);
            if won.is_some() {
                found.store(true, Ordering::Relaxed);
            }
            let join = |thread: std::thread::ScopedJoinHandle<'_, Verdict>| {
                thread.join().unwrap_or(Verdict::Unknown)
            };
            let plainly = plainly.map_or(Verdict::Loses, join);
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

    fn attack(&mut self, state: &mut State, round: u32) -> Option<Reason> {
        let sides = (self.attacker, self.to_move);
        win(&mut self.attack, &mut self.effort, sides, state, round)
    }

    fn conclude_plainly(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Holds => self.held(false),
            Verdict::Loses => self.plain_lost = true,
            Verdict::Unknown => {}
        }
    }

    fn conclude_countering(&mut self, verdict: Verdict) {
        match verdict {
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

/// Looks for a win by threats, harder from round to round.
fn win(
    attack: &mut Attack,
    effort: &mut Effort,
    (attacker, to_move): (Player, Player),
    state: &mut State,
    round: u32,
) -> Option<Reason> {
    if round > 0 {
        *effort = effort.raised();
        attack.set_effort(*effort);
    }
    let highest = (2 + (round / 2) as usize).min(3);
    (1..=highest).find_map(|level| {
        if attacker == to_move {
            let proof = attack.win(state, attacker, level);
            proof.map(|proof| Reason::WinsToMove(attacker, proof))
        } else {
            let answers = attack.refute(state, attacker, level);
            answers.map(|answers| Reason::WinsWaiting(attacker, answers))
        }
    })
}

/// Looks for a hold, deeper and deeper while the nodes last.
fn hold_plainly(plain: &mut Duel, depth: &mut u8, nodes: u64) -> Verdict {
    let end = plain.nodes() + nodes;
    while plain.nodes() < end && *depth < DEEPEST {
        let left = end - plain.nodes();
        if plain.deepen(*depth, WIDTH, left) == Verdict::Holds {
            return Verdict::Holds;
        }
        if plain.nodes() >= end {
            break;
        }
        *depth += 1;
    }
    plain.run(nodes / 4)
}

impl Search<'_> {
    fn duels(&mut self) -> impl Iterator<Item = &mut Duel> {
        let questions = self.questions.iter_mut();
        questions.flat_map(|question| [&mut question.plain, &mut question.counter])
    }

    fn recall(&mut self, memory: SearchMemory) {
        for (duel, table) in self.duels().zip(memory.tables) {
            duel.recall(table);
        }
    }

    fn memory(&mut self) -> SearchMemory {
        let mut tables = self
            .duels()
            .map(|duel| duel.remembered().collect::<Entries>());
        SearchMemory {
            tables: std::array::from_fn(|_| tables.next().unwrap_or_default()),
        }
    }

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
        let opening = self.opening(value);
        let nodes = self.nodes();
        let answers = self.questions.iter_mut();
        let mut reasons: Vec<Reason> = answers.filter_map(|q| q.answer.take()).collect();
        if let Some(1 | -1) = value {
            // A win says all.
            reasons.retain(|r| matches!(r, Reason::WinsToMove(..) | Reason::WinsWaiting(..)));
        }
        let mut pv = self.line(&reasons);
        if pv.is_empty() {
            pv.extend(opening);
        }
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

    /// A first move on the empty board that keeps a draw: that there is one needs no
    /// proof, but which it is does.
    fn opening(&mut self, value: Option<i32>) -> Option<u16> {
        let waiting = &mut self.questions[1];
        if value != Some(0) || !matches!(waiting.answer, Some(Reason::MovesFirst(_))) {
            return None;
        }
        let mut verdict = Verdict::Unknown;
        for depth in 0..6 {
            verdict = waiting.plain.deepen(depth, WIDTH, 5_000);
            if verdict == Verdict::Holds {
                return waiting.plain.hold().and_then(|hold| hold.first);
            }
        }
        if verdict == Verdict::Unknown && waiting.counter.run(20_000) == Verdict::Holds {
            return waiting.counter.hold().and_then(|hold| hold.first);
        }
        None
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
