//! The Gomocup protocol, also called Piskvork protocol: five in a row on two-dimensional
//! boards.
//!
//! This module holds the messages of both sides. Coordinates are column and row, counted
//! from 0. Lines end in CRLF; LF alone is accepted.
//!
//! Reference: Petr Laštovička, "New protocol for gomoku AI",
//! <https://plastovicka.github.io/protocl2en.htm>.

mod client;
mod server;

pub use client::PiskvorkClient;
pub use server::serve;

use std::fmt;

use papan_catalog::AnyGame;
use papan_rules::GomokuRule;

use crate::notation::ProtocolNotation;

/// Column and row, counted from 0.
pub type Cell = (usize, usize);

/// A command from the manager to the engine ("brain").
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A new game on a square board.
    Start(usize),
    /// A new game on a board with this width and height.
    RectStart(usize, usize),
    /// A new game on the same board.
    Restart,
    /// The opponent's move; asks for a move.
    Turn(Cell),
    /// Asks for the first move of the game.
    Begin,
    /// A position follows: [`Command::Stone`] for every stone, then [`Command::Done`].
    Board,
    /// A stone of a position, with its owner (1 own, 2 opponent, 3 winning line).
    Stone(Cell, u8),
    /// The stones of a swap2 opening follow: [`Command::Point`] for every stone, then
    /// [`Command::Done`].
    Swap2Board,
    /// A stone of a swap2 opening.
    Point(Cell),
    /// The end of a position; asks for a move.
    Done,
    /// A setting; not answered.
    Info {
        /// Its name.
        key: String,
        /// Its value.
        value: String,
    },
    /// Ends the engine.
    End,
    /// Asks for the name and version.
    About,
    /// Takes a stone back.
    TakeBack(Cell),
    /// Makes the engine play this move, the answer to [`Reply::Suggest`].
    Play(Cell),
}

/// A reply from the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A move.
    Move(Cell),
    /// The stones of a swap2 opening, two or three.
    Stones(Vec<Cell>),
    /// The choice of Black in a swap2 opening.
    Swap,
    /// Success.
    Ok,
    /// The command failed.
    Error(String),
    /// The command is unknown.
    Unknown(String),
    /// A text for people: `MESSAGE` or `DEBUG`.
    Note(String),
    /// A move that the manager may change before it sends `PLAY`.
    Suggest(Cell),
    /// The answer to `ABOUT`: `name="…", version="…"`.
    About(String),
}

/// Returns a field of the answer to `ABOUT`, such as `name="…"`.
pub(crate) fn about_field<'a>(about: &'a str, key: &str) -> Option<&'a str> {
    let rest = &about[about.find(&format!("{key}=\""))? + key.len() + 2..];
    rest.split('"').next()
}

/// Whether the protocol supports the game: five in a row on a two-dimensional board.
#[must_use]
pub fn supports(notation: &ProtocolNotation) -> bool {
    notation.sides().len() == 2 && notation.winning_length() == Some(5)
}

/// Returns the number of the rule of a game of five in a row.
fn rule_of(game: &str) -> u8 {
    let rule = game
        .parse()
        .ok()
        .and_then(|game: AnyGame| game.gomoku_rule());
    rule.unwrap_or(GomokuRule::Freestyle).code()
}

/// Parses `x,y`; also returns the text after a second comma.
fn parse_cell_and_rest(text: &str) -> Option<(Cell, Option<&str>)> {
    let mut parts = text.splitn(3, ',').map(str::trim);
    let x = parts.next()?.parse().ok()?;
    let y = parts.next()?.parse().ok()?;
    Some(((x, y), parts.next()))
}

/// Parses `x,y`.
fn parse_cell(text: &str) -> Option<Cell> {
    parse_cell_and_rest(text)
        .filter(|(_, rest)| rest.is_none())
        .map(|(at, _)| at)
}

impl Command {
    /// Parses a line; `None` when it is not a command.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        if line.starts_with(|c: char| c.is_ascii_digit()) {
            let (at, owner) = parse_cell_and_rest(line)?;
            return Some(match owner {
                Some(owner) => Self::Stone(at, owner.parse().ok()?),
                None => Self::Point(at),
            });
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        Some(match word.to_ascii_uppercase().as_str() {
            "START" => Self::Start(rest.parse().ok()?),
            "RECTSTART" => {
                let (width, height) = parse_cell(rest)?;
                Self::RectStart(width, height)
            }
            "RESTART" => Self::Restart,
            "TURN" => Self::Turn(parse_cell(rest)?),
            "BEGIN" => Self::Begin,
            "BOARD" => Self::Board,
            "SWAP2BOARD" => Self::Swap2Board,
            "DONE" => Self::Done,
            "INFO" => {
                let (key, value) = rest.split_once(' ').unwrap_or((rest, ""));
                Self::Info {
                    key: key.into(),
                    value: value.trim().into(),
                }
            }
            "END" => Self::End,
            "ABOUT" => Self::About,
            "TAKEBACK" => Self::TakeBack(parse_cell(rest)?),
            "PLAY" => Self::Play(parse_cell(rest)?),
            _ => return None,
        })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(side) => write!(f, "START {side}"),
            Self::RectStart(width, height) => write!(f, "RECTSTART {width},{height}"),
            Self::Restart => f.write_str("RESTART"),
            Self::Turn((x, y)) => write!(f, "TURN {x},{y}"),
            Self::Begin => f.write_str("BEGIN"),
            Self::Board => f.write_str("BOARD"),
            Self::Stone((x, y), whose) => write!(f, "{x},{y},{whose}"),
            Self::Swap2Board => f.write_str("SWAP2BOARD"),
            Self::Point((x, y)) => write!(f, "{x},{y}"),
            Self::Done => f.write_str("DONE"),
            Self::Info { key, value } => write!(f, "INFO {key} {value}"),
            Self::End => f.write_str("END"),
            Self::About => f.write_str("ABOUT"),
            Self::TakeBack((x, y)) => write!(f, "TAKEBACK {x},{y}"),
            Self::Play((x, y)) => write!(f, "PLAY {x},{y}"),
        }
    }
}

