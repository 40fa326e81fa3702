//! A place in a game: a line of play with an address.

use std::fmt::Write;

use papan_catalog::AnyLine;
use papan_view::Words;
use serde::Deserialize;

use crate::hub::Hub;
use crate::refusal::Refusal;

/// A place in a game, as an address has it.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Place {
    #[serde(default)]
    pub(crate) game: String,
    pub(crate) start: Option<String>,
    #[serde(default)]
    pub(crate) moves: String,
    /// Who shall say what they think.
    pub(crate) strategy: Option<String>,
}

/// The longest line of play that is looked at.
const LONGEST: usize = 4000;

impl Place {
    /// The address of this place on a page.
    pub(crate) fn link(&self, path: &str) -> String {
        let mut link = format!("{path}?game={}", encoded(&self.game));
        let fields = [
            ("start", self.start.as_deref()),
            ("moves", Some(self.moves.as_str())),
            ("strategy", self.strategy.as_deref()),
        ];
        for (name, value) in fields {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                let _ = write!(link, "&{name}={}", encoded(value));
            }
        }
        link
    }

    pub(crate) fn with_moves(&self, moves: String) -> Self {
        Self {
            moves,
            ..self.clone()
        }
    }

    /// The line of play that leads here.
    pub(crate) fn line(&self, hub: &Hub, words: Words) -> Result<Box<dyn AnyLine>, Refusal> {
        let unusable = |text: String| Refusal::Unusable(text);
        if self.moves.len() > LONGEST {
            return Err(Refusal::TooLarge);
        }
        let name = if self.game.is_empty() {
            "tictactoe"
        } else {
            &self.game
        };
        let game = hub
            .game(name)
            .map_err(|error| unusable(error.to_string()))?;
        let mut line = match self
            .start
            .as_deref()
            .filter(|start| !start.trim().is_empty())
        {
            None => game.line(),
            Some(start) => {
                let line = game.line_from(start);
                line.map_err(|error| unusable(error.to_string()))?
            }
        };
        line.extend(&self.moves).map_err(|error| {
            let text = words.with(
                "web-bad-move",
                [
                    ("move", error.word.clone().into()),
                    ("reason", error.cause.to_string().into()),
                ],
            );
            unusable(text)
        })?;
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
