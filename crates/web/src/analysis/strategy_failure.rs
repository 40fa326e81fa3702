//! Why a strategy has no answer, as it is stored, told and put into words.

use papan_rules::Move;
use papan_strategies::NoMove;
use papan_view::{Messages, messages};
use serde::{Deserialize, Serialize};

/// Why a strategy has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StrategyFailure {
    /// The game is over.
    GameOver,
    /// Its table has no row for this.
    NoRow(String),
    /// This row of its table replies with an illegal move.
    IllegalReply(String),
    /// It answers with an illegal move.
    IllegalMove,
    /// It names no move.
    Silent,
    /// It panicked.
    BrokeDown,
    /// Something that has no words of its own, in English.
    #[serde(untagged)]
    Other(String),
}

impl StrategyFailure {
    /// Something that nobody foresaw.
    pub(crate) fn other(error: impl std::fmt::Display) -> Self {
        Self::Other(error.to_string())
    }

    /// The fault in words, to be put after a colon.
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
    fn from(fault: papan_solve::StrategyError) -> Self {
        match fault {
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
    fn a_fault_is_read_as_it_is_stored() {
        let faults = [
            StrategyFailure::Silent,
            StrategyFailure::NoRow("x|5".into()),
            StrategyFailure::Other("a sentence from before faults had kinds".into()),
        ];
        for fault in faults {
            let text = serde_json::to_string(&fault).unwrap();
            assert_eq!(
                serde_json::from_str::<StrategyFailure>(&text).unwrap(),
                fault
            );
        }
        assert_eq!(
            serde_json::to_string(&StrategyFailure::Silent).unwrap(),
            "\"silent\""
        );
    }
}
