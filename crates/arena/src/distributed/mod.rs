//! Distributed tournaments: workers play batches of games, the coordinator keeps the journal and
//! the score.
//!
//! The result is that of [`crate::run`], whatever happens to workers, server and coordinator: a game
//! is a function of the plan and its number, each result is replayed by the rules before it counts,
//! and a game that is played twice counts once.

mod batch;
mod kind;
mod verify;

use std::collections::HashMap;
use std::time::Duration;

use papan_jobs::{Connection, Notice, Producer};

use crate::results::Results;
use crate::tournament::Tournament;
use crate::tournament::game_set::GameSet;
use crate::tournament::runner::{ArenaError, RunOptions, replay};
use crate::tournament::schedule::Schedule;
use crate::tournament::scoreboard::Scoreboard;
pub use batch::{Batch, BatchError, PlayedBatch};
pub use kind::{Table, TournamentGames};

/// Intended duration of a batch: long beside the cost of a job, short beside a tournament.
const BATCH_TIME: Duration = Duration::from_secs(1);
/// Pairs of games in a batch at most.
const MAX_PAIRS: u64 = 2048;
/// How long to wait for results before looking at workers again.
const RESULT_WAIT: Duration = Duration::from_millis(500);

/// How workers play a tournament.
pub struct DistributedOptions<'a> {
    /// The server that jobs go through.
    pub connection: &'a Connection,
    /// The command, for lists of groups.
    pub command: &'a str,
    /// Where messages for the user go.
    pub notice: Notice,
    /// The fraction of batches that the coordinator plays again, where players are deterministic.
    pub recheck: f64,
    /// Whether results from before are dropped.
    pub restart: bool,
}

/// Lets workers play the remaining games of a tournament and returns the final standings.
///
/// # Errors
/// When results cannot be stored, or the job server refuses a request.
pub fn run_distributed(
    tournament: &Tournament,
    store: &mut dyn Results,
    options: RunOptions<'_>,
    distributed: DistributedOptions<'_>,
) -> Result<Scoreboard, ArenaError> {
    let RunOptions {
        sprt,
        observer,
        stop,
        ..
    } = options;
    let mut scoreboard = Scoreboard::new(tournament, sprt);
    let mut played = replay(tournament, store, &mut scoreboard)?;
    while scoreboard.draw_next_round(tournament) {}
    let mut producer = begin(tournament, distributed)?;
    let mut pace = PairTime::default();
    loop {
        let schedule = scoreboard.standings().schedule().clone();
        let mut round = Round::new(&schedule);
        let is_over = |scoreboard: &Scoreboard| scoreboard.is_decided() || stop.is_stopped();
        while !is_over(&scoreboard) {
            let target = producer.target_in_flight();
            let mut batches = Vec::new();
            while producer.in_flight() + batches.len() < target
                && let Some(batch) = round.next(&schedule, &played, pace.pairs())
            {
                batches.push(batch);
            }
            producer.submit(&batches)?;
            if round.is_over(&schedule) {
                break;
            }
            for finished in producer.results(RESULT_WAIT)? {
                // A batch from before this coordinator started may follow another schedule.
                let scheduled = |game| schedule.game(game);
                let mut games = finished.job.games.iter();
                if games.any(|planned| scheduled(planned.game) != Some(*planned)) {
                    continue;
                }
                pace.note(&finished.output);
                round.enter(&finished.output);
                keep(
                    tournament,
                    store,
                    &mut played,
                    &mut scoreboard,
                    finished.output,
                )?;
            }
            observer(&scoreboard);
        }
        if is_over(&scoreboard) || !scoreboard.draw_next_round(tournament) {
            producer.end()?;
            return Ok(scoreboard);
        }
    }
}

