//! Import: a record or a list of moves, to be looked at.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use papan_rules::Record;
use serde::Deserialize;

use crate::body::Sent;
use crate::hub::Hub;
use crate::place::Place;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

#[derive(Deserialize)]
struct Import {
    #[serde(default)]
    game: String,
    text: String,
}

/// Takes a record or a list of moves, and leads to it.
pub(crate) async fn import(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    sent: Sent,
) -> Result<Response, Refusal> {
    let import: Import = sent.read()?;
    let text = import.text.trim();
    let place = if text.starts_with("papan ") {
        let broken = |error: papan_rules::RecordError| Refusal::Unusable(error.to_string());
        let record = Record::parse(text).map_err(broken)?;
        let game = hub
            .game(&record.game)
            .map_err(|error| Refusal::Unusable(error.to_string()))?;
        let line = game.line_of(&record).map_err(broken)?;
        Place {
            game: game.name(),
            moves: line.text(),
            start: record.start,
            ..Place::default()
        }
    } else {
        Place {
            game: import.game,
            moves: text.into(),
            ..Place::default()
        }
    };
    place.line(&hub, visitor.words)?;
    Ok(Redirect::to(&place.link("/analysis")).into_response())
}
