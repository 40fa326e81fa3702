//! Traces of strategies that score their moves, and of Monte Carlo tree search.

use papan_rules::{Game, Move};
use papan_strategies::{Candidate, Context, NoMove, Strategy, Turn};

use super::{Trace, TraceEvent, TraceStep};

/// Traces a strategy that scores its moves: a step for each move, then the choice.
///
/// # Errors
/// When the strategy has no move.
pub fn trace_scores<G: Game>(
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
    let mut steps = vec![step(1, TraceEvent::Enter)];
    let mut best: Option<&Candidate> = None;
    for candidate in &decision.candidates {
        let is_best = best.is_none_or(|best| exceeds(candidate, best));
        if is_best {
            best = Some(candidate);
        }
        let event = TraceEvent::Score {
            candidate: candidate.clone(),
            best: is_best,
        };
        steps.push(step(3, event));
    }
    steps.push(step(5, TraceEvent::Choose { mv: decision.best }));
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
