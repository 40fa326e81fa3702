//! UGI, the Universal Game Interface: UCI for any two-player game.
//!
//! This module holds the messages of both sides. As in UCI, unknown words are skipped.
//!
//! Reference: kz04px, <https://github.com/kz04px/cutegames/blob/master/ugi.md>.

mod client;
mod search_handler;
mod server;

pub use client::UgiClient;
pub use server::serve;

use std::fmt;
use std::time::Duration;

/// A pass in the notation of most engines; papan writes `pass` and parses both.
const NULL_MOVE: &str = "0000";
/// Score of a forced win, less the distance to it.
const MATE: i32 = 30_000;

/// A command from the controller to the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Starts the handshake; answered by [`Reply::Id`], [`Reply::Option`] and [`Reply::Ok`].
    Ugi,
    /// Answered by [`Reply::Ready`] as soon as possible.
    IsReady,
    /// Sets an option.
    SetOption {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
    /// A new game begins.
    NewGame,
    /// Sets the position.
    Position {
        /// The initial position; `None` for the start of the game.
        start: Option<String>,
        /// The moves from it.
        moves: Vec<String>,
    },
    /// Starts a search.
    Go(Go),
    /// Ends the search and asks for its result.
    Stop,
    /// The opponent played the expected move: pondering becomes a normal search.
    PonderHit,
    /// Asks about the position.
    Query(Query),
    /// Ends the engine.
    Quit,
}

/// Limits of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Remaining time of both players.
    pub clocks: [Option<Duration>; 2],
    /// Increments of both players.
    pub increments: [Duration; 2],
    /// Time for this move.
    pub time: Option<Duration>,
    /// Maximum depth in plies.
    pub depth: Option<u32>,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time until `ponderhit` or `stop`.
    pub ponder: bool,
}

/// A query about the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Is the game over? `true` or `false`.
    GameOver,
    /// Is it the first player's turn? `true` or `false`.
    P1Turn,
    /// The result: `p1win`, `p2win`, `draw` or `none`.
    Result,
}

/// A reply from the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Identification.
    Id {
        /// `name` or `author`.
        key: String,
        /// The value.
        value: String,
    },
    /// An option of the engine.
    Option {
        /// Its name.
        name: String,
        /// Its type and its default, not parsed.
        rest: String,
    },
    /// The end of the handshake (`ugiok`).
    Ok,
    /// The answer to `isready`.
    Ready,
    /// Information about the search, not parsed.
    Info(String),
    /// The result of the search.
    BestMove {
        /// The move.
        word: String,
        /// The expected reply, to ponder on.
        ponder: Option<String>,
    },
    /// The answer to a query.
    Response(String),
}

impl Command {
    /// Parses a line; `None` when it is not a command.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        Some(match words.next()? {
            "ugi" => Self::Ugi,
            "isready" => Self::IsReady,
            "uginewgame" => Self::NewGame,
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "quit" => Self::Quit,
            "setoption" => {
                let rest: Vec<&str> = words.collect();
                let value = rest.iter().position(|&word| word == "value");
                let value = value.unwrap_or(rest.len());
                let name = rest[..value].strip_prefix(&["name"])?.join(" ");
                let value = rest.get(value + 1..).unwrap_or_default().join(" ");
                Self::SetOption { name, value }
            }
            "position" => {
                let rest: Vec<&str> = words.collect();
                let moves = rest.iter().position(|&word| word == "moves");
                let (from, moves) = rest.split_at(moves.unwrap_or(rest.len()));
                let start = match from {
                    ["startpos"] => None,
                    ["fen", fen @ ..] if !fen.is_empty() => Some(fen.join(" ")),
                    _ => return None,
                };
                let moves = moves.iter().skip(1).map(|&word| word.into()).collect();
                Self::Position { start, moves }
            }
            "go" => Self::Go(Go::parse(words)),
            "query" => Self::Query(match words.next()? {
                "gameover" => Query::GameOver,
                "p1turn" => Query::P1Turn,
                "result" => Query::Result,
                _ => return None,
            }),
            _ => return None,
        })
    }
}

