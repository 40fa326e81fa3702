//! Hints, and why a strategy moved as it did.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::IntoResponse;
use papan_catalog::{PlayerSpec, advisor};
use papan_view::json::Decision;
use papan_view::{messages, svg_board};
use serde::Serialize;

use crate::analysis::engine_cache::AnalysisRequest;
use crate::api::games::Answer;
use crate::game::bot::seed;
use crate::game::live_game::LiveGame;
use crate::game::state::GameState;
use crate::http::client::Client;
use crate::http::rejection::{Conflict, Rejection};
use crate::pages::game::{StudyView, last_strategy_ply};
use crate::pages::overlay;
use crate::state::AppState;

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

fn question(app: &AppState, room: &LiveGame, live: &GameState, ply: usize) -> AnalysisRequest {
    let game = live.line.game();
    AnalysisRequest {
        strategy: advisor(&game),
        game: game.name(),
        start: room.header.start.clone(),
        moves: live.line.moves()[..ply].to_vec(),
        limits: app.study_limits(),
        seed: 0,
    }
}

/// A hint is for whoever is to move, and not against another person.
fn may_have_hint(client: &Client, live: &GameState) -> Result<(), Rejection> {
    let conflict = |why| Err(Rejection::stale(why, live));
    let seats = live.seats_of(client.secret.as_ref());
    match live.turn() {
        _ if seats.is_empty() || live.needs_consent() => Err(Rejection::NotYourSeat),
        None => conflict(Conflict::Over),
        Some(turn) if !seats.contains(&turn) => conflict(Conflict::NotYourTurn),
        Some(_) => Ok(()),
    }
}

pub(crate) async fn hint(
    State(app): State<Arc<AppState>>,
    client: Client,
    Path(id): Path<String>,
) -> Answer {
    let room = app.room(&id, client.address).await?;
    let live = room.live();
    may_have_hint(&client, &live)?;
    let question = question(&app, &room, &live, live.line.moves().len());
    let strategy = question.strategy.to_string();
    app.study_rate(client.address)?;
    let decision = app.ask(client.address, question).await?;
    let game = live.line.game();
    let hint = Hint {
        decision: Decision::new(&game, &decision),
        strategy,
        version: live.version,
    };
    Ok(Json(hint).into_response())
}

pub(crate) async fn hint_view(
    app: &AppState,
    client: &Client,
    room: &LiveGame,
    live: &GameState,
) -> Result<StudyView, Rejection> {
    may_have_hint(client, live)?;
    app.study_rate(client.address)?;
    let words = client.words;
    let ply = live.line.moves().len();
    let question = question(app, room, live, ply);
    let strategy = question.strategy.info().name;
    let decision = app.ask(client.address, question).await?;
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

pub(crate) async fn why_view(
    app: &AppState,
    client: &Client,
    room: &LiveGame,
    live: &GameState,
) -> Result<StudyView, Rejection> {
    let words = client.words;
    let ply = last_strategy_ply(live).ok_or(Rejection::NotFound)?;
    if live.needs_consent() && !live.is_over() {
        return Err(Rejection::NotYourSeat);
    }
    app.study_rate(client.address)?;
    let mut question = question(app, room, live, ply);
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
    let decision = app.ask(client.address, question).await?;
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
