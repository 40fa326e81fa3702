//! A place in a game: a line of play, how far one has walked along it, and an
//! address for it.

use std::fmt::Write;

use papan_catalog::AnyLine;
use papan_rules::PositionError;
use papan_view::{Messages, messages};
use serde::Deserialize;

use crate::api::create_game::game_named;
use crate::http::body::ply;
use crate::http::rejection::Rejection;
use crate::state::AppState;

/// A place in a game, as an address has it.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct PositionUrl {
    #[serde(default)]
    pub(crate) game: String,
    pub(crate) start: Option<String>,
    #[serde(default)]
    pub(crate) moves: String,
    /// How many of the moves were made where one looks; all of them without it.
    #[serde(default, deserialize_with = "ply")]
    pub(crate) ply: Option<usize>,
    /// Other lines of play that were tried, with dots between them.
    pub(crate) others: Option<String>,
    /// Who shall say what they think.
    pub(crate) strategy: Option<String>,
}

/// The longest line of play that is looked at.
const LONGEST: usize = 4000;

impl PositionUrl {
    /// The address of this place on a page.
    pub(crate) fn link(&self, path: &str) -> String {
        let mut link = format!("{path}?game={}", encoded(&self.game));
        let ply = self.ply.map(|ply| ply.to_string());
        let fields = [
            ("start", self.start.as_deref()),
            ("moves", Some(self.moves.as_str())),
            ("ply", ply.as_deref()),
            ("others", self.others.as_deref()),
            ("strategy", self.strategy.as_deref()),
        ];
        for (name, value) in fields {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                let _ = write!(link, "&{name}={}", encoded(value));
            }
        }
        link
    }

    /// The whole line of play.
    pub(crate) fn line(
        &self,
        app: &AppState,
        words: Messages,
    ) -> Result<Box<dyn AnyLine>, Rejection> {
        self.line_of(&self.moves, app, words)
    }

    /// The line of play up to where one looks.
    pub(crate) fn here(
        &self,
        app: &AppState,
        words: Messages,
    ) -> Result<Box<dyn AnyLine>, Rejection> {
        let line = self.line(app, words)?;
        let ply = self.ply.unwrap_or(usize::MAX).min(line.moves().len());
        // Going back move by move would play the whole line as often.
        let mut here = self.line_of("", app, words)?;
        for mv in &line.moves()[..ply] {
            here.play(*mv).map_err(|_| Rejection::Broken)?;
        }
        Ok(here)
    }

    /// Any line of play from the place's start.
    pub(crate) fn line_of(
        &self,
        moves: &str,
        app: &AppState,
        words: Messages,
    ) -> Result<Box<dyn AnyLine>, Rejection> {
        if moves.len() > LONGEST {
            return Err(Rejection::TooLarge);
        }
        let name = if self.game.is_empty() {
            "tictactoe"
        } else {
            &self.game
        };
        let game = game_named(app, name, words)?;
        let start = self.start.as_deref().unwrap_or("").trim();
        let wrong = |error: PositionError| Rejection::Unusable(messages::position(words, &error));
        let mut line = match start {
            "" => game.line(),
            start => game.line_from(start).map_err(wrong)?,
        };
        if let Err(error) = line.extend(moves) {
            return Err(Rejection::Unusable(messages::line(words, &*line, &error)));
        }
        Ok(line)
    }
}

/// A value inside an address.
fn encoded(text: &str) -> String {
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
