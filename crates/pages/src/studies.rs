//! My studies: positions with their variations that a visitor has saved.

use askama::Template;
use papan_catalog::AnyGame;
use papan_files::Format;
use papan_view::{BoardView, svg_board};
use serde::{Deserialize, Serialize};

use crate::error::PageError;
use crate::game_title::game_title;
use crate::games::Games;
use crate::layout::{Layout, PageContext};
use crate::position_url::PositionUrl;

/// Studies that a visitor may have.
pub const MAX_STUDIES: usize = 100;
/// Maximum length of a name, in characters.
const MAX_NAME: usize = 60;
/// Maximum length of a study's address, in bytes.
const MAX_ADDRESS: usize = 6000;

/// A saved study: an address of the analysis page with a name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Study {
    /// Its identifier in the visitor's list.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// The query of its address.
    pub query: String,
    /// When it was saved, in milliseconds since the Unix epoch.
    pub saved_at: i64,
}

/// The studies of a visitor, newest first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Studies {
    /// The studies.
    pub list: Vec<Study>,
    next: u32,
}

/// The form that saves a study.
#[derive(Clone, Debug, Deserialize)]
pub struct SaveForm {
    /// Its name.
    #[serde(default)]
    name: String,
    /// The address of the analysis page.
    address: String,
}

impl SaveForm {
    /// Returns the name and the canonical query of the study.
    ///
    /// # Errors
    /// If the address is no analysis, or too long.
    pub fn parse(
        &self,
        games: &dyn Games,
        context: &PageContext,
    ) -> Result<(String, String), PageError> {
        let words = context.words;
        let wrong = || PageError::Unusable(words.text("web-study-wrong"));
        let query = self.address.strip_prefix("/analysis?").ok_or_else(wrong)?;
        let url: PositionUrl = serde_urlencoded::from_str(query).map_err(|_| wrong())?;
        let url = PositionUrl {
            strategy: None,
            ..url
        };
        let line = url.line(games, words)?;
        let link = url.link("");
        if link.len() > MAX_ADDRESS {
            return Err(PageError::Unusable(words.text("web-study-too-long")));
        }
        let name = self.name.split_whitespace().collect::<Vec<_>>().join(" ");
        let name: String = papan_rules::sanitize(&name)
            .chars()
            .take(MAX_NAME)
            .collect();
        let name = if name.is_empty() {
            game_title(words, &line.game().name())
        } else {
            name
        };
        Ok((name, link.trim_start_matches('?').to_owned()))
    }
}

impl Studies {
    /// Adds a study at the beginning; the oldest one goes when there are too many.
    pub fn add(&mut self, name: String, query: String, saved_at: i64) {
        self.next += 1;
        let study = Study {
            id: self.next,
            name,
            query,
            saved_at,
        };
        self.list.insert(0, study);
        self.list.truncate(MAX_STUDIES);
    }

    /// Deletes a study.
    pub fn delete(&mut self, id: u32) {
        self.list.retain(|study| study.id != id);
    }
}

#[derive(Template)]
#[template(path = "studies.html")]
struct StudiesPage {
    layout: Layout,
    studies: Vec<StudyRow>,
}

struct StudyRow {
    id: u32,
    name: String,
    title: String,
    link: String,
    picture: String,
    downloads: Vec<(&'static str, String)>,
}

/// Returns the formats that can hold a game, with the addresses of the downloads.
#[must_use]
pub fn downloads(game: &AnyGame, url: &PositionUrl) -> Vec<(&'static str, String)> {
    let discs = game.properties().score_unit.is_discs();
    let formats = [
        (Format::Sgf, true),
        (Format::Ggf, discs),
        (Format::Psq, !discs && game.names_squares()),
        (Format::Record, true),
    ];
    let link = url.link("/analysis/record");
    formats
        .into_iter()
        .filter(|(_, fits)| *fits)
        .filter(|(format, _)| *format != Format::Sgf || game.names_squares())
        .map(|(format, _)| (format.name(), format!("{link}&format={}", format.name())))
        .collect()
}

/// Renders the list. A study whose game cannot be read any more is left out.
///
/// # Errors
/// If the template fails.
pub fn page(
    context: &PageContext,
    games: &dyn Games,
    studies: &Studies,
) -> Result<String, PageError> {
    let words = context.words;
    let row = |study: &Study| {
        let url: PositionUrl = serde_urlencoded::from_str(&study.query).ok()?;
        let line = url.line_here(games, words).ok()?;
        Some(StudyRow {
            id: study.id,
            name: study.name.clone(),
            title: game_title(words, &line.game().name()),
            link: url.link("/analysis"),
            picture: svg_board::thumbnail(&BoardView::of(&*line)),
            downloads: downloads(&line.game(), &url),
        })
    };
    let page = StudiesPage {
        layout: Layout::new(context, words.text("web-studies"), "/studies"),
        studies: studies.list.iter().filter_map(row).collect(),
    };
    Ok(page.render()?)
}
