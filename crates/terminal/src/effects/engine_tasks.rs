//! Background searches: one thread per job, with a pool of warm engines.
//!
//! Every job has its own thread, so that a search that is slow to stop never delays the next one.
//! An engine with its transposition table returns to a small pool when its job is done.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use papan_catalog::other_moves::score_after;
use papan_catalog::review::PositionAnalysis;
use papan_catalog::{AnyLine, PooledSeat, Seat, SeatPool, Unplayable};
use papan_rules::Move;
use papan_strategies::{
    Context, Decision, Limits, Listener, Progress, Score, StopToken, SystemClock,
};

use papan_view::explain;

use crate::analysis::{Analysis, Effort, OtherLine};
use crate::message::{Failure, Job, JobId, JobKind, Message};

/// The name of every search thread, by which the panic hook recognises one.
pub(crate) const THREAD_NAME: &str = "search";

/// Minimum time between two progress messages of a job; more would not be visible.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// Maximum number of idle engines in the pool.
const MAX_IDLE_SEATS: usize = 4;

/// All running searches.
pub struct EngineTasks {
    inbox: Sender<Message>,
    pool: Arc<Mutex<SeatPool>>,
    running: HashMap<JobId, StopToken>,
}

impl EngineTasks {
    /// Creates the task manager; results are sent to `inbox`.
    #[must_use]
    pub fn new(inbox: Sender<Message>) -> Self {
        Self {
            inbox,
            pool: Arc::new(Mutex::new(SeatPool::new(MAX_IDLE_SEATS))),
            running: HashMap::new(),
        }
    }

    /// Starts a search.
    pub fn think(&mut self, job: Job) {
        let stop = StopToken::default();
        self.running.insert(job.id, stop.clone());
        let (inbox, pool) = (self.inbox.clone(), Arc::clone(&self.pool));
        let (id, kind) = (job.id, job.kind.clone());
        let started = thread::Builder::new()
            .name(THREAD_NAME.into())
            .spawn(move || {
                let work = AssertUnwindSafe(|| work(&job, &stop, &inbox, &pool));
                let answer = catch_unwind(work)
                    .unwrap_or_else(|_| Some(failed(job.id, &job.kind, Failure::Panicked)));
                // The receiver is gone while the program exits.
                if let Some(answer) = answer {
                    let _ = inbox.send(answer);
                }
            });
        if let Err(error) = started {
            let _ = self.inbox.send(failed(id, &kind, Failure::NoThread(error)));
        }
    }

    /// Stops a search. A result that is already on its way is ignored.
    pub fn stop(&mut self, job: JobId) {
        if let Some(stop) = self.running.remove(&job) {
            stop.stop();
        }
    }

    /// Stops all searches.
    pub(crate) fn stop_all(&mut self) {
        for (_, stop) in self.running.drain() {
            stop.stop();
        }
    }
}

fn failed(id: JobId, kind: &JobKind, reason: Failure) -> Message {
    match kind {
        JobKind::Decide => Message::Decision(id, Err(reason)),
        JobKind::Open(_) => Message::Opening(id, Err(reason)),
        JobKind::Advise(_) => Message::Analysis(id, Err(reason)),
    }
}

/// Runs a job and returns its last message, or `None` if it was stopped.
fn work(
    job: &Job,
    stop: &StopToken,
    inbox: &Sender<Message>,
    pool: &Mutex<SeatPool>,
) -> Option<Message> {
    let advises = matches!(job.kind, JobKind::Advise(_));
    let limited = advises || job.limits != Limits::default();
    let limits = if limited {
        Limits {
            time: Some(Duration::from_secs(1)),
            ..job.limits
        }
    } else {
        job.limits
    };
    let mut seat = match seat(job, &limits, pool) {
        Ok(seat) => seat,
        Err(error) => return Some(failed(job.id, &job.kind, Failure::Unplayable(error))),
    };
    let mut context = Context::with_seed(job.seed)
        .stopped_by(stop)
        .limited(job.limits, &SystemClock);
    context.listener = Some(listener(job.id, inbox.clone()));
    let answer = match job.kind {
        JobKind::Decide => {
            let decision = seat.decide(&*job.line, &context);
            Message::Decision(job.id, decision.map_err(Failure::NoMove))
        }
        JobKind::Open(opening) => {
            let actions = seat.answer_swap(opening, &*job.line, &context);
            Message::Opening(job.id, actions.map_err(Failure::NoMove))
        }
        JobKind::Advise(effort) => {
            let tell = |analysis| {
                let _ = inbox.send(Message::Analysis(job.id, Ok(analysis)));
            };
            let analysis = advise(&mut *seat, &*job.line, effort, context, &tell);
            Message::Analysis(job.id, analysis)
        }
    };
    lock(pool).put(seat);
    (!stop.is_stopped()).then_some(answer)
}

