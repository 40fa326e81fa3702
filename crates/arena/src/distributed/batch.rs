//! Batches: the games that one worker plays as one job, and their results.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use papan_jobs::Payload;

use crate::game::game_result::{DecodeError, GameResult};
use crate::tournament::{ScheduledGame, Tournament};

/// Games of a tournament that are played as one job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The games, in order.
    pub games: Vec<ScheduledGame>,
}

/// An error in the text of a batch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a game of a batch, which has five numbers")]
pub struct BatchError(String);

/// One line per game: its number, its pairing, the two players, its opening.
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
    /// Returns whether the players and openings of all games exist in this tournament.
    pub(super) fn fits(&self, tournament: &Tournament) -> bool {
        self.games.iter().all(|planned| {
            let [first, second] = planned.seats;
            let players = tournament.entrants.len();
            first != second
                && first.max(second) < players
                && planned.opening < tournament.openings.len()
        })
    }
}

impl Payload for Batch {
    fn to_bytes(&self) -> Vec<u8> {
        self.to_string().into_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        text.parse().map_err(|error: BatchError| error.to_string())
    }
}

/// The results of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedBatch {
    /// The games, in the order of the batch.
    pub games: Vec<GameResult>,
    /// How long they took.
    pub time: Duration,
}

/// The time in microseconds, then each game with its length.
impl Payload for PlayedBatch {
    fn to_bytes(&self) -> Vec<u8> {
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

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        decode(bytes).map_err(|error| error.to_string())
    }
}

fn decode(bytes: &[u8]) -> Result<PlayedBatch, DecodeError> {
    let (micros, mut rest) = bytes.split_first_chunk().ok_or(DecodeError)?;
    let mut games = Vec::new();
    while !rest.is_empty() {
        let (length, after) = rest.split_first_chunk().ok_or(DecodeError)?;
        let length = u32::from_be_bytes(*length) as usize;
        let (record, after) = after.split_at_checked(length).ok_or(DecodeError)?;
        games.push(GameResult::decode(record)?);
        rest = after;
    }
    Ok(PlayedBatch {
        games,
        time: Duration::from_micros(u64::from_be_bytes(*micros)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_batches_are_errors() {
        assert!("0 0 0".parse::<Batch>().is_err());
        assert!(Batch::from_bytes(&[0xff]).is_err());
        assert!(PlayedBatch::from_bytes(&[1, 2, 3]).is_err());
        let empty = PlayedBatch {
            games: Vec::new(),
            time: Duration::from_micros(7),
        };
        assert_eq!(PlayedBatch::from_bytes(&empty.to_bytes()), Ok(empty));
    }
}
