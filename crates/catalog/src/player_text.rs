//! Names of players: `human`, `greedy`, `alphabeta(depth=6,prefer=shortest)`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::computer::{DEFAULT_LEVEL, LEVELS};
use crate::guest::Guest;
use crate::registry::{GUEST_INFO, STRATEGIES, strategy_info};
use crate::strategy_info::{Argument, Arguments, Parameter, ParameterKind, StrategyInfo};
use crate::suggestion::{closest_match, did_you_mean};

/// A player by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerSpec {
    /// A person.
    Human,
    /// A strategy.
    Strategy(StrategySpec),
}

/// A strategy by name, with its arguments.
#[derive(Clone)]
pub struct StrategySpec {
    info: &'static StrategyInfo,
    arguments: Arguments,
    guest: Option<Arc<dyn Guest>>,
}

impl StrategySpec {
    /// Creates the specification of a strategy from outside.
    #[must_use]
    pub fn guest(guest: Arc<dyn Guest>) -> Self {
        Self {
            info: &GUEST_INFO,
            arguments: Arguments::default(),
            guest: Some(guest),
        }
    }

    /// Returns the strategy from outside, if it is one.
    #[must_use]
    pub fn as_guest(&self) -> Option<&Arc<dyn Guest>> {
        self.guest.as_ref()
    }

    /// Returns the name of this very version, for certificates.
    #[must_use]
    pub fn identity(&self) -> String {
        match &self.guest {
            Some(guest) => guest.identity(),
            None => self.to_string(),
        }
    }

    /// Returns the strategy.
    #[must_use]
    pub fn info(&self) -> &'static StrategyInfo {
        self.info
    }

    /// Returns the arguments.
    #[must_use]
    pub fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    /// The computer of a level.
    ///
    /// # Panics
    /// Never: every level up to the highest is one of the computer's.
    #[must_use]
    pub fn computer(level: u64) -> Self {
        let level = level.min(*LEVELS.end());
        let text = format!("computer(level={level})");
        text.parse().expect("the computer has this level")
    }

    /// Returns the strategy with a hash table of at most this size in MiB, if it has one.
    #[must_use]
    pub fn with_hash_at_most(mut self, mib: u64) -> Self {
        let parameters = self.info.parameters;
        let is_hash = |parameter: &&Parameter| parameter.name == "hash";
        let Some(hash) = parameters.iter().find(is_hash) else {
            return self;
        };
        let default = || hash.default.parse().unwrap_or(u64::MAX);
        let present = self.arguments.number(hash.name).unwrap_or_else(default);
        if present > mib {
            let arguments = &mut self.arguments.0;
            arguments.retain(|(name, _)| *name != hash.name);
            arguments.push((hash.name, Argument::Number(mib)));
            let place = |name: &str| parameters.iter().position(|p| p.name == name);
            arguments.sort_by_key(|(name, _)| place(name));
        }
        self
    }

    /// Its level, where it is the computer.
    #[must_use]
    pub fn level(&self) -> Option<u64> {
        let level = self.arguments.number("level").unwrap_or(DEFAULT_LEVEL);
        (self.info.name == "computer").then_some(level)
    }
}

impl AsRef<Self> for StrategySpec {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl PartialEq for StrategySpec {
    fn eq(&self, other: &Self) -> bool {
        let name = |spec: &Self| spec.guest.as_ref().map(|guest| guest.name());
        self.info.name == other.info.name
            && self.arguments == other.arguments
            && name(self) == name(other)
    }
}
impl Eq for StrategySpec {}

impl fmt::Debug for StrategySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StrategySpec({self})")
    }
}

impl fmt::Display for StrategySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(guest) = &self.guest {
            return f.write_str(&guest.name());
        }
        f.write_str(self.info.name)?;
        for (index, (name, argument)) in self.arguments.iter().enumerate() {
            f.write_str(if index == 0 { "(" } else { "," })?;
            match argument {
                Argument::Number(number) => write!(f, "{name}={number}")?,
                Argument::Word(word) => write!(f, "{name}={word}")?,
                Argument::Path(path) => write!(f, "{name}={path}")?,
            }
        }
        f.write_str(if self.arguments.0.is_empty() { "" } else { ")" })
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Human => f.write_str("human"),
            Self::Strategy(spec) => spec.fmt(f),
        }
    }
}

