//! Self-play as it travels to workers: what all games share, and batches of them.

use crate::games::Game;
use crate::selfplay::{self, Settings};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use papan_strategies::StopToken;
use papan_othello::Evaluation;
use papan_othello::eval::weights;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

/// What all games of a self-play share. Together with a game's number it is the game.
pub struct Plan {
    settings: Settings,
    evaluation: Arc<Evaluation>,
    others: Vec<Game>,
    text: String,
}

/// A plan as text: files go whole, so that any machine can play it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    depth: u32,
    solve: u32,
    seed: u64,
    /// A weights file; those that come with papan are everybody's.
    weights: Option<String>,
    others: String,
}

/// Why a plan or a batch cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAPlan(String);

impl fmt::Display for NotAPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotAPlan {}

impl Plan {
    /// Games that are played so, with a weights file or with what comes with papan, and
    /// that begin as `others` do if there are any.
    ///
    /// # Errors
    /// When the weights file cannot be read.
    pub fn new(
        settings: Settings,
        weights: Option<&[u8]>,
        others: Vec<Game>,
    ) -> Result<Self, NotAPlan> {
        let evaluation = match weights {
            None => Evaluation::shipped(),
            Some(bytes) => {
                let read =
                    weights::read(bytes).and_then(|weights| Evaluation::from_weights(&weights));
                Arc::new(read.map_err(|error| NotAPlan(format!("weights: {error}")))?)
            }
        };
        let mut bytes = Vec::new();
        others.iter().for_each(|game| game.write(&mut bytes));
        let written = Written {
            depth: settings.depth,
            solve: settings.solve,
            seed: settings.seed,
            weights: weights.map(|bytes| BASE64_STANDARD.encode(bytes)),
            others: BASE64_STANDARD.encode(bytes),
        };
        Ok(Self {
            settings,
            evaluation,
            others,
            text: serde_json::to_string(&written).expect("plain data becomes JSON"),
        })
    }

    /// The plan as text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Plays games of these numbers, several at a time, until the time is up or there
    /// are no more, and hands each over with its number; returns how many.
    pub fn play(
        &self,
        numbers: Range<u64>,
        time: std::time::Duration,
        keep: impl Fn(u64, Game) + Sync,
    ) -> u64 {
        let Self {
            settings,
            evaluation,
            others,
            ..
        } = self;
        selfplay::play(*settings, evaluation, others, numbers, time, keep)
    }

    /// Plays the games of a batch, on the calling thread; fewer once it is stopped.
    pub fn play_batch(&self, batch: &Batch, stop: &StopToken) -> Vec<Game> {
        let mut engine = selfplay::engine(&self.evaluation);
        let numbers = batch.0.clone();
        let wanted = numbers.take_while(|_| !stop.is_stopped());
        wanted
            .map(|number| selfplay::game(&mut engine, self.settings, &self.others, number))
            .collect()
    }
}

impl FromStr for Plan {
    type Err = NotAPlan;

    fn from_str(text: &str) -> Result<Self, NotAPlan> {
        let written: Written =
            serde_json::from_str(text).map_err(|error| NotAPlan(error.to_string()))?;
        let bytes = |text: &str| {
            let bytes = BASE64_STANDARD.decode(text);
            bytes.map_err(|error| NotAPlan(error.to_string()))
        };
        let weights = written.weights.as_deref().map(bytes).transpose()?;
        let others = Game::read_all(&bytes(&written.others)?);
        let settings = Settings {
            depth: written.depth,
            solve: written.solve,
            seed: written.seed,
            threads: 1,
        };
        Self::new(settings, weights.as_deref(), others)
    }
}

/// The numbers of games that one worker plays at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch(pub Range<u64>);

impl Batch {
    /// More games than anybody plays at a time: a text that asks for them is none.
    const MAX_BATCH: u64 = 10_000;
}

impl fmt::Display for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0.start, self.0.end)
    }
}

impl FromStr for Batch {
    type Err = NotAPlan;

    fn from_str(text: &str) -> Result<Self, NotAPlan> {
        let numbers = text.split_once(' ');
        let numbers = numbers.and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
        let right = numbers.filter(|range: &Range<u64>| {
            range.start <= range.end && range.end - range.start <= Self::MAX_BATCH
        });
        right.map(Self).ok_or_else(|| {
            NotAPlan(format!(
                "`{text}` is no batch; one is its first number and the one after its last"
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::time::Duration;

    const SETTINGS: Settings = Settings {
        depth: 1,
        solve: 6,
        seed: 9,
        threads: 2,
    };

    fn played(plan: &Plan, numbers: Range<u64>) -> Vec<(u64, Game)> {
        let games = Mutex::new(Vec::new());
        let long = Duration::from_secs(3600);
        let count = plan.play(numbers.clone(), long, |number, game| {
            games.lock().unwrap().push((number, game));
        });
        assert_eq!(count, numbers.end - numbers.start);
        let mut games = games.into_inner().unwrap();
        games.sort_by_key(|(number, _)| *number);
        games
    }

    #[test]
    fn a_game_is_a_function_of_the_plan_and_its_number_wherever_it_is_played() {
        let mut own = weights::write(&weights::Weights::shipped());
        let first = Plan::new(SETTINGS, None, Vec::new()).unwrap();
        let others: Vec<Game> = played(&first, 0..3).into_iter().map(|(_, g)| g).collect();
        for plan in [
            first,
            Plan::new(SETTINGS, Some(&own), others.clone()).unwrap(),
        ] {
            let here = played(&plan, 2..14);
            let there: Plan = plan.text().parse().unwrap();
            let batch: Batch = "5 9".parse().unwrap();
            let games = there.play_batch(&batch, &StopToken::default());
            let games: Vec<(u64, Game)> = (5..).zip(games).collect();
            assert_eq!(games, here[3..7]);
        }
        own.truncate(100);
        assert!(Plan::new(SETTINGS, Some(&own), Vec::new()).is_err());
    }

    #[test]
    fn what_is_no_batch_is_answered_with_a_sentence() {
        for wrong in ["", "5", "9 5", "0 100000", "a b", "-1 2"] {
            let error = wrong.parse::<Batch>().unwrap_err();
            assert!(error.to_string().contains("is no batch"), "{error}");
        }
    }
}
