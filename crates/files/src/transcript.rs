//! Transcripts: lists of moves or positions, one per line.

use papan_catalog::AnyGame;
use papan_rules::{LineError, Record};

use crate::format::lines;
use crate::replay::{self, Replay};
use crate::{ParseError, ParseErrorKind, Parsed, Unwritable};

/// Returns the game of a file that does not name it: the given one, or Othello.
fn board(game: Option<&AnyGame>) -> AnyGame {
    game.cloned()
        .unwrap_or_else(|| "othello".parse().expect("the catalog knows Othello"))
}

/// Parses lists of moves; `#` starts a comment.
pub(crate) fn read<'a>(
    text: &'a str,
    game: Option<&AnyGame>,
) -> impl Iterator<Item = Parsed> + use<'a> {
    let game = board(game);
    let one = move |(number, line): (usize, &str)| {
        let (moves, comment) = line.split_once('#').unwrap_or((line, ""));
        let mut played = game.line();
        played.extend(moves).map_err(|error: LineError| {
            let column = moves[..error.offset].chars().count() + 1;
            ParseError::at((number, column), ParseErrorKind::Move(error))
        })?;
        let mut record = played.record(Default::default());
        if !comment.trim().is_empty() {
            let (moves, text) = (record.moves.clone(), comment.trim().into());
            record.comments.push(papan_rules::Comment { moves, text });
        }
        Ok(record)
    };
    lines(text).map(one)
}

/// Parses positions as papan writes them.
pub(crate) fn read_positions<'a>(
    text: &'a str,
    game: Option<&AnyGame>,
) -> impl Iterator<Item = Parsed> + use<'a> {
    let game = board(game);
    let one = move |(number, line): (usize, &str)| {
        let replay = Replay::from_position(&game, line);
        let replay = replay.map_err(|cause| ParseError::at((number, 1), cause))?;
        Ok(replay.finish(None, None))
    };
    lines(text).map(one)
}

/// Formats the moves of a game.
pub(crate) fn write(record: &Record) -> Result<String, Unwritable> {
    if record.start.is_some() {
        return Err(Unwritable::OwnStart);
    }
    Ok(format!("{}\n", record.moves))
}

/// Formats the last position of a game.
pub(crate) fn write_position(record: &Record) -> Result<String, Unwritable> {
    let line = replay::line(record).ok_or_else(|| Unwritable::Game(record.game.clone()))?;
    Ok(format!("{}\n", line.position_text()))
}
