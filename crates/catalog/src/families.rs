//! Families of games: types, parsing of names, suggestions.
//!
//! This file and `registry.rs` are the only places that name concrete games; a game is added by one
//! line in each of the two lists below.

use std::sync::Arc;

#[cfg(test)]
use crate::page_examples::row::Row;
use papan_rules::{
    Bits, GameInfo, Gomoku, GomokuRule, Grid, GridSize, Othello, OthelloError, Player, Symmetric,
    Wide,
};
use papan_strategies::{Limits, Strategy};

use crate::strategy_info::Build;
use crate::{BoardInfo, GameError, StrategySpec, Unplayable};

/// A game type of the catalog.
pub trait Family: GameInfo + Symmetric + Sized {
    /// Checks whether a strategy can play this game value, without building it: no file is read and
    /// no memory allocated. Missing resources are reported later. Some strategies play only one of
    /// the two seats; without a seat, either suffices.
    ///
    /// # Errors
    /// When it cannot, with the reason.
    fn can_seat(
        &self,
        spec: &StrategySpec,
        limits: &Limits,
        seat: Option<Player>,
    ) -> Result<(), Unplayable>;

    /// A strategy for this very game value.
    ///
    /// # Errors
    /// When the strategy cannot play this board, saying why. `limits` are those
    /// it will play under: a search without a depth of its own may rely on them.
    fn strategy(
        &self,
        spec: &StrategySpec,
        limits: &Limits,
    ) -> Result<Box<dyn Strategy<Self>>, Unplayable>;

    /// The game without its type.
    fn any(self: Arc<Self>) -> AnyGame;
}

/// A whole job (a proof, a perft, a thousand games), written once over [`Family`].
pub trait GameVisitor {
    /// The result.
    type Output;
    /// Does the job on a game of known type.
    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output;
}

