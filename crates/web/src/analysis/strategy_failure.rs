//! Why a strategy returned no move: stored with the game and shown to clients.

use papan_rules::Move;
use papan_strategies::NoMove;
use papan_view::{Messages, messages};
use serde::{Deserialize, Serialize};

/// Why a strategy returned no move. The variants are a storage format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StrategyFailure {
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
    /// Any other error, in English.
    #[serde(untagged)]
    Other(String),
}

impl StrategyFailure {
    /// Wraps any other error.
    pub(crate) fn other(error: impl std::fmt::Display) -> Self {
        Self::Other(error.to_string())
    }

    /// Returns the localized reason, to be put after a colon.
    #[must_use]
    pub(crate) fn text(&self, words: Messages) -> String {
        match self {
            Self::GameOver => messages::no_move(words, &NoMove::GameOver),
            Self::NoRow(row) => messages::no_move(words, &NoMove::NoRow(row.clone())),
            Self::IllegalReply(row) => messages::no_move(words, &NoMove::IllegalReply(row.clone())),
            Self::IllegalMove => words.text("fault-illegal-move"),
            Self::Silent => words.text("fault-silent"),
            Self::BrokeDown => words.text("fault-broke-down"),
            Self::Other(text) => text.clone(),
        }
    }
}

impl From<NoMove> for StrategyFailure {
    fn from(no_move: NoMove) -> Self {
        match no_move {
            NoMove::GameOver => Self::GameOver,
            NoMove::NoRow(row) => Self::NoRow(row),
            NoMove::IllegalReply(row) => Self::IllegalReply(row),
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
