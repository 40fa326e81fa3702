//! Who is to think about what, and what becomes of the answers.
//!
//! Nothing is started or stopped where a key is handled. After every message
//! [`settle`] compares what should be thought about with what is, so that a move,
//! an undo or a new game never leaves a stray thinker behind.

use papan_strategies::{Decision, Limits, Progress};

use super::{moves, with};
use crate::analysis::{Analysis, Effort};
use crate::message::{Effect, Failure, Job, JobId, Purpose};
use crate::state::State;
use crate::table::{Annotation, Forfeit, Reasons, Table, Thinking};
use crate::tree::NodeId;
use crate::wording;

/// Starts what should be thought about, and stops the rest.
pub(super) fn settle(state: &mut State, effects: &mut Vec<Effect>) {
    play_when_due(state);
    if let Some(mut table) = state.table.take() {
        settle_player(state, &mut table, effects);
        settle_explainer(state, &mut table, effects);
        settle_advisor(state, &mut table, effects);
        state.table = Some(table);
    }
    let wanted: Vec<JobId> = state.table.iter().flat_map(jobs).collect();
    state.running.retain(|job| {
        let keep = wanted.contains(job);
        if !keep {
            effects.push(Effect::Stop(*job));
        }
        keep
    });
}

fn jobs(table: &Table) -> impl Iterator<Item = JobId> {
    let all = [&table.thinking, &table.advising, &table.explaining];
    let ids: Vec<JobId> = all.into_iter().flatten().map(|t| t.job).collect();
    ids.into_iter()
}

/// In a watched game a decided move waits for its time.
fn play_when_due(state: &mut State) {
    let pause = state.settings.pause_between_moves();
    let Some(table) = &state.table else { return };
    let Some((node, mv)) = table.decided else {
        return;
    };
    let due = state.now >= table.moved_at + pause;
    if due && node == table.tree.current() && table.strategy_to_move().is_some() {
        moves::make(state, mv);
    }
}

fn start(
    state: &mut State,
    table: &Table,
    effects: &mut Vec<Effect>,
    purpose: Purpose,
    about: NodeId,
) -> Thinking {
    state.last_job += 1;
    let id = state.last_job;
    state.running.push(id);
    let turn = table.turn();
    let (strategy, effort, limits) = match purpose {
        Purpose::Advise(effort) => (table.advisor.clone(), effort, Limits::default()),
        Purpose::Decide => {
            let player = table.strategy(turn);
            let limits = Limits {
                time: state.settings.move_time,
                clock: table.clock.map(|clock| clock.limits(turn, state.now)),
                ..Limits::default()
            };
            let strategy = player.unwrap_or_else(|| table.explainer()).clone();
            (strategy, Effort::Deep, limits)
        }
    };
    effects.push(Effect::Think(Box::new(Job {
        id,
        purpose,
        game: table.game.clone(),
        strategy: strategy.clone(),
        line: table.tree.line_to(about),
        limits,
        seed: table.seed,
    })));
    Thinking {
        job: id,
        node: about,
        strategy,
        progress: None,
        effort,
    }
}

fn settle_player(state: &mut State, table: &mut Table, effects: &mut Vec<Effect>) {
    let node = table.tree.current();
    let wanted = match table.decided {
        None => table.strategy_to_move().cloned(),
        Some(_) => None,
    };
    let right = |t: &Thinking| t.node == node && wanted.as_ref() == Some(&t.strategy);
    if !table.thinking.as_ref().is_some_and(right) {
        table.thinking = wanted.map(|_| start(state, table, effects, Purpose::Decide, node));
    }
}

fn settle_explainer(state: &mut State, table: &mut Table, effects: &mut Vec<Effect>) {
    let node = table.tree.current();
    let known = |r: &Reasons| r.node == node && r.strategy == *table.explainer();
    let wanted = table.annotation == Annotation::Reasons
        && table.setup.is_none()
        && table.outcome().is_none()
        // The player at work will tell its reasons with its move.
        && table.thinking.is_none()
        && !table.reasons.as_ref().is_some_and(known);
    let right = |t: &Thinking| t.node == node && t.strategy == *table.explainer();
    if !wanted {
        table.explaining = None;
    } else if !table.explaining.as_ref().is_some_and(right) {
        table.explaining = Some(start(state, table, effects, Purpose::Decide, node));
    }
}

