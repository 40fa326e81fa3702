//! Proof that a strategy never loses: exhaustive search over all opponents' replies.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::sync::mpsc::{RecvTimeoutError, channel};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Duration;

use papan_catalog::{AnyGame, ProofTask, StrategyProof, StrategyProofError, StrategySpec};
use papan_rules::{Move, Player};
use papan_solve::{Proof, ProveError, Verdict};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use papan_strategies::StopToken;
use papan_strategies::Watch;
use serde::{Deserialize, Serialize};

use crate::strategy_failure::StrategyFailure;

/// The claim that a strategy never loses from a seat.
#[derive(Clone, Debug)]
pub struct ProofRequest {
    /// The game.
    pub game: AnyGame,
    /// The strategy.
    pub strategy: StrategySpec,
    /// Its seat.
    pub player: Player,
}

/// The result of a proof. The variants are a storage format.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProofOutcome {
    /// It is finished.
    Proved(ProofSummary),
    /// The time limit was reached.
    GivenUp,
    /// The strategy has no answer after these moves.
    NoAnswer(Vec<String>, StrategyFailure),
    /// It needs more positions in memory than this.
    TooLarge(usize),
    /// The number of lines of play overflows.
    TooManyLines,
    /// The strategy is random and has no fixed seed.
    #[serde(alias = "draws-lots")]
    Nondeterministic,
    /// An internal error.
    Failed,
}

/// The counts of a proof as JSON. Counts are strings where they may exceed 2^53.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProofSummary {
    /// Whether the strategy never loses.
    pub never_loses: bool,
    /// Number of lines of play.
    pub lines: String,
    /// Lines that the strategy wins.
    pub wins: String,
    /// Lines that end in a draw.
    pub draws: String,
    /// Lines that the strategy loses.
    pub losses: String,
    /// Number of positions searched.
    pub positions: u64,
    /// Length of the longest line, in plies.
    pub longest: usize,
    /// A line that the strategy loses.
    pub losing_line: Option<Vec<String>>,
}

impl ProofSummary {
    fn new(game: &AnyGame, proof: &Proof) -> Self {
        let losing_line = proof.losing_line.as_deref();
        Self {
            never_loses: proof.verdict() == Verdict::NeverLoses,
            lines: proof.lines.to_string(),
            wins: proof.wins.to_string(),
            draws: proof.draws.to_string(),
            losses: proof.losses.to_string(),
            positions: proof.positions,
            longest: proof.longest,
            losing_line: losing_line.map(|moves| format_moves(game, moves)),
        }
    }
}

impl ProofOutcome {
    /// Whether the outcome of another machine can be checked by computing a small part of it: a limit
    /// that was reached there says nothing about the strategy.
    #[must_use]
    pub fn is_checkable(&self) -> bool {
        matches!(
            self,
            Self::Proved(_) | Self::NoAnswer(..) | Self::Nondeterministic
        )
    }
}

fn format_moves(game: &AnyGame, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|mv| game.format_move(*mv)).collect()
}

impl ProofRequest {
    /// Runs the proof on the calling thread, within a time limit.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn run(&self, watch: &Watch, limit: Duration) -> ProofOutcome {
        with_timeout(limit, &watch.stop, || self.run_on_one_thread(watch))
    }

    /// Runs the proof on the calling thread and on rayon's, where there are any, until the watch
    /// stops it.
    pub fn prove(&self, watch: &Watch) -> ProofOutcome {
        let task = ProofTask {
            strategy: &self.strategy,
            player: self.player,
            certify: false,
            journal: None,
            watch,
        };
        self.outcome(task.run(&self.game))
    }

    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    fn run_on_one_thread(&self, watch: &Watch) -> ProofOutcome {
        // One thread: the other cores serve requests.
        match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
            Ok(pool) => pool.install(|| self.prove(watch)),
            Err(error) => {
                tracing::error!(%error, "cannot start a thread for a proof");
                ProofOutcome::Failed
            }
        }
    }

    fn outcome(&self, proved: Result<StrategyProof, StrategyProofError>) -> ProofOutcome {
        match proved {
            Ok(proved) => ProofOutcome::Proved(ProofSummary::new(&self.game, &proved.proof)),
            Err(StrategyProofError::Prove(error)) => match error {
                ProveError::Stopped => ProofOutcome::GivenUp,
                ProveError::TooLarge { positions, .. } => ProofOutcome::TooLarge(positions),
                ProveError::TooManyLines => ProofOutcome::TooManyLines,
                ProveError::Random | ProveError::NotAFunction { .. } => {
                    ProofOutcome::Nondeterministic
                }
                ProveError::NoAnswer { line, fault } => {
                    ProofOutcome::NoAnswer(format_moves(&self.game, &line), fault.into())
                }
                ProveError::Journal(_) => ProofOutcome::Failed,
            },
            Err(error) => ProofOutcome::NoAnswer(Vec::new(), StrategyFailure::other(error)),
        }
    }
}

/// Calls `work` and stops it after `limit`.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) fn with_timeout<T>(limit: Duration, stop: &StopToken, work: impl FnOnce() -> T) -> T {
    let (finished, wait) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if wait.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                stop.stop();
            }
        });
        let result = work();
        drop(finished);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_stopped_at_its_time_limit_and_not_before() {
        let stop = StopToken::default();
        with_timeout(Duration::from_secs(3600), &stop, || ());
        assert!(!stop.is_stopped());
        with_timeout(Duration::ZERO, &stop, || {
            while !stop.is_stopped() {
                std::thread::yield_now();
            }
        });
    }

    #[test]
    fn outcomes_stored_by_older_versions_are_read() {
        let old: ProofOutcome = serde_json::from_str("\"draws-lots\"").unwrap();
        assert!(matches!(old, ProofOutcome::Nondeterministic));
        let text = serde_json::to_string(&old).unwrap();
        assert_eq!(text, "\"nondeterministic\"");
    }
}
