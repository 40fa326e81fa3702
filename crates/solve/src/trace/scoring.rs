//! Traces of strategies that score their moves, and of Monte Carlo tree search.

use papan_rules::{Game, Move};
use papan_strategies::{Candidate, Context, NoMove, Strategy, Term, Turn, Value};

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
    let decision = strategy.decide(turn)?;
    let step = |code, event| TraceStep {
        code,
        path: Vec::new(),
        maximising: true,
        depth: None,
        window: None,
        event,
    };
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
    Ok(Trace {
        steps,
        is_cut_short: false,
    })
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
    let step = |code, event| TraceStep {
        code,
        path: Vec::new(),
        maximising: true,
        depth: None,
        window: None,
        event,
    };
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

/// Traces Monte Carlo tree search by running it with one playout more at a time: its random numbers
/// are a function of the seed, so each run continues the one before.
///
/// # Errors
/// When the strategy has no move.
pub fn trace_playouts<G: Game>(
    with_playouts: &mut dyn FnMut(u32) -> Box<dyn Strategy<G>>,
    turn: Turn<'_, G>,
    playouts: u32,
) -> Result<Trace, NoMove> {
    let mut steps = Vec::new();
    let mut before: Vec<Candidate> = Vec::new();
    let mut choice = None;
    for number in 1..=playouts {
        let stop = &turn.context.stop;
        if stop.is_stopped() {
            let is_cut_short = true;
            return Ok(Trace {
                steps,
                is_cut_short,
            });
        }
        let context = Context::with_seed(turn.context.seed).stopped_by(stop);
        let turn = turn.with_context(&context);
        let decision = with_playouts(number).decide(turn)?;
        let visits = |candidate: &Candidate| candidate.terms.first().map(|term| term.value.clone());
        let was = |mv: Move| before.iter().find(|c| c.mv == mv).and_then(visits);
        let changed = decision.candidates.iter().find(|c| visits(c) != was(c.mv));
        let mv = changed.map_or(decision.best, |candidate| candidate.mv);
        steps.push(TraceStep {
            code: 5,
            path: vec![mv],
            maximising: true,
            depth: None,
            window: None,
            event: TraceEvent::Playout {
                number,
                mv,
                candidates: decision.candidates.clone(),
            },
        });
        before = decision.candidates;
        choice = Some(decision.best);
    }
    if let Some(mv) = choice {
        steps.push(TraceStep {
            code: 6,
            path: Vec::new(),
            maximising: true,
            depth: None,
            window: None,
            event: TraceEvent::Choose { mv },
        });
    }
    Ok(Trace {
        steps,
        is_cut_short: false,
    })
}
