//! Strategies at work in the background.
//!
//! Every piece of thinking has a thread of its own, so that one that is slow to
//! stop never keeps the next one waiting. What a seated player has learned is
//! handed on: its seat goes back to a small pool when it is done.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use papan_catalog::review::PositionAnalysis;
use papan_catalog::{AnyLine, PooledSeat, Seat, SeatPool, Unplayable};
use papan_rules::{Move, Player};
use papan_strategies::{
    Context, Decision, Limits, Listener, Progress, Score, StopToken, SystemClock,
};

use crate::analysis::{Analysis, Effort};
use crate::message::{Failure, Job, JobId, JobKind, Message};

/// The name of every thinking thread, by which a panic in one is known.
pub(crate) const THREAD_NAME: &str = "thinker";

/// How often a thinker may tell what it thinks: more would only be drawn over.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// How many idle players are kept.
const MAX_IDLE_SEATS: usize = 4;

/// All thinkers.
pub struct EngineTasks {
    inbox: Sender<Message>,
    pool: Arc<Mutex<SeatPool>>,
    running: HashMap<JobId, StopToken>,
}

impl EngineTasks {
    /// Nobody is thinking yet. Answers go to the inbox.
    #[must_use]
    pub fn new(inbox: Sender<Message>) -> Self {
        Self {
            inbox,
            pool: Arc::new(Mutex::new(SeatPool::new(MAX_IDLE_SEATS))),
            running: HashMap::new(),
        }
    }

    /// Lets a strategy think.
    pub fn think(&mut self, job: Job) {
        let stop = StopToken::default();
        self.running.insert(job.id, stop.clone());
        let (inbox, pool) = (self.inbox.clone(), Arc::clone(&self.pool));
        let (id, purpose) = (job.id, job.purpose.clone());
        let started = thread::Builder::new()
            .name(THREAD_NAME.into())
            .spawn(move || {
                let (id, purpose) = (job.id, job.purpose.clone());
                let work = AssertUnwindSafe(|| work(job, &stop, &inbox, &pool));
                let answer = catch_unwind(work)
                    .unwrap_or_else(|_| Some(failed(id, &purpose, Failure::Panicked)));
                // Nobody listens any more once the program is leaving.
                if let Some(answer) = answer {
                    let _ = inbox.send(answer);
                }
            });
        if let Err(error) = started {
            let _ = self
                .inbox
                .send(failed(id, &purpose, Failure::NoThread(error)));
        }
    }

    /// Lets a strategy stop. Whatever it still answers is ignored.
    pub fn stop(&mut self, job: JobId) {
        if let Some(stop) = self.running.remove(&job) {
            stop.stop();
        }
    }

    /// Lets all of them stop.
    pub fn stop_all(&mut self) {
        for (_, stop) in self.running.drain() {
            stop.stop();
        }
    }
}

fn failed(id: JobId, purpose: &JobKind, reason: Failure) -> Message {
    match purpose {
        JobKind::Decide => Message::Decision(id, Err(reason)),
        JobKind::Advise(_) => Message::Analysis(id, Err(reason)),
    }
}

