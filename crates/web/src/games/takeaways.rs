//! What can be taken home from a game: its record, its picture, its analysis.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect};
use papan_view::BoardView;
use papan_view::svg_board::{self, Look};

use super::{Answer, LookAt, start_of};
use crate::hub::Hub;
use crate::live_match::Cause;
use crate::pages::game::game_title;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

pub(crate) async fn record(State(hub): State<Arc<Hub>>, Path(id): Path<String>) -> Answer {
    let live = hub.room(&id).await?.live();
    let players = live.players.clone().map(|player| player.to_string());
    let mut record = live.line.record(players);
    if let Some(ending) = &live.ending {
        record.result = papan_rules::RecordResult::Finished(ending.outcome);
        record.reason = ending.cause.as_ref().map(|cause| match cause {
            Cause::Resigned => "resigned".into(),
            Cause::Time => "time".into(),
            Cause::NoAnswer(_) => "no answer".into(),
        });
    }
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"game.papan\"",
        ),
    ];
    Ok((headers, record.to_string()).into_response())
}

pub(crate) async fn picture(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(at): Query<LookAt>,
) -> Answer {
    let live = hub.room(&id).await?.live();
    let mut line = live.line.clone_line();
    while at.ply.is_some_and(|ply| line.moves().len() > ply) {
        line.undo();
    }
    let title = game_title(visitor.words, &line.game().name());
    let svg = svg_board::draw(&BoardView::of(&*line), &Look::default(), &title);
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

/// Leads to the same line of play on the page of analysis.
pub(crate) async fn analyse(
    State(hub): State<Arc<Hub>>,
    Path((id, page)): Path<(String, String)>,
) -> Answer {
    let room = hub.room(&id).await?;
    let live = room.live();
    if live.needs_consent() && !live.is_over() {
        return Err(Refusal::NotYourSeat);
    }
    let place = crate::pages::analysis::Place {
        game: live.line.game().name(),
        start: start_of(&room),
        moves: live.line.text(),
        ..crate::pages::analysis::Place::default()
    };
    let path = match page.as_str() {
        "analysis" => "/analysis",
        "review" => "/review",
        _ => return Err(Refusal::NotFound),
    };
    Ok(Redirect::to(&place.link(path)).into_response())
}
