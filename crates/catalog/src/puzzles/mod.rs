//! Puzzles: positions in which one move is right at every step of a solution.
//!
//! They are generated from games of the computer levels ([`generate`]), solved exactly, and shipped
//! as a text file with a line for each ([`collection`]). [`Puzzle::verify`] solves one again.

mod generator;
mod judge;
mod line_board;
mod player;
mod rating;

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use papan_rules::Move;

pub use self::generator::{GENERATED, generate, key};
pub use self::judge::Fault;
pub use self::player::{Attempt, Verdict};
pub use self::rating::Rating;
use crate::{AnyGame, AnyLine};

/// First line of a file of puzzles.
const HEADER: &str = "papan-puzzles 1";

/// The goal of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Complete a line within this many own moves.
    WinIn(usize),
    /// The same by moves that each threaten to complete a line.
    Fours(usize),
    /// Stop a line of the opponent within this many of the opponent's moves.
    Block(usize),
    /// Win a solved endgame.
    Win,
    /// Do not lose a solved endgame.
    Hold,
}

impl Goal {
    /// Returns its name in messages and JSON, without the number of moves.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::WinIn(_) => "win-in",
            Self::Fours(_) => "fours",
            Self::Block(_) => "block",
            Self::Win => "win",
            Self::Hold => "hold",
        }
    }

    /// Returns the number of moves that it names.
    #[must_use]
    pub fn moves(self) -> Option<usize> {
        match self {
            Self::WinIn(moves) | Self::Fours(moves) | Self::Block(moves) => Some(moves),
            Self::Win | Self::Hold => None,
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.moves() {
            Some(moves) => write!(f, "{}={moves}", self.name()),
            None => f.write_str(self.name()),
        }
    }
}

impl FromStr for Goal {
    type Err = PuzzleError;

    fn from_str(text: &str) -> Result<Self, PuzzleError> {
        let wrong = || PuzzleError::Goal(text.into());
        let (name, moves) = match text.split_once('=') {
            None => (text, None),
            Some((name, moves)) => (name, Some(moves.parse().map_err(|_| wrong())?)),
        };
        match (name, moves) {
            ("win-in", Some(moves @ 1..=20)) => Ok(Self::WinIn(moves)),
            ("fours", Some(moves @ 1..=20)) => Ok(Self::Fours(moves)),
            ("block", Some(moves @ 1..=20)) => Ok(Self::Block(moves)),
            ("win", None) => Ok(Self::Win),
            ("hold", None) => Ok(Self::Hold),
            _ => Err(wrong()),
        }
    }
}

/// The idea of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Theme {
    /// A win in a given number of moves.
    Win,
    /// A threat of the opponent has to be stopped.
    Block,
    /// The first move makes two threats.
    Fork,
    /// The first move takes or gives up a corner of an Othello board.
    Corner,
    /// The first move leaves only regions with an even number of empty squares.
    Parity,
    /// The first move of five in a row threatens an open four.
    OpenThree,
    /// A sequence of fours.
    Fours,
    /// A lost-looking position that is a draw.
    Hold,
}

impl Theme {
    /// Every theme.
    pub const ALL: [Self; 8] = [
        Self::Win,
        Self::Block,
        Self::Fork,
        Self::OpenThree,
        Self::Fours,
        Self::Corner,
        Self::Parity,
        Self::Hold,
    ];

    /// Returns its name in files, options and URLs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Block => "block",
            Self::Fork => "fork",
            Self::Corner => "corner",
            Self::Parity => "parity",
            Self::OpenThree => "open-three",
            Self::Fours => "fours",
            Self::Hold => "hold",
        }
    }
}

impl FromStr for Theme {
    type Err = PuzzleError;

    fn from_str(text: &str) -> Result<Self, PuzzleError> {
        let mut all = Self::ALL.into_iter();
        all.find(|theme| theme.name() == text)
            .ok_or_else(|| PuzzleError::Theme(text.into()))
    }
}