/// Takes an engine from the pool, or creates one.
fn seat(job: &Job, limits: &Limits, pool: &Mutex<SeatPool>) -> Result<PooledSeat, Unplayable> {
    let idle = lock(pool).take(&job.game, &job.strategy, limits);
    match idle {
        Some(seat) => Ok(seat),
        None => PooledSeat::new(&job.game, &job.strategy, limits),
    }
}

/// Locks the pool. A search that panicked held its own engine, not the pool.
fn lock(pool: &Mutex<SeatPool>) -> MutexGuard<'_, SeatPool> {
    pool.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listener(id: JobId, inbox: Sender<Message>) -> Listener {
    let last = Mutex::new(None::<Instant>);
    // The search threads of a strategy share the inbox.
    let inbox = Mutex::new(inbox);
    Arc::new(move |progress: &Progress| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|last| last.elapsed() < PROGRESS_INTERVAL) {
            return;
        }
        *last = Some(Instant::now());
        let inbox = inbox.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = inbox.send(Message::Progress(id, progress.clone()));
    })
}

/// Starts another search with this time limit.
fn begin(context: &mut Context, time: Duration) {
    let limits = Limits {
        time: Some(time),
        ..*context.limits()
    };
    context.begin(limits, &SystemClock);
}

/// Most lines beside the best one.
const MAX_OTHER_LINES: usize = 2;

/// Scores every legal move in passes of growing length, without end if the effort has none; `tell`
/// gets every analysis but the last.
fn advise(
    seat: &mut dyn Seat,
    line: &dyn AnyLine,
    effort: Effort,
    mut context: Context,
    tell: &dyn Fn(Analysis),
) -> Result<Analysis, Failure> {
    let legal = line.legal_moves();
    let passes = effort.passes();
    let further = std::iter::from_fn(|| effort.further_pass());
    let mut others = None;
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (index, limit) in (0..).zip(passes.iter().copied().chain(further)) {
        begin(&mut context, limit);
        let start = Instant::now();
        let decision = seat.decide(line, &context).map_err(Failure::NoMove)?;
        let took = start.elapsed();
        (nodes, time) = (nodes + decision.nodes, time + took);
        let mut analysis = Analysis {
            nodes,
            time,
            ..judged(&decision, &legal, effort)
        };
        let complete = analysis.insight.moves.len() == legal.len();
        let proven = analysis.scores().all(|(_, score)| score.is_proven());
        let is_last_planned = index + 1 >= passes.len();
        // A pass that ends long before its time has nothing left to search.
        let exhausted = is_last_planned && took < limit / 8;
        let ends = is_last_planned && effort.further_pass().is_none();
        analysis.settled = ends || exhausted || complete && (proven || effort == Effort::Quick);
        if is_last_planned || analysis.settled || context.stop.is_stopped() {
            // The moves that this search does not report are searched once.
            let found = others.get_or_insert_with(|| {
                // The progress of these searches says nothing about this position.
                let listener = context.listener.take();
                let found = fill_in(seat, line, &legal, &analysis, &mut context);
                context.listener = listener;
                found
            });
            analysis.others = found.clone();
            analysis.others.retain(|(mv, _)| {
                let reported = &analysis.insight.moves;
                reported.iter().all(|(other, _)| other != mv)
            });
        }
        if analysis.settled || context.stop.is_stopped() {
            return Ok(analysis);
        }
        tell(analysis);
    }
    Err(Failure::NoAnswer)
}

fn judged(decision: &Decision, legal: &[Move], effort: Effort) -> Analysis {
    let mut insight = PositionAnalysis::from(decision);
    insight.moves.retain(|(mv, _)| legal.contains(mv));
    Analysis {
        lines: other_lines(decision),
        insight,
        others: Vec::new(),
        depth: decision.chosen().and_then(explain::depth),
        nodes: decision.nodes,
        time: Duration::ZERO,
        effort,
        settled: false,
    }
}

/// Returns the best lines after the chosen one.
fn other_lines(decision: &Decision) -> Vec<OtherLine> {
    let others = decision.candidates.iter().filter(|c| c.mv != decision.best);
    let mut lines: Vec<OtherLine> = others
        .filter(|candidate| candidate.pv.len() > 1)
        .filter_map(|candidate| {
            let score = candidate.score?;
            let moves = candidate.pv.clone();
            Some(OtherLine { score, moves })
        })
        .collect();
    lines.sort_by(|a, b| b.score.balance().total_cmp(&a.score.balance()));
    lines.truncate(MAX_OTHER_LINES);
    lines
}

