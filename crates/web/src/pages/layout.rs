//! The layout that all pages share: title, navigation, language switch.

use papan_view::{Language, Messages};

use crate::http::assets;
use crate::http::client::Client;

/// The layout of a page.
pub(crate) struct Layout {
    pub(crate) words: Messages,
    pub(crate) title: String,
    /// The page's own URL, to which the language switch returns.
    pub(crate) path: String,
    /// Reload interval in seconds, for browsers without scripts.
    pub(crate) reload: Option<u32>,
    /// Path of the picture that link previews show (Open Graph), instead of the icon.
    pub(crate) picture: Option<String>,
    /// The origin under which the client sees the server.
    origin: String,
}

impl Layout {
    pub(crate) fn new(client: &Client, title: String, path: impl Into<String>) -> Self {
        Self {
            words: client.words,
            title,
            path: path.into(),
            reload: None,
            picture: None,
            origin: client.origin.clone(),
        }
    }

    /// Returns a localized message.
    pub(crate) fn t(&self, key: &str) -> String {
        self.words.text(key)
    }

    pub(crate) fn language(&self) -> &'static str {
        self.words.language().code()
    }

    /// Returns the URLs of the navigation with the keys of their names.
    pub(crate) fn pages(&self) -> [(&'static str, &'static str); 6] {
        [
            ("/", "web-play"),
            ("/lobby", "web-lobby"),
            ("/me", "web-my-games"),
            ("/puzzles", "web-puzzles"),
            ("/analysis", "web-analysis"),
            ("/laboratory", "web-laboratory"),
        ]
    }

    /// Returns the languages: code, native name, whether it is the current one.
    pub(crate) fn languages(&self) -> [(&'static str, &'static str, bool); 2] {
        Language::ALL.map(|language| {
            let name = match language {
                Language::English => "English",
                Language::Indonesian => "Bahasa Indonesia",
            };
            (language.code(), name, language == self.words.language())
        })
    }

    /// Returns the URL of the picture for link previews.
    pub(crate) fn picture_url(&self) -> Option<String> {
        let path = self.picture.as_ref()?;
        Some(format!("{}{path}", self.origin))
    }

    pub(crate) fn style(&self) -> &'static str {
        assets::url("papan.css")
    }

    pub(crate) fn script(&self) -> &'static str {
        assets::url("papan.js")
    }
}
