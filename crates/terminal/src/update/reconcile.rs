//! Reconciler of background searches, and the handling of their results.
//!
//! No key handler starts or stops a search. After every message [`reconcile`] compares the searches
//! that should run with those that do and emits the difference as effects, as a Kubernetes
//! controller or React's reconciliation does. A move, an undo or a new game therefore never leaves
//! a stray search behind.

use papan_rules::{SwapAction, SwapStep};
use papan_strategies::{Decision, Limits, Progress};

use super::{moves, swap, with};
use crate::analysis::{Analysis, Effort};
use crate::game::{Annotation, Forfeit, Game, Reasons, RunningJob};
use crate::message::{Effect, Failure, Job, JobId, JobKind};
use crate::state::State;
use crate::text;
use crate::tree::NodeId;

/// Starts the searches that should run, and stops the others.
pub(super) fn reconcile(state: &mut State, effects: &mut Vec<Effect>) {
    play_when_due(state);
    if let Some(mut game) = state.game.take() {
        reconcile_player(state, &mut game, effects);
        reconcile_explainer(state, &mut game, effects);
        reconcile_advisor(state, &mut game, effects);
        state.game = Some(game);
    }
    let wanted: Vec<JobId> = state.game.iter().flat_map(jobs).collect();
    state.running.retain(|job| {
        let keep = wanted.contains(job);
        if !keep {
            effects.push(Effect::Stop(*job));
        }
        keep
    });
}

fn jobs(game: &Game) -> impl Iterator<Item = JobId> {
    let all = [&game.player_job, &game.advisor_job, &game.explainer_job];
    let ids: Vec<JobId> = all.into_iter().flatten().map(|t| t.job).collect();
    ids.into_iter()
}

/// Plays the chosen move of a watched game when its delay is over.
fn play_when_due(state: &mut State) {
    let pause = state.settings.move_delay();
    let Some(game) = &state.game else { return };
    let Some((node, mv)) = game.pending_move else {
        return;
    };
    let due = state.now >= game.moved_at + pause;
    if due && node == game.tree.current() && game.strategy_to_move().is_some() {
        moves::make(state, mv);
    }
}

fn start(
    state: &mut State,
    game: &Game,
    effects: &mut Vec<Effect>,
    kind: JobKind,
    about: NodeId,
) -> RunningJob {
    state.last_job += 1;
    let id = state.last_job;
    state.running.push(id);
    let turn = game.actor();
    let (strategy, effort, limits) = match kind {
        JobKind::Advise(effort) => (game.advisor.clone(), effort, Limits::default()),
        JobKind::Decide | JobKind::Open(_) => {
            let player = game.strategy(turn);
            let limits = Limits {
                time: state.settings.move_time,
                clock: game.clock.map(|clock| clock.limits(turn, state.now)),
                ..Limits::default()
            };
            let strategy = player.unwrap_or_else(|| game.explainer()).clone();
            (strategy, Effort::Deep, limits)
        }
    };
    effects.push(Effect::Think(Box::new(Job {
        id,
        kind,
        game: game.rules.clone(),
        strategy: strategy.clone(),
        line: game.tree.line_to(about),
        limits,
        seed: game.seed,
    })));
    RunningJob {
        job: id,
        node: about,
        strategy,
        progress: None,
        effort,
    }
}

fn reconcile_player(state: &mut State, game: &mut Game, effects: &mut Vec<Effect>) {
    let node = game.tree.current();
    let wanted = match game.pending_move {
        None => game.strategy_to_move().cloned(),
        Some(_) => None,
    };
    let right = |t: &RunningJob| t.node == node && wanted.as_ref() == Some(&t.strategy);
    if !game.player_job.as_ref().is_some_and(right) {
        let kind = match game.opening {
            Some(opening) if game.swap_step() != SwapStep::Over => JobKind::Open(opening),
            _ => JobKind::Decide,
        };
        game.player_job = wanted.map(|_| start(state, game, effects, kind, node));
    }
}

fn reconcile_explainer(state: &mut State, game: &mut Game, effects: &mut Vec<Effect>) {
    let node = game.tree.current();
    let known = |r: &Reasons| r.node == node && r.strategy == *game.explainer();
    let wanted = game.annotation == Annotation::Reasons
        && game.setup.is_none()
        && game.outcome().is_none()
        // The player's search will deliver its reasons with its move.
        && game.player_job.is_none()
        && !game.reasons.as_ref().is_some_and(known);
    let right = |t: &RunningJob| t.node == node && t.strategy == *game.explainer();
    if !wanted {
        game.explainer_job = None;
    } else if !game.explainer_job.as_ref().is_some_and(right) {
        game.explainer_job = Some(start(state, game, effects, JobKind::Decide, node));
    }
}

