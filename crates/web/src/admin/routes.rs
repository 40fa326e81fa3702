//! Handlers for operators: health, metrics, deletion.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use papan_rules::Player;
use serde::Serialize;

use crate::admin::metrics::{CONTENT_TYPE, Gauges};
use crate::analysis::remote::RemoteMetrics;
use crate::http::rejection::Rejection;
use crate::side::Side;
use crate::state::AppState;

/// Health as JSON.
#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
}

/// Ids of deleted or changed games, as JSON.
#[derive(Serialize)]
struct AffectedGames {
    games: Vec<String>,
}

/// `GET /health`: whether the database can be read and the last write succeeded.
pub(crate) async fn health(State(app): State<AppState>) -> Result<Response, Rejection> {
    app.store.check().await?;
    let health = Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
    };
    Ok(Json(health).into_response())
}

/// `GET /metrics`.
pub(crate) async fn metrics(State(app): State<AppState>) -> Response {
    let (games, streams) = app.games.counts();
    let remote = match &app.remote {
        Some(remote) => remote.metrics().await,
        None => RemoteMetrics::default(),
    };
    let text = app.metrics.encode(Gauges {
        games,
        streams,
        connections: app.limits.connections.count(),
        queued: app.pool.waiting(),
        remote,
    });
    ([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response()
}

/// `DELETE /games/{id}`.
pub(crate) async fn delete_game(
    State(app): State<AppState>,
    Path(id): Path<String>,
) -> Result<StatusCode, Rejection> {
    let deleted = app.store.delete_game(&id).await?;
    app.games.evict(&[id]);
    if deleted {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Rejection::NotFound)
    }
}

/// `DELETE /games/{id}/visitors/{seat}`: deletes every game of the client who holds the seat.
pub(crate) async fn delete_visitor(
    State(app): State<AppState>,
    Path((id, seat)): Path<(String, Side)>,
) -> Result<Response, Rejection> {
    let player = Player::from(seat).index();
    let visitor = app.store.visitor_at(&id, player).await?;
    let visitor = visitor.ok_or(Rejection::NotFound)?;
    let games = app.store.delete_visitor(visitor).await?;
    app.games.evict(&games);
    Ok(Json(AffectedGames { games }).into_response())
}

/// `DELETE /names/{name}`: removes a display name from every game.
pub(crate) async fn delete_name(
    State(app): State<AppState>,
    Path(name): Path<String>,
) -> Result<Response, Rejection> {
    let games = app.store.delete_name(&name).await?;
    // They are loaded again without the name.
    app.games.evict(&games);
    Ok(Json(AffectedGames { games }).into_response())
}
