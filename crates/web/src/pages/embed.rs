//! A position for slides and frames of other sites. Read-only; framing is opt-in.

use askama::Template;
use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_view::BoardView;
use papan_view::svg_board::DrawOptions;

use crate::http::client::Client;
use crate::http::rejection::Rejection;
use crate::pages::analysis::{counts, status, walk};
use crate::pages::board_grid::{BoardGrid, CellAction};
use crate::pages::game::game_title;
use crate::pages::layout::Layout;
use crate::pages::position_url::PositionUrl;
use crate::pages::variations::Variations;
use crate::pages::walk::Step;
use crate::state::AppState;

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
pub(crate) fn snippet(origin: &str, link: &str, title: &str) -> String {
    let [link, title] = [link, title].map(papan_view::escape_xml);
    format!(
        r#"<iframe src="{origin}{link}" title="{title}" width="420" height="560" style="border:0"></iframe>"#
    )
}

/// `GET /embed`.
pub(crate) async fn embed(
    State(app): State<AppState>,
    client: Client,
    Query(url): Query<PositionUrl>,
) -> Result<Response, Rejection> {
    let words = client.words;
    let _permit = app.render_permit().await;
    let url = PositionUrl {
        others: None,
        strategy: None,
        ..url
    };
    let lines = Variations::parse(url, &app.catalog, words)?;
    let (line, url) = (lines.here(), lines.url());
    let view = BoardView::of(&*line);
    let options = DrawOptions {
        names: true,
        ..DrawOptions::default()
    };
    let page = EmbedPage {
        layout: Layout::new(
            &client,
            game_title(words, &line.game().name()),
            url.link("/embed"),
        ),
        board: BoardGrid::new(&view, &options, words, |_, _| CellAction::None),
        status: status(words, &view),
        counts: counts(words, &view),
        walk: walk(words, &lines, "/embed"),
        analysis: url.link("/analysis"),
    };
    Ok(Html(page.render().map_err(|_| Rejection::Internal)?).into_response())
}
