//! Traces of strategies that score their moves, and of Monte Carlo tree search.

use papan_rules::{Game, Move, Player};
use papan_strategies::{Candidate, Decision, Mcts, NoMove, Playout, Strategy, Term, Turn, Value};

use super::{Trace, TraceEvent, TraceStep};

/// The pseudo-code of a strategy that scores its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Listing {
    /// Document 003: a win, else `cd`, else `ca`.
    BranchAndBound,
    /// Document 004: `-p+l`.
    Greedy,
    /// Document 004, points.
    GreedyPoints,
    /// The rules of document 003.
    Expert,
    /// The rows of document 000.
    Automaton,
    /// A table of positions.
    Lookup,
}

impl Listing {
    /// Every listing.
    pub const ALL: [Self; 6] = [
        Self::BranchAndBound,
        Self::Greedy,
        Self::GreedyPoints,
        Self::Expert,
        Self::Automaton,
        Self::Lookup,
    ];

    /// Returns its number of lines. The first begins, the last plays the move.
    #[must_use]
    pub const fn lines(self) -> u8 {
        match self {
            Self::BranchAndBound | Self::Greedy => 8,
            Self::GreedyPoints => 7,
            Self::Expert => 10,
            Self::Automaton => 6,
            Self::Lookup => 5,
        }
    }

    /// Returns the line that a deciding term belongs to.
    fn line_of(self, term: &Term) -> u8 {
        match (self, term.name, &term.value) {
            (Self::BranchAndBound, "wins", _) => 3,
            (Self::BranchAndBound, "ca", _) => 7,
            (Self::Greedy, "-threats" | "-open", _) => 7,
            (Self::BranchAndBound | Self::Greedy | Self::GreedyPoints, ..) => 6,
            // Rule n has the value -n.
            (Self::Expert, _, Value::Number(rule)) => {
                1 + u8::try_from(-rule).unwrap_or(1).clamp(1, self.lines() - 2)
            }
            (Self::Automaton, _, Value::Number(1..)) => 4,
            _ => 3,
        }
    }

    /// Returns the line at which a move is kept or dropped: that of the first term that differs
    /// from the best move so far.
    fn line(self, candidate: &Candidate, best: Option<&Candidate>) -> u8 {
        let deciding = |candidate: &Candidate| -> Vec<Term> {
            let terms = candidate.terms.iter().filter(|term| term.decides);
            terms.cloned().collect()
        };
        let mine = deciding(candidate);
        let is_rule = matches!(self, Self::Expert | Self::Automaton);
        let theirs = best.filter(|_| !is_rule).map_or(Vec::new(), deciding);
        // Without another move, a move that does not win is compared by the next number.
        let differs = |(at, term): &(usize, &Term)| match theirs.get(*at) {
            Some(other) => term.value != other.value,
            None => term.name != "wins" || term.value != Value::Number(0),
        };
        let decisive = mine.iter().enumerate().find(differs).map(|(_, term)| term);
        decisive
            .or(mine.last())
            .map_or(1, |term| self.line_of(term))
    }
}

/// Traces a strategy that scores its moves: a step for each move, then the choice.
///
/// # Errors
/// When the strategy has no move.
pub fn trace_scores<G: Game>(
    strategy: &mut dyn Strategy<G>,
    turn: Turn<'_, G>,
    listing: Listing,
) -> Result<Trace, NoMove> {
    Ok(scored(&strategy.decide(turn)?, listing))
}

/// The steps of a decision: each scored move, then the choice.
pub(super) fn scored(decision: &Decision, listing: Listing) -> Trace {
    let step = |code, event| step_at(code, Vec::new(), true, event);
    let mut steps = vec![step(1, TraceEvent::Enter)];
    let mut best: Option<&Candidate> = None;
    for candidate in &decision.candidates {
        let is_best = best.is_none_or(|best| exceeds(candidate, best));
        let code = listing.line(candidate, best);
        if is_best {
            best = Some(candidate);
        }
        let event = TraceEvent::Score {
            candidate: candidate.clone(),
            best: is_best,
        };
        steps.push(step(code, event));
    }
    let choose = TraceEvent::Choose { mv: decision.best };
    steps.push(step(listing.lines(), choose));
    Trace {
        steps,
        is_cut_short: false,
    }
}

