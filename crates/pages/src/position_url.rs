//! A position as a query string: game, start, moves, ply, variations, strategy.

use std::fmt::Write;

use papan_catalog::AnyLine;
use papan_rules::PositionError;
use papan_view::{Messages, messages};
use serde::Deserialize;

use crate::error::PageError;
use crate::games::Games;
use crate::numbers::optional_ply;
use crate::strategy_field;

/// Maximum length of the moves.
const MAX_MOVES: usize = 4000;

/// Maximum length of the comments, and of the names.
pub(crate) const MAX_NOTES: usize = 2000;

/// A position in a line of play, as a query string.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct PositionUrl {
    /// Name of the game.
    #[serde(default)]
    pub game: String,
    /// Start position, unless it is the game's own.
    pub start: Option<String>,
    /// The moves.
    #[serde(default)]
    pub moves: String,
    /// Number of moves before the position shown; all of them without it.
    #[serde(default, deserialize_with = "optional_ply")]
    pub ply: Option<usize>,
    /// Variations, separated by dots.
    pub others: Option<String>,
    /// The strategy that evaluates the position, with its parameters.
    #[serde(flatten, deserialize_with = "strategy_field::deserialize")]
    pub strategy: Option<String>,
    /// Names of the players, separated by `|`.
    pub names: Option<String>,
    /// Comments on positions: lines of `moves=text` or `moves=name|text`, the moves from the start.
    pub notes: Option<String>,
    /// The name of the position shown, to be kept among the notes.
    pub note_name: Option<String>,
    /// The comment on the position shown, to be kept among the notes.
    pub note_text: Option<String>,
    /// In a review, the move tried instead of the one before the ply; `?` before one is tried.
    pub tried: Option<String>,
}

/// The note on a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note<'a> {
    /// The moves that lead to it.
    pub moves: &'a str,
    /// Its name, or nothing.
    pub name: &'a str,
    /// The comment, or nothing.
    pub text: &'a str,
}

impl Note<'_> {
    /// Returns name and comment in one text, as in a file.
    #[must_use]
    pub fn title_and_text(&self) -> String {
        match (self.name, self.text) {
            ("", text) => text.to_owned(),
            (name, "") => name.to_owned(),
            (name, text) => format!("{name}: {text}"),
        }
    }

    fn line(&self) -> String {
        let Self { moves, name, text } = self;
        match *name {
            "" => format!("{moves}={text}"),
            name => format!("{moves}={name}|{text}"),
        }
    }
}

