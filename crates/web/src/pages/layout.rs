//! What all pages share.

use papan_view::{Language, Messages};

use crate::http::assets;
use crate::http::client::Client;

/// The layout around a page.
pub(crate) struct Layout {
    pub(crate) words: Messages,
    pub(crate) title: String,
    /// Where the switch of the language leads back to.
    pub(crate) path: String,
    /// Whether the page reloads by itself where there are no scripts.
    pub(crate) reload: Option<u32>,
}

impl Layout {
    pub(crate) fn new(client: &Client, title: String, path: impl Into<String>) -> Self {
        Self {
            words: client.words,
            title,
            path: path.into(),
            reload: None,
        }
    }

    /// A text of the page's language.
    pub(crate) fn t(&self, key: &str) -> String {
        self.words.text(key)
    }

    pub(crate) fn language(&self) -> &'static str {
        self.words.language().code()
    }

    /// The main pages, and the keys of their names.
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

    /// The languages that the page could have: code, own name, whether it is this one.
    pub(crate) fn languages(&self) -> [(&'static str, &'static str, bool); 2] {
        Language::ALL.map(|language| {
            let name = match language {
                Language::English => "English",
                Language::Indonesian => "Bahasa Indonesia",
            };
            (language.code(), name, language == self.words.language())
        })
    }

    pub(crate) fn style(&self) -> &'static str {
        assets::address("papan.css")
    }

    pub(crate) fn script(&self) -> &'static str {
        assets::address("papan.js")
    }
}
