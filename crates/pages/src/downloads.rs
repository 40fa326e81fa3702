//! Downloads of an analysis: records in papan's own and other formats, pictures.

use papan_catalog::AnyLine;
use papan_files::Format;
use papan_rules::{Comment, Record};
use papan_view::messages::files;
use papan_view::svg_board::{self, DrawOptions};
use papan_view::{BoardView, Messages, messages};
use serde::Deserialize;

use crate::error::PageError;
use crate::game_title::game_title;
use crate::games::Games;
use crate::position_url::PositionUrl;
use crate::variations::Variations;

/// The file format in an address.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct FormatQuery {
    format: Option<String>,
}

/// How a picture is drawn.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct PictureQuery {
    show: Option<String>,
    /// Moves that continue the position shown.
    after: Option<String>,
}

impl PictureQuery {
    /// Returns whether the numbers of the strategy in the address are drawn: on the whole board of
    /// the position itself.
    #[must_use]
    pub fn has_numbers(&self) -> bool {
        self.show.is_none() && self.after.is_none()
    }
}

/// A file with its name.
pub struct Download {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Download {
    /// Creates the file of a record in papan's own format.
    #[must_use]
    pub fn record(record: &Record) -> Self {
        Self {
            name: "game.papan".into(),
            text: record.to_string(),
        }
    }
}

/// Returns the record of an analysis, with its variations and comments.
///
/// # Errors
/// If the position or the format is invalid, or the format cannot hold the game.
pub fn record(
    url: &PositionUrl,
    query: &FormatQuery,
    games: &dyn Games,
    words: Messages,
) -> Result<Download, PageError> {
    let lines = Variations::parse(url.clone(), games, words)?;
    let players = url.players().unwrap_or(["human"; 2]);
    let mut record = lines.line().record(players.map(str::to_owned));
    record.variations = lines.texts();
    record.comments = url
        .comments()
        .map(|(moves, text)| Comment {
            moves: moves.to_owned(),
            text: text.to_owned(),
        })
        .collect();
    let format = match query.format.as_deref() {
        None => Format::Record,
        Some(name) => name
            .parse::<Format>()
            .map_err(|error| PageError::Unusable(files::no_format(words, &error)))?,
    };
    if format == Format::Record {
        return Ok(Download::record(&record));
    }
    let text = papan_files::write(&[record], format);
    Ok(Download {
        name: format!("game.{}", format.name()),
        text: text.map_err(|error| PageError::Unusable(files::file(words, &error)))?,
    })
}

/// Returns the picture of the position shown, or of one after it, as SVG.
///
/// # Errors
/// If the position or a move is invalid.
pub fn svg(
    url: &PositionUrl,
    query: &PictureQuery,
    games: &dyn Games,
    words: Messages,
) -> Result<String, PageError> {
    let mut line = url.line_here(games, words)?;
    if let Some(moves) = &query.after
        && let Err(error) = line.extend(moves)
    {
        let sentence = messages::line(words, &*line, &error);
        return Err(PageError::Unusable(sentence));
    }
    if query.show.as_deref() == Some("small") {
        return Ok(svg_board::thumbnail(&BoardView::of(&*line)));
    }
    Ok(picture(words, &*line, players(url)))
}

/// Returns the names of the players below a picture.
#[must_use]
pub fn players(url: &PositionUrl) -> Option<String> {
    url.players().map(|players| players.join(" – "))
}

/// Returns the picture of the end of a line as SVG.
#[must_use]
pub fn picture(words: Messages, line: &dyn AnyLine, caption: Option<String>) -> String {
    let title = game_title(words, &line.game().name());
    let options = DrawOptions {
        caption,
        ..DrawOptions::default()
    };
    svg_board::draw(&BoardView::of(line), &options, &title)
}
