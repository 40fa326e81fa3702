//! What can be taken home from a game: its record, its picture, its analysis.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect};
use papan_catalog::AnyLine;

use super::{Answer, LookAt};
use crate::downloads::{png_file, record_file, svg_file};
use crate::hub::Hub;
use crate::line_address::LineAddress;
use crate::live_match::Cause;
use crate::rejection::Rejection;
use crate::visitor::Visitor;

pub(crate) async fn record(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Answer {
    let live = hub.room(&id, visitor.address).await?.live();
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
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(at): Query<LookAt>,
) -> Answer {
    Ok(svg_file(
        &visitor,
        &*line_at(&hub, &visitor, &id, at.ply).await?,
    ))
}

pub(crate) async fn png(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(at): Query<LookAt>,
) -> Answer {
    png_file(
        &hub,
        &visitor,
        &*line_at(&hub, &visitor, &id, at.ply).await?,
    )
    .await
}

/// A game up to a number of moves.
async fn line_at(
    hub: &Arc<Hub>,
    visitor: &Visitor,
    id: &str,
    ply: Option<usize>,
) -> Result<Box<dyn AnyLine>, Rejection> {
    let mut line = hub
        .room(id, visitor.address)
        .await?
        .live()
        .line
        .clone_line();
    while ply.is_some_and(|ply| line.moves().len() > ply) {
        line.undo();
    }
    Ok(line)
}

/// Leads to the same line of play on the page of analysis.
pub(crate) async fn analyse(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Path((id, page)): Path<(String, String)>,
    Query(at): Query<LookAt>,
) -> Answer {
    let room = hub.room(&id, visitor.address).await?;
    let live = room.live();
    if live.needs_consent() && !live.is_over() {
        return Err(Rejection::NotYourSeat);
    }
    let place = LineAddress {
        game: live.line.game().name(),
        start: room.header.start.clone(),
        moves: live.line.text(),
        ply: at.ply,
        ..LineAddress::default()
    };
    let path = match page.as_str() {
        "analysis" => "/analysis",
        "review" => "/review",
        _ => return Err(Rejection::NotFound),
    };
    Ok(Redirect::to(&place.link(path)).into_response())
}
