//! Programs that the operator offers as opponents.
//!
//! A client names one as `program:NAME`, by the name that the operator gave it. No text of a client
//! is ever a command.

use std::sync::Arc;

use papan_catalog::{
    AnyGame, Guest, GuestMove, GuestPlayer, GuestTurn, PlayerError, PlayerSpec, StrategySpec,
};
use papan_strategies::{Limits, NoMove, ProgramFault};

/// Before the name of a program in stored games and requests.
const PREFIX: &str = "program:";

/// A program that clients may choose as an opponent.
#[derive(Clone, Debug)]
pub struct OfferedProgram {
    /// Its name.
    pub name: String,
    /// The program: a strategy from outside.
    pub strategy: StrategySpec,
    /// The names of the games that it plays.
    pub games: Vec<String>,
    /// Whether it plays from the start of a game only.
    pub from_start_only: bool,
}

impl OfferedProgram {
    /// Returns its name in stored games and requests.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{PREFIX}{}", self.name)
    }

    /// Returns whether it plays a game.
    #[must_use]
    pub fn plays(&self, game: &AnyGame) -> bool {
        self.games.contains(&game.name())
    }

    /// Returns the families of its games.
    #[must_use]
    pub fn families(&self) -> Vec<&str> {
        let names = self.games.iter();
        let mut families: Vec<&str> = names.filter_map(|name| name.split(':').next()).collect();
        families.sort_unstable();
        families.dedup();
        families
    }

    /// Returns it as a player.
    fn player(&self) -> StrategySpec {
        StrategySpec::guest(Arc::new(NamedProgram {
            name: self.name.clone(),
            inner: self.strategy.as_guest().cloned(),
        }))
    }
}

/// The programs of a server.
#[derive(Clone, Debug, Default)]
pub struct Programs(Vec<OfferedProgram>);

impl Programs {
    /// Creates the list.
    #[must_use]
    pub fn new(programs: Vec<OfferedProgram>) -> Self {
        Self(programs)
    }

    /// Returns all of them.
    pub fn iter(&self) -> impl Iterator<Item = &OfferedProgram> {
        self.0.iter()
    }

    /// Returns the program that a text names.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<&OfferedProgram> {
        let name = program_name(text)?;
        self.iter().find(|program| program.name == name)
    }

    /// Parses a player of a stored game. A program that is no longer offered is a player without a
    /// move.
    ///
    /// # Errors
    /// If there is no such player.
    pub fn parse(&self, text: &str) -> Result<PlayerSpec, PlayerError> {
        let Some(name) = program_name(text) else {
            return text.parse();
        };
        let missing = || {
            StrategySpec::guest(Arc::new(NamedProgram {
                name: name.into(),
                inner: None,
            }))
        };
        let offered = self.find(text).map(OfferedProgram::player);
        Ok(PlayerSpec::Strategy(offered.unwrap_or_else(missing)))
    }

    /// Returns whether this server can ask a strategy: programs may be offered by another one, or
    /// no longer.
    #[must_use]
    pub fn has(&self, strategy: &StrategySpec) -> bool {
        strategy.as_guest().is_none() || self.find(&strategy.to_string()).is_some()
    }
}

/// Returns the name in `program:NAME`.
#[must_use]
pub fn program_name(text: &str) -> Option<&str> {
    text.strip_prefix(PREFIX)
}

/// A program under the operator's name for it. Faults are logged; clients see their kind
/// only, because details contain paths and output of the program.
struct NamedProgram {
    name: String,
    inner: Option<Arc<dyn Guest>>,
}

impl Guest for NamedProgram {
    fn name(&self) -> String {
        format!("{PREFIX}{}", self.name)
    }

    fn title(&self) -> String {
        self.name.clone()
    }

    fn seat(&self, game: &AnyGame, limits: &Limits) -> Result<Box<dyn GuestPlayer>, String> {
        let inner = self.inner.as_ref().ok_or("it is not offered here")?;
        match inner.seat(game, limits) {
            Ok(inner) => Ok(Box::new(NamedPlayer {
                name: self.name.clone(),
                inner,
            })),
            Err(error) => {
                tracing::warn!(program = self.name, %error, "a program does not start");
                // As a player, so that the failure is one of the program.
                Ok(Box::new(NotStarted))
            }
        }
    }
}

struct NamedPlayer {
    name: String,
    inner: Box<dyn GuestPlayer>,
}

impl GuestPlayer for NamedPlayer {
    fn choose(&mut self, turn: &GuestTurn<'_>) -> Result<GuestMove, NoMove> {
        self.inner.choose(turn).inspect_err(|error| {
            tracing::warn!(program = self.name, %error, "a program has no move");
        })
    }

    fn forget(&mut self) {
        self.inner.forget();
    }
}

struct NotStarted;

impl GuestPlayer for NotStarted {
    fn choose(&mut self, _: &GuestTurn<'_>) -> Result<GuestMove, NoMove> {
        Err(NoMove::Program(ProgramFault::Crash, String::new()))
    }

    fn forget(&mut self) {}
}
