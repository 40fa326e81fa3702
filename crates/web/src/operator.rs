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

use crate::body::Sent;
use crate::event::Side;
use crate::hub::Hub;
use crate::page::Frame;
use crate::pages::home::{StrategyChoice, strategy_choices};
use crate::rejection::Rejection;
use crate::visitor::{Form, Visitor};

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

pub(crate) async fn health(State(hub): State<Arc<Hub>>) -> Result<Response, Rejection> {
    hub.store.check().await?;
    let health = Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
    };
    Ok(Json(health).into_response())
}

pub(crate) async fn metrics(State(hub): State<Arc<Hub>>) -> Response {
    let text = hub.metrics.text(&hub, hub.gates.connections.count());
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// Deletes a game, for whoever operates the server.
pub(crate) async fn delete_game(
    State(hub): State<Arc<Hub>>,
    Path(id): Path<String>,
) -> Result<StatusCode, Rejection> {
    let there = hub.store.delete_game(&id).await?;
    hub.leave_rooms(&[id]);
    match there {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Rejection::NotFound),
    }
}

/// Deletes every game of the visitor who holds a seat.
pub(crate) async fn delete_visitor(
    State(hub): State<Arc<Hub>>,
    Path((id, seat)): Path<(String, Side)>,
) -> Result<Response, Rejection> {
    let visitor = hub
        .store
        .visitor_at(&id, Player::from(seat).index())
        .await?;
    let gone = hub
        .store
        .delete_visitor(visitor.ok_or(Rejection::NotFound)?)
        .await?;
    hub.leave_rooms(&gone);
    Ok(Json(Touched { games: gone }).into_response())
}

/// Deletes a name from every game.
pub(crate) async fn delete_name(
    State(hub): State<Arc<Hub>>,
    Path(name): Path<String>,
) -> Result<Response, Rejection> {
    let changed = hub.store.delete_name(&name).await?;
    // They are read again without it.
    hub.leave_rooms(&changed);
    Ok(Json(Touched { games: changed }).into_response())
}

pub(crate) async fn openapi() -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, include_str!("../assets/openapi.json")).into_response()
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

pub(crate) async fn language(visitor: Visitor, sent: Sent) -> Result<Response, Rejection> {
    let switch: Switch = sent.read()?;
    let language = switch.language.parse::<Language>().map_err(|_| {
        let text = [("text", switch.language.clone().into())];
        Rejection::Unusable(visitor.words.with("web-no-such-language", text))
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
    let mut response = match visitor.form {
        Form::Json => Json(Spoken {
            language: language.code(),
        })
        .into_response(),
        _ => Redirect::to(back).into_response(),
    };
    let cookie = visitor.language_cookie(language);
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}

#[derive(Template)]
#[template(path = "laboratory.html")]
struct LaboratoryPage {
    frame: Frame,
    games: Vec<&'static str>,
    choices: Vec<StrategyChoice>,
}

pub(crate) async fn laboratory(visitor: Visitor) -> Result<Response, Rejection> {
    let words = visitor.words;
    let page = LaboratoryPage {
        frame: Frame::new(&visitor, words.text("web-laboratory"), "/laboratory"),
        games: FAMILIES
            .iter()
            .flat_map(|family| family.examples)
            .copied()
            .collect(),
        choices: strategy_choices(words, "branch-and-bound"),
    };
    Ok(Html(page.render().map_err(|_| Rejection::Broken)?).into_response())
}