fn begin(
    tournament: &Tournament,
    distributed: DistributedOptions<'_>,
) -> Result<Producer<TournamentGames>, ArenaError> {
    let DistributedOptions {
        connection,
        command,
        notice,
        recheck,
        restart,
    } = distributed;
    let begin = || {
        let producer = Producer::begin(connection, tournament.clone(), command, notice.clone())?;
        Ok::<_, ArenaError>(producer.with_recheck(recheck))
    };
    let mut producer = begin()?;
    if restart {
        producer.end()?;
        producer = begin()?;
    }
    // Waiting batches of an earlier run are cut anew, for the workers that are there now.
    producer.withdraw_waiting()?;
    Ok(producer)
}

/// Makes new games durable and then counts them.
fn keep(
    tournament: &Tournament,
    store: &mut dyn Results,
    played: &mut GameSet,
    scoreboard: &mut Scoreboard,
    batch: PlayedBatch,
) -> Result<(), ArenaError> {
    let mut new = batch.games;
    new.retain(|game| game.game < played.length() && played.insert(game.game));
    let mut record = Vec::new();
    for game in &new {
        record.clear();
        game.encode(&mut record);
        store.append(&record);
    }
    store.commit()?;
    for game in new {
        scoreboard.add(tournament, game);
    }
    Ok(())
}

/// The games of the last round that are submitted and not played.
struct Round {
    next_pair: u64,
    /// Games without a result, by the first game of their batch.
    outstanding: HashMap<u64, usize>,
    /// The first game of the batch of each submitted game.
    batch_of: HashMap<u64, u64>,
}

impl Round {
    /// Rounds before the last one are over.
    fn new(schedule: &Schedule) -> Self {
        Self {
            next_pair: schedule.last_round(),
            outstanding: HashMap::new(),
            batch_of: HashMap::new(),
        }
    }

    /// Returns the next games that have not been played.
    fn next(&mut self, schedule: &Schedule, played: &GameSet, pairs: u64) -> Option<Batch> {
        let mut batch = Batch::default();
        while self.next_pair < schedule.pairs() && (batch.games.len() as u64) < 2 * pairs {
            let pair = self.next_pair;
            self.next_pair += 1;
            for game in [2 * pair, 2 * pair + 1] {
                if !played.contains(game) {
                    batch.games.extend(schedule.game(game));
                }
            }
        }
        let first = batch.games.first()?.game;
        for planned in &batch.games {
            self.batch_of.insert(planned.game, first);
        }
        self.outstanding.insert(first, batch.games.len());
        Some(batch)
    }

    /// Whether all games are submitted and have results.
    fn is_over(&self, schedule: &Schedule) -> bool {
        self.next_pair >= schedule.pairs() && self.outstanding.is_empty()
    }

    /// Removes games with results, whichever batch they were submitted in.
    fn enter(&mut self, batch: &PlayedBatch) {
        for game in &batch.games {
            let Some(first) = self.batch_of.remove(&game.game) else {
                continue;
            };
            if let Some(left) = self.outstanding.get_mut(&first) {
                *left -= 1;
                if *left == 0 {
                    self.outstanding.remove(&first);
                }
            }
        }
    }
}

/// The mean time of a pair of games.
#[derive(Default)]
struct PairTime {
    games: u64,
    time: Duration,
}

impl PairTime {
    fn note(&mut self, batch: &PlayedBatch) {
        self.games += batch.games.len() as u64;
        // A worker may claim any time; more than a day per batch is not believed.
        self.time += batch.time.min(Duration::from_secs(86_400));
    }