impl Go {
    fn parse<'a>(mut words: impl Iterator<Item = &'a str>) -> Self {
        let mut go = Self::default();
        while let Some(key) = words.next() {
            // All other keywords are followed by a number.
            match key {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                _ => go.set(key, words.next()),
            }
        }
        go
    }

    fn set(&mut self, key: &str, word: Option<&str>) {
        let Some(number) = word.and_then(|word| word.parse::<i64>().ok()) else {
            return;
        };
        // A clock may be negative.
        let number = number.max(0).unsigned_abs();
        let time = Duration::from_millis(number);
        match key {
            "p1time" => self.clocks[0] = Some(time),
            "p2time" => self.clocks[1] = Some(time),
            "p1inc" => self.increments[0] = time,
            "p2inc" => self.increments[1] = time,
            "movetime" => self.time = Some(time),
            "depth" => self.depth = Some(number.try_into().unwrap_or(u32::MAX)),
            "nodes" => self.nodes = Some(number),
            _ => {}
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ugi => f.write_str("ugi"),
            Self::IsReady => f.write_str("isready"),
            Self::SetOption { name, value } => write!(f, "setoption name {name} value {value}"),
            Self::NewGame => f.write_str("uginewgame"),
            Self::Position { start, moves } => {
                match start {
                    None => f.write_str("position startpos")?,
                    Some(start) => write!(f, "position fen {start}")?,
                }
                if !moves.is_empty() {
                    write!(f, " moves {}", moves.join(" "))?;
                }
                Ok(())
            }
            Self::Go(go) => go.fmt(f),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Query(Query::GameOver) => f.write_str("query gameover"),
            Self::Query(Query::P1Turn) => f.write_str("query p1turn"),
            Self::Query(Query::Result) => f.write_str("query result"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        for (clock, key) in std::iter::zip(self.clocks, ["p1time", "p2time"]) {
            if let Some(clock) = clock {
                write!(f, " {key} {}", clock.as_millis())?;
            }
        }
        // Some engines parse them by position, so both are always present.
        if self.clocks.iter().any(Option::is_some) {
            for (increment, key) in std::iter::zip(self.increments, ["p1inc", "p2inc"]) {
                write!(f, " {key} {}", increment.as_millis())?;
            }
        }
        if let Some(time) = self.time {
            write!(f, " movetime {}", time.as_millis())?;
        }
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        Ok(())
    }
}

impl Reply {
    /// Parses a line; `None` when it is not a reply.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        Some(match word {
            "id" => {
                let (key, value) = rest.split_once(' ')?;
                Self::Id {
                    key: key.into(),
                    value: value.into(),
                }
            }
            "option" => {
                let rest = rest.strip_prefix("name ")?;
                let (name, rest) = rest.split_once(" type ").unwrap_or((rest, ""));
                Self::Option {
                    name: name.into(),
                    rest: rest.into(),
                }
            }
            "ugiok" => Self::Ok,
            "readyok" => Self::Ready,
            "info" => Self::Info(rest.into()),
            "bestmove" => {
                let mut words = rest.split_whitespace();
                let word = words.next()?.into();
                let ponder = words.next().filter(|&key| key == "ponder");
                let ponder = ponder.and(words.next()).map(Into::into);
                Self::BestMove { word, ponder }
            }
            "response" => Self::Response(rest.into()),
            _ => return None,
        })
    }

    /// The number of nodes in a [`Reply::Info`].
    #[must_use]
    pub fn nodes(&self) -> Option<u64> {
        let Self::Info(info) = self else { return None };
        let mut words = info.split_whitespace().skip_while(|&word| word != "nodes");
        words.nth(1)?.parse().ok()
    }

    /// The score in a [`Reply::Info`]: the first number after `score`, with or without a word
    /// such as `cp` between them. `mate N` becomes a score beyond all others.
    #[must_use]
    pub fn score(&self) -> Option<i32> {
        let Self::Info(info) = self else { return None };
        let words = info.split_whitespace().skip_while(|&word| word != "score");
        let words: Vec<&str> = words.skip(1).take(2).collect();
        let number: i32 = words.iter().find_map(|word| word.parse().ok())?;
        Some(match words[0] {
            "mate" if number > 0 => MATE - number.min(MATE / 2),
            "mate" => -MATE - number.max(-MATE / 2),
            _ => number,
        })
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id { key, value } => write!(f, "id {key} {value}"),
            Self::Option { name, rest } if rest.is_empty() => write!(f, "option name {name}"),
            Self::Option { name, rest } => write!(f, "option name {name} type {rest}"),
            Self::Ok => f.write_str("ugiok"),
            Self::Ready => f.write_str("readyok"),
            Self::Info(info) => write!(f, "info {info}"),
            Self::BestMove { word, ponder } => {
                write!(f, "bestmove {word}")?;
                match ponder {
                    Some(ponder) => write!(f, " ponder {ponder}"),
                    None => Ok(()),
                }
            }
            Self::Response(text) => write!(f, "response {text}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_round_trip() {
        for line in [
            "ugi",
            "isready",
            "setoption name Own Book value true",
            "uginewgame",
            "position startpos",
            "position startpos moves f5 d6",
            "position fen X-O------ X moves 5",
            "go p1time 1000 p2time 900 p1inc 10 p2inc 10",
            "go movetime 50 depth 4 nodes 1000",
            "go infinite",
            "go ponder p1time 1000 p2time 900 p1inc 0 p2inc 0",
            "ponderhit",
            "stop",
            "query gameover",
            "query p1turn",
            "query result",
            "quit",
        ] {
            assert_eq!(Command::parse(line).unwrap().to_string(), line);
        }
        for line in [
            "",
            "position",
            "position fen",
            "go_on",
            "query",
            "setoption value 3",
        ] {
            assert_eq!(Command::parse(line), None, "{line}");
        }
        let go = Command::parse("go p1time -5 nodes x depth 9 winc 3");
        let expected = Go {
            clocks: [Some(Duration::ZERO), None],
            depth: Some(9),
            ..Go::default()
        };
        assert_eq!(go, Some(Command::Go(expected)));
    }

    #[test]
    fn replies_round_trip() {
        for line in [
            "id name papan 0.1",
            "option name Seed type spin default 0",
            "ugiok",
            "readyok",
            "info depth 3 nodes 512 pv 5 1",
            "bestmove f5",
            "bestmove f5 ponder d6",
            "response true",
        ] {
            assert_eq!(Reply::parse(line).unwrap().to_string(), line);
        }
        assert_eq!(
            Reply::parse("info depth 3 nodes 512").unwrap().nodes(),
            Some(512)
        );
        let score = |line| Reply::parse(line).unwrap().score();
        assert_eq!(score("info depth 1 score cp -107 time 0"), Some(-107));
        assert_eq!(score("info score 12 nodes 5"), Some(12));
        assert_eq!(score("info score lowerbound 3"), Some(3));
        assert_eq!(score("info score mate 3"), Some(29_997));
        assert_eq!(score("info score mate -2 nodes 5"), Some(-29_998));
        assert_eq!(score("info string no score"), None);
        for line in ["", "bestmove", "Segmentation fault", "id"] {
            assert_eq!(Reply::parse(line), None, "{line}");
        }
    }
}