impl Reply {
    /// Parses a line; `None` when it is not a reply.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        if let Some(at) = parse_cell(line) {
            return Some(Self::Move(at));
        }
        let words: Option<Vec<Cell>> = line.split_whitespace().map(parse_cell).collect();
        if let Some(cells) = words.filter(|cells| matches!(cells.len(), 2 | 3)) {
            return Some(Self::Stones(cells));
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        Some(match word.to_ascii_uppercase().as_str() {
            "OK" => Self::Ok,
            "SWAP" => Self::Swap,
            "ERROR" => Self::Error(rest.into()),
            "UNKNOWN" => Self::Unknown(rest.into()),
            "MESSAGE" | "DEBUG" => Self::Note(rest.into()),
            "SUGGEST" => Self::Suggest(parse_cell(rest)?),
            _ if line.contains("name=") => Self::About(line.into()),
            _ => return None,
        })
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move((x, y)) => write!(f, "{x},{y}"),
            Self::Stones(cells) => {
                let words: Vec<String> = cells.iter().map(|(x, y)| format!("{x},{y}")).collect();
                f.write_str(&words.join(" "))
            }
            Self::Swap => f.write_str("SWAP"),
            Self::Ok => f.write_str("OK"),
            Self::Error(text) => write!(f, "ERROR {text}"),
            Self::Unknown(text) => write!(f, "UNKNOWN {text}"),
            Self::Note(text) => write!(f, "MESSAGE {text}"),
            Self::Suggest((x, y)) => write!(f, "SUGGEST {x},{y}"),
            Self::About(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::{Grid, Othello, Wide, tictactoe};

    #[test]
    fn commands_round_trip() {
        for line in [
            "START 15",
            "RECTSTART 20,10",
            "RESTART",
            "TURN 0,14",
            "BEGIN",
            "BOARD",
            "7,7,1",
            "SWAP2BOARD",
            "7,7",
            "DONE",
            "INFO timeout_turn 5000",
            "INFO folder /tmp/a b",
            "END",
            "ABOUT",
            "TAKEBACK 3,4",
            "PLAY 5,6",
        ] {
            assert_eq!(Command::parse(line).unwrap().to_string(), line);
        }
        assert_eq!(Command::parse("turn 1, 2\r"), Some(Command::Turn((1, 2))));
        for line in [
            "",
            "TURN",
            "TURN 1",
            "TURN -1,2",
            "START x",
            "1,2,x",
            "SWIM",
        ] {
            assert_eq!(Command::parse(line), None, "{line}");
        }
    }

    #[test]
    fn replies_round_trip() {
        for line in [
            "3,4",
            "3,4 5,6",
            "3,4 5,6 7,8",
            "SWAP",
            "OK",
            "ERROR no",
            "UNKNOWN SWIM",
            "MESSAGE hm",
            "SUGGEST 1,2",
        ] {
            assert_eq!(Reply::parse(line).unwrap().to_string(), line);
        }
        let about = "name=\"papan\", version=\"0.1\"";
        assert_eq!(Reply::parse(about), Some(Reply::About(about.into())));
        assert_eq!(about_field(about, "version"), Some("0.1"));
        assert_eq!(about_field(about, "country"), None);
        for line in ["", "1,2,3", "99999999999999999999999,1", "hello"] {
            assert_eq!(Reply::parse(line), None, "{line}");
        }
    }

    #[test]
    fn only_five_in_a_row_on_a_two_dimensional_board_is_supported() {
        let wide = |sides: &[usize], k| ProtocolNotation::of(&Grid::<Wide>::new(sides, k).unwrap());
        assert!(supports(&wide(&[15, 15], 5)));
        assert!(supports(&wide(&[20, 10], 5)));
        assert!(supports(&wide(&[5, 5], 5)));
        assert!(!supports(&wide(&[15, 15], 6)));
        assert!(!supports(&wide(&[5, 5, 5], 5)));
        assert!(!supports(&ProtocolNotation::of(&tictactoe())));
        assert!(!supports(&ProtocolNotation::of(&Othello::default())));
    }
}