    /// Returns how many pairs make a batch.
    fn pairs(&self) -> u64 {
        if self.games == 0 {
            return 1;
        }
        let pair = 2.0 * self.time.as_secs_f64() / self.games as f64;
        let pairs = BATCH_TIME.as_secs_f64() / pair.max(1e-9);
        (pairs as u64).clamp(1, MAX_PAIRS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Memory;
    use crate::tournament::Format;
    use crate::tournament::tests::tournament;
    use crate::{Report, run};
    use papan_jobs::{Kinds, Worker, WorkerOptions};
    use papan_strategies::StopToken;

    fn options(sprt: Option<crate::statistics::Sprt>) -> RunOptions<'static> {
        RunOptions {
            concurrency: 1,
            sprt,
            observer: Box::leak(Box::new(|_: &Scoreboard| {})),
            live_games: None,
            stop: StopToken::default(),
        }
    }

    #[test]
    fn the_table_of_workers_is_that_of_one_machine() {
        let connection = Connection::local().unwrap();
        let kinds = Kinds::new().with::<TournamentGames>();
        let worker = WorkerOptions::named("one").threads(3);
        let _worker = Worker::start(&connection, kinds, worker).unwrap();
        let sprt = Some("elo0=0,elo1=50".parse().unwrap());
        let four = ["minimax", "random", "greedy", "expert"];
        let knockout = Tournament {
            format: Format::Knockout,
            ..tournament("tictactoe", &four, 6)
        };
        let swiss = Tournament {
            format: Format::Swiss { rounds: 3 },
            ..tournament("tictactoe", &four, 6)
        };
        let robin = tournament("tictactoe", &["random", "greedy", "expert"], 40);
        let test = tournament("tictactoe", &["expert", "random"], 2000);
        for (plan, sprt) in [(knockout, None), (swiss, None), (robin, None), (test, sprt)] {
            let distributed = || DistributedOptions {
                connection: &connection,
                command: "a test",
                notice: Notice::new(|line| panic!("{line}")),
                recheck: 0.2,
                restart: false,
            };
            let mut store = Memory::default();
            let there = run_distributed(&plan, &mut store, options(sprt), distributed()).unwrap();
            let here = run(&plan, &mut Memory::default(), options(sprt)).unwrap();
            let text = |board: &Scoreboard| {
                let table = serde_json::to_string(&Report::of(&plan, board)).unwrap();
                format!("{table} {:?}", board.test())
            };
            assert_eq!(text(&there), text(&here));
            // Continued, there is nothing left to do.
            let again = run_distributed(&plan, &mut store, options(sprt), distributed()).unwrap();
            assert_eq!(text(&again), text(&here));
        }
    }

    /// The batches of a coordinator that was killed are cut differently: their results can cover all
    /// games that the next one has submitted, while its jobs are still in flight.
    #[test]
    fn results_of_an_earlier_coordinator_do_not_end_a_tournament() {
        let connection = Connection::local().unwrap();
        let kinds = || Kinds::new().with::<TournamentGames>();
        let start = |name| Worker::start(&connection, kinds(), WorkerOptions::named(name)).unwrap();
        let plan = tournament("tictactoe", &["random", "greedy", "expert"], 40);
        let scoreboard = Scoreboard::new(&plan, None);
        let schedule = scoreboard.standings().schedule().clone();
        let batch = Batch {
            games: (0..40).map(|game| schedule.game(game).unwrap()).collect(),
        };
        let mut earlier =
            Producer::<TournamentGames>::begin(&connection, plan.clone(), "", Notice::none())
                .unwrap();
        let first = start("first");
        earlier.submit(&[batch]).unwrap();
        while earlier.results(RESULT_WAIT).unwrap().is_empty() {}
        first.drain();
        first.join();
        drop(earlier);
        let (say, said) = std::sync::mpsc::channel();
        let notice = Notice::new(move |line| {
            // The test waits for a line.
            let _ = say.send(line.to_owned());
        });
        let distributed = DistributedOptions {
            connection: &connection,
            command: "a test",
            notice,
            recheck: 0.0,
            restart: false,
        };
        let here = run(&plan, &mut Memory::default(), options(None)).unwrap();
        let there = std::thread::scope(|scope| {
            let start = &start;
            let waiting = scope.spawn(move || {
                let mut lines = said.iter();
                let is_waiting = lines.any(|line| line.starts_with("waiting for workers"));
                is_waiting.then(|| start("second"))
            });
            let there = run_distributed(&plan, &mut Memory::default(), options(None), distributed);
            assert!(
                waiting.join().unwrap().is_some(),
                "it ended without workers"
            );
            there.unwrap()
        });
        let table = |board: &Scoreboard| serde_json::to_string(&Report::of(&plan, board)).unwrap();
        assert_eq!(table(&there), table(&here));
    }
}
