//! Entrants of a tournament: strategies of papan and external engines.

use std::fmt;
use std::str::FromStr;

use papan_catalog::{PlayerError, PlayerProblem, StrategySpec};
use papan_strategies::Limits;

use papan_protocol::limits::{self, LimitError};
use papan_protocol::split_command;
use papan_protocol::{EngineCommand, EngineSettings, Protocol, SettingError};

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

/// A text that is not an entrant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntrantError {
    /// No such strategy, or wrong parameters.
    #[error("{0}{hint}", hint = program_hint(&.0.problem))]
    Player(PlayerError),
    /// Its limits are wrong.
    #[error("player `{text}`: {cause}")]
    Limits {
        /// The whole text.
        text: String,
        /// The error after the `@`.
        cause: EntrantOptionError,
    },
    /// Settings of an engine behind a strategy.
    #[error(
        "player `{0}`: a strategy has limits (time=, nodes=, depth=) and no settings of an engine"
    )]
    Settings(String),
    /// An engine without a command.
    #[error("player `{0}`: the command that starts the engine is missing")]
    NoCommand(String),
}

/// Returns how programs are written, if the text may have been meant as one.
fn program_hint(problem: &PlayerProblem) -> &'static str {
    match problem {
        PlayerProblem::UnknownStrategy { .. } => {
            ". A program is written move:COMMAND, gtp:COMMAND, ugi:COMMAND, piskvork:COMMAND or \
             nboard:COMMAND"
        }
        _ => "",
    }
}

/// An error after the `@`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntrantOptionError {
    /// A limit.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// A setting.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A quotation mark.
    #[error("`{0}` has a quotation mark without a partner")]
    Quote(String),
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
        let wrong = |cause| EntrantError::Limits {
            text: text.into(),
            cause,
        };
        // An `@` in the argument of a strategy, such as a file name, belongs to it.
        if !is_engine && let Ok(spec) = text.parse() {
            return Ok(Self {
                kind: EntrantKind::Strategy(spec),
                limits: Limits::default(),
            });
        }
        let mut found = (text, Terms::default());
        for (at, _) in text.rmatch_indices('@') {
            let rest = &text[at + 1..];
            // Without a word, for instance because it begins with the `#` of a comment, it belongs
            // to the command.
            if is_engine && split_command(rest).is_ok_and(|words| words.is_empty()) {
                continue;
            }
            match Terms::parse(rest) {
                Ok(terms) => {
                    found = (text[..at].trim_end(), terms);
                    break;
                }
                // A command may well have an `@` in it, or at its end.
                Err(_) if is_engine && !Terms::are_meant(rest) => {}
                Err(cause) => return Err(wrong(cause)),
            }
        }
        let (who, terms) = found;
        let kind = if is_engine {
            let command: Result<EngineCommand, _> = who.parse();
            let command = command.map_err(|_| EntrantError::NoCommand(text.into()))?;
            let settings = terms.settings;
            EntrantKind::Engine(EngineCommand {
                settings,
                ..command
            })
        } else {
            if terms.settings != EngineSettings::default() {
                return Err(EntrantError::Settings(text.into()));
            }
            EntrantKind::Strategy(who.parse().map_err(EntrantError::Player)?)
        };
        let limits = terms.limits;
        Ok(Self { kind, limits })
    }
}

impl Entrant {
    /// Returns the name in tables: its own name, or the text as given.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.kind {
            EntrantKind::Engine(engine) => engine.settings.name.clone(),
            EntrantKind::Strategy(_) => None,
        }
        .unwrap_or_else(|| self.to_string())
    }
}

/// Limits and settings after the `@`.
#[derive(Default)]
struct Terms {
    limits: Limits,
    settings: EngineSettings,
}

impl Terms {
    fn parse(text: &str) -> Result<Self, EntrantOptionError> {
        let mut terms = Self::default();
        let words = split_command(text).map_err(|_| EntrantOptionError::Quote(text.into()))?;
        // A semicolon between limits is as good as a space.
        for word in words.iter().flat_map(|word| {
            if is_limit(word) {
                word.split(';').collect()
            } else {
                vec![word.as_str()]
            }
        }) {
            let missing = || SettingError::Key(word.into());
            let (key, value) = word.split_once('=').ok_or_else(missing)?;
            if is_limit(word) {
                limits::set(&mut terms.limits, key, value)?;
            } else {
                terms.settings.set(key, value)?;
            }
        }
        Ok(terms)
    }

    /// Whether this begins as limits or settings do.
    fn are_meant(text: &str) -> bool {
        let key = text.trim_start().split('=').next().unwrap_or("");
        let tried = EngineSettings::default().set(key, "");
        is_limit(text.trim_start()) || !matches!(tried, Err(SettingError::Key(_)))
    }
}

fn is_limit(word: &str) -> bool {
    let keys = ["time=", "nodes=", "depth="];
    keys.iter().any(|key| word.starts_with(key))
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            EntrantKind::Strategy(spec) => spec.fmt(f)?,
            EntrantKind::Engine(command) => command.fmt(f)?,
        }
        let settings = match &self.kind {
            EntrantKind::Engine(engine) => engine.settings.to_string(),
            EntrantKind::Strategy(_) => String::new(),
        };
        let terms = [limits::format(&self.limits), settings];
        let terms: Vec<String> = terms.into_iter().filter(|text| !text.is_empty()).collect();
        match terms.as_slice() {
            [] => Ok(()),
            terms => write!(f, "@{}", terms.join(" ")),
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
            "automaton(file=a@b)",
            "automaton(file=a@time=1s)@time=2s",
            "random@time=2664000042236829420s",
            "gtp:gtp-rhino",
            "ugi:./engine --net a@b.c",
            "gtp:engine@#)a@#0:)@",
            "ugi:./engine --net @",
            "piskvork:brain@time=2s depth=3",
            "piskvork:pbrain-rapfi@time=100ms name='Rapfi 0.43' dir=/opt/rapfi env.A=b option.thread_num=1 start=30s memory=1000 cores=0,1 restart=game ponder=on",
        ] {
            assert_eq!(text.parse::<Entrant>().unwrap().to_string(), text);
        }
        let engine: Entrant = "gtp: x@y @ nodes=7".parse().unwrap();
        assert_eq!(engine.to_string(), "gtp:x@y@nodes=7");
    }

    #[test]
    fn invalid_players_are_errors() {
        let error = |text: &str| text.parse::<Entrant>().unwrap_err().to_string();
        assert!(error("minmax").contains("did you mean `minimax`?"));
        assert!(error("human").contains("a strategy is needed"));
        assert!(error("greedy@speed=3").contains("unknown limit or setting `speed`"));
        assert!(error("greedy@name=best").contains("a strategy has limits"));
        assert!(error("gtp:x@restart=often").contains("expected fault or game"));
        assert!(error("gtp:x@time=1s speed=2").contains("unknown limit or setting `speed`"));
        assert!(error("gtp:x@name='a").contains("quotation mark"));
        assert!(error("gtp:").contains("command"));
        assert!(error("uci:stockfish").contains("gtp:COMMAND"));
    }
}