/// What the advisor should look at next, and how hard.
fn wanted_advice(state: &State, table: &Table) -> Option<(NodeId, Effort)> {
    let node = table.tree.current();
    if table.setup.is_some() {
        return None;
    }
    let deep = table.annotation == Annotation::Scores || table.hint == Some(node);
    let line_wanted = state.settings.evaluation || table.review.is_some();
    if table.line().outcome().is_none() && (deep || line_wanted) {
        let effort = if deep { Effort::Deep } else { Effort::Quick };
        let analysis = table.tree.node(node).analysis.as_ref();
        if !analysis.is_some_and(|a| a.is_enough(effort)) {
            return Some((node, effort));
        }
    }
    let next = table.unjudged().filter(|_| line_wanted)?;
    Some((next, Effort::Quick))
}

fn settle_advisor(state: &mut State, table: &mut Table, effects: &mut Vec<Effect>) {
    let wanted = wanted_advice(state, table);
    let now = table.advising.as_ref().map(|t| (t.node, t.effort));
    if now != wanted {
        table.advising = wanted
            .map(|(node, effort)| start(state, table, effects, Purpose::Advise(effort), node));
    }
}

/// A strategy told what it thinks.
pub(super) fn thought(state: &mut State, job: JobId, progress: Progress) {
    let Some(table) = &mut state.table else {
        return;
    };
    let all = [
        &mut table.thinking,
        &mut table.advising,
        &mut table.explaining,
    ];
    if let Some(thinking) = all.into_iter().flatten().find(|t| t.job == job) {
        thinking.progress = Some(progress);
    }
}

/// A strategy has chosen, or says why not.
pub(super) fn decided(state: &mut State, job: JobId, answer: Result<Decision, Failure>) {
    state.running.retain(|&running| running != job);
    let Some(table) = &mut state.table else {
        return;
    };
    if let Some(thinking) = table.thinking.take_if(|t| t.job == job) {
        played(state, &thinking, answer);
    } else if let Some(explaining) = table.explaining.take_if(|t| t.job == job) {
        match answer {
            Ok(decision) => table.reasons = Some(reasons(&explaining, decision)),
            Err(reason) => {
                table.annotation = Annotation::None;
                let reason = wording::failure(state.words(), &reason);
                state.complain(with(state, "board-no-reasons", "reason", reason));
            }
        }
    }
}

fn reasons(thinking: &Thinking, decision: Decision) -> Reasons {
    Reasons {
        node: thinking.node,
        strategy: thinking.strategy.clone(),
        decision,
    }
}

fn played(state: &mut State, thinking: &Thinking, answer: Result<Decision, Failure>) {
    let words = state.words();
    let Some(table) = &mut state.table else {
        return;
    };
    let legal = |d: &Decision| table.line().check_move(d.best).is_ok();
    match answer {
        Ok(decision) if legal(&decision) => {
            let mv = decision.best;
            table.reasons = Some(reasons(thinking, decision));
            if table.is_watched() {
                table.decided = Some((thinking.node, mv));
            } else {
                moves::make(state, mv);
            }
        }
        answer => {
            let reason = match answer {
                Err(reason) => wording::failure(words, &reason),
                Ok(_) => words.text("fault-illegal-move"),
            };
            let loser = table.turn();
            table.forfeit = Some(Forfeit {
                node: thinking.node,
                loser,
                by_time: false,
            });
            let player = thinking.strategy.to_string();
            let values = [("player", player.into()), ("reason", reason.into())];
            state.complain(words.with("no-answer", values));
        }
    }
}

/// The advisor judged a position.
pub(super) fn advised(state: &mut State, job: JobId, answer: Result<Analysis, Failure>) {
    let Some(table) = &mut state.table else {
        state.running.retain(|&running| running != job);
        return;
    };
    let Some(node) = table
        .advising
        .as_ref()
        .filter(|t| t.job == job)
        .map(|t| t.node)
    else {
        return;
    };
    match answer {
        Ok(analysis) => {
            if analysis.settled {
                table.advising = None;
                state.running.retain(|&running| running != job);
            }
            let hinted = table.hint == Some(node) && table.tree.current() == node;
            table.tree.analyse(node, analysis);
            if hinted && let Some(text) = wording::hint(state) {
                state.say(text);
            }
        }
        Err(reason) => {
            // Asking again would fail again.
            table.advising = None;
            table.hint = None;
            table.review = None;
            if table.annotation == Annotation::Scores {
                table.annotation = Annotation::None;
            }
            state.settings.evaluation = false;
            state.running.retain(|&running| running != job);
            let reason = wording::failure(state.words(), &reason);
            state.complain(with(state, "no-hint", "reason", reason));
        }
    }
}
