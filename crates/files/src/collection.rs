//! Collections: the games of a file of any format.

use std::borrow::Borrow;

use papan_catalog::AnyGame;
use papan_rules::{Record, RecordProblem};

use crate::{
    FileError, Format, ParseError, ParseErrorKind, ggf, obf, psq, replay, sgf, sgf_writing,
    transcript, wthor,
};

/// A game of a file, replayed and legal, or why it could not be parsed.
pub type Parsed = Result<Record, ParseError>;

/// The contents of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Collection {
    /// The format.
    pub format: Format,
    /// The games and positions, each replayed and legal.
    pub records: Vec<Record>,
    /// The games that could not be parsed.
    pub faults: Vec<ParseError>,
}

/// Parses a file. `game` is the board of formats that do not name it (lists of moves and
/// positions); the default is Othello.
///
/// # Errors
/// When the file is neither text nor a database, or empty. Errors in single games are in
/// [`Collection::faults`].
pub fn read(bytes: &[u8], game: Option<&AnyGame>) -> Result<Collection, FileError> {
    let (format, games) = games(bytes, game)?;
    let (mut records, mut faults) = (Vec::new(), Vec::new());
    for result in games {
        match result {
            Ok(record) => records.push(record),
            Err(fault) => faults.push(fault),
        }
    }
    Ok(Collection {
        format,
        records,
        faults,
    })
}

/// The games of a file one at a time, so that reading a large file can be stopped.
///
/// # Errors
/// As for [`read`].
pub fn games<'a>(
    bytes: &'a [u8],
    game: Option<&AnyGame>,
) -> Result<(Format, Box<dyn Iterator<Item = Parsed> + 'a>), FileError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(FileError::Empty);
    }
    let Some(format) = Format::of(bytes) else {
        let end = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
        return Err(FileError::NoText(end + 1));
    };
    let text = std::str::from_utf8(bytes).unwrap_or("");
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let games: Box<dyn Iterator<Item = Parsed> + 'a> = match format {
        Format::Record => Box::new(records(text)),
        Format::Transcript => Box::new(transcript::read(text, game)),
        Format::Position => Box::new(transcript::read_positions(text, game)),
        Format::Obf => Box::new(obf::read(text)),
        Format::Ggf => Box::new(ggf::read(text)),
        Format::Sgf => Box::new(sgf::read(text)),
        Format::Psq => Box::new(psq::read(text, game)),
        Format::Wthor => Box::new(wthor::records(bytes)),
    };
    Ok((format, games))
}

/// Formats the games as a file.
///
/// # Errors
/// When papan does not write the format, or the format cannot hold one of the games.
pub fn write(records: &[Record], format: Format) -> Result<String, FileError> {
    write_each(records, format).collect()
}

/// Formats the games one at a time. Their texts together are the file.
pub fn write_each<R: Borrow<Record>>(
    records: impl IntoIterator<Item = R>,
    format: Format,
) -> impl Iterator<Item = Result<String, FileError>> {
    let one = move |(at, record): (usize, R)| {
        let record = record.borrow();
        let text = match format {
            Format::Record => Ok(record.to_string()),
            Format::Transcript => transcript::write(record),
            Format::Position => transcript::write_position(record),
            Format::Obf => obf::write(record),
            Format::Ggf => ggf::write(record),
            Format::Sgf => sgf_writing::write(record),
            Format::Psq => psq::write(record),
            Format::Wthor => return Err(FileError::ReadOnly(format)),
        };
        let text = text.map_err(|what| FileError::CannotHold {
            number: at + 1,
            format,
            what,
        })?;
        // Records are separated by an empty line.
        let is_separated = format == Format::Record && at > 0;
        Ok(if is_separated {
            format!("\n{text}")
        } else {
            text
        })
    };
    records.into_iter().enumerate().map(one)
}

/// Parses papan's records, each beginning with its header.
fn records(text: &str) -> impl Iterator<Item = Parsed> {
    let mut parts: Vec<(usize, String)> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.starts_with("papan ") || parts.is_empty() {
            parts.push((at, String::new()));
        }
        if let Some((_, part)) = parts.last_mut() {
            part.push_str(line);
            part.push('\n');
        }
    }
    let parse = |(before, part): (usize, String)| {
        let record = Record::parse(&part);
        let checked = record.and_then(|record| {
            if let Ok(game) = record.game.parse::<AnyGame>() {
                game.line_of(&record)?;
            }
            Ok(record)
        });
        match checked {
            Ok(record) => replay::known(&record).map(|()| record),
            Err(mut error) => {
                error.line += before;
                let place = (error.line, error.column);
                Err(ParseError::at(place, ParseErrorKind::Record(error)))
            }
        }
    };
    // A file that begins like a record of another kind gives one error, not one per line.
    let other_kind = |result: &Parsed| {
        matches!(result, Err(ParseError { cause: ParseErrorKind::Record(error), .. })
            if matches!(error.problem, RecordProblem::OtherKind(_)))
    };
    let mut results = parts.into_iter().map(parse).peekable();
    let is_other_kind = results.peek().is_some_and(other_kind);
    results.take(if is_other_kind { 1 } else { usize::MAX })
}
