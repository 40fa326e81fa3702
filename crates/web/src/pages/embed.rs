//! A position on its own, to be put on a slide or into somebody's page: it may be
//! framed where the operator allows it, and nothing in it changes anything.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse, Response};
use papan_view::BoardView;
use papan_view::svg_board::DrawOptions;

use crate::board_grid::{BoardGrid, Touch};
use crate::hub::Hub;
use crate::line_address::LineAddress;
use crate::page::Frame;
use crate::pages::analysis::{Step, counts, status, walk};
use crate::pages::game::game_title;
use crate::rejection::Rejection;
use crate::variations::Variations;
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "embed.html")]
struct EmbedPage {
    frame: Frame,
    board: BoardGrid,
    status: String,
    counts: Option<String>,
    walk: Vec<Step>,
    analysis: String,
}

pub(crate) async fn embed(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Query(place): Query<LineAddress>,
) -> Result<Response, Rejection> {
    let words = visitor.words;
    let _turn = hub.turn_for_a_page().await;
    let plain = LineAddress {
        others: None,
        strategy: None,
        ..place
    };
    let lines = Variations::of(plain, &hub, words)?;
    let (line, place) = (lines.here(), lines.place());
    let view = BoardView::of(&*line);
    let look = DrawOptions {
        names: true,
        ..DrawOptions::default()
    };
    let page = EmbedPage {
        frame: Frame::new(
            &visitor,
            game_title(words, &line.game().name()),
            place.link("/embed"),
        ),
        board: BoardGrid::new(&view, &look, words, |_, _| Touch::Nothing),
        status: status(words, &view),
        counts: counts(words, &view),
        walk: walk(words, &lines, "/embed"),
        analysis: format!("{}{}", visitor.origin, place.link("/analysis")),
    };
    Ok(Html(page.render().map_err(|_| Rejection::Broken)?).into_response())
}
