//! NBoard's protocol, version 2: how the Othello program of that name drives engines.
//!
//! It has no words for time: an engine is told how deep to look. Words that a side does
//! not know are skipped. `ping` is answered once everything before it is done, and ends
//! whatever the engine is thinking about.

mod client;
mod server;

pub use client::NBoardClient;
pub use server::serve;

use std::fmt;

use papan_rules::Move;

use crate::notation::ProtocolNotation;

/// What is said to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The protocol's version, the first word of all.
    Version(u32),
    /// Plies to look ahead.
    Depth(u32),
    /// Sets the game, in GGF.
    Game(String),
    /// How much a draw is worth, in hundredths of a disc.
    Contempt(i32),
    /// A move that was made.
    Move(String),
    /// Show what the best so many moves are worth.
    Hint(u32),
    /// Show the move that you would play; it is not made.
    Go,
    /// Answered by [`Reply::Pong`] with the same number, in its turn.
    Ping(u64),
    /// Learn from the game; answered by [`Reply::Learned`].
    Learn,
    /// Go through the game from its end, and say what every position was worth.
    Analyze,
    /// Leave.
    Quit,
}

/// What an engine says.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// What it is called.
    MyName(String),
    /// The answer to `ping`.
    Pong(u64),
    /// What it is doing, for people; nothing in particular when empty.
    Status(String),
    /// The move that it would play.
    Move {
        /// The move.
        word: String,
        /// What it is worth to the mover, in discs.
        eval: Option<f64>,
        /// The seconds it took.
        time: Option<f64>,
    },
    /// What a line of play is worth.
    Search {
        /// The moves, one after another without a gap.
        pv: String,
        /// What it is worth to the mover, in discs.
        eval: f64,
        /// The plies that were looked at, as the engine writes it: `12`, `100%`.
        depth: String,
    },
    /// Nodes and seconds of a search.
    NodeStats {
        /// The nodes.
        nodes: u64,
        /// The seconds.
        time: f64,
    },
    /// It has learned from the game.
    Learned,
    /// What a position of the game is worth.
    Analysis {
        /// The moves made before it, passes among them.
        moves: usize,
        /// What it is worth to Black, in discs.
        eval: f64,
    },
}

/// Whether games on this board can be told.
#[must_use]
pub fn plays(board: &ProtocolNotation) -> bool {
    board.winning_length().is_none() && board.sides().len() == 2
}

/// A move as the protocol writes it, `F5` or `PA`.
pub(crate) fn word(board: &ProtocolNotation, mv: Move) -> String {
    match mv {
        Move::PASS => "PA".into(),
        mv => board.own(mv).to_uppercase(),
    }
}

/// Reads a move; passes are spelt in several ways.
pub(crate) fn read(board: &ProtocolNotation, word: &str) -> Option<Move> {
    match word.to_ascii_lowercase().as_str() {
        "pa" | "ps" | "pass" => Some(Move::PASS),
        word => board.read(word),
    }
}

impl Command {
    /// Reads a line; `None` when it is no command.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let (word, rest) = first_word(line);
        Some(match word {
            "nboard" => Self::Version(rest.parse().ok()?),
            "set" => match first_word(rest) {
                ("depth", rest) => Self::Depth(rest.parse().ok()?),
                ("contempt", rest) => Self::Contempt(rest.parse().ok()?),
                ("game", rest) if !rest.is_empty() => Self::Game(rest.into()),
                _ => return None,
            },
            "move" => {
                let word = rest.split(is_between).next()?;
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
    /// Reads a line; `None` when it is no reply.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let (word, rest) = first_word(line);
        let mut words = rest.split_whitespace();
        Some(match word {
            "set" => match first_word(rest) {
                ("myname", name) if !name.is_empty() => Self::MyName(name.into()),
                _ => return None,
            },
            "pong" => Self::Pong(rest.parse().ok()?),
            "status" => Self::Status(rest.into()),
            // Some write spaces where others write strokes.
            "===" => {
                let mut parts = rest.split(is_between);
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

/// The first word of a line, and the rest of it.
fn first_word(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim_start())
}

/// What stands between a move and what is said of it.
fn is_between(c: char) -> bool {
    c == '/' || c.is_whitespace()
}

/// A number that can be meant: no engine is a million discs ahead.
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