/// Returns the position that the advisor should analyse next, and how long.
fn wanted_advice(state: &State, game: &Game) -> Option<(NodeId, Effort)> {
    let node = game.tree.current();
    if game.setup.is_some() {
        return None;
    }
    let watched = game.annotation == Annotation::Scores;
    let deep = watched || game.hint == Some(node);
    let line_wanted = state.settings.evaluation || game.review.is_some();
    if game.line().outcome().is_none() && (deep || line_wanted) {
        let effort = match deep {
            _ if watched => Effort::Endless,
            true => Effort::Deep,
            false => Effort::Quick,
        };
        let analysis = game.tree.node(node).analysis.as_ref();
        if !analysis.is_some_and(|a| a.is_enough(effort)) {
            return Some((node, effort));
        }
    }
    let next = game.first_unanalysed().filter(|_| line_wanted)?;
    Some((next, Effort::Quick))
}

fn reconcile_advisor(state: &mut State, game: &mut Game, effects: &mut Vec<Effect>) {
    let wanted = wanted_advice(state, game);
    let now = game.advisor_job.as_ref().map(|t| (t.node, t.effort));
    if now != wanted {
        game.advisor_job =
            wanted.map(|(node, effort)| start(state, game, effects, JobKind::Advise(effort), node));
    }
}

/// Stores a progress report.
pub(super) fn on_progress(state: &mut State, job: JobId, progress: Progress) {
    let Some(game) = &mut state.game else {
        return;
    };
    let all = [
        &mut game.player_job,
        &mut game.advisor_job,
        &mut game.explainer_job,
    ];
    if let Some(thinking) = all.into_iter().flatten().find(|t| t.job == job) {
        thinking.progress = Some(progress);
    }
}

/// Handles the actions of a player in a swap opening.
pub(super) fn on_opening(state: &mut State, job: JobId, answer: Result<Vec<SwapAction>, Failure>) {
    state.running.retain(|&running| running != job);
    let player_job = state.game.as_mut().map(|game| &mut game.player_job);
    if let Some(thinking) = player_job.and_then(|running| running.take_if(|t| t.job == job)) {
        swap::on_actions(state, &thinking, answer);
    }
}

/// Handles the result of a player's or explainer's search.
pub(super) fn on_decision(state: &mut State, job: JobId, answer: Result<Decision, Failure>) {
    state.running.retain(|&running| running != job);
    let Some(game) = &mut state.game else {
        return;
    };
    if let Some(thinking) = game.player_job.take_if(|t| t.job == job) {
        played(state, &thinking, answer);
    } else if let Some(explaining) = game.explainer_job.take_if(|t| t.job == job) {
        match answer {
            Ok(decision) => game.reasons = Some(reasons(&explaining, decision)),
            Err(reason) => {
                game.annotation = Annotation::None;
                let reason = text::failure(state.messages(), &reason);
                state.report_error(with(state, "board-no-reasons", "reason", reason));
            }
        }
    }
}

fn reasons(thinking: &RunningJob, decision: Decision) -> Reasons {
    Reasons {
        node: thinking.node,
        strategy: thinking.strategy.clone(),
        decision,
    }
}

fn played(state: &mut State, thinking: &RunningJob, answer: Result<Decision, Failure>) {
    let messages = state.messages();
    let Some(game) = &mut state.game else {
        return;
    };
    let legal = |d: &Decision| game.line().check_move(d.best).is_ok();
    match answer {
        Ok(decision) if legal(&decision) => {
            let mv = decision.best;
            game.reasons = Some(reasons(thinking, decision));
            if game.is_watched() {
                game.pending_move = Some((thinking.node, mv));
            } else {
                moves::make(state, mv);
            }
        }
        answer => {
            let reason = match answer {
                Err(reason) => text::failure(messages, &reason),
                Ok(_) => messages.text("fault-illegal-move"),
            };
            let loser = game.actor();
            game.forfeit = Some(Forfeit {
                node: thinking.node,
                loser,
                by_time: false,
            });
            let player = thinking.strategy.to_string();
            let values = [("player", player.into()), ("reason", reason.into())];
            state.report_error(messages.with("no-answer", values));
        }
    }
}

/// Stores an analysis of the advisor.
pub(super) fn on_analysis(state: &mut State, job: JobId, answer: Result<Analysis, Failure>) {
    let Some(game) = &mut state.game else {
        state.running.retain(|&running| running != job);
        return;
    };
    let Some(node) = game
        .advisor_job
        .as_ref()
        .filter(|t| t.job == job)
        .map(|t| t.node)
    else {
        return;
    };
    match answer {
        Ok(analysis) => {
            if analysis.settled {
                game.advisor_job = None;
                state.running.retain(|&running| running != job);
            }
            let hinted = game.hint == Some(node) && game.tree.current() == node;
            game.tree.analyse(node, analysis);
            if hinted && let Some(text) = text::hint(state) {
                state.notify(text);
            }
        }
        Err(reason) => {
            // Do not start it again: it would fail again.
            game.advisor_job = None;
            game.hint = None;
            game.review = None;
            if game.annotation == Annotation::Scores {
                game.annotation = Annotation::None;
            }
            state.settings.evaluation = false;
            state.running.retain(|&running| running != job);
            let reason = text::failure(state.messages(), &reason);
            state.report_error(with(state, "no-hint", "reason", reason));
        }
    }
}