/// Does the job; the last message, or `None` when its answer is unwanted.
fn work(
    job: Job,
    stop: &StopToken,
    inbox: &Sender<Message>,
    pool: &Mutex<SeatPool>,
) -> Option<Message> {
    let limited = job.purpose != JobKind::Decide || job.limits != Limits::default();
    let limits = if limited {
        Limits {
            time: Some(Duration::from_secs(1)),
            ..job.limits
        }
    } else {
        job.limits
    };
    let mut seat = match seat(&job, &limits, pool) {
        Ok(seat) => seat,
        Err(error) => return Some(failed(job.id, &job.purpose, Failure::Unplayable(error))),
    };
    let mut context = Context::with_seed(job.seed)
        .stopped_by(stop)
        .limited(job.limits, &SystemClock);
    context.listener = Some(listener(job.id, inbox.clone()));
    let answer = match job.purpose {
        JobKind::Decide => {
            let decision = seat.decide(&*job.line, &context);
            Message::Decision(job.id, decision.map_err(Failure::NoMove))
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

/// A seat from the pool, or a new one.
fn seat(job: &Job, limits: &Limits, pool: &Mutex<SeatPool>) -> Result<PooledSeat, Unplayable> {
    let idle = lock(pool).take(&job.game, &job.strategy, limits);
    match idle {
        Some(seat) => Ok(seat),
        None => PooledSeat::new(&job.game, &job.strategy, limits),
    }
}

/// A thinker that panicked holds its seat, not the pool, which is whole.
fn lock(pool: &Mutex<SeatPool>) -> MutexGuard<'_, SeatPool> {
    pool.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listener(id: JobId, inbox: Sender<Message>) -> Listener {
    let last = Mutex::new(None::<Instant>);
    // The inbox is shared by the strategy's own threads.
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

/// Begins another decision of so much time.
fn begin(context: &mut Context, time: Duration) {
    let limits = Limits {
        time: Some(time),
        ..*context.limits()
    };
    context.begin(limits, &SystemClock);
}

/// Judges every legal move, better and better. All but the last analysis are told.
fn advise(
    seat: &mut dyn Seat,
    line: &dyn AnyLine,
    effort: Effort,
    mut context: Context,
    tell: &dyn Fn(Analysis),
) -> Result<Analysis, Failure> {
    let legal = line.legal_moves();
    let passes = effort.passes();
    let mut best = None;
    for (index, &time) in passes.iter().enumerate() {
        begin(&mut context, time);
        let decision = seat.decide(line, &context).map_err(Failure::NoMove)?;
        let mut analysis = judged(&decision, &legal, effort);
        let complete = analysis.insight.moves.len() == legal.len();
        let proven = analysis.scores().all(|(_, score)| score.is_proven());
        let last = index + 1 == passes.len();
        analysis.settled = last || complete && (proven || effort == Effort::Quick);
        if analysis.settled || context.stop.is_stopped() {
            best = Some(analysis);
            break;
        }
        tell(analysis);
    }
    let mut analysis = best.ok_or(Failure::NoAnswer)?;
    fill_in(seat, line, &legal, &mut analysis, &mut context);
    Ok(analysis)
}

fn judged(decision: &Decision, legal: &[Move], effort: Effort) -> Analysis {
    let mut insight = PositionAnalysis::from(decision);
    insight.moves.retain(|(mv, _)| legal.contains(mv));
    Analysis {
        insight,
        others: Vec::new(),
        effort,
        settled: false,
    }
}

/// Judges the moves that a strategy said nothing of by looking one move further.
fn fill_in(
    seat: &mut dyn Seat,
    line: &dyn AnyLine,
    legal: &[Move],
    analysis: &mut Analysis,
    context: &mut Context,
) {
    for &mv in legal {
        begin(context, Duration::from_millis(100));
        if context.stop.is_stopped() {
            return;
        }
        if analysis.score(mv).is_some() {
            continue;
        }
        let mut next = line.clone_line();
        if next.play(mv).is_err() {
            continue;
        }
        let score = match next.outcome() {
            Some(_) => {
                let value = final_value(&*next, line.turn());
                Some(Score::from_final(line.game().properties().score_unit, value).in_plies(1))
            }
            None => seat
                .decide(&*next, context)
                .ok()
                .and_then(|decision| decision.chosen().and_then(|c| c.score))
                .map(|score| match next.turn() == line.turn() {
                    true => score,
                    false => score.turned(),
                })
                .map(Score::a_ply_earlier),
        };
        if let Some(score) = score {
            analysis.others.push((mv, score));
        }
    }
}

fn final_value(line: &dyn AnyLine, player: Player) -> i32 {
    line.final_score(player)
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_catalog::AnyGame;
    use std::sync::mpsc::channel;

    fn job(game: &str, strategy: &str, moves: &str, purpose: JobKind) -> Job {
        let game: AnyGame = game.parse().unwrap();
        let mut line = game.line();
        line.extend(moves).unwrap();
        Job {
            id: 7,
            purpose,
            game,
            strategy: strategy.parse().unwrap(),
            line,
            limits: Limits::default(),
            seed: 1,
        }
    }

    #[test]
    fn the_advisor_judges_every_legal_move() {
        for (game, advisor, moves) in [
            ("tictactoe", "perfect", "5 1"),
            ("othello", "mcts(playouts=200)", "f5"),
            // Says nothing of the moves that it does not choose.
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
    fn thinking_that_is_stopped_ends_and_says_nothing() {
        let (inbox, answers) = channel();
        let mut tasks = EngineTasks::new(inbox);
        let job = job("othello", "mcts(playouts=100000000)", "", JobKind::Decide);
        tasks.think(job);
        // It is stopped in the middle of its thinking: the first thing it told has come.
        assert!(matches!(answers.recv(), Ok(Message::Progress(7, _))));
        tasks.stop(7);
        drop(tasks);
        // The channel closes when the thinker's thread is gone; a thinker that went on
        // would come to a hundred million playouts, and to a decision.
        assert!(!answers.iter().any(|m| matches!(m, Message::Decision(..))));
    }

    #[test]
    fn a_player_that_cannot_be_seated_says_why() {
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