/// A text that is not a player, with the place of the error and the expected form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("player `{text}`, column {column}: {problem}")]
pub struct PlayerError {
    /// The whole text.
    pub text: String,
    /// Where in it, counted from 1.
    pub column: usize,
    /// The error.
    pub problem: PlayerProblem,
}

/// An error in a player's text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerProblem {
    /// No such strategy.
    #[error("there is no strategy `{word}`{}", did_you_mean(*suggestion))]
    UnknownStrategy {
        /// The text.
        word: String,
        /// The most similar name.
        suggestion: Option<&'static str>,
    },
    /// No such parameter.
    #[error("`{strategy}` has no parameter `{word}`{}{}", did_you_mean(*suggestion), takes(strategy, *suggestion))]
    UnknownParameter {
        /// The strategy.
        strategy: &'static str,
        /// The text.
        word: String,
        /// The most similar name.
        suggestion: Option<&'static str>,
    },
    /// A value that does not fit.
    #[error("`{parameter}` takes {}, not `{value}`", kind.expected())]
    BadValue {
        /// The parameter.
        parameter: &'static str,
        /// The text.
        value: String,
        /// The expected kind.
        kind: ParameterKind,
    },
    /// A parameter twice.
    #[error("`{0}` is given twice")]
    Twice(&'static str),
    /// A parenthesis without its other half, or something after it.
    #[error("expected `)` at the end")]
    Unclosed,
    /// A parameter without its value.
    #[error("expected `name=value`")]
    NoValue,
    /// A person where a strategy is needed.
    #[error("a strategy is needed here, not a person")]
    NotAStrategy,
}

fn takes(strategy: &str, suggestion: Option<&str>) -> String {
    if suggestion.is_some() {
        return String::new();
    }
    let parameters = strategy_info(strategy).map_or(&[][..], |info| info.parameters);
    if parameters.is_empty() {
        return "; it takes none".into();
    }
    let names: Vec<&str> = parameters.iter().map(|p| p.name).collect();
    format!("; it takes {}", names.join(", "))
}

impl FromStr for PlayerSpec {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Self, PlayerError> {
        if text.trim().eq_ignore_ascii_case("human") {
            return Ok(Self::Human);
        }
        parse(text).map(Self::Strategy)
    }
}

impl FromStr for StrategySpec {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Self, PlayerError> {
        match text.parse()? {
            PlayerSpec::Strategy(spec) => Ok(spec),
            PlayerSpec::Human => Err(PlayerError {
                text: text.into(),
                column: 1,
                problem: PlayerProblem::NotAStrategy,
            }),
        }
    }
}

fn parse(text: &str) -> Result<StrategySpec, PlayerError> {
    let error = |rest: &str, problem| PlayerError {
        text: text.into(),
        column: text[..rest.as_ptr().addr() - text.as_ptr().addr()]
            .chars()
            .count()
            + 1,
        problem,
    };
    let trimmed = text.trim_start();
    let end = trimmed.find('(').unwrap_or(trimmed.trim_end().len());
    let name = trimmed[..end].trim_end();
    let Some(info) = strategy_info(&name.to_ascii_lowercase()) else {
        let names = STRATEGIES.iter().map(|r| r.name).chain(["human"]);
        let suggestion = closest_match(name, names);
        let word = name.into();
        return Err(error(
            trimmed,
            PlayerProblem::UnknownStrategy { word, suggestion },
        ));
    };
    let mut arguments = Vec::new();
    let rest = &trimmed[end..];
    if let Some(inside) = rest.strip_prefix('(') {
        let end = inside.trim_end().len();
        let Some(list) = inside[..end].strip_suffix(')') else {
            let problem = PlayerProblem::Unclosed;
            return Err(error(&inside[end..], problem));
        };
        for part in parts(list).filter(|_| !list.trim().is_empty()) {
            arguments.push(argument(info, part, &arguments).map_err(|(at, p)| error(at, p))?);
        }
    }
    // The order of the recipe, so that one player has one name.
    let place = |name: &str| info.parameters.iter().position(|p| p.name == name);
    arguments.sort_by_key(|(name, _)| place(name));
    Ok(StrategySpec {
        info,
        arguments: Arguments(arguments),
        guest: None,
    })
}

fn parts(list: &str) -> impl Iterator<Item = &str> {
    list.split(',')
}

type Problem<'a> = (&'a str, PlayerProblem);