/// Scores the moves that the search did not report by searching the positions after them.
fn fill_in(
    seat: &mut dyn Seat,
    line: &dyn AnyLine,
    legal: &[Move],
    analysis: &Analysis,
    context: &mut Context,
) -> Vec<(Move, Score)> {
    let mut others = Vec::new();
    for &mv in legal {
        begin(context, Duration::from_millis(100));
        if context.stop.is_stopped() {
            break;
        }
        if analysis.score(mv).is_some() {
            continue;
        }
        let score = score_after(seat, line, mv, context);
        if let Some(score) = score {
            others.push((mv, score));
        }
    }
    others
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_catalog::AnyGame;
    use std::sync::mpsc::channel;

    fn job(game: &str, strategy: &str, moves: &str, kind: JobKind) -> Job {
        let game: AnyGame = game.parse().unwrap();
        let mut line = game.line();
        line.extend(moves).unwrap();
        Job {
            id: 7,
            kind,
            game,
            strategy: strategy.parse().unwrap(),
            line,
            limits: Limits::default(),
            seed: 1,
        }
    }

    #[test]
    fn the_advisor_scores_every_legal_move() {
        for (game, advisor, moves) in [
            ("tictactoe", "perfect", "5 1"),
            ("othello", "mcts(playouts=200)", "f5"),
            // It reports only the move that it chooses.
            ("tictactoe", "expert", "5 1"),
        ] {
            let (inbox, answers) = channel();
            let mut tasks = EngineTasks::new(inbox);
            let job = job(game, advisor, moves, JobKind::Advise(Effort::Quick));
            let legal = job.line.legal_moves().len();
            tasks.think(job);
            let analysis = answers
                .iter()
                .find_map(|message| match message {
                    Message::Analysis(7, Ok(analysis)) if analysis.settled => Some(analysis),
                    _ => None,
                })
                .unwrap();
            if advisor != "expert" {
                assert_eq!(analysis.scores().count(), legal, "{game}");
            }
        }
    }

    #[test]
    fn an_analysis_goes_on_until_it_is_stopped_and_counts_all_its_nodes() {
        let (inbox, answers) = channel();
        let mut tasks = EngineTasks::new(inbox);
        tasks.think(job(
            "othello",
            "engine(book=off)",
            "f5d6c3",
            JobKind::Advise(Effort::Endless),
        ));
        let mut found = Vec::new();
        for message in &answers {
            if let Message::Analysis(7, analysis) = message {
                found.push(analysis.unwrap());
            }
            if found.len() == 2 {
                tasks.stop(7);
                break;
            }
        }
        let [first, second] = &found[..] else {
            panic!("{} analyses", found.len());
        };
        assert!(!first.settled && !second.settled);
        assert!(first.nodes < second.nodes && first.time < second.time);
        assert_eq!(second.lines.len(), 2, "two lines beside the best");
        drop(tasks);
        let late = answers
            .iter()
            .filter(|m| matches!(m, Message::Analysis(..)));
        assert_eq!(late.count(), 0, "nothing is told after the stop");
    }

    #[test]
    fn a_stopped_search_ends_without_a_result() {
        let (inbox, answers) = channel();
        let mut tasks = EngineTasks::new(inbox);
        let job = job("othello", "mcts(playouts=100000000)", "", JobKind::Decide);
        tasks.think(job);
        // It is stopped in the middle of the search, after its first progress message.
        assert!(matches!(answers.recv(), Ok(Message::Progress(7, _))));
        tasks.stop(7);
        drop(tasks);
        // The channel closes when the search thread ends. A search that ignored the stop would finish a
        // hundred million playouts and send a decision.
        assert!(!answers.iter().any(|m| matches!(m, Message::Decision(..))));
    }

    #[test]
    fn a_strategy_that_cannot_play_reports_why() {
        let (inbox, answers) = channel();
        let mut tasks = EngineTasks::new(inbox);
        tasks.think(job("othello", "expert", "", JobKind::Decide));
        let Ok(Message::Decision(7, Err(reason))) = answers.recv() else {
            panic!("an answer was expected");
        };
        let Failure::Unplayable(reason) = reason else {
            panic!("{reason:?}");
        };
        assert!(reason.to_string().contains("othello"), "{reason}");
    }
}
