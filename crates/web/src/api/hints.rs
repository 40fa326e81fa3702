//! Hints, and explanations of a strategy's last move.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::IntoResponse;
use papan_catalog::{AnyLine, PlayerSpec, advisor};
use papan_strategies::StopToken;
use papan_view::json::Decision;
use serde::Serialize;

use crate::analysis::engine_cache::AnalysisRequest;
use crate::game::bot::seed;
use crate::game::live_game::LiveGame;
use crate::game::state::GameState;
use crate::http::client::Client;
use crate::http::rejection::{Conflict, Handled, Rejection};
use crate::pages::game::last_strategy_ply;
use crate::state::AppState;
use papan_pages::game::StudyView;
use papan_pages::game_study::StudyRequest;

/// A hint as JSON.
#[derive(Serialize)]
struct Hint {
    #[serde(flatten)]
    decision: Decision,
    /// The strategy that was asked.
    strategy: String,
    /// The version of the game.
    version: u64,
}

/// Returns the request for the position at a ply, to the strongest strategy.
fn analysis_request(
    app: &AppState,
    game: &LiveGame,
    state: &GameState,
    ply: usize,
) -> AnalysisRequest {
    let rules = state.line.game();
    AnalysisRequest {
        strategy: advisor(&rules),
        game: rules.name(),
        start: game.header.start.clone(),
        moves: state.line.moves()[..ply].to_vec(),
        limits: app.analysis.limits(),
        seed: 0,
        stop: StopToken::default(),
    }
}

/// Checks that the client is to move and does not play against another person.
fn check_hint_allowed(client: &Client, state: &GameState) -> Result<(), Rejection> {
    let conflict = |why| Err(Rejection::stale(why, state));
    let seats = state.seats_of(client.secret.as_ref());
    match state.turn() {
        _ if seats.is_empty() || state.needs_consent() => Err(Rejection::NotYourSeat),
        None => conflict(Conflict::Over),
        Some(turn) if !seats.contains(&turn) => conflict(Conflict::NotYourTurn),
        Some(_) => Ok(()),
    }
}

/// `GET /games/{id}/hint`.
pub(crate) async fn hint(
    State(app): State<AppState>,
    client: Client,
    Path(id): Path<String>,
) -> Handled {
    let game = app.games.get(&id, client.address).await?;
    let state = game.state();
    check_hint_allowed(&client, &state)?;
    let request = analysis_request(&app, &game, &state, state.line.moves().len());
    let strategy = request.strategy.to_string();
    app.analysis.take_token(client.address)?;
    let decision = app.analysis.decide(client.address, request).await?;
    let hint = Hint {
        decision: Decision::new(&state.line.game(), &decision),
        strategy,
        version: state.version,
    };
    Ok(Json(hint).into_response())
}

/// Returns the part of a game's page with a hint.
pub(crate) async fn show_hint(
    app: &AppState,
    client: &Client,
    game: &LiveGame,
    state: &GameState,
) -> Result<StudyView, Rejection> {
    check_hint_allowed(client, state)?;
    app.analysis.take_token(client.address)?;
    let words = client.words;
    let ply = state.line.moves().len();
    let request = analysis_request(app, game, state, ply);
    let strategy = request.strategy.info().name;
    let decision = app.analysis.decide(client.address, request).await?;
    Ok(StudyView::hint(words, &*state.line, strategy, &decision))
}

/// Returns the part of a game's page that asks the browser's engine for a hint.
pub(crate) fn ask_hint(
    client: &Client,
    game: &LiveGame,
    state: &GameState,
) -> Result<StudyView, Rejection> {
    check_hint_allowed(client, state)?;
    let rules = state.line.game();
    let request = StudyRequest {
        game: rules.name(),
        start: game.header.start.clone(),
        moves: state.line.text(),
        strategy: advisor(&rules).to_string(),
        ..StudyRequest::default()
    };
    Ok(request.pending(client.words, &*state.line))
}

/// Returns the line before the last move of a strategy.
fn line_before(state: &GameState) -> Result<Box<dyn AnyLine>, Rejection> {
    let ply = last_strategy_ply(state).ok_or(Rejection::NotFound)?;
    if state.needs_consent() && !state.is_over() {
        return Err(Rejection::NotYourSeat);
    }
    let mut before = state.line.clone_line();
    while before.moves().len() > ply {
        before.undo();
    }
    Ok(before)
}

/// Returns the part of a game's page that asks the browser's engine to explain the last move of a
/// strategy.
pub(crate) fn ask_why(
    client: &Client,
    game: &LiveGame,
    state: &GameState,
) -> Result<StudyView, Rejection> {
    let before = line_before(state)?;
    let rules = state.line.game();
    let mv = state.line.moves()[before.moves().len()];
    let request = StudyRequest {
        game: rules.name(),
        start: game.header.start.clone(),
        moves: before.text(),
        strategy: state.players[before.turn().index()].to_string(),
        explain: Some(rules.format_move(mv)),
        seed: Some(format!("{:x}", seed(&state.id))),
    };
    Ok(request.pending(client.words, &*before))
}

/// Returns the part of a game's page that explains the last move of a strategy.
pub(crate) async fn explain_last_move(
    app: &AppState,
    client: &Client,
    game: &LiveGame,
    state: &GameState,
) -> Result<StudyView, Rejection> {
    let words = client.words;
    let before = line_before(state)?;
    let ply = before.moves().len();
    app.analysis.take_token(client.address)?;
    let mut request = analysis_request(app, game, state, ply);
    if let PlayerSpec::Strategy(spec) = &state.players[before.turn().index()] {
        request.strategy = spec.clone();
    }
    // The seed of the game: another one could lead to another move.
    request.seed = seed(&state.id);
    let strategy = request.strategy.to_string();
    let decision = app.analysis.decide(client.address, request).await?;
    let mv = state.line.moves()[ply];
    Ok(StudyView::why(words, &*before, mv, &strategy, &decision))
}
