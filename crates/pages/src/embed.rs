//! A position for slides and frames of other sites. Read-only; framing is opt-in.

use askama::Template;
use papan_view::BoardView;
use papan_view::svg_board::DrawOptions;

use crate::analysis::{counts, status, walk};
use crate::board_grid::{BoardGrid, CellAction};
use crate::error::PageError;
use crate::game_title::game_title;
use crate::games::Games;
use crate::layout::{Layout, PageContext};
use crate::position_url::PositionUrl;
use crate::variations::Variations;
use crate::walk::Step;

#[derive(Template)]
#[template(path = "embed.html")]
struct EmbedPage {
    layout: Layout,
    board: BoardGrid,
    status: String,
    counts: Option<String>,
    walk: [Step; 4],
    analysis: String,
}

/// Returns HTML that frames a page of this site in another one.
#[must_use]
pub fn snippet(origin: &str, link: &str, title: &str) -> String {
    let [link, title] = [link, title].map(papan_view::escape_xml);
    format!(
        r#"<iframe src="{origin}{link}" title="{title}" width="420" height="560" style="border:0"></iframe>"#
    )
}

/// Renders the page.
///
/// # Errors
/// If the position is invalid.
pub fn page(
    context: &PageContext,
    games: &dyn Games,
    url: PositionUrl,
) -> Result<String, PageError> {
    let words = context.words;
    let url = PositionUrl {
        others: None,
        strategy: None,
        ..url
    };
    let lines = Variations::parse(url, games, words)?;
    let (line, url) = (lines.here(), lines.url());
    let view = BoardView::of(&*line);
    let options = DrawOptions {
        names: true,
        ..DrawOptions::default()
    };
    let page = EmbedPage {
        layout: Layout::new(
            context,
            game_title(words, &line.game().name()),
            url.link("/embed"),
        ),
        board: BoardGrid::new(&view, &options, words, |_, _| CellAction::None),
        status: status(words, &view),
        counts: counts(words, &view),
        walk: walk(words, &lines, "/embed"),
        analysis: url.link("/analysis"),
    };
    Ok(page.render()?)
}