impl PositionUrl {
    /// Returns the URL of this position on a page.
    #[must_use]
    pub fn link(&self, path: &str) -> String {
        let mut link = format!("{path}?game={}", encode(&self.game));
        let ply = self.ply.map(|ply| ply.to_string());
        let fields = [
            ("start", self.start.as_deref()),
            ("moves", Some(self.moves.as_str())),
            ("ply", ply.as_deref()),
            ("others", self.others.as_deref()),
            ("strategy", self.strategy.as_deref()),
            ("names", self.names.as_deref()),
            ("notes", self.notes.as_deref()),
            ("tried", self.tried.as_deref()),
        ];
        for (name, value) in fields {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                let _ = write!(link, "&{name}={}", encode(value));
            }
        }
        link
    }

    /// Returns the names of the players, if they are known.
    #[must_use]
    pub fn players(&self) -> Option<[&str; 2]> {
        let (first, second) = self.names.as_deref()?.split_once('|')?;
        let known = !first.is_empty() || !second.is_empty();
        known.then_some([first, second])
    }

    /// Returns the notes on positions.
    pub fn notes(&self) -> impl Iterator<Item = Note<'_>> {
        let notes = self.notes.as_deref().unwrap_or("").lines();
        notes.filter_map(|note| {
            let (moves, note) = note.split_once('=')?;
            let (name, text) = note.split_once('|').unwrap_or(("", note));
            Some(Note { moves, name, text })
        })
    }

    /// Returns the notes as comments of a file: the moves that lead to a position, and the text.
    pub fn comments(&self) -> impl Iterator<Item = (&str, String)> {
        self.notes().map(|note| (note.moves, note.title_and_text()))
    }

    /// Keeps the name and the comment that were sent with the address as the note on a position;
    /// without any text its note is removed.
    pub(crate) fn keep_note(&mut self, moves: &str) {
        if self.note_name.is_none() && self.note_text.is_none() {
            return;
        }
        let line = |text: Option<String>| {
            let text = text.unwrap_or_default().replace('|', "/");
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            papan_rules::sanitize(&text).into_owned()
        };
        let (name, text) = (line(self.note_name.take()), line(self.note_text.take()));
        let others = self.notes().filter(|note| note.moves != moves);
        let mut lines: Vec<String> = others.map(|note| note.line()).collect();
        let new = Note {
            moves,
            name: &name,
            text: &text,
        };
        if !name.is_empty() || !text.is_empty() {
            lines.push(new.line());
        }
        self.notes = Some(lines.join("\n")).filter(|notes| !notes.is_empty());
    }

    /// Returns the whole line of play.
    ///
    /// # Errors
    /// If the game, the start position or a move is invalid.
    pub fn line(&self, games: &dyn Games, words: Messages) -> Result<Box<dyn AnyLine>, PageError> {
        self.line_of(&self.moves, games, words)
    }

    /// Returns the line of play up to the ply.
    ///
    /// # Errors
    /// If the game, the start position or a move is invalid.
    pub fn line_here(
        &self,
        games: &dyn Games,
        words: Messages,
    ) -> Result<Box<dyn AnyLine>, PageError> {
        let line = self.line(games, words)?;
        let ply = self.ply.unwrap_or(usize::MAX).min(line.moves().len());
        self.prefix(&*line, ply, games, words)
    }

    /// Replays the first moves of a line: `undo` would replay the line once per move.
    ///
    /// # Errors
    /// If the game or the start position is invalid.
    pub fn prefix(
        &self,
        line: &dyn AnyLine,
        ply: usize,
        games: &dyn Games,
        words: Messages,
    ) -> Result<Box<dyn AnyLine>, PageError> {
        let mut prefix = self.line_of("", games, words)?;
        for mv in &line.moves()[..ply] {
            prefix.play(*mv).map_err(|_| PageError::Internal)?;
        }
        Ok(prefix)
    }

    /// Returns any line of play from the start position.
    ///
    /// # Errors
    /// If the game, the start position or a move is invalid.
    pub fn line_of(
        &self,
        moves: &str,
        games: &dyn Games,
        words: Messages,
    ) -> Result<Box<dyn AnyLine>, PageError> {
        let attached = [&self.names, &self.notes].map(|text| text.as_ref().map_or(0, String::len));
        if moves.len() > MAX_MOVES || attached.into_iter().any(|length| length > MAX_NOTES) {
            return Err(PageError::TooLarge);
        }
        let name = if self.game.is_empty() {
            "tictactoe"
        } else {
            &self.game
        };
        let game = games.parse(name, words)?;
        let invalid = |error: PositionError| PageError::Unusable(messages::position(words, &error));
        let mut line = match self.start.as_deref().unwrap_or("").trim() {
            "" => game.line(),
            start => game.line_from(start).map_err(invalid)?,
        };
        if let Err(error) = line.extend(moves) {
            return Err(PageError::Unusable(messages::line(words, &*line, &error)));
        }
        Ok(line)
    }
}

/// Encodes a value for a query string (`application/x-www-form-urlencoded`, but `:` and `~`
/// stay readable).
pub(crate) fn encode(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b':' => {
                encoded.push(char::from(byte));
            }
            b' ' => encoded.push('+'),
            _ => {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(url: &PositionUrl, moves: &str, name: &str, text: &str) -> PositionUrl {
        let mut url = PositionUrl {
            note_name: Some(name.into()),
            note_text: Some(text.into()),
            ..url.clone()
        };
        url.keep_note(moves);
        url
    }

    #[test]
    fn a_note_replaces_the_one_of_its_position_and_an_empty_one_removes_it() {
        let url = PositionUrl {
            notes: Some("f5=imported".into()),
            ..PositionUrl::default()
        };
        let url = noted(&url, "f5d6", " Diagonal | opening", "White\nanswers");
        let notes: Vec<Note<'_>> = url.notes().collect();
        assert_eq!(notes[0].title_and_text(), "imported");
        assert_eq!(
            notes[1].title_and_text(),
            "Diagonal / opening: White answers"
        );
        let url = noted(&url, "f5", "", "");
        assert_eq!(url.notes().count(), 1);
        let url = noted(&url, "f5d6", "", "only text");
        assert_eq!(url.notes.as_deref(), Some("f5d6=only text"));
    }
}
