//! Who takes part: strategies of papan and engines in other processes.

use std::fmt;
use std::str::FromStr;

use papan_catalog::{PlayerError, StrategySpec};
use papan_strategies::Limits;

use crate::limits::{self, LimitError};
use crate::protocol::{EngineCommand, Protocol};

/// A player of a tournament: who, and under which limits of its own. As text,
/// limits follow an `@`: `mcts(playouts=100)@nodes=5000 time=50ms`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Who it is.
    pub kind: EntrantKind,
    /// Its own limits, before the tournament's.
    pub limits: Limits,
}

/// Who takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntrantKind {
    /// A strategy of papan.
    Strategy(StrategySpec),
    /// An engine in another process.
    Engine(EngineCommand),
}

/// A text that names nobody who can take part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntrantError {
    /// No such strategy, or wrong parameters.
    #[error("{0}; an engine is written gtp:COMMAND, ugi:COMMAND or piskvork:COMMAND")]
    Player(PlayerError),
    /// Its limits are wrong.
    #[error("player `{text}`: {cause}")]
    Limits {
        /// The whole text.
        text: String,
        /// What is wrong after the `@`.
        cause: LimitError,
    },
    /// An engine without a command.
    #[error("player `{0}`: the command that starts the engine is missing")]
    NoCommand(String),
}

impl FromStr for Entrant {
    type Err = EntrantError;

    fn from_str(text: &str) -> Result<Self, EntrantError> {
        let text = text.trim();
        let speaks = |p: &Protocol| {
            text.strip_prefix(p.word())
                .is_some_and(|r| r.starts_with(':'))
        };
        let is_engine = Protocol::ALL.iter().any(speaks);
        let (who, limits) = match text.rsplit_once('@') {
            None => (text, Limits::default()),
            // A command may well have an `@` in it, or at its end.
            Some((_, "")) if is_engine => (text, Limits::default()),
            Some((who, rest)) => match limits::parse(rest) {
                Ok(limits) => (who.trim_end(), limits),
                Err(_) if is_engine => (text, Limits::default()),
                Err(cause) => {
                    let text = text.into();
                    return Err(EntrantError::Limits { text, cause });
                }
            },
        };
        let kind = if is_engine {
            let command = who.parse();
            EntrantKind::Engine(command.map_err(|_| EntrantError::NoCommand(text.into()))?)
        } else {
            EntrantKind::Strategy(who.parse().map_err(EntrantError::Player)?)
        };
        Ok(Self { kind, limits })
    }
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            EntrantKind::Strategy(spec) => spec.fmt(f)?,
            EntrantKind::Engine(command) => command.fmt(f)?,
        }
        match limits::format(&self.limits).as_str() {
            "" => Ok(()),
            limits => write!(f, "@{limits}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entrant_is_printed_as_it_is_read() {
        for text in [
            "greedy",
            "alphabeta(depth=6)",
            "mcts(playouts=100)@nodes=5000",
            "gtp:gtp-rhino",
            "ugi:./engine --net a@b.c",
            "ugi:./engine --net @",
            "piskvork:brain@time=2s depth=3",
        ] {
            assert_eq!(text.parse::<Entrant>().unwrap().to_string(), text);
        }
        let engine: Entrant = "gtp: x@y @ nodes=7".parse().unwrap();
        assert_eq!(engine.to_string(), "gtp:x@y@nodes=7");
    }

    #[test]
    fn nobody_is_named_as_such() {
        let error = |text: &str| text.parse::<Entrant>().unwrap_err().to_string();
        assert!(error("minmax").contains("did you mean `minimax`?"));
        assert!(error("human").contains("a strategy is needed"));
        assert!(error("greedy@speed=3").contains("`speed` is no limit"));
        assert!(error("gtp:").contains("command"));
        assert!(error("uci:stockfish").contains("gtp:COMMAND"));
    }
}
