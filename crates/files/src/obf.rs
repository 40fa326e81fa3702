//! OBF, Othello board format: one position per line, 64 squares, the side to move, then optional
//! moves with scores: `…64 characters… X; A2:+38; C7:+36;`.
//!
//! The FFO endgame suite is written in this format.

use papan_catalog::AnyGame;
use papan_othello::{Board, Problem, Square};
use papan_rules::{Comment, Record};
use thiserror::Error;

use crate::format::lines;
use crate::replay::{self, Replay};
use crate::{ParseError, ParseErrorKind, Parsed, Unwritable};

/// An error in a line, with its place.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}, column {column}: {flaw}")]
pub struct ObfError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1.
    pub column: usize,
    /// The error.
    pub flaw: Flaw,
}

/// An error in a position.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Flaw {
    /// A character that is not a square.
    #[error("`{0}` is no square; X is black, O white, - empty")]
    Square(char),
    /// Too few squares before the side to move.
    #[error("{0} squares; a board has 64")]
    Length(usize),
    /// The side to move is missing.
    #[error("no side to move; X or O should follow the 64 squares")]
    NoSide,
    /// An invalid side to move.
    #[error("`{0}` is no side to move; X or O is")]
    Side(String),
    /// The game is over.
    #[error("neither side can move; the game is over with {0:+} for the side named")]
    Over(i32),
    /// An invalid move with score.
    #[error("`{0}` is no move with a score, such as A2:+38")]
    Score(String),
    /// An illegal move.
    #[error("{0} is not a legal move here")]
    Illegal(String),
}

/// Parses all positions of a file. Blank lines and lines that begin with `#` or `%` are skipped.
///
/// # Errors
/// At the first invalid line.
pub fn parse(text: &str) -> Result<Vec<Problem>, ObfError> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with(['#', '%']))
        .map(|(at, line)| parse_line(line, at + 1))
        .collect()
}

/// Parses one position.
///
/// # Errors
/// When the line is not a position, or neither side can move in it.
pub fn parse_line(text: &str, line: usize) -> Result<Problem, ObfError> {
    let error = |column: usize, flaw| ObfError { line, column, flaw };
    let lead = text.len() - text.trim_start().len();
    let mut sides = [0u64; 2];
    let mut count = 0;
    let mut rest = "";
    for (at, c) in text.char_indices().skip_while(|&(at, _)| at < lead) {
        rest = &text[at..];
        if count == 64 || c.is_whitespace() || c == ';' {
            break;
        }
        match c {
            'X' | 'x' | '*' => sides[0] |= 1 << count,
            'O' | 'o' | '0' => sides[1] |= 1 << count,
            '-' | '.' => {}
            other => return Err(error(at + 1, Flaw::Square(other))),
        }
        count += 1;
        rest = &text[at + c.len_utf8()..];
    }
    let here = |rest: &str| text.len() - rest.len() + 1;
    if count != 64 {
        return Err(error(here(rest), Flaw::Length(count)));
    }
    let rest = rest.trim_start();
    let (side, moves) = rest.split_once(';').unwrap_or((rest, ""));
    let black = match side.trim() {
        "X" | "x" | "*" => true,
        "O" | "o" | "0" => false,
        "" => return Err(error(here(rest), Flaw::NoSide)),
        other => return Err(error(here(rest), Flaw::Side(other.to_owned()))),
    };
    let [me, opp] = if black { sides } else { [sides[1], sides[0]] };
    let board = Board::try_new(me, opp).expect("a character is one disc or none");
    if board.is_over() {
        return Err(error(here(rest), Flaw::Over(board.final_score())));
    }
    let mut problem = Problem {
        line,
        board,
        black,
        scores: Vec::new(),
    };
    for part in moves.split(';') {
        let word = part.trim();
        if word.is_empty() || word.starts_with(['#', '%']) {
            continue;
        }
        let column = here(&text[word.as_ptr() as usize - text.as_ptr() as usize..]);
        let known = known_score(word, board).map_err(|flaw| error(column, flaw))?;
        problem.scores.extend(known);
    }
    Ok(problem)
}

/// Parses a move with its score, `A2:+38`, or a pass, `PS:+4`. `None` for unknown scores: `--` in
/// place of a move, or a score that no game ends with, such as -127.
fn known_score(word: &str, board: Board) -> Result<Option<(Option<Square>, i32)>, Flaw> {
    let wrong = || Flaw::Score(word.to_owned());
    let (name, score) = word.split_once(':').ok_or_else(wrong)?;
    let (name, score) = (name.trim(), score.trim());
    let score: i32 = score.parse().map_err(|_| wrong())?;
    let mv = match name.to_ascii_lowercase().as_str() {
        "--" | "-" => return Ok(None),
        "ps" | "pa" | "pass" => None,
        name => Some(name.parse::<Square>().map_err(|_| wrong())?),
    };
    let legal = match mv {
        Some(square) => board.play(square).is_some(),
        None => board.moves().is_empty(),
    };
    if !legal {
        return Err(Flaw::Illegal(name.to_owned()));
    }
    Ok((-64..=64).contains(&score).then_some((mv, score)))
}