/// A puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The game's name.
    pub game: String,
    /// The goal.
    pub goal: Goal,
    /// Its themes.
    pub themes: Vec<Theme>,
    /// Its rating before anyone has tried it.
    pub rating: u16,
    /// The moves that lead to its position.
    pub moves: String,
    /// The solution: moves of the solver and replies in turn, beginning and ending with the solver.
    pub solution: String,
}

/// Why a text is no file of puzzles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleError {
    /// The first line is another one.
    #[error("a file of puzzles begins with `{HEADER}`")]
    Header,
    /// A line has too few or too many fields.
    #[error("line {line}: a puzzle has six fields between tabs")]
    Fields {
        /// The number of the line.
        line: usize,
    },
    /// A field cannot be read.
    #[error("line {line}: {reason}")]
    Field {
        /// The number of the line.
        line: usize,
        /// The reason.
        reason: String,
    },
    /// There is no such theme.
    #[error(
        "there is no theme `{0}`; themes are win, block, fork, open-three, fours, corner, parity and \
         hold"
    )]
    Theme(String),
    /// There is no such goal.
    #[error("there is no goal `{0}`; goals are win-in=N, fours=N, block=N, win and hold")]
    Goal(String),
}

impl Puzzle {
    /// Replays the moves to the position; `None` if they are not moves of the game.
    #[must_use]
    pub fn line(&self) -> Option<Box<dyn AnyLine>> {
        let game: AnyGame = self.game.parse().ok()?;
        let mut line = game.line();
        line.extend(&self.moves).ok()?;
        Some(line)
    }

    /// Returns the moves of the solution.
    #[must_use]
    pub fn steps(&self) -> Option<Vec<Move>> {
        let mut line = self.line()?;
        let before = line.moves().len();
        line.extend(&self.solution).ok()?;
        Some(line.moves()[before..].to_vec())
    }

    /// Returns how many moves the solver makes.
    #[must_use]
    pub fn length(&self) -> usize {
        self.steps().map_or(0, |steps| steps.len().div_ceil(2))
    }

    /// Returns its identifier in URLs: a hash of game and moves (FNV-1a), so that it stays the same
    /// when puzzles are added.
    #[must_use]
    pub fn id(&self) -> String {
        let text = self.game.bytes().chain([b' ']).chain(self.moves.bytes());
        let hash = text.fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
        format!("{hash:08x}")
    }

    /// Parses one line of a file.
    fn parse(text: &str, line: usize) -> Result<Self, PuzzleError> {
        let wrong = |error: PuzzleError| PuzzleError::Field {
            line,
            reason: error.to_string(),
        };
        let fields: Vec<&str> = text.split('\t').collect();
        let &[game, goal, themes, rating, moves, solution] = &fields[..] else {
            return Err(PuzzleError::Fields { line });
        };
        let themes = themes.split(',').filter(|name| !name.is_empty());
        Ok(Self {
            game: game.into(),
            goal: goal.parse().map_err(wrong)?,
            themes: themes
                .map(|name| name.parse().map_err(wrong))
                .collect::<Result<_, _>>()?,
            rating: rating.parse().map_err(|_| PuzzleError::Field {
                line,
                reason: format!("`{rating}` is no rating"),
            })?,
            moves: moves.into(),
            solution: solution.into(),
        })
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let themes: Vec<&str> = self.themes.iter().map(|theme| theme.name()).collect();
        write!(
            f,
            "{}\t{}\t{}\t{}\t{}\t{}",
            self.game,
            self.goal,
            themes.join(","),
            self.rating,
            self.moves,
            self.solution
        )
    }
}

