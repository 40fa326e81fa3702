//! Parsing and formatting of records.

use std::fmt;
use std::str::FromStr as _;

use super::{Comment, Places, Record, RecordError, RecordProblem, RecordResult};
use crate::{Outcome, Player, SwapOpening, stored_game_name};

/// Header of version 1.
pub(super) const HEADER: &str = "papan record 1";
/// Header of version 2.
const HEADER_2: &str = "papan record 2";
/// Header of version 3.
const HEADER_3: &str = "papan record 3";

/// Keys of the fields; from `date` on those of version 2, `opening` of version 3.
pub(super) const KEYS: [&str; 13] = [
    "game",
    "first",
    "second",
    "start",
    "moves",
    "result",
    "date",
    "event",
    "clock",
    "times",
    "opening",
    "variation",
    "comment",
];

/// Fields that may be repeated.
const REPEATED: [&str; 2] = ["variation", "comment"];

/// The text of a field and its place.
type Field = (String, (usize, usize));

impl Record {
    /// Parses a record.
    ///
    /// # Errors
    /// With line and column, when the text is not a record.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = text.lines().enumerate();
        let header = lines.next().map_or("", |(_, line)| line.trim());
        check_header(header)?;
        let mut fields: [Vec<Field>; KEYS.len()] = Default::default();
        for (index, line) in lines {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let (key, field) = parse_field(line, index + 1)?;
            if !fields[key].is_empty() && !REPEATED.contains(&KEYS[key]) {
                let problem = RecordProblem::Twice(KEYS[key]);
                return Err(RecordError::at((index + 1, 1), problem));
            }
            fields[key].push(field);
        }
        Self::from_fields(fields, (text.lines().count() + 1, 1))
    }

    fn from_fields(
        mut fields: [Vec<Field>; KEYS.len()],
        after: (usize, usize),
    ) -> Result<Self, RecordError> {
        let mut take = |key: usize| fields[key].pop();
        let need = |field: Option<Field>, key: &'static str| {
            field.ok_or_else(|| RecordError::at(after, RecordProblem::Missing(key)))
        };
        let [
            game,
            first,
            second,
            start,
            moves,
            result,
            date,
            event,
            clock,
            times,
            opening,
        ] = std::array::from_fn(&mut take);
        let (moves, moves_at) = need(moves, "moves")?;
        let (result, result_at) = need(result, "result")?;
        let (result, reason) = parse_result(&result, result_at)?;
        let [.., variations, comments] = fields;
        Ok(Self {
            game: stored_game_name(&need(game, "game")?.0).into_owned(),
            players: [need(first, "first")?.0, need(second, "second")?.0],
            places: Places {
                start: start.as_ref().map_or((0, 0), |(_, at)| *at),
                opening: opening.as_ref().map_or((0, 0), |(_, at)| *at),
                moves: moves_at,
                result: result_at,
            },
            start: start.map(|(text, _)| text),
            opening: opening.map(parse_opening).transpose()?,
            moves,
            result,
            reason,
            date: date.map(|(text, _)| text),
            event: event.map(|(text, _)| text),
            clock: clock.map(|(text, _)| text),
            times: times.map_or(Ok(Vec::new()), parse_times)?,
            variations: variations.into_iter().map(|(text, _)| text).collect(),
            comments: comments
                .into_iter()
                .map(parse_comment)
                .collect::<Result<_, _>>()?,
        })
    }
}

/// Returns the index of a line's key in [`KEYS`], and its value.
fn parse_field(line: &str, number: usize) -> Result<(usize, Field), RecordError> {
    let expected = || RecordError::at((number, 1), RecordProblem::UnknownField);
    let (key, value) = line.split_once(':').ok_or_else(expected)?;
    let place = KEYS.iter().position(|k| *k == key.trim());
    let place = place.ok_or_else(expected)?;
    let spaces = value.chars().take_while(|c| c.is_whitespace()).count();
    let column = line.chars().take_while(|c| *c != ':').count() + 2 + spaces;
    Ok((place, (value.trim().into(), (number, column))))
}

/// Parses milliseconds, one number for each move.
fn parse_times((text, place): Field) -> Result<Vec<u64>, RecordError> {
    let read = |word: &str| {
        u64::from_str(word)
            .map_err(|_| RecordError::at(place, RecordProblem::NoTime(word.to_owned())))
    };
    text.split_whitespace().map(read).collect()
}

/// Parses a swap opening, `swap2 black`.
fn parse_opening((text, place): Field) -> Result<SwapOpening, RecordError> {
    let read = text.parse();
    read.map_err(|error| RecordError::at(place, RecordProblem::Opening(error)))
}

/// Parses `5 1 = a good start`: the moves and the comment.
fn parse_comment((text, place): Field) -> Result<Comment, RecordError> {
    let (moves, words) = text
        .split_once('=')
        .ok_or_else(|| RecordError::at(place, RecordProblem::NoComment))?;
    Ok(Comment {
        moves: moves.trim().into(),
        text: unescape(words.trim()),
    })
}

/// Puts the lines of a comment on one line of the record.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace("\r\n", "\n")
        .replace(['\n', '\r'], "\\n")
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some('n') => plain.push('\n'),
                Some(other) => plain.push(other),
                None => {}
            },
            other => plain.push(other),
        }
    }
    plain
}

fn check_header(header: &str) -> Result<(), RecordError> {
    if [HEADER, HEADER_2, HEADER_3].contains(&header) {
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
        let header = match self.opening {
            Some(_) => HEADER_3,
            None if self.says_more() => HEADER_2,
            None => HEADER,
        };
        writeln!(f, "{header}")?;
        writeln!(f, "game: {}", self.game)?;
        writeln!(f, "first: {}", self.players[0])?;
        writeln!(f, "second: {}", self.players[1])?;
        let told = [
            ("date", &self.date),
            ("event", &self.event),
            ("clock", &self.clock),
        ];
        for (key, value) in told {
            if let Some(value) = value {
                writeln!(f, "{key}: {}", value.replace(['\n', '\r'], " "))?;
            }
        }
        if let Some(start) = &self.start {
            writeln!(f, "start: {start}")?;
        }
        if let Some(opening) = self.opening {
            writeln!(f, "opening: {opening}")?;
        }
        writeln!(f, "moves: {}", self.moves)?;
        if !self.times.is_empty() {
            let times: Vec<String> = self.times.iter().map(u64::to_string).collect();
            writeln!(f, "times: {}", times.join(" "))?;
        }
        write!(f, "result: {}", self.result)?;
        match &self.reason {
            Some(reason) => writeln!(f, " ({reason})")?,
            None => writeln!(f)?,
        }
        for variation in &self.variations {
            writeln!(f, "variation: {variation}")?;
        }
        for comment in &self.comments {
            writeln!(f, "comment: {} = {}", comment.moves, escape(&comment.text))?;
        }
        Ok(())
    }
}
