//! What can be taken home from any line of play: its record and its picture.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use papan_catalog::AnyLine;
use papan_rules::Record;
use papan_view::svg_board::{self, DrawOptions};
use papan_view::{BoardView, png_board};

use crate::http::client::Client;
use crate::http::rejection::Rejection;
use crate::pages::game::game_title;
use crate::pages::position_url::PositionUrl;
use crate::state::AppState;

type Answer = Result<Response, Rejection>;

/// A record as a file.
pub(crate) fn record_file(record: &Record) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"game.papan\"",
        ),
    ];
    (headers, record.to_string()).into_response()
}

/// The end of a line of play as SVG.
pub(crate) fn svg_file(client: &Client, line: &dyn AnyLine) -> Response {
    let title = game_title(client.words, &line.game().name());
    let svg = svg_board::draw(&BoardView::of(line), &DrawOptions::default(), &title);
    ([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response()
}

/// The end of a line of play as PNG. Drawing pixels is work for the pool.
pub(crate) async fn png_file(app: &AppState, client: &Client, line: &dyn AnyLine) -> Answer {
    let view = BoardView::of(line);
    let drawn = app.lend(client.address, move |_| png_board::draw(&view));
    let headers = [
        (header::CONTENT_TYPE, "image/png"),
        (
            header::CONTENT_DISPOSITION,
            "inline; filename=\"board.png\"",
        ),
    ];
    Ok((headers, drawn.await?).into_response())
}

pub(crate) async fn record(
    State(app): State<Arc<AppState>>,
    client: Client,
    Query(place): Query<PositionUrl>,
) -> Answer {
    let line = place.line(&app, client.words)?;
    let record = line.record(["human".into(), "human".into()]);
    Ok(record_file(&record))
}

pub(crate) async fn svg(
    State(app): State<Arc<AppState>>,
    client: Client,
    Query(place): Query<PositionUrl>,
) -> Answer {
    let _turn = app.turn_for_a_page().await;
    let line = place.here(&app, client.words)?;
    Ok(svg_file(&client, &*line))
}

pub(crate) async fn png(
    State(app): State<Arc<AppState>>,
    client: Client,
    Query(place): Query<PositionUrl>,
) -> Answer {
    let line = place.here(&app, client.words)?;
    png_file(&app, &client, &*line).await
}
