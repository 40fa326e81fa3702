//! Game records: papan's own text format.
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
//! `start:` may give a start position, and a result may state in parentheses why the game ended
//! early: `first (time)`.
//!
//! Version 2 adds `date:`, `event:`, `clock:` (`5m+3s`), `times:` (milliseconds, one for each
//! move), and any number of `variation:` (a complete list of moves from the start) and `comment:`
//! (the moves that lead to a position, `=`, and the text).
//!
//! Version 3 adds `opening:`, a swap opening with the choices made (`swap2 two black`).

mod error;
mod text;

use std::fmt;

use crate::{GameInfo, Line, LineError, Notation, Outcome, SwapOpening};

pub use error::{RecordError, RecordProblem};

/// A played game: names and moves as text, so that it can be parsed before the game it belongs to
/// is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The game's name.
    pub game: String,
    /// The players, first and second.
    pub players: [String; 2],
    /// The start position, if it is not the game's own.
    pub start: Option<String>,
    /// The swap opening, if the game began with one. The players are those after it, Black first.
    pub opening: Option<SwapOpening>,
    /// The moves, in the game's notation.
    pub moves: String,
    /// The result.
    pub result: RecordResult,
    /// Why it ended, if not by the rules: `time`, `resigned`.
    pub reason: Option<String>,
    /// The date, as written in the file.
    pub date: Option<String>,
    /// The event, such as a tournament.
    pub event: Option<String>,
    /// The clock, such as `5m+3s`.
    pub clock: Option<String>,
    /// Milliseconds used for each move; empty if unknown.
    pub times: Vec<u64>,
    /// Other lines of play from the same start, each complete.
    pub variations: Vec<String>,
    /// Comments on positions.
    pub comments: Vec<Comment>,
    places: Places,
}

/// A comment on a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The moves from the start to the position, in the game's notation.
    pub moves: String,
    /// The text.
    pub text: String,
}

/// Places of the parts in the text, for errors. Equality of records ignores them.
#[derive(Clone, Copy, Debug, Default)]
struct Places {
    start: (usize, usize),
    opening: (usize, usize),
    moves: (usize, usize),
    result: (usize, usize),
}

impl PartialEq for Places {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
impl Eq for Places {}

/// The result of a recorded game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordResult {
    /// The game was not finished.
    Unfinished,
    /// The game was finished.
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

impl Record {
    /// Returns the record of a game without moves.
    #[must_use]
    pub fn blank(game: impl Into<String>) -> Self {
        Self {
            game: game.into(),
            players: Default::default(),
            start: None,
            opening: None,
            moves: String::new(),
            result: RecordResult::Unfinished,
            reason: None,
            date: None,
            event: None,
            clock: None,
            times: Vec::new(),
            variations: Vec::new(),
            comments: Vec::new(),
            places: Places::default(),
        }
    }

    /// Returns whether the record needs version 2.
    fn says_more(&self) -> bool {
        let told = [&self.date, &self.event, &self.clock];
        told.iter().any(|value| value.is_some())
            || !(self.times.is_empty() && self.variations.is_empty() && self.comments.is_empty())
    }

    /// Returns the record of a line of play. The rules determine the result.
    pub fn of<G: GameInfo>(game: &G, line: &Line<G>, players: [String; 2]) -> Self {
        let start = (*line.start() != game.start()).then(|| game.format_position(line.start()));
        Self {
            players: players.map(|name| name.replace(['\n', '\r'], " ")),
            start,
            moves: line.text(game),
            result: game
                .outcome(line.position())
                .map_or(RecordResult::Unfinished, RecordResult::Finished),
            ..Self::blank(game.name())
        }
    }

    /// Replays the record.
    ///
    /// # Errors
    /// With line and column, when a move is invalid or the moves lead to another result.
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
        if let Some(opening) = self.opening {
            let plies = line.moves().len();
            opening.check(plies).map_err(|error| {
                RecordError::at(self.places.opening, RecordProblem::Opening(error))
            })?;
        }
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
        assert_eq!(place(&good.replace("record 1", "record 4")), (1, 1));
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

    #[test]
    fn a_swap_opening_survives_writing_and_reading_and_has_to_fit_the_moves() {
        let text = "papan record 3\ngame: tictactoe:4x4\nfirst: a\nsecond: b\n\
                    opening: swap2 black\nmoves: 1 2 3 5\nresult: unfinished\n";
        let record = Record::parse(text).unwrap();
        assert_eq!(record.to_string(), text);
        let game = crate::Grid::<u64>::new(&[4, 4], 4).unwrap();
        assert!(record.line(&game).is_ok());
        let place = |text: &str| {
            let read = Record::parse(text).and_then(|record| record.line(&game).map(drop));
            read.map_err(|e| (e.line, e.column))
        };
        assert_eq!(place(&text.replace(" black", " red")), Err((5, 10)));
        assert_eq!(place(&text.replace(" black", " two black")), Err((5, 10)));
    }

    #[test]
    fn variations_comments_and_times_survive_writing_and_reading() {
        let game = tictactoe();
        let line = Line::parse(&game, "5 1 9").unwrap();
        let mut record = Record::of(&game, &line, ["a".into(), "b".into()]);
        assert!(record.to_string().starts_with("papan record 1\n"));
        record.date = Some("2003.12.15".into());
        record.clock = Some("5m+3s".into());
        record.times = vec![1200, 0, 30];
        record.variations = vec!["5 2 1".into()];
        record.comments = vec![Comment {
            moves: "5 1".into(),
            text: "a corner = safe\nC:\\new is no line break".into(),
        }];
        let text = record.to_string();
        assert!(text.starts_with("papan record 2\n"), "{text}");
        assert_eq!(Record::parse(&text).unwrap(), record);
    }
}
