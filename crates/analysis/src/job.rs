//! Analyses that visitors of a server ask for, as jobs: one position of a review, or a proof.

use std::sync::Arc;
use std::time::Duration;

use papan_catalog::AnyGame;
use papan_jobs::{Class, JobKind, Payload};
use papan_strategies::{Limits, Watch};
use serde::{Deserialize, Serialize};

use crate::engine_cache::{AnalysisRequest, EngineCache, SEARCH_MEMORY_MIB};
use crate::proof_job::{ProofOutcome, ProofRequest};
use crate::side::Side;
use crate::stored::StoredInsight;
use crate::strategy_failure::StrategyFailure;

/// Proofs with at most this time limit are urgent.
const MAX_PAGE_MILLIS: u64 = 2_000;

/// An analysis job. Servers and workers exchange it as JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
        /// Whether the position after it is known for certain, so that this one may be solved.
        #[serde(default)]
        near_end: bool,
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
        /// Time limit.
        milliseconds: u64,
    },
}

/// The result of [`AnalysisJob::Position`].
pub type PositionResult = Result<StoredInsight, StrategyFailure>;

impl AnalysisJob {
    /// Deserializes a job.
    ///
    /// # Errors
    /// If the text is not a job.
    pub fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// Serializes the job. Equal jobs have equal text, which identifies them in the queue.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("jobs serialize to JSON")
    }

    /// Returns how urgent the job is.
    #[must_use]
    pub fn class(&self) -> Class {
        match self {
            Self::Position { .. } => Class::Page,
            Self::Proof { milliseconds, .. } if *milliseconds <= MAX_PAGE_MILLIS => Class::Page,
            Self::Proof { .. } => Class::Bulk,
        }
    }

    /// Creates the job for one position.
    pub fn position(game: &AnyGame, request: &AnalysisRequest, near_end: bool) -> Self {
        let moves = request.moves.iter().map(|mv| game.format_move(*mv));
        let time = request.limits.time.unwrap_or_default();
        Self::Position {
            game: request.game.clone(),
            start: request.start.clone(),
            moves: moves.collect(),
            strategy: request.strategy.to_string(),
            milliseconds: time.as_millis() as u64,
            near_end,
        }
    }

    /// Creates the job for a proof with limits of memory and time.
    pub fn proof(request: &ProofRequest, mebibytes: usize, time: Duration) -> Self {
        Self::Proof {
            game: request.game.name(),
            strategy: request.strategy.to_string(),
            seat: request.player.into(),
            mebibytes,
            milliseconds: time.as_millis() as u64,
        }
    }

    /// Creates the progress report for [`AnalysisJob::answer`].
    #[must_use]
    pub fn watch(&self) -> Arc<Watch> {
        Arc::new(Analyses::watch(self))
    }

    /// Runs the job and returns its result as JSON.
    ///
    /// # Errors
    /// If the game, a move or the strategy does not exist, or the proof fails.
    pub fn answer(&self, engines: &mut EngineCache, watch: &Watch) -> Result<Vec<u8>, String> {
        let result = match self {
            Self::Position {
                game,
                start,
                moves,
                strategy,
                milliseconds,
                near_end,
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
                    stop: watch.stop.clone(),
                };
                let result: PositionResult = engines
                    .review(&request, *near_end)
                    .map(|insight| StoredInsight::new(&known_game, &insight));
                serde_json::to_vec(&result)
            }
            Self::Proof {
                game,
                strategy,
                seat,
                milliseconds,
                ..
            } => {
                let request = ProofRequest {
                    game: parse(game)?,
                    strategy: parse(strategy)?,
                    player: (*seat).into(),
                };
                let outcome = request.run(watch, Duration::from_millis(*milliseconds));
                if matches!(outcome, ProofOutcome::Failed) {
                    return Err("the proof failed".into());
                }
                serde_json::to_vec(&outcome)
            }
        };
        Ok(result.expect("results serialize to JSON"))
    }
}

impl Payload for AnalysisJob {
    fn to_bytes(&self) -> Vec<u8> {
        self.to_json().into_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(bytes).map_err(|error| error.to_string())
    }
}

/// The analyses of all servers of one version: jobs have nothing else in common.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AnalysisGroup {}

/// The result of an analysis job as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysisOutput(pub Vec<u8>);

papan_jobs::json_payload!(AnalysisGroup);

impl Payload for AnalysisOutput {
    fn to_bytes(&self) -> Vec<u8> {
        self.0.clone()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        Ok(Self(bytes.to_vec()))
    }
}

/// Analyses as jobs. Positions and first attempts at proofs, which take a second or two, are urgent;
/// longer proofs are not.
pub struct Analyses;

/// Memory of the engines of one thread, in MiB.
const ENGINE_MEMORY_MIB: usize = 96;

impl JobKind for Analyses {
    const NAME: &'static str = "analyses";
    const TIME_LIMIT: Duration = Duration::from_secs(600);
    const CLASSES: &'static [Class] = &[Class::Page, Class::Bulk];
    const INTERACTIVE: bool = true;
    type Group = AnalysisGroup;
    type Job = AnalysisJob;
    type Output = AnalysisOutput;
    type Session = EngineCache;

    fn requirements(_: &AnalysisGroup) -> Vec<String> {
        crate::version()
    }

    fn start(_: &AnalysisGroup) -> Result<EngineCache, String> {
        Ok(EngineCache::new(ENGINE_MEMORY_MIB))
    }

    fn run(
        engines: &mut EngineCache,
        job: &AnalysisJob,
        watch: &Arc<Watch>,
    ) -> Result<AnalysisOutput, String> {
        job.answer(engines, watch).map(AnalysisOutput)
    }

    fn verify(_: &AnalysisGroup, job: &AnalysisJob, output: &AnalysisOutput) -> Result<(), String> {
        crate::verify::verify(job, &output.0)
    }

    fn watch(job: &AnalysisJob) -> Watch {
        match job {
            AnalysisJob::Position { .. } => Watch::default(),
            AnalysisJob::Proof { mebibytes, .. } => Watch::with_memory_limit(*mebibytes),
        }
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
