//! An analysis job as JSON: one position of a review, or a proof. Runs on any machine.

use std::sync::Arc;
use std::time::Duration;

use papan_catalog::AnyGame;
use papan_strategies::{Limits, StopToken, Watch};
use serde::{Deserialize, Serialize};

use crate::analysis::engine_cache::{AnalysisRequest, EngineCache, SEARCH_MEMORY_MIB};
use crate::analysis::proof_job::ProofRequest;
use crate::analysis::stored::StoredInsight;
use crate::analysis::strategy_failure::StrategyFailure;
use crate::side::Side;

/// An analysis job. Servers and workers exchange it as JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum AnalysisJob {
    /// The evaluation of a position.
    Position {
        /// Name of the game.
        game: String,
        /// Start position, unless it is the game's own.
        start: Option<String>,
        /// Moves from the start.
        moves: Vec<String>,
        /// The strategy.
        strategy: String,
        /// Time limit.
        milliseconds: u64,
    },
    /// A proof that a strategy never loses.
    Proof {
        /// Name of the game.
        game: String,
        /// The strategy.
        strategy: String,
        /// Its seat.
        seat: Side,
        /// Memory limit.
        mebibytes: usize,
    },
}

/// The result of [`AnalysisJob::Position`].
pub(crate) type PositionResult = Result<StoredInsight, StrategyFailure>;

impl AnalysisJob {
    /// The kind of these jobs in the queue.
    pub const KIND: &str = "studies";

    /// Deserializes a job.
    ///
    /// # Errors
    /// If the text is not a job.
    pub fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// Serializes the job. Equal jobs have equal text, which identifies them in the queue.
    #[must_use]
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("jobs serialize to JSON")
    }

    /// Creates the job for one position.
    pub(crate) fn position(game: &AnyGame, request: &AnalysisRequest) -> Self {
        let moves = request.moves.iter().map(|mv| game.format_move(*mv));
        let time = request.limits.time.unwrap_or_default();
        Self::Position {
            game: request.game.clone(),
            start: request.start.clone(),
            moves: moves.collect(),
            strategy: request.strategy.to_string(),
            milliseconds: time.as_millis() as u64,
        }
    }

    /// Creates the job for a proof with a memory limit.
    pub(crate) fn proof(request: &ProofRequest, mebibytes: usize) -> Self {
        Self::Proof {
            game: request.game.name(),
            strategy: request.strategy.to_string(),
            seat: request.player.into(),
            mebibytes,
        }
    }

    /// Creates the progress report for [`AnalysisJob::answer`].
    #[must_use]
    pub fn watch(&self) -> Arc<Watch> {
        Arc::new(match self {
            Self::Position { .. } => Watch::default(),
            Self::Proof { mebibytes, .. } => Watch::with_memory_limit(*mebibytes),
        })
    }

    /// Runs the job and returns its result as JSON.
    ///
    /// # Errors
    /// If the game, a move or the strategy does not exist.
    pub fn answer(&self, engines: &mut EngineCache, watch: &Watch) -> Result<Vec<u8>, String> {
        let result = match self {
            Self::Position {
                game,
                start,
                moves,
                strategy,
                milliseconds,
            } => {
                let known_game: AnyGame = parse(game)?;
                let moves = moves
                    .iter()
                    .map(|mv| known_game.parse_move(mv))
                    .collect::<Result<_, _>>()
                    .map_err(|error| error.to_string())?;
                let request = AnalysisRequest {
                    game: game.clone(),
                    start: start.clone(),
                    moves,
                    strategy: parse(strategy)?,
                    limits: Limits {
                        time: Some(Duration::from_millis(*milliseconds)),
                        memory: Some(SEARCH_MEMORY_MIB),
                        ..Limits::default()
                    },
                    seed: 0,
                    stop: StopToken::default(),
                };
                let result: PositionResult = engines
                    .decide(&request)
                    .map(|decision| StoredInsight::new(&known_game, &(&decision).into()));
                serde_json::to_vec(&result)
            }
            Self::Proof {
                game,
                strategy,
                seat,
                ..
            } => {
                let request = ProofRequest {
                    game: parse(game)?,
                    strategy: parse(strategy)?,
                    player: (*seat).into(),
                };
                serde_json::to_vec(&request.run(watch))
            }
        };
        Ok(result.expect("results serialize to JSON"))
    }
}

fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_runs_from_its_text_alone_and_invalid_jobs_are_errors() {
        let text = r#"{"position":{"game":"tictactoe","start":null,"moves":["5","2"],
            "strategy":"perfect","milliseconds":1000}}"#;
        let job = AnalysisJob::read(text).unwrap();
        let again = AnalysisJob::read(&job.to_json()).unwrap();
        assert_eq!(again.to_json(), job.to_json());
        let mut engines = EngineCache::new(16);
        let result = job.answer(&mut engines, &job.watch()).unwrap();
        let result: PositionResult = serde_json::from_slice(&result).unwrap();
        let game: AnyGame = "tictactoe".parse().unwrap();
        let insight = result.unwrap().parse(&game).unwrap();
        // An edge is a losing reply to the centre.
        assert_eq!(insight.score.unwrap().balance(), 1.0);
        let wrong = text.replace("\"2\"", "\"10\"");
        let job = AnalysisJob::read(&wrong).unwrap();
        assert!(job.answer(&mut engines, &job.watch()).is_err());
        assert!(AnalysisJob::read("{}").is_err());
    }
}
