//! Collections: the games of a file of any format.

use papan_catalog::AnyGame;
use papan_rules::{Record, RecordProblem};

use crate::{
    FileError, Format, ParseError, ParseErrorKind, ggf, obf, psq, replay, sgf, sgf_writing,
    transcript, wthor,
};

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
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(FileError::Empty);
    }
    let Some(format) = Format::of(bytes) else {
        let end = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
        return Err(FileError::NoText(end + 1));
    };
    let text = std::str::from_utf8(bytes).unwrap_or("");
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let results = match format {
        Format::Record => records(text),
        Format::Transcript => transcript::read(text, game),
        Format::Position => transcript::read_positions(text, game),
        Format::Obf => obf::read(text),
        Format::Ggf => ggf::read(text),
        Format::Sgf => sgf::read(text),
        Format::Psq => psq::read(text),
        Format::Wthor => wthor::records(bytes),
    };
    let (mut records, mut faults) = (Vec::new(), Vec::new());
    for result in results {
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

/// Formats the games as a file.
///
/// # Errors
/// When papan does not write the format, or the format cannot hold one of the games.
pub fn write(records: &[Record], format: Format) -> Result<String, FileError> {
    let one = |(at, record): (usize, &Record)| {
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
        text.map_err(|what| FileError::CannotHold {
            number: at + 1,
            format,
            what,
        })
    };
    let texts: Result<Vec<String>, FileError> = records.iter().enumerate().map(one).collect();
    let between = if format == Format::Record { "\n" } else { "" };
    Ok(texts?.join(between))
}

/// Parses papan's records, each beginning with its header.
fn records(text: &str) -> Vec<Result<Record, ParseError>> {
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
    let other_kind = |result: &Result<Record, ParseError>| {
        matches!(result, Err(ParseError { cause: ParseErrorKind::Record(error), .. })
            if matches!(error.problem, RecordProblem::OtherKind(_)))
    };
    let results: Vec<_> = parts.into_iter().map(parse).collect();
    match results.first() {
        Some(first) if other_kind(first) => results.into_iter().take(1).collect(),
        _ => results,
    }
}
