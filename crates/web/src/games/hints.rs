//! Hints, and why a strategy moved as it did.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::IntoResponse;
use papan_catalog::{PlayerSpec, advisor};
use papan_view::json::Decision;
use papan_view::{messages, svg_board};
use serde::Serialize;

use super::Answer;
use crate::hub::{Hub, seed};
use crate::live_match::LiveMatch;
use crate::overlay;
use crate::pages::game::{StudyView, last_strategy_ply};
use crate::rejection::{Conflict, Rejection};
use crate::room::Room;
use crate::seated_players::Question;
use crate::visitor::Visitor;

/// A hint, as JSON.
#[derive(Serialize)]
struct Hint {
    #[serde(flatten)]
    decision: Decision,
    /// Who was asked.
    strategy: String,
    /// The version of the game that it is for.
    version: u64,
}

fn question(hub: &Hub, room: &Room, live: &LiveMatch, ply: usize) -> Question {
    let game = live.line.game();
    Question {
        strategy: advisor(&game),
        game: game.name(),
        start: room.header.start.clone(),
        moves: live.line.moves()[..ply].to_vec(),
        limits: hub.study_limits(),
        seed: 0,
    }
}

/// A hint is for whoever is to move, and not against another person.
fn may_have_hint(visitor: &Visitor, live: &LiveMatch) -> Result<(), Rejection> {
    let conflict = |why| Err(Rejection::stale(why, live));
    let seats = live.seats_of(visitor.secret.as_ref());
    match live.turn() {
        _ if seats.is_empty() || live.needs_consent() => Err(Rejection::NotYourSeat),
        None => conflict(Conflict::Over),
        Some(turn) if !seats.contains(&turn) => conflict(Conflict::NotYourTurn),
        Some(_) => Ok(()),
    }
}

pub(crate) async fn hint(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Answer {
    let room = hub.room(&id, visitor.address).await?;
    let live = room.live();
    may_have_hint(&visitor, &live)?;
    let question = question(&hub, &room, &live, live.line.moves().len());
    let strategy = question.strategy.to_string();
    hub.study_rate(visitor.address)?;
    let decision = hub.ask(visitor.address, question).await?;
    let game = live.line.game();
    let hint = Hint {
        decision: Decision::new(&game, &decision),
        strategy,
        version: live.version,
    };
    Ok(Json(hint).into_response())
}

pub(super) async fn hint_view(
    hub: &Hub,
    visitor: &Visitor,
    room: &Room,
    live: &LiveMatch,
) -> Result<StudyView, Rejection> {
    may_have_hint(visitor, live)?;
    hub.study_rate(visitor.address)?;
    let words = visitor.words;
    let ply = live.line.moves().len();
    let question = question(hub, room, live, ply);
    let strategy = question.strategy.recipe().name;
    let decision = hub.ask(visitor.address, question).await?;
    let game = live.line.game();
    let worth = decision.chosen().and_then(|candidate| candidate.score);
    let mut overlays = vec![None; game.cells()];
    if let Some(cell) = decision.best.cell() {
        overlays[cell] = Some(svg_board::Overlay {
            lines: vec!["✓".into()],
            chosen: true,
        });
    }
    Ok(StudyView {
        title: words.text("web-hint"),
        text: messages::hint(words, &game, strategy, decision.best, worth),
        reasons: overlay::Reasons::default(),
        ply,
        overlays,
    })
}

pub(super) async fn why_view(
    hub: &Hub,
    visitor: &Visitor,
    room: &Room,
    live: &LiveMatch,
) -> Result<StudyView, Rejection> {
    let words = visitor.words;
    let ply = last_strategy_ply(live).ok_or(Rejection::NotFound)?;
    if live.needs_consent() && !live.is_over() {
        return Err(Rejection::NotYourSeat);
    }
    hub.study_rate(visitor.address)?;
    let mut question = question(hub, room, live, ply);
    let mut before = live.line.clone_line();
    while before.moves().len() > ply {
        before.undo();
    }
    if let PlayerSpec::Strategy(spec) = &live.players[before.turn().index()] {
        question.strategy = spec.clone();
    }
    // With other lots it would explain another move than the one that it made.
    question.seed = seed(&live.id);
    let strategy = question.strategy.to_string();
    let decision = hub.ask(visitor.address, question).await?;
    let game = live.line.game();
    Ok(StudyView {
        title: words.text("web-why"),
        text: words.with(
            "web-why-text",
            [
                ("strategy", strategy.into()),
                ("move", game.show_move(live.line.moves()[ply]).into()),
            ],
        ),
        reasons: overlay::reasons(words, &*before, &decision),
        ply,
        overlays: overlay::overlays(words, &*before, &decision),
    })
}
