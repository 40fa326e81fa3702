//! Batches of games for workers, and their encoded results.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use papan_catalog::{Family, GameVisitor};

use crate::game::game_result::{DecodeError, GameResult};
use crate::game::referee::Referee;
use crate::tournament::runner::{ArenaError, seat_all};
use crate::tournament::{ScheduledGame, Tournament};

/// Games of a tournament for one worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The games, in order.
    pub games: Vec<ScheduledGame>,
}

/// A text that is not a batch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no game of a batch; one is five numbers")]
pub struct BatchError(String);

/// One game per line: number, pairing, seats, opening.
impl fmt::Display for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.games.iter().try_for_each(|planned| {
            let [first, second] = planned.seats;
            let (game, pairing) = (planned.game, planned.pairing);
            writeln!(f, "{game} {pairing} {first} {second} {}", planned.opening)
        })
    }
}

impl FromStr for Batch {
    type Err = BatchError;

    fn from_str(text: &str) -> Result<Self, BatchError> {
        let games = text.lines().map(|line| {
            let numbers = line.split(' ').map(|word| word.parse::<u64>().ok());
            let numbers: Option<Vec<u64>> = numbers.collect();
            let numbers = numbers.ok_or_else(|| BatchError(line.into()))?;
            let [game, pairing, first, second, opening] = numbers[..] else {
                return Err(BatchError(line.into()));
            };
            Ok(ScheduledGame {
                game,
                pairing: pairing as usize,
                seats: [first as usize, second as usize],
                opening: opening as usize,
            })
        });
        let games = games.collect::<Result<_, _>>()?;
        Ok(Self { games })
    }
}

impl Batch {
    /// Returns whether all of them are games of this tournament.
    fn fits(&self, tournament: &Tournament) -> bool {
        self.games.iter().all(|planned| {
            let [first, second] = planned.seats;
            let players = tournament.entrants.len();
            first != second
                && first.max(second) < players
                && planned.opening < tournament.openings.len()
        })
    }
}

/// The result of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The games.
    pub games: Vec<GameResult>,
    /// The time they took.
    pub time: Duration,
}

impl Played {
    /// Encodes the time, then every game with its length.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let micros = u64::try_from(self.time.as_micros()).unwrap_or(u64::MAX);
        let mut bytes = micros.to_be_bytes().to_vec();
        let mut record = Vec::new();
        for game in &self.games {
            record.clear();
            game.encode(&mut record);
            bytes.extend((record.len() as u32).to_be_bytes());
            bytes.extend_from_slice(&record);
        }
        bytes
    }

    /// Decodes [`Played::encode`].
    ///
    /// # Errors
    /// When the bytes are not an encoded result.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let (micros, mut rest) = bytes.split_first_chunk().ok_or(DecodeError)?;
        let mut games = Vec::new();
        while !rest.is_empty() {
            let (length, after) = rest.split_first_chunk().ok_or(DecodeError)?;
            let length = u32::from_be_bytes(*length) as usize;
            let (record, after) = after.split_at_checked(length).ok_or(DecodeError)?;
            games.push(GameResult::decode(record)?);
            rest = after;
        }
        Ok(Self {
            games,
            time: Duration::from_micros(u64::from_be_bytes(*micros)),
        })
    }
}

/// Source of batches of one tournament and sink of their results.
pub trait Batches {
    /// Returns the next batch; `None` when there are no more of this tournament.
    fn next(&mut self) -> Option<Batch>;
    /// Takes the result of the last batch, or the error.
    fn take(&mut self, played: Result<Played, String>);
}

/// Plays batches of a tournament until there are none. Players are seated once.
///
/// # Errors
/// When a player cannot take part.
pub fn play_batches(tournament: &Tournament, batches: &mut dyn Batches) -> Result<(), ArenaError> {
    tournament.game.visit(PlayBatches {
        tournament,
        batches,
    })
}

struct PlayBatches<'a> {
    tournament: &'a Tournament,
    batches: &'a mut dyn Batches,
}

impl GameVisitor for PlayBatches<'_> {
    type Output = Result<(), ArenaError>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let mut players = seat_all(&**game, self.tournament)?;
        let mut referee = Referee::new(&**game, self.tournament, None);
        while let Some(batch) = self.batches.next() {
            if !batch.fits(self.tournament) {
                let wrong = "the batch has games that are not of its tournament";
                self.batches.take(Err(wrong.into()));
                continue;
            }
            let begun = Instant::now();
            let games = batch.games.iter().map(|planned| {
                let seats = players.get_disjoint_mut(planned.seats);
                let seats = seats.expect("a batch that fits seats two players");
                referee.play(planned, seats)
            });
            let games = games.collect();
            let time = begun.elapsed();
            self.batches.take(Ok(Played { games, time }));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Memory;
    use crate::tournament::schedule::Schedule;
    use crate::tournament::tests::tournament;
    use crate::{Report, RunOptions, Scoreboard, run};

    /// Hands out all games in batches of three.
    struct InTurn {
        left: Vec<Batch>,
        played: Vec<u8>,
        games: Vec<GameResult>,
    }

    impl Batches for InTurn {
        fn next(&mut self) -> Option<Batch> {
            // Parsed as if from another machine.
            let batch = self.left.pop()?.to_string();
            Some(batch.parse().unwrap())
        }

        fn take(&mut self, played: Result<Played, String>) {
            self.played = played.unwrap().encode();
            let played = Played::decode(&self.played).unwrap();
            self.games.extend(played.games);
        }
    }

    #[test]
    fn batches_in_any_order_elsewhere_are_the_games_of_one_run_here() {
        let plan = tournament(
            "tictactoe:4x4",
            &["random", "greedy", "alphabeta(depth=2)"],
            10,
        );
        let elsewhere = Tournament::from_text(&plan.to_text()).unwrap();
        let schedule = Schedule::new(&plan);
        let games: Vec<ScheduledGame> = (0..30).filter_map(|game| schedule.game(game)).collect();
        let left = games.chunks(3).map(|games| Batch {
            games: games.to_vec(),
        });
        let mut batches = InTurn {
            left: left.collect(),
            played: Vec::new(),
            games: Vec::new(),
        };
        play_batches(&elsewhere, &mut batches).unwrap();
        let mut there = Scoreboard::new(&plan, None);
        for game in batches.games {
            there.add(&plan, game);
        }
        let settings = RunOptions {
            concurrency: 1,
            sprt: None,
            observer: &mut |_| {},
            live_games: None,
        };
        let here = run(&plan, &mut Memory::default(), settings).unwrap();
        let report = |board: &Scoreboard| serde_json::to_string(&Report::of(&plan, board)).unwrap();
        assert_eq!(report(&there), report(&here));
    }

    #[test]
    fn a_batch_of_another_tournament_is_no_reason_to_panic() {
        let plan = tournament("tictactoe", &["random", "greedy"], 2);
        for wrong in ["0 0 0 2 0\n", "0 0 1 1 0\n", "0 0 0 1 5\n"] {
            struct One(Option<Batch>, Option<String>);
            impl Batches for One {
                fn next(&mut self) -> Option<Batch> {
                    self.0.take()
                }
                fn take(&mut self, played: Result<Played, String>) {
                    self.1 = played.err();
                }
            }
            let mut one = One(Some(wrong.parse().unwrap()), None);
            play_batches(&plan, &mut one).unwrap();
            assert!(one.1.is_some(), "{wrong}");
        }
        assert!("0 0 0".parse::<Batch>().is_err());
        assert!(Played::decode(&[1, 2, 3]).is_err());
    }
}
