//! Distributed tournaments: games are sent to workers in batches; results are stored and counted
//! here.

use std::collections::HashMap;
use std::time::Duration;

use crate::batch::{Batch, Played};
use crate::results::Results;
use crate::tournament::Tournament;
use crate::tournament::game_set::GameSet;
use crate::tournament::runner::{ArenaError, RunOptions, replay};
use crate::tournament::schedule::Schedule;
use crate::tournament::scoreboard::Scoreboard;

/// Target duration of a batch: long compared with its overhead, short compared with the tournament.
const BATCH: Duration = Duration::from_secs(1);
/// Maximum number of pairs in a batch.
const MAX_PAIRS: u64 = 8192;

/// Remote players of a tournament's games.
pub trait Others {
    /// Submits a batch; submitting it twice has no further effect.
    ///
    /// # Errors
    /// When it cannot be submitted.
    fn post(&mut self, batch: &Batch) -> Result<(), String>;
    /// Returns the number of batches that keep all workers busy.
    fn ahead(&mut self) -> usize;
    /// Waits for results; may return none.
    ///
    /// # Errors
    /// When there will be no further results.
    fn wait(&mut self) -> Result<Vec<Played>, String>;
}

/// Plays the rest of a tournament on remote workers and returns the final standings, which equal
/// those of [`crate::run`].
///
/// # Errors
/// When results cannot be stored, or the workers cannot be reached.
pub fn run_by_others(
    tournament: &Tournament,
    store: &mut dyn Results,
    settings: RunOptions<'_>,
    others: &mut dyn Others,
) -> Result<Scoreboard, ArenaError> {
    let RunOptions { sprt, observer, .. } = settings;
    let mut scoreboard = Scoreboard::new(tournament, sprt);
    let mut played = replay(tournament, store, &mut scoreboard)?;
    while scoreboard.draw_next_round(tournament) {}
    let mut pace = PairTime::default();
    loop {
        let schedule = scoreboard.standings().schedule().clone();
        let mut round = Round::new(&schedule);
        while !scoreboard.is_decided() {
            let ahead = others.ahead().max(1);
            while round.outstanding.len() < ahead
                && let Some(batch) = round.next(&schedule, &played, pace.pairs())
            {
                others.post(&batch).map_err(ArenaError::Others)?;
            }
            if round.outstanding.is_empty() {
                break;
            }
            for part in others.wait().map_err(ArenaError::Others)? {
                pace.note(&part);
                round.enter(&part);
                keep(tournament, store, &mut played, &mut scoreboard, part)?;
            }
            observer(&scoreboard);
        }
        if scoreboard.is_decided() || !scoreboard.draw_next_round(tournament) {
            return Ok(scoreboard);
        }
    }
}

/// Makes new games durable and then counts them.
fn keep(
    tournament: &Tournament,
    store: &mut dyn Results,
    played: &mut GameSet,
    scoreboard: &mut Scoreboard,
    part: Played,
) -> Result<(), ArenaError> {
    let new = part.games.into_iter();
    // A game that was played twice is counted once.
    let new = new.filter(|game| game.game < played.length() && played.insert(game.game));
    let new: Vec<_> = new.collect();
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

/// Progress of the last round: submitted and outstanding games.
struct Round {
    next_pair: u64,
    /// Outstanding games of each pair, by batch.
    outstanding: HashMap<u64, usize>,
    batch_of: HashMap<u64, u64>,
}

impl Round {
    /// Earlier rounds are complete.
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

    /// Removes returned games, whichever batch they were sent in.
    fn enter(&mut self, part: &Played) {
        for game in &part.games {
            let Some(batch) = self.batch_of.remove(&game.game) else {
                continue;
            };
            if let Some(left) = self.outstanding.get_mut(&batch) {
                *left -= 1;
                if *left == 0 {
                    self.outstanding.remove(&batch);
                }
            }
        }
    }
}

/// Measured duration of a pair of games.
#[derive(Default)]
struct PairTime {
    games: u64,
    time: Duration,
}

impl PairTime {
    fn note(&mut self, part: &Played) {
        self.games += part.games.len() as u64;
        self.time += part.time;
    }

    /// Returns the number of pairs of a batch.
    fn pairs(&self) -> u64 {
        if self.games == 0 {
            return 1;
        }
        let pair = 2.0 * self.time.as_secs_f64() / self.games as f64;
        let pairs = BATCH.as_secs_f64() / pair.max(1e-9);
        (pairs as u64).clamp(1, MAX_PAIRS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::{Batches, play_batches};
    use crate::results::Memory;
    use crate::tournament::Format;
    use crate::tournament::tests::tournament;
    use crate::{Report, run};

    /// Plays submitted batches on request, the last first, each twice.
    struct Backwards<'a> {
        plan: &'a Tournament,
        posted: Vec<Batch>,
        came: Vec<Played>,
    }

    impl Others for Backwards<'_> {
        fn post(&mut self, batch: &Batch) -> Result<(), String> {
            self.posted.push(batch.clone());
            Ok(())
        }

        fn ahead(&mut self) -> usize {
            5
        }

        fn wait(&mut self) -> Result<Vec<Played>, String> {
            let last = self.posted.last().cloned();
            self.posted.extend(last);
            play_batches(self.plan, self).map_err(|error| error.to_string())?;
            Ok(std::mem::take(&mut self.came))
        }
    }

    impl Batches for Backwards<'_> {
        fn next(&mut self) -> Option<Batch> {
            self.posted.pop()
        }

        fn take(&mut self, played: Result<Played, String>) {
            self.came.push(played.unwrap());
        }
    }

    fn settings(sprt: Option<crate::statistics::Sprt>) -> RunOptions<'static> {
        RunOptions {
            concurrency: 1,
            sprt,
            observer: Box::leak(Box::new(|_: &Scoreboard| {})),
            live_games: None,
        }
    }

    #[test]
    fn whatever_others_play_in_whichever_order_the_table_is_that_of_one_machine() {
        let sprt = Some("elo0=0,elo1=50".parse().unwrap());
        let knockout = Tournament {
            format: Format::Knockout,
            ..tournament("tictactoe", &["minimax", "random", "greedy", "expert"], 6)
        };
        let swiss = Tournament {
            format: Format::Swiss { rounds: 3 },
            ..tournament("tictactoe", &["minimax", "random", "greedy", "expert"], 6)
        };
        let robin = tournament("tictactoe", &["random", "greedy", "expert"], 40);
        let test = tournament("tictactoe", &["expert", "random"], 2000);
        for (plan, sprt) in [(knockout, None), (swiss, None), (robin, None), (test, sprt)] {
            let mut others = Backwards {
                plan: &plan,
                posted: Vec::new(),
                came: Vec::new(),
            };
            let mut store = Memory::default();
            let there = run_by_others(&plan, &mut store, settings(sprt), &mut others).unwrap();
            let here = run(&plan, &mut Memory::default(), settings(sprt)).unwrap();
            let text = |board: &Scoreboard| {
                let table = serde_json::to_string(&Report::of(&plan, board)).unwrap();
                format!("{table} {:?}", board.test())
            };
            assert_eq!(text(&there), text(&here));
            // Resumed, there is nothing left to do.
            others.plan = &plan;
            let again = run_by_others(&plan, &mut store, settings(sprt), &mut others).unwrap();
            assert_eq!(text(&again), text(&here));
        }
    }
}
