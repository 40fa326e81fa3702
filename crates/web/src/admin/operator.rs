//! What the site says of itself: health, numbers, its own description, its language.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use papan_catalog::FAMILIES;
use papan_rules::Player;
use papan_view::Language;
use serde::{Deserialize, Serialize};

use crate::game::event::Side;
use crate::http::body::ParsedBody;
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::Rejection;
use crate::pages::home::{StrategyChoice, strategy_choices};
use crate::pages::layout::Layout;
use crate::state::AppState;

/// That all is well, as JSON.
#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
}

/// The games that something was done to, as JSON.
#[derive(Serialize)]
struct Touched {
    games: Vec<String>,
}

pub(crate) async fn health(State(app): State<Arc<AppState>>) -> Result<Response, Rejection> {
    app.store.check().await?;
    let health = Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
    };
    Ok(Json(health).into_response())
}

pub(crate) async fn metrics(State(app): State<Arc<AppState>>) -> Response {
    let text = app.metrics.text(&app, app.gates.connections.count());
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// Deletes a game, for whoever operates the server.
pub(crate) async fn delete_game(
    State(app): State<Arc<AppState>>,
    Path(id): Path<String>,
) -> Result<StatusCode, Rejection> {
    let there = app.store.delete_game(&id).await?;
    app.leave_rooms(&[id]);
    match there {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Rejection::NotFound),
    }
}

/// Deletes every game of the client who holds a seat.
pub(crate) async fn delete_visitor(
    State(app): State<Arc<AppState>>,
    Path((id, seat)): Path<(String, Side)>,
) -> Result<Response, Rejection> {
    let client = app
        .store
        .visitor_at(&id, Player::from(seat).index())
        .await?;
    let gone = app
        .store
        .delete_visitor(client.ok_or(Rejection::NotFound)?)
        .await?;
    app.leave_rooms(&gone);
    Ok(Json(Touched { games: gone }).into_response())
}

/// Deletes a name from every game.
pub(crate) async fn delete_name(
    State(app): State<Arc<AppState>>,
    Path(name): Path<String>,
) -> Result<Response, Rejection> {
    let changed = app.store.delete_name(&name).await?;
    // They are read again without it.
    app.leave_rooms(&changed);
    Ok(Json(Touched { games: changed }).into_response())
}

pub(crate) async fn openapi() -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, include_str!("../../assets/openapi.json")).into_response()
}

/// The language from now on, as JSON.
#[derive(Serialize)]
struct Spoken {
    language: &'static str,
}

#[derive(Deserialize)]
struct Switch {
    language: String,
    #[serde(default)]
    back: String,
}

pub(crate) async fn language(client: Client, sent: ParsedBody) -> Result<Response, Rejection> {
    let switch: Switch = sent.read()?;
    let language = switch.language.parse::<Language>().map_err(|_| {
        let text = [("text", switch.language.clone().into())];
        Rejection::Unusable(client.words.with("web-no-such-language", text))
    })?;
    // A path of this site and nothing else: `//elsewhere` would lead away.
    let path = switch.back.as_str();
    let plain = path
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let back = match path.starts_with('/') && !path.starts_with("//") && plain {
        true => path,
        false => "/",
    };
    let mut response = match client.format {
        ResponseFormat::Json => Json(Spoken {
            language: language.code(),
        })
        .into_response(),
        _ => Redirect::to(back).into_response(),
    };
    let cookie = client.language_cookie(language);
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}

#[derive(Template)]
#[template(path = "laboratory.html")]
struct LaboratoryPage {
    layout: Layout,
    games: Vec<&'static str>,
    choices: Vec<StrategyChoice>,
}

pub(crate) async fn laboratory(client: Client) -> Result<Response, Rejection> {
    let words = client.words;
    let page = LaboratoryPage {
        layout: Layout::new(&client, words.text("web-laboratory"), "/laboratory"),
        games: FAMILIES
            .iter()
            .flat_map(|family| family.examples)
            .copied()
            .collect(),
        choices: strategy_choices(words, "branch-and-bound"),
    };
    Ok(Html(page.render().map_err(|_| Rejection::Broken)?).into_response())
}
