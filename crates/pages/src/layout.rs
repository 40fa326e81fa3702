//! The layout that all pages share: title, navigation, language switch.

use std::sync::Arc;

use papan_view::{Language, Messages};

use crate::assets;

/// The board that link previews of pages without a position show.
const PREVIEW: &str = "/analysis/board.png?game=othello&moves=f5d6c3d3c4f4";

/// For whom and where a page is rendered.
#[derive(Clone, Debug)]
pub struct PageContext {
    /// Messages in the visitor's language.
    pub words: Messages,
    /// The origin under which the visitor sees the site, such as `http://localhost:7272`.
    pub origin: String,
    /// Whether other sites may frame `/embed`.
    pub embedding: bool,
    /// Whether the site connects people: a lobby, invitations, live games. A static site does not.
    pub has_people: bool,
    /// URL of the folder of the engine that the browser may run, if the server has one.
    pub engine: Option<Arc<str>>,
    /// URL of a server for games with other people, which a static site links to.
    pub server: Option<Arc<str>>,
}

impl PageContext {
    /// Creates the context of a static site.
    #[must_use]
    pub fn of_static_site(words: Messages) -> Self {
        Self {
            words,
            origin: String::new(),
            embedding: false,
            has_people: false,
            engine: None,
            server: None,
        }
    }
}

/// The layout of a page.
pub struct Layout {
    /// Messages in the visitor's language.
    pub words: Messages,
    /// The title.
    pub title: String,
    /// The page's own URL, to which the language switch returns.
    pub path: String,
    /// Reload interval in seconds, for browsers without scripts.
    pub reload: Option<u32>,
    /// Path of the picture that link previews show (Open Graph), instead of the one of papan.
    pub picture: Option<String>,
    origin: String,
    /// Whether the site connects people.
    pub has_people: bool,
    /// URL of the folder of the engine that the browser may run.
    pub engine: Option<Arc<str>>,
    /// URL of a server for games with other people.
    pub server: Option<Arc<str>>,
    embedding: bool,
}

impl Layout {
    /// Creates the layout of the page at a path.
    pub fn new(context: &PageContext, title: String, path: impl Into<String>) -> Self {
        Self {
            words: context.words,
            title,
            path: path.into(),
            reload: None,
            picture: None,
            origin: context.origin.clone(),
            has_people: context.has_people,
            engine: context.engine.clone(),
            server: context.server.clone(),
            embedding: context.embedding,
        }
    }

    /// Returns a localized message.
    #[must_use]
    pub fn t(&self, key: &str) -> String {
        self.words.text(key)
    }

    /// Returns the text of the button that confirms a move; scripts put the cell in the place of `%`.
    #[must_use]
    pub fn confirm_text(&self) -> String {
        self.words.with("web-confirm", [("move", "%".into())])
    }

    /// Returns the code of the language.
    #[must_use]
    pub fn language(&self) -> &'static str {
        self.words.language().code()
    }

    /// Returns what the engine in the browser needs to render the same pages, as JSON.
    #[must_use]
    pub fn engine_context(&self) -> String {
        let origin = &self.origin;
        serde_json::json!({ "origin": origin, "embedding": self.embedding, "hasPeople": self.has_people })
            .to_string()
    }

    /// Returns the URLs of the navigation with the keys of their names.
    #[must_use]
    pub fn pages(&self) -> Vec<(&'static str, &'static str)> {
        let mut pages = vec![
            ("/", "web-play"),
            ("/lobby", "web-lobby"),
            ("/me", "web-my-games"),
            ("/puzzles", "web-puzzles"),
            ("/analysis", "web-analysis"),
            ("/laboratory", "web-laboratory"),
        ];
        if !self.has_people {
            pages.retain(|(path, _)| *path != "/lobby");
            pages.push(("/atlas", "site-atlas"));
            pages.push(("/book/index.html", "site-book"));
        }
        pages
    }

    /// Returns the languages: code, native name, whether it is the current one.
    #[must_use]
    pub fn languages(&self) -> [(&'static str, &'static str, bool); 2] {
        Language::ALL.map(|language| {
            let name = match language {
                Language::English => "English",
                Language::Indonesian => "Bahasa Indonesia",
            };
            (language.code(), name, language == self.words.language())
        })
    }

    /// Returns the address to reload, where the server is to search and not the browser.
    #[must_use]
    pub fn reload_address(&self) -> String {
        let separator = if self.path.contains('?') { '&' } else { '?' };
        format!("{}{separator}by=server", self.path)
    }

    /// Returns the URL of the picture for link previews. A static site has no PNG files.
    #[must_use]
    pub fn picture_url(&self) -> Option<String> {
        let path = self.picture.as_deref().unwrap_or(PREVIEW);
        self.has_people.then(|| format!("{}{path}", self.origin))
    }

    /// Returns the URLs of the web app manifest and of Apple's icon. A static site has no PNG icons.
    #[must_use]
    pub fn app(&self) -> [&'static str; 2] {
        if self.has_people {
            ["/manifest.webmanifest", "/icons/180.png"]
        } else {
            [self.asset("manifest.webmanifest"), self.asset("icon.svg")]
        }
    }

    /// Returns the URL of an asset.
    #[must_use]
    pub fn asset(&self, name: &str) -> &'static str {
        assets::url(name)
    }
}
