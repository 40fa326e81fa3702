//! A played game as text.
//!
//! ```text
//! papan record 1
//! game: tictactoe
//! first: human
//! second: greedy
//! moves: 5 1 9
//! result: unfinished
//! ```
//!
//! `start:` may give a position to start from, and a result may say in
//! parentheses why the game ended before the rules ended it: `first (time)`.

use std::fmt;

use crate::{Described, Line, LineError, LineErrorCause, Notation, Outcome, Player, PositionError};

/// The first line of every record.
const HEADER: &str = "papan record 1";

/// A played game: names and moves as text, so that it can be read before the
/// game it belongs to is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The game's name.
    pub game: String,
    /// Who played, first and second.
    pub players: [String; 2],
    /// The position that play started from, if it is not the game's own.
    pub start: Option<String>,
    /// The moves, in the game's notation.
    pub moves: String,
    /// How it ended.
    pub result: RecordResult,
    /// Why it ended, when it was not by the rules: `time`, `resigned`.
    pub reason: Option<String>,
    places: Places,
}

/// Where in the text a record's parts stand, for errors. Two records are equal
/// wherever they were written.
#[derive(Clone, Copy, Debug, Default)]
struct Places {
    start: (usize, usize),
    moves: (usize, usize),
    result: (usize, usize),
}

impl PartialEq for Places {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
impl Eq for Places {}

/// How a recorded game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordResult {
    /// It did not.
    Unfinished,
    /// So.
    Finished(Outcome),
}

impl fmt::Display for RecordResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfinished => f.write_str("unfinished"),
            Self::Finished(Outcome::Draw) => f.write_str("draw"),
            Self::Finished(Outcome::Win(player)) => player.fmt(f),
        }
    }
}

/// A record that cannot be read: where, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct RecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1.
    pub column: usize,
    /// What was wrong and what would be right.
    pub problem: RecordProblem,
}

impl RecordError {
    fn at((line, column): (usize, usize), problem: RecordProblem) -> Self {
        Self {
            line,
            column,
            problem,
        }
    }
}

/// What can be wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordProblem {
    /// It does not begin as a record does.
    #[error("a record begins with `{HEADER}`")]
    NoHeader,
    /// It is a file of papan's, but of another kind.
    #[error("this is a `{0}` file, not a record; a record begins with `{HEADER}`")]
    OtherKind(String),
    /// A later papan wrote it.
    #[error("this is a record of version {0}; this papan reads version 1")]
    Version(String),
    /// A line without one of the known names before its colon.
    #[error("expected one of `{}:`", KEYS.join(":`, `"))]
    UnknownField,
    /// A field a second time.
    #[error("`{0}:` stands here a second time")]
    Twice(&'static str),
    /// A field that has to be there.
    #[error("`{0}:` is missing")]
    Missing(&'static str),
    /// A reason without its parentheses.
    #[error("the reason needs `(` and `)` around it")]
    OpenReason,
    /// No result has that name.
    #[error("`{0}` is no result; write first, second, draw or unfinished")]
    NoResult(String),
    /// It starts from no position.
    #[error(transparent)]
    Start(PositionError),
    /// A move is wrong.
    #[error("move `{word}`: {cause}")]
    Move {
        /// The move.
        word: String,
        /// What is wrong with it.
        cause: LineErrorCause,
    },
    /// The moves lead elsewhere.
    #[error("the moves lead to `{right}`, not to `{told}`")]
    OtherResult {
        /// The result by the rules.
        right: RecordResult,
        /// The result in the record.
        told: RecordResult,
    },
}

/// The fields of a record.
const KEYS: [&str; 6] = ["game", "first", "second", "start", "moves", "result"];

impl Record {
    /// The record of a line of play. Without a result of its own, the rules decide.
    pub fn of<G: Described>(game: &G, line: &Line<G>, players: [String; 2]) -> Self {
        let start = (*line.start() != game.start()).then(|| game.format_position(line.start()));
        Self {
            game: game.name(),
            players: players.map(|name| name.replace(['\n', '\r'], " ")),
            start,
            moves: line.text(game),
            result: game
                .outcome(line.position())
                .map_or(RecordResult::Unfinished, RecordResult::Finished),
            reason: None,
            places: Places::default(),
        }
    }

    /// Reads a record.
    ///
    /// # Errors
    /// With line and column, when the text is no record.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = text.lines().enumerate();
        let header = lines.next().map_or("", |(_, line)| line.trim());
        check_header(header)?;
        let mut fields: [Option<(String, (usize, usize))>; 6] = Default::default();
        for (index, line) in lines {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let number = index + 1;
            let expected = || RecordError::at((number, 1), RecordProblem::UnknownField);
            let (key, value) = line.split_once(':').ok_or_else(expected)?;
            let place = KEYS.iter().position(|k| *k == key.trim());
            let place = place.ok_or_else(expected)?;
            let field = &mut fields[place];
            if field.is_some() {
                let problem = RecordProblem::Twice(KEYS[place]);
                return Err(RecordError::at((number, 1), problem));
            }
            let spaces = value.chars().take_while(|c| c.is_whitespace()).count();
            let column = line.chars().take_while(|c| *c != ':').count() + 2 + spaces;
            *field = Some((value.trim().into(), (number, column)));
        }
        let after = (text.lines().count() + 1, 1);
        let [game, first, second, start, moves, result] = fields;
        let need = |field: Option<(String, (usize, usize))>, key: &'static str| {
            field.ok_or_else(|| RecordError::at(after, RecordProblem::Missing(key)))
        };
        let (moves, moves_at) = need(moves, "moves")?;
        let (result, result_at) = need(result, "result")?;
        let (result, reason) = parse_result(&result, result_at)?;
        Ok(Self {
            game: need(game, "game")?.0,
            players: [need(first, "first")?.0, need(second, "second")?.0],
            places: Places {
                start: start.as_ref().map_or((0, 0), |(_, at)| *at),
                moves: moves_at,
                result: result_at,
            },
            start: start.map(|(text, _)| text),
            moves,
            result,
            reason,
        })
    }

    /// The line of play that the record tells.
    ///
    /// # Errors
    /// With line and column, when a move is wrong or the result is not the one
    /// that the moves lead to.
    pub fn line<G: Notation>(&self, game: &G) -> Result<Line<G>, RecordError> {
        let mut line = match &self.start {
            None => Line::new(game),
            Some(text) => Line::from_position(game.parse_position(text).map_err(|error| {
                RecordError::at(self.places.start, RecordProblem::Start(error))
            })?),
        };
        line.extend(game, &self.moves).map_err(|error: LineError| {
            let (number, column) = self.places.moves;
            let before = self.moves[..error.offset].chars().count();
            let problem = RecordProblem::Move {
                word: error.word,
                cause: error.cause,
            };
            RecordError::at((number, column + before), problem)
        })?;
        let by_rules = game.outcome(line.position());
        let told = match self.result {
            RecordResult::Unfinished => None,
            RecordResult::Finished(outcome) => Some(outcome),
        };
        if told != by_rules && (by_rules.is_some() || self.reason.is_none()) {
            let right = by_rules.map_or(RecordResult::Unfinished, RecordResult::Finished);
            let told = self.result;
            let problem = RecordProblem::OtherResult { right, told };
            return Err(RecordError::at(self.places.result, problem));
        }
        Ok(line)
    }
}

