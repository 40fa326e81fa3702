//! A position on its own, to be put on a slide or into somebody's page: it may be
//! framed where the operator allows it, and nothing in it changes anything.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_view::BoardView;
use papan_view::svg_board::DrawOptions;

use crate::http::client::Client;
use crate::http::rejection::Rejection;
use crate::pages::analysis::{Step, counts, status, walk};
use crate::pages::board_grid::{BoardGrid, Touch};
use crate::pages::game::game_title;
use crate::pages::layout::Layout;
use crate::pages::position_url::PositionUrl;
use crate::pages::variations::Variations;
use crate::state::AppState;

#[derive(Template)]
#[template(path = "embed.html")]
struct EmbedPage {
    layout: Layout,
    board: BoardGrid,
    status: String,
    counts: Option<String>,
    walk: Vec<Step>,
    analysis: String,
}

pub(crate) async fn embed(
    State(app): State<Arc<AppState>>,
    client: Client,
    Query(place): Query<PositionUrl>,
) -> Result<Response, Rejection> {
    let words = client.words;
    let _turn = app.turn_for_a_page().await;
    let plain = PositionUrl {
        others: None,
        strategy: None,
        ..place
    };
    let lines = Variations::of(plain, &app, words)?;
    let (line, place) = (lines.here(), lines.place());
    let view = BoardView::of(&*line);
    let look = DrawOptions {
        names: true,
        ..DrawOptions::default()
    };
    let page = EmbedPage {
        layout: Layout::new(
            &client,
            game_title(words, &line.game().name()),
            place.link("/embed"),
        ),
        board: BoardGrid::new(&view, &look, words, |_, _| Touch::Nothing),
        status: status(words, &view),
        counts: counts(words, &view),
        walk: walk(words, &lines, "/embed"),
        analysis: format!("{}{}", client.origin, place.link("/analysis")),
    };
    Ok(Html(page.render().map_err(|_| Rejection::Broken)?).into_response())
}