/// All that follows from the list of game types. `$d` is a dollar sign, for the
/// macros that this one makes.
macro_rules! families {
    ($d:tt $( $(#[$meta:meta])* $variant:ident($game:ty) $builder:ident $doc:literal; )*) => {
        /// A game by name. Cloning is cheap and gives the same game value.
        #[derive(Clone)]
        pub enum AnyGame {
            $( $(#[$meta])* #[doc = $doc] $variant(Arc<$game>), )*
        }

        /// Does the same with a game of any type.
        macro_rules! with_game {
            ($d any:expr, $d game:ident => $d body:expr) => {
                match $d any {
                    $( $(#[$meta])* $crate::AnyGame::$variant($d game) => $d body, )*
                }
            };
        }
        pub(crate) use with_game;

        impl AnyGame {
            /// Whether both are the same game value, not only games of one name.
            #[must_use]
            pub fn is(&self, other: &Self) -> bool {
                match (self, other) {
                    $( $(#[$meta])* (Self::$variant(a), Self::$variant(b)) => Arc::ptr_eq(a, b), )*
                    _ => false,
                }
            }

            /// Whether there is a builder for games of this type.
            pub(crate) fn is_built_by(&self, builders: &Builders) -> bool {
                match self {
                    $( $(#[$meta])* Self::$variant(_) => builders.$builder.is_some(), )*
                }
            }
        }

        /// How a strategy is built, for each game type that it plays.
        #[derive(Debug)]
        pub(crate) struct Builders {
            $( $(#[$meta])* pub(crate) $builder: Option<Build<$game>>, )*
        }

        impl Builders {
            /// For a strategy that plays nothing yet.
            pub(crate) const NONE: Self = Self { $( $(#[$meta])* $builder: None, )* };
        }

        /// Builders for a strategy that plays every game.
        macro_rules! every_game {
            ($d build:ident) => {
                $crate::families::Builders { $( $(#[$meta])* $builder: Some($d build), )* }
            };
        }
        pub(crate) use every_game;

        $( $(#[$meta])* impl Family for $game {
            fn can_seat(
                &self,
                spec: &StrategySpec,
                limits: &Limits,
                seat: Option<Player>,
            ) -> Result<(), Unplayable> {
                if spec.as_guest().is_some() {
                    return Ok(());
                }
                let info = spec.info();
                let board = BoardInfo { seat, ..BoardInfo::of(self) };
                (info.fits)(&board, spec.arguments(), limits)?;
                match info.builders.$builder {
                    Some(_) => Ok(()),
                    None => Err(Unplayable::WrongGame {
                        strategy: info.name,
                        game: self.name(),
                    }),
                }
            }

            fn strategy(
                &self,
                spec: &StrategySpec,
                limits: &Limits,
            ) -> Result<Box<dyn Strategy<Self>>, Unplayable> {
                if let Some(guest) = spec.as_guest() {
                    return crate::guest::strategy(self, guest, limits);
                }
                self.can_seat(spec, limits, None)?;
                let build = spec.info().builders.$builder.expect("it can be seated");
                build(self, spec.arguments())
            }

            fn any(self: Arc<Self>) -> AnyGame {
                AnyGame::$variant(self)
            }
        } )*
    };
}

families! { $
    Grid(Grid<u64>) grid "Tic-tac-toe on up to 64 cells.";
    WideGrid(Grid<Wide>) wide_grid "Tic-tac-toe on up to 400 cells.";
    Gomoku(Gomoku) gomoku "Gomoku and renju.";
    Othello(Othello) othello "Othello.";
    #[cfg(test)]
    Row(Row) row "A row of cells.";
}

/// One family of games, as `papan list` shows it.
#[derive(Clone, Copy, Debug)]
pub struct FamilyEntry {
    /// Prefix of the names of its games.
    pub name: &'static str,
    /// The family under which menus list it, if it is a rule of another game.
    pub listed_with: Option<&'static str>,
    /// Other names for it that are understood.
    pub aliases: &'static [&'static str],
    /// How a size is written after the colon.
    pub sizes: &'static str,
    /// Suggested sizes, the default first.
    pub suggested: &'static [&'static str],
    /// Names to try.
    pub examples: &'static [&'static str],
    /// Parses a game from its whole name and its size; the first suggestion if no size is given.
    pub(crate) read: fn(&str, &str) -> Result<AnyGame, GameError>,
}

/// Every family.
pub static FAMILIES: &[FamilyEntry] = &[
    FamilyEntry {
        name: "tictactoe",
        listed_with: None,
        aliases: &["tic-tac-toe", "noughts-and-crosses", "ttt"],
        sizes: "AxB, AxBxC or AxBxCxD, then :k for k in a row",
        suggested: &["3x3", "4x4", "3x3x3", "7x7:5"],
        examples: &[
            "tictactoe",
            "tictactoe:4x4",
            "tictactoe:7x7:5",
            "tictactoe:3x3x3",
            "tictactoe:4x4x4",
        ],
        read: read_grid,
    },
    FamilyEntry {
        name: "othello",
        listed_with: None,
        aliases: &["reversi"],
        sizes: "4x4, 6x6 or 8x8",
        suggested: &["8x8", "6x6", "4x4"],
        examples: &["othello", "othello:6x6", "othello:4x4"],
        read: read_othello,
    },
    FamilyEntry {
        name: "gomoku",
        listed_with: None,
        aliases: &["five-in-a-row", "connect5", "gobang", "omok", "wuziqi"],
        sizes: "5x5 to 20x20, then :standard or :caro for another rule",
        suggested: &["15x15", "20x20", "standard", "caro"],
        examples: &[
            "gomoku",
            "gomoku:20x20",
            "gomoku:standard",
            "gomoku:20x20:caro",
        ],
        read: read_gomoku,
    },
    FamilyEntry {
        name: "renju",
        listed_with: Some("gomoku"),
        aliases: &[],
        sizes: "5x5 to 20x20",
        suggested: &["15x15"],
        examples: &["renju"],
        read: read_renju,
    },
    #[cfg(test)]
    FamilyEntry {
        name: "row",
        listed_with: None,
        aliases: &[],
        sizes: "a number from 1 to 60",
        suggested: &["7", "5"],
        examples: &["row", "row:5"],
        read: |name, size| match size.parse() {
            Ok(cells @ 1..=60) => Ok(AnyGame::Row(Arc::new(Row::new(cells)))),
            _ => Err(GameError::size(name, size, "a number from 1 to 60")),
        },
    },
];

fn read_grid(name: &str, size: &str) -> Result<AnyGame, GameError> {
    let wrong = |cause| GameError::Grid {
        name: name.into(),
        cause,
    };
    let size: GridSize = size.parse().map_err(wrong)?;
    Ok(if size.cells() <= u64::CAPACITY {
        AnyGame::Grid(Arc::new(Grid::with_size(size).map_err(wrong)?))
    } else {
        AnyGame::WideGrid(Arc::new(Grid::with_size(size).map_err(wrong)?))
    })
}

/// Reads the parts after the colon of gomoku: a size, a rule, or both.
fn read_gomoku(name: &str, parts: &str) -> Result<AnyGame, GameError> {
    const EXPECTED: &str = "a size such as 15x15, then :freestyle, :standard, :renju or :caro";
    let wrong = || GameError::size(name, parts, EXPECTED);
    let (mut side, mut rule) = (None, None);
    for part in parts.split(':') {
        let word = part.trim().to_ascii_lowercase();
        let named = GomokuRule::ALL.into_iter().find(|rule| rule.name() == word);
        match (named, square_side(&word)) {
            (Some(named), _) if rule.is_none() => rule = Some(named),
            (None, Some(number)) if side.is_none() && rule.is_none() => side = Some(number),
            _ => return Err(wrong()),
        }
    }
    let rule = rule.unwrap_or(GomokuRule::Freestyle);
    let game = Gomoku::new(side.unwrap_or(15), rule).map_err(|_| wrong())?;
    Ok(AnyGame::Gomoku(Arc::new(game)))
}

fn read_renju(name: &str, size: &str) -> Result<AnyGame, GameError> {
    let wrong = || GameError::size(name, size, "a size such as 15x15");
    let side = square_side(size.trim()).ok_or_else(wrong)?;
    let game = Gomoku::new(side, GomokuRule::Renju).map_err(|_| wrong())?;
    Ok(AnyGame::Gomoku(Arc::new(game)))
}

/// Reads the side of a square board: `15x15` or `15`.
fn square_side(text: &str) -> Option<usize> {
    let (rows, columns) = text.split_once(['x', 'X', '×']).unwrap_or((text, text));
    let side: usize = rows.parse().ok()?;
    (columns.parse() == Ok(side)).then_some(side)
}

fn read_othello(name: &str, size: &str) -> Result<AnyGame, GameError> {
    let side = match size.to_ascii_lowercase().as_str() {
        "4x4" | "4" => 4,
        "6x6" | "6" => 6,
        "8x8" | "8" => 8,
        _ => 0,
    };
    let game = Othello::new(side).map_err(|_| GameError::Othello {
        name: name.into(),
        cause: OthelloError(size.into()),
    })?;
    Ok(AnyGame::Othello(Arc::new(game)))
}
