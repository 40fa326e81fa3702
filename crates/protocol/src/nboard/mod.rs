//! The NBoard protocol, version 2, of the Othello GUI NBoard.
//!
//! This module holds the messages of both sides. The protocol has no time control: searches
//! are limited by depth. Unknown commands are ignored. `ping` ends a running search and is
//! answered after everything before it.
//!
//! Reference: Chris Welty, "NBoard Protocol", part of NBoard,
//! <http://www.orbanova.com/nboard/>.

mod client;
mod server;

pub use client::NBoardClient;
pub use server::serve;

use std::fmt;

use papan_rules::Move;

use crate::notation::ProtocolNotation;

/// A command from the GUI to the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The protocol's version, the first command.
    Version(u32),
    /// Sets the search depth in plies.
    Depth(u32),
    /// Sets the game, in GGF.
    Game(String),
    /// Sets the value of a draw in hundredths of a disc.
    Contempt(i32),
    /// Plays a move.
    Move(String),
    /// Asks for the scores of the best moves, up to this number.
    Hint(u32),
    /// Asks for a move, without playing it.
    Go,
    /// Answered by [`Reply::Pong`] with the same number.
    Ping(u64),
    /// Asks to learn from the game; answered by [`Reply::Learned`].
    Learn,
    /// Asks for the scores of all positions of the game, from its end.
    Analyze,
    /// Ends the engine.
    Quit,
}

/// A reply from the engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The engine's name.
    MyName(String),
    /// The answer to `ping`.
    Pong(u64),
    /// The engine's status for people; empty when idle.
    Status(String),
    /// The answer to `go`.
    Move {
        /// The move.
        word: String,
        /// Its score for the mover in discs.
        eval: Option<f64>,
        /// Search time in seconds.
        time: Option<f64>,
    },
    /// A principal variation.
    Search {
        /// The moves, without spaces.
        pv: String,
        /// Its score for the mover in discs.
        eval: f64,
        /// The depth as the engine writes it: `12`, `100%`.
        depth: String,
    },
    /// Statistics of a search.
    NodeStats {
        /// Nodes searched.
        nodes: u64,
        /// Search time in seconds.
        time: f64,
    },
    /// The answer to `learn`.
    Learned,
    /// The score of a position of the game.
    Analysis {
        /// Number of moves before it, with passes.
        moves: usize,
        /// Its score for Black in discs.
        eval: f64,
    },
}

/// Whether the protocol supports the game: Othello.
#[must_use]
pub fn supports(notation: &ProtocolNotation) -> bool {
    notation.winning_length().is_none() && notation.sides().len() == 2
}

/// Formats a move in the protocol's notation, `F5` or `PA`.
fn format_move(notation: &ProtocolNotation, mv: Move) -> String {
    match mv {
        Move::PASS => "PA".into(),
        mv => notation.own(mv).to_uppercase(),
    }
}

/// Parses a move; engines spell passes differently.
fn parse_move(notation: &ProtocolNotation, word: &str) -> Option<Move> {
    match word.to_ascii_lowercase().as_str() {
        "pa" | "ps" | "pass" => Some(Move::PASS),
        lower => notation.parse(lower),
    }
}

impl Command {
    /// Parses a line; `None` when it is not a command.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let (word, rest) = split_first_word(line);
        Some(match word {
            "nboard" => Self::Version(rest.parse().ok()?),
            "set" => match split_first_word(rest) {
                ("depth", rest) => Self::Depth(rest.parse().ok()?),
                ("contempt", rest) => Self::Contempt(rest.parse().ok()?),
                ("game", rest) if !rest.is_empty() => Self::Game(rest.into()),
                _ => return None,
            },
            "move" => {
                let word = rest.split(is_separator).next()?;
                Self::Move(Some(word).filter(|word| !word.is_empty())?.into())
            }
            "hint" => Self::Hint(rest.parse().unwrap_or(1)),
            "go" => Self::Go,
            "ping" => Self::Ping(rest.parse().ok()?),
            "learn" => Self::Learn,
            "analyze" => Self::Analyze,
            "quit" => Self::Quit,
            _ => return None,
        })
    }
}

