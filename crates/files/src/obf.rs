//! Othello positions with the scores of their moves; the engine's own reader does the work.

use papan_catalog::AnyGame;
use papan_othello::obf;
use papan_rules::{Comment, Record};

use crate::format::lines;
use crate::replay::{self, Replay};
use crate::{Fault, FaultCause, Unwritable};

/// Reads the positions; the scores of their moves become a comment.
pub(crate) fn read(text: &str) -> Vec<Result<Record, Fault>> {
    let game: AnyGame = "othello".parse().expect("the catalog knows Othello");
    let one = |(number, line): (usize, &str)| {
        let problem = obf::parse_line(line, number)
            .map_err(|error| Fault::at((error.line, error.column), FaultCause::Obf(error)))?;
        let (squares, side) = squares_and_side(&problem.format());
        let replay = Replay::from_position(&game, &format!("{squares} {side}"));
        let replay = replay.map_err(|cause| Fault::at((number, 1), cause))?;
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
    lines(text).map(one).collect()
}

fn squares_and_side(line: &str) -> (String, String) {
    let mut words = line.split([' ', ';']);
    let mut word = || words.next().unwrap_or("").to_owned();
    (word(), word())
}

/// Where a game stands, with what was said of its last position where that is a list of scores.
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
    let known = scored.filter(|line| obf::parse_line(line, 1).is_ok());
    Ok(known.unwrap_or(position) + "\n")
}
