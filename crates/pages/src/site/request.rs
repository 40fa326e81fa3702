//! Requests to the static site and its answers.

use serde::Serialize;

use crate::error::PageError;
use crate::puzzle_trainer::PuzzleProgress;
use crate::site::local_game::LocalGame;
use crate::studies::Studies;

/// A request to the site.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Whether it is a POST with a form in [`Self::body`].
    pub is_post: bool,
    /// Path and query, from the root of the site.
    pub address: String,
    /// The form, as `application/x-www-form-urlencoded`.
    pub body: String,
    /// Whether only the part of a game's page that changes is wanted.
    pub is_part: bool,
    /// What the browser stores that the address names, as JSON: a game, all games, the studies or
    /// the results with puzzles.
    pub saved: String,
    /// A new random id.
    pub id: String,
    /// Unix time in milliseconds.
    pub now: i64,
}

/// The content of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A page, or a part of one.
    Html(String),
    /// JSON.
    Json(String),
    /// A file to download: its name, media type and text.
    File {
        /// Name of the file.
        name: String,
        /// Media type.
        media_type: &'static str,
        /// The text.
        text: String,
    },
    /// Another address.
    Redirect(String),
}

/// What the browser stores after an answer.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase", tag = "kind", content = "value")]
pub enum Saved {
    /// A game, by its id.
    Game(LocalGame),
    /// The studies.
    Studies(Studies),
    /// The results with puzzles.
    Puzzles(PuzzleProgress),
}

/// An answer of the site.
#[derive(Clone, Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// The content.
    pub content: Content,
    /// What to store.
    pub saved: Option<Saved>,
}

impl Answer {
    pub(super) fn ok(content: Content) -> Self {
        Self {
            status: 200,
            content,
            saved: None,
        }
    }

    pub(super) fn html(html: String) -> Self {
        Self::ok(Content::Html(html))
    }

    pub(super) fn redirect(address: String) -> Self {
        Self {
            status: 303,
            ..Self::ok(Content::Redirect(address))
        }
    }

    pub(super) fn json<T: Serialize>(value: &T) -> Result<Self, PageError> {
        let text = serde_json::to_string(value).map_err(|_| PageError::Internal)?;
        Ok(Self::ok(Content::Json(text)))
    }

    pub(super) fn saving(self, saved: Saved) -> Self {
        Self {
            saved: Some(saved),
            ..self
        }
    }

    /// Returns the game to store, if there is one.
    #[must_use]
    pub fn saved_game(self) -> Option<LocalGame> {
        match self.saved {
            Some(Saved::Game(game)) => Some(game),
            _ => None,
        }
    }
}