/// Parses a file of puzzles.
///
/// # Errors
/// With the line, when one is not a puzzle. The moves are not replayed.
pub fn parse(text: &str) -> Result<Vec<Puzzle>, PuzzleError> {
    let mut lines = text.lines().enumerate();
    if lines.next().map(|(_, line)| line) != Some(HEADER) {
        return Err(PuzzleError::Header);
    }
    lines
        .map(|(at, line)| (at, line.trim_end_matches('\r')))
        .filter(|(_, line)| !line.is_empty())
        .map(|(at, line)| Puzzle::parse(line, at + 1))
        .collect()
}

/// Formats a file of puzzles.
#[must_use]
pub fn format(puzzles: &[Puzzle]) -> String {
    let lines = puzzles.iter().map(|puzzle| format!("{puzzle}\n"));
    format!("{HEADER}\n{}", lines.collect::<String>())
}

static COLLECTION: OnceLock<Vec<Puzzle>> = OnceLock::new();

/// Returns the puzzles of the program, the easiest first: those compiled in, or without the feature
/// `embedded` those that were installed.
///
/// # Panics
/// Never: a test reads the file.
#[must_use]
pub fn collection() -> &'static [Puzzle] {
    #[cfg(feature = "embedded")]
    return COLLECTION.get_or_init(|| {
        let text = papan_data::PUZZLES;
        parse(text).expect("a test reads the file")
    });
    #[cfg(not(feature = "embedded"))]
    COLLECTION.get().map_or(&[], Vec::as_slice)
}

/// Installs the puzzles of a file where none are compiled in. Puzzles that are there already stay.
///
/// # Errors
/// When the text is no file of puzzles.
pub fn install(text: &str) -> Result<(), PuzzleError> {
    let puzzles = parse(text)?;
    let _ = COLLECTION.set(puzzles);
    Ok(())
}

/// Returns the puzzle of a day, counted from the Unix epoch: another one each day until all had
/// their turn. `None` without puzzles.
#[must_use]
pub fn of_day(day: i64) -> Option<&'static Puzzle> {
    let all = collection();
    let count = all.len() as i64;
    // A step without a common divisor visits every puzzle once, easy and hard ones in turn.
    let coprime = |step: &i64| {
        let (mut a, mut b) = (*step, count);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a == 1
    };
    let step = (count * 382 / 1000 + 1..).find(coprime)?;
    let index = (day.checked_rem_euclid(count)? * step).rem_euclid(count);
    all.get(index as usize)
}

/// Returns the puzzle with an identifier.
#[must_use]
pub fn find(id: &str) -> Option<&'static Puzzle> {
    collection().iter().find(|puzzle| puzzle.id() == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let puzzle = Puzzle {
            game: "tictactoe".into(),
            goal: Goal::WinIn(2),
            themes: vec![Theme::Win, Theme::Fork],
            rating: 900,
            moves: "1 5 9 3".into(),
            solution: "7 4 8".into(),
        };
        let text = format(std::slice::from_ref(&puzzle));
        assert_eq!(parse(&text).unwrap(), [puzzle]);
    }

    #[test]
    fn what_is_wrong_in_a_file_is_named_with_its_line() {
        assert_eq!(parse("").unwrap_err(), PuzzleError::Header);
        let error = |line: &str| {
            parse(&format!("{HEADER}\n{line}\n"))
                .unwrap_err()
                .to_string()
        };
        assert!(error("tictactoe").starts_with("line 2: a puzzle has six fields"));
        assert!(error("tictactoe\twin-in\t\t1\t\t").contains("goals are"));
        assert!(error("tictactoe\twin\tmate\t1\t\t").contains("themes are"));
        assert!(error("tictactoe\twin\twin\thard\t\t").contains("`hard` is no rating"));
    }

    #[cfg(feature = "embedded")]
    #[test]
    fn every_day_has_its_puzzle_until_all_had_their_turn() {
        let count = collection().len() as i64;
        let seen: std::collections::HashSet<String> = (20_000..20_000 + count)
            .map(|day| of_day(day).unwrap().id())
            .collect();
        assert_eq!(seen.len() as i64, count);
        assert_eq!(of_day(-1), of_day(count - 1));
    }
}