fn check_header(header: &str) -> Result<(), RecordError> {
    if header == HEADER {
        return Ok(());
    }
    let problem = match header.strip_prefix("papan record ") {
        Some(version) if version.bytes().all(|b| b.is_ascii_digit()) => {
            RecordProblem::Version(version.into())
        }
        _ if header.starts_with("papan ") => RecordProblem::OtherKind(header.into()),
        _ => RecordProblem::NoHeader,
    };
    Err(RecordError::at((1, 1), problem))
}

fn parse_result(
    text: &str,
    place: (usize, usize),
) -> Result<(RecordResult, Option<String>), RecordError> {
    let (word, reason) = match text.split_once('(') {
        None => (text, None),
        Some((word, rest)) => match rest.strip_suffix(')') {
            Some(reason) if !reason.trim().is_empty() => (word, Some(reason.trim().to_owned())),
            _ => {
                return Err(RecordError::at(place, RecordProblem::OpenReason));
            }
        },
    };
    let result = match word.trim() {
        "first" => RecordResult::Finished(Outcome::Win(Player::First)),
        "second" => RecordResult::Finished(Outcome::Win(Player::Second)),
        "draw" => RecordResult::Finished(Outcome::Draw),
        "unfinished" => RecordResult::Unfinished,
        other => {
            let problem = RecordProblem::NoResult(other.into());
            return Err(RecordError::at(place, problem));
        }
    };
    Ok((result, reason))
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}")?;
        writeln!(f, "game: {}", self.game)?;
        writeln!(f, "first: {}", self.players[0])?;
        writeln!(f, "second: {}", self.players[1])?;
        if let Some(start) = &self.start {
            writeln!(f, "start: {start}")?;
        }
        writeln!(f, "moves: {}", self.moves)?;
        write!(f, "result: {}", self.result)?;
        match &self.reason {
            Some(reason) => writeln!(f, " ({reason})"),
            None => writeln!(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Othello, tictactoe};

    fn error(text: &str) -> RecordError {
        Record::parse(text)
            .and_then(|record| record.line(&tictactoe()).map(drop))
            .unwrap_err()
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let game = Othello::default();
        let line = Line::parse(&game, "f5d6c3").unwrap();
        let record = Record::of(&game, &line, ["human".into(), "engine".into()]);
        assert!(record.to_string().contains("moves: f5d6c3\n"));
        let read = Record::parse(&record.to_string()).unwrap();
        assert_eq!(read, record);
        assert_eq!(read.line(&game).unwrap().moves(), line.moves());
    }

    #[test]
    fn a_broken_record_is_refused_with_line_and_column() {
        let good = "papan record 1\ngame: tictactoe\nfirst: a\nsecond: b\nmoves: 1 4 2 5 3\nresult: first\n";
        assert!(Record::parse(good).unwrap().line(&tictactoe()).is_ok());
        let place = |text: &str| {
            let e = error(text);
            (e.line, e.column)
        };
        assert_eq!(place(""), (1, 1));
        assert_eq!(place(&good.replace("record 1", "record 2")), (1, 1));
        assert_eq!(place(&good.replace("5 3", "5 5")), (5, 16));
        assert_eq!(
            place(&good.replace("result: first", "result: draw")),
            (6, 9)
        );
        assert_eq!(place(&good.replace("first: a", "furst: a")), (3, 1));
        assert_eq!(place(&good.replace("first: a\n", "")), (6, 1));
        let newer = error(&good.replace("record 1", "record 9"));
        assert!(newer.to_string().contains("version 9"));
    }

    #[test]
    fn a_lost_clock_may_end_a_game_before_the_rules_do() {
        let text = "papan record 1\ngame: tictactoe\nfirst: a\nsecond: b\nmoves: 1\nresult: first (time)\n";
        let record = Record::parse(text).unwrap();
        assert_eq!(record.reason.as_deref(), Some("time"));
        assert!(record.line(&tictactoe()).is_ok());
        assert_eq!(record.to_string(), text);
    }
}
