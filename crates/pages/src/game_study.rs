//! Hints and explanations in a game that the visitor's browser works out: the server says what to ask
//! ([`StudyRequest`]), the browser's engine answers with a part of the page ([`StudyAnswer`]).

use std::collections::HashMap;

use askama::Template;
use papan_catalog::AnyLine;
use papan_rules::Move;
use papan_strategies::Decision;
use papan_view::svg_board::DrawOptions;
use papan_view::{BoardView, Messages};
use serde::{Deserialize, Serialize};

use crate::board_grid::CellContent;
use crate::error::PageError;
use crate::game::StudyView;

/// A question about a position of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudyRequest {
    /// Name of the game.
    pub game: String,
    /// Start position, unless it is the game's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves before the position.
    pub moves: String,
    /// The strategy to ask.
    pub strategy: String,
    /// The move to explain; without it a hint is wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explain: Option<String>,
    /// Seed of the game's random choices, in hexadecimal: JavaScript has no 64-bit integers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
}

impl StudyRequest {
    /// Returns the seed; 0 without one.
    #[must_use]
    pub fn seed(&self) -> u64 {
        let seed = self.seed.as_deref();
        seed.and_then(|seed| u64::from_str_radix(seed, 16).ok())
            .unwrap_or_default()
    }

    /// Returns the part of the page that waits for the answer, at the end of a line.
    #[must_use]
    pub fn pending(&self, words: Messages, line: &dyn AnyLine) -> StudyView {
        let key = if self.explain.is_some() {
            "web-why"
        } else {
            "web-hint"
        };
        StudyView {
            title: words.text(key),
            text: words.text("site-loading"),
            ply: line.moves().len(),
            request: serde_json::to_string(self).ok(),
            ..StudyView::default()
        }
    }

    /// Returns the answer for a decision at the end of a line.
    ///
    /// # Errors
    /// If the move to explain is none, or the template fails.
    pub fn answer(
        &self,
        words: Messages,
        line: &dyn AnyLine,
        decision: &Decision,
    ) -> Result<StudyAnswer, PageError> {
        let study = match &self.explain {
            None => {
                let name = self.strategy.split('(').next().unwrap_or_default();
                StudyView::hint(words, line, name, decision)
            }
            Some(text) => {
                let mv = line.game().parse_move(text);
                let mv = mv.map_err(|_| PageError::NotFound)?;
                StudyView::why(words, line, mv, &self.strategy, decision)
            }
        };
        StudyAnswer::new(words, line, &study)
    }
}

/// The answer: the section of the page, and the content of the cells that it marks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StudyAnswer {
    /// The section, as HTML.
    pub html: String,
    /// The content of cells, by name.
    pub cells: HashMap<String, CellContent>,
}

/// The texts of a template.
struct Texts(Messages);

impl Texts {
    fn t(&self, key: &str) -> String {
        self.0.text(key)
    }
}

#[derive(Template)]
#[template(path = "game_study.html")]
struct Section<'a> {
    view: Texts,
    study: &'a StudyView,
}

impl StudyAnswer {
    fn new(words: Messages, line: &dyn AnyLine, study: &StudyView) -> Result<Self, PageError> {
        let options = DrawOptions {
            legal: true,
            names: true,
            overlays: study.overlays.clone(),
            ..DrawOptions::default()
        };
        let view = BoardView::of(line);
        let marked = (0..view.cells.len())
            .filter(|index| study.overlays.get(*index).is_some_and(Option::is_some))
            .map(|index| {
                let content = CellContent::new(&view, &options, words, index);
                (line.game().format_move(Move::on(index)), content)
            });
        Ok(Self {
            cells: marked.collect(),
            html: Section {
                view: Texts(words),
                study,
            }
            .render()?,
        })
    }
}
