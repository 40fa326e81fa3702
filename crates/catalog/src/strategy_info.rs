//! Descriptions of strategies, the single source of lists, help, forms and input checking.

use papan_othello::EngineError;
use papan_othello::book::BookError;
use papan_rules::Player;
use papan_strategies::{Limits, LookupError, Strategy, TableError};

use crate::families::Builders;
use crate::{AnyGame, BoardInfo, FAMILIES};

/// A strategy of the registry.
#[derive(Debug)]
pub struct StrategyInfo {
    /// Its name.
    pub name: &'static str,
    /// A summary in one English sentence. Translations have the message id `strategy-NAME`.
    pub summary: &'static str,
    /// Which of the five documents it comes from, if any.
    pub document: Option<&'static str>,
    /// The parameters.
    pub parameters: &'static [Parameter],
    /// Whether it can play a board, as far as that shows without building it.
    pub(crate) fits: Fits,
    /// How it is built, for each game type.
    pub(crate) builders: Builders,
}

impl StrategyInfo {
    /// The families whose games it plays, some of them at least.
    #[must_use]
    pub fn families(&self) -> Vec<&'static str> {
        let is_built = |game: AnyGame| game.is_built_by(&self.builders);
        let names = FAMILIES
            .iter()
            .map(|family| (family.name, family.examples[0]));
        names
            .filter(|(_, example)| example.parse().is_ok_and(is_built))
            .map(|(name, _)| name)
            .collect()
    }
}

/// One parameter of a strategy.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: ParameterKind,
    /// The default, in words.
    pub default: &'static str,
    /// A summary.
    pub summary: &'static str,
}

impl Parameter {
    /// The `default` of a parameter without which the strategy cannot play.
    pub(crate) const REQUIRED: &'static str = "none; required";

    /// Whether the strategy cannot play without it.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.default == Self::REQUIRED
    }
}

/// The kind of a parameter's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A number in a range.
    Number {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// The path of a file.
    File,
}

impl ParameterKind {
    /// Returns the expected form, in words.
    #[must_use]
    pub fn expected(self) -> String {
        match self {
            Self::Number { min, max: u64::MAX } => format!("a number from {min}"),
            Self::Number { min, max } => format!("a number from {min} to {max}"),
            Self::Choice(words) => words.join(" or "),
            Self::File => "the path of a file".into(),
        }
    }
}

/// A parameter's value, checked against its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Of a [`ParameterKind::Number`].
    Number(u64),
    /// Of a [`ParameterKind::Choice`].
    Word(&'static str),
    /// Of a [`ParameterKind::File`].
    Path(String),
}

/// The arguments that were given, checked, in the order of the recipe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments(pub(crate) Vec<(&'static str, Argument)>);

impl Arguments {
    fn find(&self, name: &str) -> Option<&Argument> {
        self.0.iter().find(|(n, _)| *n == name).map(|(_, a)| a)
    }

    /// A number, if it was given.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u64> {
        match self.find(name)? {
            Argument::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// A word, if it was given.
    #[must_use]
    pub fn word(&self, name: &str) -> Option<&'static str> {
        match self.find(name)? {
            Argument::Word(word) => Some(word),
            _ => None,
        }
    }

    /// A path, if it was given.
    #[must_use]
    pub fn path(&self, name: &str) -> Option<&str> {
        match self.find(name)? {
            Argument::Path(path) => Some(path),
            _ => None,
        }
    }

    /// Every argument that was given.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Argument)> {
        self.0.iter().map(|(name, argument)| (*name, argument))
    }
}

/// Why a strategy cannot play a board.
#[derive(Debug, thiserror::Error)]
pub enum Unplayable {
    /// It is for another family of games.
    #[error("`{strategy}` does not play {game}")]
    WrongGame {
        /// The strategy.
        strategy: &'static str,
        /// The game's name.
        game: String,
    },
    /// It knows one board only.
    #[error("`{strategy}` knows {board} only, not {game}")]
    OneBoard {
        /// The strategy.
        strategy: &'static str,
        /// The board that it knows.
        board: &'static str,
        /// The game's name.
        game: String,
    },
    /// It would search until the end of time.
    #[error("`{strategy}` without a depth would search the whole of {board}; give `depth=`")]
    NeedsDepth {
        /// The strategy.
        strategy: &'static str,
        /// The board.
        board: String,
    },
    /// The board is too large to be solved.
    #[error("`{strategy}` cannot solve {board}: the board is too large")]
    TooLarge {
        /// The strategy.
        strategy: &'static str,
        /// The board.
        board: String,
    },
    /// The proof of the board is for the other player.
    #[error("`{strategy}` has a proof of {board} for the other player only")]
    OtherSeat {
        /// The strategy.
        strategy: &'static str,
        /// The board.
        board: String,
        /// The player without a proof.
        player: Player,
    },
    /// The proof of the board is not part of this build and was not loaded.
    #[error("`{strategy}` plays {board} from the certificate {file}, which is not loaded")]
    NoCertificate {
        /// The strategy.
        strategy: &'static str,
        /// The board.
        board: String,
        /// The file.
        file: &'static str,
    },
    /// The weights of five in a row are not part of this build and were not loaded.
    #[error("the engine has no weights: load the file {file} first")]
    NoWeights {
        /// The file.
        file: &'static str,
    },
    /// A required file is missing.
    #[error("`{strategy}` needs a list: {strategy}(file=…)")]
    NeedsFile {
        /// The strategy.
        strategy: &'static str,
    },
    /// A file could not be read.
    #[error("{path}: {cause}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        cause: std::io::Error,
    },
    /// A table is broken.
    #[error("{path}: {cause}")]
    BrokenTable {
        /// The file.
        path: String,
        /// The error and its place.
        cause: TableError,
    },
    /// A list of positions is broken.
    #[error("{path}: {cause}")]
    BrokenList {
        /// The file.
        path: String,
        /// The error and its place.
        cause: LookupError,
    },
    /// The player's own book of openings is broken.
    #[error("{path}: {cause}")]
    BrokenBook {
        /// The file.
        path: String,
        /// The error and its place.
        cause: BookError,
    },
    /// A program from outside cannot play.
    #[error("`{name}` cannot play: {why}")]
    Guest {
        /// Its name.
        name: String,
        /// The reason.
        why: String,
    },
    /// The engine cannot be set up on this machine.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Says why a strategy cannot play a board under these limits, without building it.
pub(crate) type Fits = fn(&BoardInfo, &Arguments, &Limits) -> Result<(), Unplayable>;

/// Builds a strategy for one game value that it [`Fits`].
pub(crate) type Build<G> = fn(&G, &Arguments) -> Built<G>;

/// A built strategy, or the missing resource.
pub(crate) type Built<G> = Result<Box<dyn Strategy<G>>, Unplayable>;
