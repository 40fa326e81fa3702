//! Self-play by workers: batches of games as jobs, written in the order of their numbers.
//!
//! A game is a function of the plan and its number, so the file is that of one machine, byte by
//! byte. Each game is replayed by the rules before it is written; with a recheck, the coordinator
//! also plays a sample of the batches again.

use crate::games::Game;
use crate::plan::{Batch, Plan};
use papan_jobs::{Connection, Digest, JobKind, JobsError, Notice, Payload, Producer};
use papan_othello::eval::weights;
use papan_othello::{Board, Engine, Options, SearchLimits};
use papan_strategies::{StopToken, Watch};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Games in a batch: some seconds of work.
const BATCH_GAMES: u64 = 32;
/// How long to wait for results before workers are looked at again.
const RESULT_WAIT: Duration = Duration::from_millis(500);
/// The largest score of a game.
const MAX_LABEL: i8 = 64;
/// Positions with at most this number of empty squares are solved again, if the plan solves them.
const MAX_VERIFIED_EMPTIES: u32 = 8;
/// Between two messages about the number of games.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);

/// Batches of self-play games as jobs.
pub struct SelfPlay;

impl Payload for Plan {
    fn to_bytes(&self) -> Vec<u8> {
        self.text().as_bytes().to_vec()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        text.parse().map_err(|error| format!("{error}"))
    }
}

impl Payload for Batch {
    fn to_bytes(&self) -> Vec<u8> {
        self.to_string().into_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        text.parse().map_err(|error| format!("{error}"))
    }
}

/// The games of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Games(pub Vec<Game>);

impl Payload for Games {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.0.iter().for_each(|game| game.write(&mut bytes));
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let games = Self(Game::read_all(bytes));
        // Incomplete games are dropped by the reader.
        if games.to_bytes() == bytes {
            Ok(games)
        } else {
            Err("the bytes are not whole games".into())
        }
    }
}

impl JobKind for SelfPlay {
    const NAME: &'static str = "self-play";
    type Group = Plan;
    type Job = Batch;
    type Output = Games;
    type Session = Plan;

    fn requirements(_: &Plan) -> Vec<String> {
        let weights = Digest::of(weights::shipped_file());
        vec![
            format!("papan {}", papan_jobs::code_version()),
            format!("weights {}", weights.short()),
        ]
    }

    fn start(plan: &Plan) -> Result<Plan, String> {
        Plan::from_bytes(&plan.to_bytes())
    }

    fn run(plan: &mut Plan, batch: &Batch, watch: &Arc<Watch>) -> Result<Games, String> {
        Ok(Games(plan.play_batch(batch, &watch.stop)))
    }

    fn verify(plan: &Plan, batch: &Batch, games: &Games) -> Result<(), String> {
        let wanted = batch.0.end - batch.0.start;
        if games.0.len() as u64 != wanted {
            return Err(format!("{} games of {wanted}", games.0.len()));
        }
        let solved = plan.solve_empties().min(MAX_VERIFIED_EMPTIES);
        let options = Options {
            threads: 1,
            hash_mib: 1,
        };
        let mut engine = Engine::new(&options).map_err(|error| error.to_string())?;
        for (number, game) in batch.0.clone().zip(&games.0) {
            let verified = verify_game(&mut engine, solved, game);
            verified.map_err(|reason| format!("game {number}: {reason}"))?;
        }
        Ok(())
    }

    fn is_deterministic(_: &Plan) -> bool {
        true
    }
}

/// Replays a game by the rules, and solves its last positions: a position that the plan solves is
/// labelled with its value. Earlier labels are estimates; a recheck compares them.
fn verify_game(engine: &mut Engine, solved: u32, game: &Game) -> Result<(), String> {
    if game.labels.len() != game.moves.len() {
        return Err("it has not one label per move".into());
    }
    let never = StopToken::default();
    let mut board = Board::START;
    for (ply, &square) in game.moves.iter().enumerate() {
        if board.moves().is_empty() {
            board = board.passed();
        }
        if board.empties() <= solved {
            let result = engine.search(board, &SearchLimits::default(), &never, |_| {});
            if game.labels[ply].map(i32::from) != Some(result.score) {
                return Err(format!("the label of move {} is not the value", ply + 1));
            }
        }
        let played = board.play(square);
        board = played.ok_or_else(|| format!("move {} is illegal", ply + 1))?;
    }
    if !board.is_over() {
        return Err("it is not over".into());
    }
    let mut labels = game.labels.iter().flatten();
    if labels.any(|label| !(-MAX_LABEL..=MAX_LABEL).contains(label)) {
        return Err("a label is no score".into());
    }
    Ok(())
}

