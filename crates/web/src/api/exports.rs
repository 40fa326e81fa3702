//! What can be taken home from a game: its record, its picture, its analysis.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect};
use papan_catalog::AnyLine;

use crate::api::downloads::{png_file, record_file, svg_file};
use crate::api::games::{Answer, GameQuery};
use crate::game::state::Cause;
use crate::http::client::Client;
use crate::http::rejection::Rejection;
use crate::pages::position_url::PositionUrl;
use crate::state::AppState;

pub(crate) async fn record(
    State(app): State<Arc<AppState>>,
    client: Client,
    Path(id): Path<String>,
) -> Answer {
    let live = app.room(&id, client.address).await?.live();
    let players = live.players.clone().map(|player| player.to_string());
    let mut record = live.line.record(players);
    if let Some(ending) = &live.ending {
        record.result = papan_rules::RecordResult::Finished(ending.outcome);
        record.reason = ending.cause.as_ref().map(|cause| match cause {
            Cause::Resigned => "resigned".into(),
            Cause::Time => "time".into(),
            Cause::Agreed => "agreed".into(),
            Cause::NoAnswer(_) => "no answer".into(),
        });
    }
    Ok(record_file(&record))
}

pub(crate) async fn svg(
    State(app): State<Arc<AppState>>,
    client: Client,
    Path(id): Path<String>,
    Query(at): Query<GameQuery>,
) -> Answer {
    Ok(svg_file(
        &client,
        &*line_at(&app, &client, &id, at.ply).await?,
    ))
}

pub(crate) async fn png(
    State(app): State<Arc<AppState>>,
    client: Client,
    Path(id): Path<String>,
    Query(at): Query<GameQuery>,
) -> Answer {
    png_file(&app, &client, &*line_at(&app, &client, &id, at.ply).await?).await
}

/// A game up to a number of moves.
async fn line_at(
    app: &Arc<AppState>,
    client: &Client,
    id: &str,
    ply: Option<usize>,
) -> Result<Box<dyn AnyLine>, Rejection> {
    let mut line = app.room(id, client.address).await?.live().line.clone_line();
    while ply.is_some_and(|ply| line.moves().len() > ply) {
        line.undo();
    }
    Ok(line)
}

/// Leads to the same line of play on the page of analysis.
pub(crate) async fn analyse(
    State(app): State<Arc<AppState>>,
    client: Client,
    Path((id, page)): Path<(String, String)>,
    Query(at): Query<GameQuery>,
) -> Answer {
    let room = app.room(&id, client.address).await?;
    let live = room.live();
    if live.needs_consent() && !live.is_over() {
        return Err(Rejection::NotYourSeat);
    }
    let place = PositionUrl {
        game: live.line.game().name(),
        start: room.header.start.clone(),
        moves: live.line.text(),
        ply: at.ply,
        ..PositionUrl::default()
    };
    let path = match page.as_str() {
        "analysis" => "/analysis",
        "review" => "/review",
        _ => return Err(Rejection::NotFound),
    };
    Ok(Redirect::to(&place.link(path)).into_response())
}
