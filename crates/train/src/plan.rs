//! Self-play plans, which can be sent to workers, and batches of their games.

use crate::games::Game;
use crate::selfplay::{self, SelfPlaySettings};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use papan_othello::Evaluation;
use papan_othello::eval::weights;
use papan_strategies::StopToken;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

/// The parameters of a self-play run. Plan and number determine a game.
pub struct Plan {
    settings: SelfPlaySettings,
    evaluation: Arc<Evaluation>,
    others: Vec<Game>,
    text: String,
}

/// The JSON form of a plan. It contains all files, so that any machine can play it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanJson {
    depth: u32,
    solve: u32,
    seed: u64,
    /// The weights file in Base64; none means the bundled weights.
    weights: Option<String>,
    /// The opening games in Base64.
    others: String,
}

/// The error of an invalid plan or batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError(String);

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PlanError {}

impl Plan {
    /// Creates a plan with a weights file, by default the bundled one. Games begin like one of
    /// `others`, or with random moves if that is empty.
    ///
    /// # Errors
    /// If the weights file is invalid.
    pub fn new(
        settings: SelfPlaySettings,
        weights: Option<&[u8]>,
        others: Vec<Game>,
    ) -> Result<Self, PlanError> {
        let evaluation = match weights {
            None => Evaluation::shipped(),
            Some(bytes) => {
                let evaluation = weights::read(bytes)
                    .and_then(|weights| Evaluation::from_weights(&weights))
                    .map_err(|error| PlanError(format!("weights: {error}")))?;
                Arc::new(evaluation)
            }
        };
        let mut bytes = Vec::new();
        others.iter().for_each(|game| game.write(&mut bytes));
        let json = PlanJson {
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
            text: serde_json::to_string(&json).expect("numbers and strings can be serialized"),
        })
    }

    /// Returns the plan in its JSON form.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the largest number of empty squares of positions that are solved.
    pub(crate) const fn solve_empties(&self) -> u32 {
        self.settings.solve
    }

    /// Plays the games of these numbers, several at a time, until the time is up. Calls `keep` with
    /// each game and its number, and returns how many there were.
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

    /// Plays the games of a batch on the calling thread; fewer once it is stopped.
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
    type Err = PlanError;

    fn from_str(text: &str) -> Result<Self, PlanError> {
        let json: PlanJson =
            serde_json::from_str(text).map_err(|error| PlanError(error.to_string()))?;
        let decode = |text: &str| {
            BASE64_STANDARD
                .decode(text)
                .map_err(|error| PlanError(error.to_string()))
        };
        let weights = json.weights.as_deref().map(decode).transpose()?;
        let others = Game::read_all(&decode(&json.others)?);
        let settings = SelfPlaySettings {
            depth: json.depth,
            solve: json.solve,
            seed: json.seed,
            threads: 1,
        };
        Self::new(settings, weights.as_deref(), others)
    }
}

/// A range of game numbers that one worker plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch(pub Range<u64>);

impl Batch {
    /// Maximum number of games in a batch; a larger one is rejected.
    const MAX_GAMES: u64 = 10_000;
}

impl fmt::Display for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0.start, self.0.end)
    }
}

impl FromStr for Batch {
    type Err = PlanError;

    fn from_str(text: &str) -> Result<Self, PlanError> {
        let is_valid = |range: &Range<u64>| {
            range.start <= range.end && range.end - range.start <= Self::MAX_GAMES
        };
        text.split_once(' ')
            .and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?))
            .filter(is_valid)
            .map(Self)
            .ok_or_else(|| {
                PlanError(format!(
                    "invalid batch `{text}`; expected the first number and the number after the last"
                ))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::time::Duration;

    const SETTINGS: SelfPlaySettings = SelfPlaySettings {
        depth: 1,
        solve: 6,
        seed: 9,
        threads: 2,
    };

    fn played(plan: &Plan, numbers: Range<u64>) -> Vec<(u64, Game)> {
        let games = Mutex::new(Vec::new());
        let hour = Duration::from_secs(3600);
        let count = plan.play(numbers.clone(), hour, |number, game| {
            games.lock().unwrap().push((number, game));
        });
        assert_eq!(count, numbers.end - numbers.start);
        let mut games = games.into_inner().unwrap();
        games.sort_by_key(|(number, _)| *number);
        games
    }

    #[test]
    fn plan_and_number_determine_a_game_on_any_machine() {
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
    fn an_invalid_batch_is_an_error() {
        for wrong in ["", "5", "9 5", "0 100000", "a b", "-1 2"] {
            let error = wrong.parse::<Batch>().unwrap_err();
            assert!(error.to_string().contains("invalid batch"), "{error}");
        }
    }
}
