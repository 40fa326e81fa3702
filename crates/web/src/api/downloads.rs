//! Exports of any line of play: record, SVG, PNG.

use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use papan_catalog::AnyLine;
use papan_files::Format;
use papan_rules::{Comment, Record};
use papan_view::messages::files;
use papan_view::svg_board::{self, DrawOptions};
use papan_view::{BoardView, messages, png_board};
use serde::Deserialize;

use crate::analysis::service::AnalysisService;
use crate::http::client::Client;
use crate::http::rejection::{Handled, Rejection};
use crate::state::AppState;
use papan_pages::game_title::game_title;
use papan_pages::position_url::PositionUrl;
use papan_pages::variations::Variations;

/// Returns a record as an attachment.
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

/// Returns the final position as SVG.
pub(crate) fn svg_file(client: &Client, line: &dyn AnyLine, caption: Option<String>) -> Response {
    let title = game_title(client.words, &line.game().name());
    let options = DrawOptions {
        caption,
        ..DrawOptions::default()
    };
    let svg = svg_board::draw(&BoardView::of(line), &options, &title);
    ([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response()
}

/// Returns the final position as a small SVG, without labels.
pub(crate) fn thumbnail_file(line: &dyn AnyLine) -> Response {
    let svg = svg_board::thumbnail(&BoardView::of(line));
    ([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response()
}

/// Returns the final position as PNG, rendered on the engine pool.
pub(crate) async fn png_file(
    analysis: &AnalysisService,
    client: &Client,
    line: &dyn AnyLine,
    caption: Option<String>,
) -> Handled {
    let view = BoardView::of(line);
    let options = DrawOptions {
        caption,
        ..DrawOptions::default()
    };
    let drawn = analysis.run_on_pool(client.address, move |_| {
        png_board::draw_with(&view, &options)
    });
    let headers = [
        (header::CONTENT_TYPE, "image/png"),
        (
            header::CONTENT_DISPOSITION,
            "inline; filename=\"board.png\"",
        ),
    ];
    Ok((headers, drawn.await?).into_response())
}

/// The file format in an address.
#[derive(Deserialize)]
pub(crate) struct FormatQuery {
    format: Option<String>,
}

/// How a picture is drawn.
#[derive(Deserialize)]
pub(crate) struct PictureQuery {
    show: Option<String>,
    /// Moves that continue the position shown.
    after: Option<String>,
}

/// `GET /analysis/record`, in papan's own or another format.
pub(crate) async fn record(
    State(app): State<AppState>,
    client: Client,
    Query(url): Query<PositionUrl>,
    Query(query): Query<FormatQuery>,
) -> Handled {
    let _permit = app.render_permit().await;
    let lines = Variations::parse(url.clone(), &*app.catalog, client.words)?;
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
        None => return Ok(record_file(&record)),
        Some(name) => name.parse::<Format>(),
    };
    let unusable = |sentence: String| Rejection::Unusable(sentence);
    let format = format.map_err(|error| unusable(files::no_format(client.words, &error)))?;
    if format == Format::Record {
        return Ok(record_file(&record));
    }
    let text = papan_files::write(&[record], format);
    let text = text.map_err(|error| unusable(files::file(client.words, &error)))?;
    let name = format!("attachment; filename=\"game.{}\"", format.name());
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, text).into_response())
}

/// `GET /analysis/board.svg`.
pub(crate) async fn svg(
    State(app): State<AppState>,
    client: Client,
    Query(url): Query<PositionUrl>,
    Query(query): Query<PictureQuery>,
) -> Handled {
    let _permit = app.render_permit().await;
    let mut line = url.line_here(&*app.catalog, client.words)?;
    if let Some(moves) = &query.after
        && let Err(error) = line.extend(moves)
    {
        let sentence = messages::line(client.words, &*line, &error);
        return Err(Rejection::Unusable(sentence));
    }
    if query.show.as_deref() == Some("small") {
        return Ok(thumbnail_file(&*line));
    }
    Ok(svg_file(&client, &*line, players(&url)))
}

/// `GET /analysis/board.png`.
pub(crate) async fn png(
    State(app): State<AppState>,
    client: Client,
    Query(url): Query<PositionUrl>,
) -> Handled {
    let line = url.line_here(&*app.catalog, client.words)?;
    png_file(&app.analysis, &client, &*line, players(&url)).await
}

/// Returns the names of the players below a picture.
fn players(url: &PositionUrl) -> Option<String> {
    url.players().map(|players| players.join(" – "))
}