/// Parses the positions; the scores of their moves become a comment.
pub(crate) fn read(text: &str) -> impl Iterator<Item = Parsed> {
    let game: AnyGame = "othello".parse().expect("the catalog knows Othello");
    let one = move |(number, line): (usize, &str)| {
        let problem = parse_line(line, number).map_err(|error| {
            ParseError::at((error.line, error.column), ParseErrorKind::Obf(error))
        })?;
        let (squares, side) = squares_and_side(&problem.format());
        let replay = Replay::from_position(&game, &format!("{squares} {side}"));
        let replay = replay.map_err(|cause| ParseError::at((number, 1), cause))?;
        let mut record = replay.finish(None, None);
        let scores = problem.format();
        let scores = scores
            .split_once(';')
            .map_or("", |(_, scores)| scores.trim());
        if !scores.is_empty() {
            record.comments.push(Comment {
                moves: String::new(),
                text: scores.into(),
            });
        }
        Ok(record)
    };
    lines(text).map(one)
}

fn squares_and_side(line: &str) -> (String, String) {
    let mut words = line.split([' ', ';']);
    let mut word = || words.next().unwrap_or("").to_owned();
    (word(), word())
}

/// Formats the last position of a game, with its comment if that is a list of scores.
pub(crate) fn write(record: &Record) -> Result<String, Unwritable> {
    let line = replay::line(record).filter(|line| line.game().name() == "othello");
    let line = line.ok_or_else(|| Unwritable::Game(record.game.clone()))?;
    if line.outcome().is_some() {
        return Err(Unwritable::Over);
    }
    let text = line.position_text();
    let position = format!("{};", text.trim());
    let last = record
        .comments
        .iter()
        .rfind(|comment| comment.moves == record.moves);
    let scored = last.map(|comment| format!("{position} {}", comment.text));
    let known = scored.filter(|line| parse_line(line, 1).is_ok());
    Ok(known.unwrap_or(position) + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO---------------------------";

    fn flaw(text: &str) -> (usize, Flaw) {
        let error = parse_line(text, 1).expect_err("the line is wrong");
        (error.column, error.flaw)
    }

    #[test]
    fn a_position_with_scores_is_read_and_written_alike() {
        let line = format!("{START} X; F5:+0; C4:-2;");
        let problem = parse_line(&line, 1).expect("the line is right");
        assert_eq!(problem.board, Board::START);
        let named: Vec<_> = problem
            .scores
            .iter()
            .map(|(mv, _)| mv.map(Square::index))
            .collect();
        assert_eq!(named, [Some(37), Some(26)]);
        assert_eq!(problem.best_score(), Some(0));
        assert_eq!(problem.format(), line);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        assert_eq!(flaw(&START[1..]), (64, Flaw::Length(63)));
        assert_eq!(flaw(START), (65, Flaw::NoSide));
        assert_eq!(flaw(&format!("{START} Z;")), (66, Flaw::Side("Z".into())));
        assert_eq!(flaw(&START.replace("OX", "?X")), (28, Flaw::Square('?')));
        assert_eq!(
            flaw(&format!("{START} X; A1:+2;")),
            (69, Flaw::Illegal("A1".into()))
        );
        assert_eq!(
            flaw(&format!("{START} X; F5:two;")),
            (69, Flaw::Score("F5:two".into()))
        );
        let over = format!("{} X;", "X".repeat(64));
        assert_eq!(flaw(&over), (66, Flaw::Over(64)));
    }

    #[test]
    fn moves_that_say_nothing_are_left_out() {
        let line = format!("{START} X; F5:+2; --:-127; C4:-127;");
        let problem = parse_line(&line, 1).expect("such lines are in circulation");
        assert_eq!((problem.scores.len(), problem.best_score()), (1, Some(2)));
        // Black cannot move here; White can.
        let blocked = format!("{}XO X; PS:+4;", "-".repeat(62));
        let problem = parse_line(&blocked, 1).expect("a pass may have a score");
        assert_eq!(problem.best_score(), Some(4));
        assert_eq!(
            flaw(&format!("{START} X; PS:+4;")),
            (69, Flaw::Illegal("PS".into()))
        );
    }

    #[test]
    fn blank_and_comment_lines_are_skipped_and_lines_counted() {
        let text = format!("# a comment\n\n{START} O;\n{START}\n");
        let error = parse(&text).expect_err("the last line has no side");
        assert_eq!(error.line, 4);
        assert_eq!(
            error.to_string(),
            "line 4, column 65: no side to move; X or O should follow the 64 squares"
        );
    }
}