impl Reply {
    /// Parses a line; `None` when it is not a reply.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let (word, rest) = split_first_word(line);
        let mut words = rest.split_whitespace();
        Some(match word {
            "set" => match split_first_word(rest) {
                ("myname", name) if !name.is_empty() => Self::MyName(name.into()),
                _ => return None,
            },
            "pong" => Self::Pong(rest.parse().ok()?),
            "status" => Self::Status(rest.into()),
            // Engines separate the fields by spaces or slashes.
            "===" => {
                let mut parts = rest.split(is_separator);
                let word = parts.next().filter(|word| !word.is_empty())?;
                Self::Move {
                    word: word.into(),
                    eval: parts.next().and_then(number),
                    time: parts.next().and_then(number),
                }
            }
            "search" => Self::Search {
                pv: words.next()?.into(),
                eval: words.next().and_then(number)?,
                depth: words.nth(1)?.into(),
            },
            "nodestats" => Self::NodeStats {
                nodes: words.next()?.parse().ok()?,
                time: words.next().and_then(number)?,
            },
            "learned" => Self::Learned,
            "analysis" => Self::Analysis {
                moves: words.next()?.parse().ok()?,
                eval: words.next().and_then(number)?,
            },
            _ => return None,
        })
    }
}

/// Splits off the first word of a line.
fn split_first_word(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim_start())
}

/// Whether the character separates a move from its score and time.
fn is_separator(c: char) -> bool {
    c == '/' || c.is_whitespace()
}

/// Parses a number; absurdly large ones are rejected.
fn number(text: &str) -> Option<f64> {
    let number: f64 = text.parse().ok()?;
    (number.abs() < 1e6).then_some(number)
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(version) => write!(f, "nboard {version}"),
            Self::Depth(depth) => write!(f, "set depth {depth}"),
            Self::Game(ggf) => write!(f, "set game {ggf}"),
            Self::Contempt(contempt) => write!(f, "set contempt {contempt}"),
            Self::Move(word) => write!(f, "move {word}"),
            Self::Hint(count) => write!(f, "hint {count}"),
            Self::Go => f.write_str("go"),
            Self::Ping(number) => write!(f, "ping {number}"),
            Self::Learn => f.write_str("learn"),
            Self::Analyze => f.write_str("analyze"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MyName(name) => write!(f, "set myname {name}"),
            Self::Pong(number) => write!(f, "pong {number}"),
            Self::Status(text) => write!(f, "{}", format!("status {text}").trim_end()),
            Self::Move { word, eval, time } => {
                write!(f, "=== {word}")?;
                match (eval, time) {
                    (None, None) => Ok(()),
                    (Some(eval), None) => write!(f, "/{eval:.2}"),
                    (eval, Some(time)) => {
                        let eval = eval.map_or(String::new(), |eval| format!("{eval:.2}"));
                        write!(f, "/{eval}/{time:.2}")
                    }
                }
            }
            Self::Search { pv, eval, depth } => write!(f, "search {pv} {eval:.2} 0 {depth}"),
            Self::NodeStats { nodes, time } => write!(f, "nodestats {nodes} {time:.2}"),
            Self::Learned => f.write_str("learned"),
            Self::Analysis { moves, eval } => write!(f, "analysis {moves} {eval:.2}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_as_nboard_writes_them() {
        for (line, command) in [
            ("nboard 2", Command::Version(2)),
            ("set depth 12", Command::Depth(12)),
            ("set contempt -50", Command::Contempt(-50)),
            (
                "set game (;GM[Othello];)",
                Command::Game("(;GM[Othello];)".into()),
            ),
            ("move F5/1.25/0.3", Command::Move("F5".into())),
            ("hint 4", Command::Hint(4)),
            ("ping 7", Command::Ping(7)),
            ("analyze", Command::Analyze),
        ] {
            assert_eq!(Command::parse(line), Some(command), "{line}");
        }
        for line in ["", "set", "set game", "move", "ping", "ping x", "swim"] {
            assert_eq!(Command::parse(line), None, "{line}");
        }
    }

    #[test]
    fn moves_are_read_with_strokes_and_with_spaces() {
        let told = |eval, time| Reply::Move {
            word: "F5".into(),
            eval,
            time,
        };
        for (line, reply) in [
            ("=== F5", told(None, None)),
            ("=== F5/1.5", told(Some(1.5), None)),
            ("=== F5//0.25", told(None, Some(0.25))),
            ("=== F5 -2.00 0.1", told(Some(-2.0), Some(0.1))),
            ("=== F5/inf/nan", told(None, None)),
        ] {
            assert_eq!(Reply::parse(line), Some(reply), "{line}");
        }
        assert_eq!(Reply::parse("==="), None);
    }
}
