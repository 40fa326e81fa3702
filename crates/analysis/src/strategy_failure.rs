//! Why a strategy returned no move: stored with the game and shown to clients.

use papan_rules::Move;
use papan_strategies::{NoMove, ProgramFault};
use papan_view::{Messages, messages};
use serde::{Deserialize, Serialize};

/// Why a strategy returned no move. The variants are a storage format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StrategyFailure {
    /// The game is over.
    GameOver,
    /// An automaton has no row for this position.
    NoRow(String),
    /// This row of an automaton replies with an illegal move.
    IllegalReply(String),
    /// The move is illegal.
    IllegalMove,
    /// There is no move.
    Silent,
    /// It panicked.
    BrokeDown,
    /// A program in another process failed. Its details are in the server's log only.
    Program(ProgramFailure),
    /// Any other error, in English.
    #[serde(untagged)]
    Other(String),
}

/// How a program failed: a [`ProgramFault`] as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProgramFailure(pub ProgramFault);

impl TryFrom<String> for ProgramFailure {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let mut faults = ProgramFault::ALL.into_iter();
        let fault = faults.find(|fault| fault.name() == name);
        fault
            .map(Self)
            .ok_or_else(|| format!("there is no fault {name}"))
    }
}

impl From<ProgramFailure> for String {
    fn from(failure: ProgramFailure) -> Self {
        failure.0.name().into()
    }
}

impl StrategyFailure {
    /// Wraps any other error.
    pub fn other(error: impl std::fmt::Display) -> Self {
        Self::Other(error.to_string())
    }

    /// Returns the localized reason, to be put after a colon.
    #[must_use]
    pub fn text(&self, words: Messages) -> String {
        match self {
            Self::GameOver => messages::no_move(words, &NoMove::GameOver),
            Self::NoRow(row) => messages::no_move(words, &NoMove::NoRow(row.clone())),
            Self::IllegalReply(row) => messages::no_move(words, &NoMove::IllegalReply(row.clone())),
            Self::IllegalMove => words.text("fault-illegal-move"),
            Self::Silent => words.text("fault-silent"),
            Self::BrokeDown => words.text("fault-broke-down"),
            Self::Program(ProgramFailure(fault)) => messages::program_fault(words, *fault),
            Self::Other(text) => words.phrase(text),
        }
    }
}

impl From<NoMove> for StrategyFailure {
    fn from(no_move: NoMove) -> Self {
        match no_move {
            NoMove::GameOver => Self::GameOver,
            NoMove::NoRow(row) => Self::NoRow(row),
            NoMove::IllegalReply(row) => Self::IllegalReply(row),
            NoMove::Program(fault, _) => Self::Program(ProgramFailure(fault)),
            NoMove::Failed(text) => Self::Other(text),
        }
    }
}

impl From<papan_solve::StrategyError> for StrategyFailure {
    fn from(answer: papan_solve::StrategyError) -> Self {
        match answer {
            papan_solve::StrategyError::NoMove(no_move) => no_move.into(),
            papan_solve::StrategyError::Illegal(Move { .. }) => Self::IllegalMove,
            papan_solve::StrategyError::Silent => Self::Silent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_read_as_it_is_stored() {
        let failures = [
            StrategyFailure::Silent,
            StrategyFailure::NoRow("x|5".into()),
            StrategyFailure::Program(ProgramFailure(ProgramFault::Hang)),
            StrategyFailure::Other("a sentence from before failures had variants".into()),
        ];
        for failure in failures {
            let text = serde_json::to_string(&failure).unwrap();
            assert_eq!(
                serde_json::from_str::<StrategyFailure>(&text).unwrap(),
                failure
            );
        }
        assert_eq!(
            serde_json::to_string(&StrategyFailure::Silent).unwrap(),
            "\"silent\""
        );
    }
}