/// Traces a program, of which only the answer is seen: the question, the answer, the move.
///
/// # Errors
/// When the program has no legal answer.
pub fn trace_answer<G: Game>(
    strategy: &mut dyn Strategy<G>,
    turn: Turn<'_, G>,
) -> Result<Trace, NoMove> {
    let decision = strategy.decide(turn)?;
    let step = |code, event| step_at(code, Vec::new(), true, event);
    let answer = decision.chosen().cloned().map(|mut candidate| {
        // The time that it took differs from run to run; the answer does not.
        candidate.terms.retain(|term| term.decides);
        TraceEvent::Score {
            candidate,
            best: true,
        }
    });
    let mut steps = vec![step(1, TraceEvent::Enter)];
    steps.extend(answer.map(|event| step(2, event)));
    steps.push(step(4, TraceEvent::Choose { mv: decision.best }));
    Ok(Trace {
        steps,
        is_cut_short: false,
    })
}

/// Returns whether a move is better than another by the terms that decide.
#[must_use]
pub fn exceeds(candidate: &Candidate, other: &Candidate) -> bool {
    let deciding = |candidate: &Candidate| -> Vec<_> {
        let terms = candidate.terms.iter().filter(|term| term.decides);
        terms.map(|term| term.value.clone()).collect()
    };
    for (mine, theirs) in deciding(candidate).iter().zip(&deciding(other)) {
        match mine.compare(theirs) {
            Some(std::cmp::Ordering::Equal) | None => {}
            Some(order) => return order.is_gt(),
        }
    }
    false
}

/// Traces Monte Carlo tree search, phase by phase. After `most` playouts or steps it is cut short.
///
/// # Errors
/// When the game is over.
pub fn trace_playouts<G: Game>(
    mcts: &Mcts,
    turn: Turn<'_, G>,
    most: u64,
    most_steps: usize,
) -> Result<Trace, NoMove> {
    let mut recorder = Recorder {
        turn,
        maximiser: turn.game.turn(turn.line.position()),
        steps: Vec::new(),
    };
    let mut number = 0;
    let wanted = mcts.playouts.unwrap_or(Mcts::DEFAULT_PLAYOUTS);
    let best = mcts.watch(turn, &mut |playout| {
        number += 1;
        recorder.playout(number, playout);
        let is_over = turn.context.stop.is_stopped() || recorder.steps.len() >= most_steps;
        !is_over && u64::from(number) < most
    })?;
    let is_cut_short = number < wanted || recorder.steps.len() >= most_steps;
    let mut steps = recorder.steps;
    if is_cut_short {
        steps.truncate(most_steps);
    } else {
        let (position, path) = (turn.line.position(), Vec::new());
        let maximising = turn.game.turn(position) == recorder.maximiser;
        let event = TraceEvent::Choose { mv: best };
        steps.push(step_at(code::CHOOSE, path, maximising, event));
    }
    Ok(Trace {
        steps,
        is_cut_short,
    })
}

/// Lines of the pseudo-code of Monte Carlo tree search, as the view shows them.
mod code {
    pub(super) const SELECT: u8 = 2;
    pub(super) const EXPAND: u8 = 3;
    pub(super) const SIMULATE: u8 = 4;
    pub(super) const BACK_UP: u8 = 5;
    pub(super) const CHOOSE: u8 = 6;
}

pub(super) fn step_at(code: u8, path: Vec<Move>, maximising: bool, event: TraceEvent) -> TraceStep {
    TraceStep {
        code,
        path,
        maximising,
        depth: None,
        window: None,
        event,
    }
}

/// The steps of playouts.
struct Recorder<'a, G: Game> {
    turn: Turn<'a, G>,
    maximiser: Player,
    steps: Vec<TraceStep>,
}

impl<G: Game> Recorder<'_, G> {
    fn step(&mut self, code: u8, path: &[Move], event: TraceEvent) {
        let game = self.turn.game;
        let start = self.turn.line.position().clone();
        let position = path.iter().fold(start, |at, &mv| game.after(&at, mv));
        let maximising = game.turn(&position) == self.maximiser;
        self.steps
            .push(step_at(code, path.to_vec(), maximising, event));
    }

    fn playout(&mut self, number: u32, playout: Playout) {
        let mut path = playout.selected;
        self.step(code::SELECT, &path, TraceEvent::Select { number });
        if let Some(mv) = playout.entered {
            let moves = playout.expanded;
            self.step(code::EXPAND, &path, TraceEvent::Expand { moves, mv });
            path.push(mv);
        }
        let value = playout.outcome.map_or(0, |o| o.value_for(self.maximiser));
        let moves = playout.simulated;
        self.step(code::SIMULATE, &path, TraceEvent::Simulate { moves, value });
        let mv = path.first().copied().unwrap_or(Move::PASS);
        let event = TraceEvent::Playout {
            number,
            mv,
            path: playout.backed_up,
            candidates: playout.candidates,
        };
        self.step(code::BACK_UP, &path, event);
    }
}