/// How workers play.
pub struct DistributedOptions<'a> {
    /// The server that jobs go through.
    pub connection: &'a Connection,
    /// The fraction of batches that are played again here.
    pub recheck: f64,
    /// Where messages for the user go.
    pub notice: Notice,
    /// Ends the play early: jobs are withdrawn, results stay on the server.
    pub stop: &'a StopToken,
    /// Ends it in the same way after this time.
    pub time: Duration,
}

/// Lets workers play the games of these numbers and calls `keep` with each, in any order, until it
/// is stopped.
///
/// # Errors
/// When the job server refuses a request, or all games that are left fail.
pub fn play(
    plan: &Plan,
    numbers: Range<u64>,
    options: DistributedOptions<'_>,
    keep: impl Fn(u64, Game),
) -> Result<Producer<SelfPlay>, JobsError> {
    let DistributedOptions {
        connection,
        recheck,
        notice,
        stop,
        time,
    } = options;
    let group = Plan::from_bytes(&plan.to_bytes()).expect("a plan is read as it was written");
    let producer =
        Producer::<SelfPlay>::begin(connection, group, "papan-train play", notice.clone())?;
    let mut producer = producer.with_recheck(recheck);
    let all = numbers.end - numbers.start;
    let began = Instant::now();
    let mut said = began;
    let mut next = numbers.start;
    let mut missing = numbers.end - numbers.start;
    let mut seen = std::collections::HashSet::new();
    while missing > 0 {
        if stop.is_stopped() || began.elapsed() >= time {
            producer.withdraw_all()?;
            break;
        }
        if said.elapsed() >= PROGRESS_INTERVAL {
            said = Instant::now();
            let wanted = if numbers.end == u64::MAX {
                String::new()
            } else {
                format!(" of {all}")
            };
            notice.say(&format!("{}{wanted} games", all - missing));
        }
        let target = producer.target_in_flight();
        let mut batches = Vec::new();
        while producer.in_flight() + batches.len() < target && next < numbers.end {
            let end = numbers.end.min(next + BATCH_GAMES);
            batches.push(Batch(next..end));
            next = end;
        }
        producer.submit(&batches)?;
        for finished in producer.results(RESULT_WAIT)? {
            for (number, game) in finished.job.0.clone().zip(finished.output.0) {
                // Batches of an earlier run may overlap.
                if numbers.contains(&number) && seen.insert(number) {
                    keep(number, game);
                    missing -= 1;
                }
            }
        }
    }
    Ok(producer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::SelfPlaySettings;
    use papan_jobs::{Kinds, Worker, WorkerOptions};
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    #[test]
    fn workers_play_the_games_of_one_machine_and_impossible_ones_do_not_verify() {
        let settings = SelfPlaySettings {
            depth: 1,
            solve: 6,
            seed: 9,
            threads: 2,
        };
        let plan = Plan::new(settings, None, Vec::new()).unwrap();
        let alone = Mutex::new(BTreeMap::new());
        plan.play(0..70, Duration::MAX, |number, game| {
            alone.lock().unwrap().insert(number, game);
        });
        let connection = Connection::local().unwrap();
        let kinds = Kinds::new().with::<SelfPlay>();
        let options = WorkerOptions::named("one").threads(2);
        let _worker = Worker::start(&connection, kinds, options).unwrap();
        let together = Mutex::new(BTreeMap::new());
        let options = DistributedOptions {
            connection: &connection,
            recheck: 0.5,
            notice: Notice::new(|line| assert!(!line.contains("false"), "{line}")),
            stop: &StopToken::default(),
            time: Duration::MAX,
        };
        let producer = play(&plan, 0..70, options, |number, game| {
            together.lock().unwrap().insert(number, game);
        });
        producer.unwrap().end().unwrap();
        let (alone, together) = (alone.into_inner().unwrap(), together.into_inner().unwrap());
        assert_eq!(alone, together);
        let batch = Batch(0..1);
        let verify = |game: Game| SelfPlay::verify(&plan, &batch, &Games(vec![game]));
        let truth = alone[&0].clone();
        assert_eq!(verify(truth.clone()), Ok(()));
        let mut short = truth.clone();
        short.moves.pop();
        short.labels.pop();
        assert!(verify(short).is_err());
        let mut illegal = truth.clone();
        illegal.moves.swap(0, 30);
        assert!(verify(illegal).is_err());
        let mut labelled = truth.clone();
        labelled.labels[59] = Some(99);
        assert!(verify(labelled).is_err());
        // The value of a position near the end is known exactly.
        let mut wrong = truth;
        wrong.labels[56] = wrong.labels[56].map(|label| label - 2);
        let refused = verify(wrong);
        assert!(refused.is_err_and(|reason| reason.contains("is not the value")));
    }
}
