//! Openings: from a file, or random balanced positions.

mod gomocup;
mod random;
mod reach;

pub use gomocup::parse_gomocup;
pub use random::{random, random_any, random_judged};

use std::sync::Arc;

use papan_catalog::{AnyGame, Family, GameVisitor};
use papan_rules::{Line, LineError, Move, Record, RecordError};

/// The moves that a game starts with.
pub type Opening = Vec<Move>;

/// Why a game cannot give an opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningRecordError {
    /// It is a game of something else.
    #[error("it is one of {found}, not of {wanted}")]
    OtherGame {
        /// Its game.
        found: String,
        /// The game of the tournament.
        wanted: String,
    },
    /// It has a start position, and engines need moves.
    #[error("papan found no moves that lead to the position where it starts")]
    OwnStart,
    /// Its moves are wrong.
    #[error(transparent)]
    Record(RecordError),
}

/// An opening that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// A move is wrong.
    #[error("opening in line {number}, `{text}`: {cause}")]
    Illegal {
        /// The line, counted from 1.
        number: usize,
        /// The line's text.
        text: String,
        /// Which move, and why.
        cause: LineError,
    },
    /// Nothing is left to play.
    #[error("opening in line {number}, `{text}`: the game is over after it")]
    Over {
        /// The line, counted from 1.
        number: usize,
        /// The line's text.
        text: String,
    },
    /// A line is no list of offsets, or leaves the board.
    #[error(
        "opening in line {number}, `{text}`: write columns and rows from the middle of the board, 8,-3, 6,-4, each free and on the board"
    )]
    Offsets {
        /// The line, counted from 1.
        number: usize,
        /// The line's text.
        text: String,
    },
    /// It is a game of something else, or from a position of its own.
    #[error("game {number} is no opening here: {why}")]
    Record {
        /// The game in the file, counted from 1.
        number: usize,
        /// The error.
        why: OpeningRecordError,
    },
    /// There is no opening.
    #[error("there is no opening in it; write one list of moves per line")]
    None,
}

/// Parses openings: one list of moves per line; `#` starts a comment.
///
/// # Errors
/// When a list is illegal or ends the game, or there is none.
pub fn parse<G: Family>(game: &G, text: &str) -> Result<Vec<Opening>, OpeningError> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let moves = line.split('#').next().unwrap_or("").trim();
        if moves.is_empty() {
            continue;
        }
        let (number, text) = (index + 1, moves.to_owned());
        match Line::parse(game, moves) {
            Err(cause) => {
                return Err(OpeningError::Illegal {
                    number,
                    text,
                    cause,
                });
            }
            Ok(line) if game.outcome(line.position()).is_some() => {
                return Err(OpeningError::Over { number, text });
            }
            Ok(line) => openings.push(line.moves().to_vec()),
        }
    }
    if openings.is_empty() {
        return Err(OpeningError::None);
    }
    Ok(openings)
}

/// [`parse`] for a game of any type.
///
/// # Errors
/// As [`parse`].
pub fn parse_any(game: &AnyGame, text: &str) -> Result<Vec<Opening>, OpeningError> {
    struct Parse<'a>(&'a str);
    impl GameVisitor for Parse<'_> {
        type Output = Result<Vec<Opening>, OpeningError>;
        fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
            parse(&**game, self.0)
        }
    }
    game.visit(Parse(text))
}

/// Returns the first moves of games, as many plies of each as requested and possible. Games with
/// equal beginnings are one opening. For a position, moves that lead to it are searched, because
/// engines need moves.
///
/// # Errors
/// When a game has another board, or no moves to its start position are found.
pub fn from_records(
    game: &AnyGame,
    records: &[Record],
    plies: usize,
) -> Result<Vec<Opening>, OpeningError> {
    let mut openings: Vec<Opening> = Vec::new();
    for (index, record) in records.iter().enumerate() {
        let wrong = |why| OpeningError::Record {
            number: index + 1,
            why,
        };
        if record.game != game.name() {
            return Err(wrong(OpeningRecordError::OtherGame {
                found: record.game.clone(),
                wanted: game.name(),
            }));
        }
        let played = game.line_of(record);
        let played = played.map_err(|error| wrong(OpeningRecordError::Record(error)))?;
        let line = match record.start {
            None => Some(played),
            Some(_) => reach::line_through(&*played),
        };
        let mut line = line.ok_or_else(|| wrong(OpeningRecordError::OwnStart))?;
        // A position is a complete opening.
        let plies = match record.start {
            None => plies,
            Some(_) => usize::MAX,
        };
        while line.moves().len() > plies || line.outcome().is_some() {
            line.undo();
        }
        let opening = line.moves().to_vec();
        if !openings.contains(&opening) {
            openings.push(opening);
        }
    }
    if openings.is_empty() {
        Err(OpeningError::None)
    } else {
        Ok(openings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::tictactoe;

    #[test]
    fn a_file_holds_one_opening_per_line() {
        let openings = parse(&tictactoe(), "# mine\n5 1\n\n1, 9 # corners\n").unwrap();
        let cells = |opening: &Opening| -> Vec<usize> {
            opening.iter().map(|mv| mv.cell().unwrap() + 1).collect()
        };
        assert_eq!(cells(&openings[0]), [5, 1]);
        assert_eq!(cells(&openings[1]), [1, 9]);
    }

    #[test]
    fn an_impossible_opening_is_named_with_its_line() {
        let game = tictactoe();
        let error = parse(&game, "5 1\n5 5").unwrap_err().to_string();
        assert!(
            error.starts_with("opening in line 2, `5 5`: move `5` at column 3"),
            "{error}"
        );
        let error = parse(&game, "1 4 2 5 3").unwrap_err();
        assert!(matches!(error, OpeningError::Over { number: 1, .. }));
        assert_eq!(parse(&game, "# nothing\n"), Err(OpeningError::None));
    }

    #[test]
    fn whole_games_give_their_first_moves() {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let record = |moves: &str| {
            let text = format!(
                "papan record 1\ngame: tictactoe\nfirst: a\nsecond: b\nmoves: {moves}\nresult: unfinished\n"
            );
            Record::parse(&text).unwrap()
        };
        let records = [record("5 1 9 2"), record("5 1 3"), record("1 2")];
        let openings = from_records(&game, &records, 2).unwrap();
        assert_eq!(openings.len(), 2, "two begin alike");
        assert_eq!(openings[1], [Move::on(0), Move::on(1)]);
        let other: AnyGame = "tictactoe:4x4".parse().unwrap();
        let error = from_records(&other, &records, 2).unwrap_err().to_string();
        assert!(
            error.contains("game 1 is no opening here: it is one of tictactoe"),
            "{error}"
        );
    }
}