/// One `name=value`; on error, the text from the place at fault on.
fn argument<'a>(
    info: &'static StrategyInfo,
    part: &'a str,
    before: &[(&'static str, Argument)],
) -> Result<(&'static str, Argument), Problem<'a>> {
    let part = part.trim_start();
    let Some((name, value)) = part.split_once('=') else {
        return Err((part, PlayerProblem::NoValue));
    };
    let word = name.trim();
    let Some(parameter) = info.parameters.iter().find(|p| p.name == word) else {
        let suggestion = closest_match(word, info.parameters.iter().map(|p| p.name));
        let problem = PlayerProblem::UnknownParameter {
            strategy: info.name,
            word: word.into(),
            suggestion,
        };
        return Err((part, problem));
    };
    if before.iter().any(|(name, _)| *name == parameter.name) {
        return Err((part, PlayerProblem::Twice(parameter.name)));
    }
    let argument = check(parameter, value.trim()).ok_or_else(|| {
        let problem = PlayerProblem::BadValue {
            parameter: parameter.name,
            value: value.trim().into(),
            kind: parameter.kind,
        };
        (value.trim_start(), problem)
    })?;
    Ok((parameter.name, argument))
}

fn check(parameter: &Parameter, value: &str) -> Option<Argument> {
    match parameter.kind {
        ParameterKind::Number { min, max } => {
            let number = value.parse().ok()?;
            (min..=max)
                .contains(&number)
                .then_some(Argument::Number(number))
        }
        ParameterKind::Choice(words) => {
            let word = words.iter().find(|w| w.eq_ignore_ascii_case(value))?;
            Some(Argument::Word(word))
        }
        ParameterKind::File => (!value.is_empty()).then(|| Argument::Path(value.into())),
    }
}

/// Splits a list of players at commas outside parentheses.
#[must_use]
pub fn split_players(list: &str) -> Vec<&str> {
    let mut depth = 0_u32;
    let mut start = 0;
    let mut players = Vec::new();
    for (at, character) in list.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                players.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    players.push(list[start..].trim());
    players
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> PlayerError {
        text.parse::<PlayerSpec>().unwrap_err()
    }

    #[test]
    fn a_hash_table_is_only_made_smaller() {
        let limited = |text: &str, mib| {
            let spec: StrategySpec = text.parse().unwrap();
            spec.with_hash_at_most(mib).to_string()
        };
        assert_eq!(limited("engine", 16), "engine(hash=16)");
        assert_eq!(limited("engine", 1000), "engine");
        assert_eq!(limited("engine(hash=8)", 16), "engine(hash=8)");
        assert_eq!(
            limited("engine(hash=32,depth=3)", 16),
            limited("engine(depth=3)", 16)
        );
        assert_eq!(limited("random", 16), "random");
    }

    #[test]
    fn a_player_is_printed_as_it_is_read() {
        for text in [
            "human",
            "greedy",
            "alphabeta(depth=6,prefer=shortest)",
            "random(seed=7)",
            "automaton(file=my table.txt)",
        ] {
            assert_eq!(text.parse::<PlayerSpec>().unwrap().to_string(), text);
        }
        let spaced: PlayerSpec = " AlphaBeta ( prefer = shortest , depth = 6 ) "
            .parse()
            .unwrap();
        assert_eq!(spaced.to_string(), "alphabeta(depth=6,prefer=shortest)");
        assert_eq!(
            "greedy()".parse::<PlayerSpec>().unwrap().to_string(),
            "greedy"
        );
    }

    #[test]
    fn a_wrong_player_is_named_with_its_place_and_the_nearest_right_word() {
        assert_eq!(
            error("minmax").to_string(),
            "player `minmax`, column 1: there is no strategy `minmax`; did you mean `minimax`?"
        );
        assert_eq!(
            error("alphabeta(dept=6)").to_string(),
            "player `alphabeta(dept=6)`, column 11: `alphabeta` has no parameter `dept`; did you mean `depth`?"
        );
        assert_eq!(
            error("alphabeta(depth=0)").to_string(),
            "player `alphabeta(depth=0)`, column 17: `depth` takes a number from 1 to 400, not `0`"
        );
        assert_eq!(error("alphabeta(depth=1").column, 18);
        assert_eq!(error("minimax(depth=1,depth=2)").column, 17);
        assert_eq!(error("greedy(x)").problem, PlayerProblem::NoValue);
    }

    #[test]
    fn lists_are_split_outside_parentheses() {
        assert_eq!(
            split_players("minimax, alphabeta(depth=2,prefer=first),greedy"),
            ["minimax", "alphabeta(depth=2,prefer=first)", "greedy"]
        );
    }
}
