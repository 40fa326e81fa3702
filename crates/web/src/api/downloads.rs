//! Exports of any line of play: record, SVG, PNG.

use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use papan_catalog::AnyLine;
use papan_pages::downloads::{self, Download, FormatQuery, PictureQuery};
use papan_pages::position_url::PositionUrl;
use papan_view::svg_board::DrawOptions;
use papan_view::{BoardView, Drawing, png_board};

use crate::analysis::service::AnalysisService;
use crate::handlers::analysis::evaluate;
use crate::http::client::Client;
use crate::http::rejection::{Handled, Rejection};
use crate::state::AppState;

/// Returns a file as an attachment.
pub(crate) fn attachment(file: Download) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{}\"", file.name),
        ),
    ];
    (headers, file.text).into_response()
}

/// Returns a picture.
pub(crate) fn svg_file(svg: String) -> Response {
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

/// `GET /analysis/record`, in papan's own or another format.
pub(crate) async fn record(
    State(app): State<AppState>,
    client: Client,
    Query(url): Query<PositionUrl>,
    Query(query): Query<FormatQuery>,
) -> Handled {
    let _permit = app.render_permit().await;
    let file = downloads::record(&url, &query, &*app.catalog, client.words)?;
    Ok(attachment(file))
}

/// `GET /analysis/board.svg`.
pub(crate) async fn svg(
    State(app): State<AppState>,
    client: Client,
    Query(url): Query<PositionUrl>,
    Query(query): Query<PictureQuery>,
) -> Handled {
    if query.has_numbers() {
        let line = url.line_here(&*app.catalog, client.words)?;
        if let Some(drawing) = scored(&app, &client, &url, &*line).await? {
            return Ok(svg_file(drawing.svg()));
        }
    }
    let _permit = app.render_permit().await;
    let svg = downloads::svg(&url, &query, &*app.catalog, client.words)?;
    Ok(svg_file(svg))
}

/// Returns the board with the numbers of the strategy in the address, if there is one.
async fn scored(
    app: &AppState,
    client: &Client,
    url: &PositionUrl,
    line: &dyn AnyLine,
) -> Result<Option<Drawing>, Rejection> {
    let strategy = url.strategy.as_deref().unwrap_or("").trim();
    if strategy.is_empty() || line.outcome().is_some() {
        return Ok(None);
    }
    let evaluation = evaluate(app, client, url, line, strategy).await?;
    let drawing = papan_pages::analysis::picture(client.words, line, &evaluation);
    Ok(Some(drawing))
}

/// Returns a drawing as PNG, rendered on the engine pool.
pub(crate) async fn png_response(
    analysis: &AnalysisService,
    client: &Client,
    drawing: Drawing,
) -> Handled {
    let drawn = analysis.run_on_pool(client.address, move |_| drawing.png());
    Ok(([(header::CONTENT_TYPE, "image/png")], drawn.await?).into_response())
}

/// `GET /analysis/board.png`.
pub(crate) async fn png(
    State(app): State<AppState>,
    client: Client,
    Query(url): Query<PositionUrl>,
) -> Handled {
    let line = url.line_here(&*app.catalog, client.words)?;
    if let Some(drawing) = scored(&app, &client, &url, &*line).await? {
        return png_response(&app.analysis, &client, drawing).await;
    }
    png_file(&app.analysis, &client, &*line, downloads::players(&url)).await
}
