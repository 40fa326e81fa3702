//! What a client asks for and any worker can do: a strategy's opinion of one position
//! of a review, or a proof.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use papan_catalog::AnyGame;
use papan_strategies::{Limits, StopToken, Watch};
use serde::{Deserialize, Serialize};

use crate::analysis::engine_cache::{AnalysisRequest, EngineCache, REMEMBERED};
use crate::analysis::proofs::{self, ProofRequest};
use crate::analysis::stored::StoredInsight;
use crate::analysis::strategy_failure::StrategyFailure;
use crate::game::event::Side;

/// After this long a proof is given up.
const PATIENCE: Duration = Duration::from_secs(60);

/// Something that a client wants to know.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum AnalysisJob {
    /// What a strategy thinks of a position.
    Position {
        /// The game.
        game: String,
        /// Where the line starts, if not at the game's own start.
        start: Option<String>,
        /// The moves to the position.
        moves: Vec<String>,
        /// Who is asked.
        strategy: String,
        /// How long it may think.
        milliseconds: u64,
    },
    /// Whether a strategy ever loses.
    Proof {
        /// The game.
        game: String,
        /// The strategy.
        strategy: String,
        /// Its seat.
        seat: Side,
        /// What the proof may take.
        mebibytes: usize,
    },
}

/// What comes of [`AnalysisJob::Position`].
pub(crate) type PositionAnswer = Result<StoredInsight, StrategyFailure>;

impl AnalysisJob {
    /// What these jobs are called in the queue.
    pub const KIND: &str = "studies";

    /// Reads what a server wrote.
    ///
    /// # Errors
    /// With the place, when it is none.
    pub fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// The study as text; the same study has the same text.
    #[must_use]
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("plain data becomes JSON")
    }

    /// A question about one position of a game.
    pub(crate) fn position(game: &AnyGame, question: &AnalysisRequest) -> Self {
        let moves = question.moves.iter().map(|mv| game.format_move(*mv));
        let time = question.limits.time.unwrap_or_default();
        Self::Position {
            game: question.game.clone(),
            start: question.start.clone(),
            moves: moves.collect(),
            strategy: question.strategy.to_string(),
            milliseconds: time.as_millis() as u64,
        }
    }

    /// A proof that may take so many mebibytes.
    pub(crate) fn proof(thesis: &ProofRequest, mebibytes: usize) -> Self {
        Self::Proof {
            game: thesis.game.name(),
            strategy: thesis.strategy.to_string(),
            seat: thesis.player.into(),
            mebibytes,
        }
    }

    /// What shows how far the work on it is.
    #[must_use]
    pub fn watch(&self) -> Arc<Watch> {
        Arc::new(match self {
            Self::Position { .. } => Watch::default(),
            Self::Proof { mebibytes, .. } => Watch::with_memory_limit(*mebibytes),
        })
    }

    /// Does the work, and says what the server that asked will read.
    ///
    /// # Errors
    /// When there is no such game, move or strategy here.
    pub fn answer(&self, players: &mut EngineCache, watch: &Watch) -> Result<Vec<u8>, String> {
        let answer = match self {
            Self::Position {
                game,
                start,
                moves,
                strategy,
                milliseconds,
            } => {
                let known: AnyGame = read(game)?;
                let moves = moves.iter().map(|mv| known.parse_move(mv));
                let moves: Result<_, _> = moves.collect();
                let question = AnalysisRequest {
                    game: game.clone(),
                    start: start.clone(),
                    moves: moves.map_err(|error| error.to_string())?,
                    strategy: read(strategy)?,
                    limits: Limits {
                        time: Some(Duration::from_millis(*milliseconds)),
                        memory: Some(REMEMBERED),
                        ..Limits::default()
                    },
                    seed: 0,
                };
                let decided = players.decide(&question);
                let answer: PositionAnswer =
                    decided.map(|decision| StoredInsight::of(&known, &(&decision).into()));
                serde_json::to_vec(&answer)
            }
            Self::Proof {
                game,
                strategy,
                seat,
                ..
            } => {
                let thesis = ProofRequest {
                    game: read(game)?,
                    strategy: read(strategy)?,
                    player: (*seat).into(),
                };
                serde_json::to_vec(&prove(&thesis, watch))
            }
        };
        Ok(answer.expect("plain data becomes JSON"))
    }
}

/// Makes a proof, and gives it up after a while.
pub(crate) fn prove(thesis: &ProofRequest, watch: &Watch) -> proofs::ProofOutcome {
    within(PATIENCE, &watch.stop, || proofs::ended(thesis, watch))
}

/// Works, and is told to stop when it takes too long.
fn within<T>(patience: Duration, stop: &StopToken, work: impl FnOnce() -> T) -> T {
    let (done, ended) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if ended.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                stop.stop();
            }
        });
        let worked = work();
        drop(done);
        worked
    })
}

fn read<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_takes_too_long_is_told_to_stop_and_other_work_is_not() {
        let stop = StopToken::default();
        within(Duration::from_secs(3600), &stop, || ());
        assert!(!stop.is_stopped());
        within(Duration::ZERO, &stop, || {
            while !stop.is_stopped() {
                std::thread::yield_now();
            }
        });
    }

    #[test]
    fn a_study_is_answered_from_its_text_alone_and_nonsense_with_a_sentence() {
        let text = r#"{"position":{"game":"tictactoe","start":null,"moves":["5","2"],
            "strategy":"perfect","milliseconds":1000}}"#;
        let study = AnalysisJob::read(text).unwrap();
        assert_eq!(
            AnalysisJob::read(&study.text()).unwrap().text(),
            study.text()
        );
        let mut players = EngineCache::new(16);
        let answer = study.answer(&mut players, &study.watch()).unwrap();
        let answer: PositionAnswer = serde_json::from_slice(&answer).unwrap();
        let game: AnyGame = "tictactoe".parse().unwrap();
        let insight = answer.unwrap().read(&game).unwrap();
        // Whoever answers the centre at an edge has lost.
        assert_eq!(insight.score.unwrap().balance(), 1.0);
        let wrong = text.replace("\"2\"", "\"10\"");
        let study = AnalysisJob::read(&wrong).unwrap();
        assert!(study.answer(&mut players, &study.watch()).is_err());
        assert!(AnalysisJob::read("{}").is_err());
    }
}
