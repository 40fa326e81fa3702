//! Exports of a live game: record, picture, redirect to its analysis.

use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect};
use papan_catalog::{AnyLine, PlayerSpec};
use papan_rules::Player;

use crate::api::downloads::{attachment, png_file, svg_file};
use crate::api::games::GameQuery;
use crate::game::state::Cause;
use crate::http::client::Client;
use crate::http::rejection::{Handled, Rejection};
use crate::state::AppState;
use papan_pages::downloads::{self, Download};
use papan_pages::game::{result, side_of};
use papan_pages::position_url::PositionUrl;
use papan_view::{BoardView, messages, svg_board};

/// `GET /games/{id}/record`.
pub(crate) async fn record(
    State(app): State<AppState>,
    client: Client,
    Path(id): Path<String>,
) -> Handled {
    let state = app.games.get(&id, client.address).await?.state();
    let players = state.players.clone().map(|player| player.to_string());
    let mut record = state.line.record(players);
    record.opening = state.opening;
    if let Some(ending) = &state.ending {
        record.result = papan_rules::RecordResult::Finished(ending.outcome);
        record.reason = ending.cause.as_ref().map(|cause| match cause {
            Cause::Resigned => "resigned".into(),
            Cause::Time => "time".into(),
            Cause::Agreed => "agreed".into(),
            Cause::NoAnswer(_) => "no answer".into(),
        });
    }
    Ok(attachment(Download::record(&record)))
}

/// `GET /games/{id}/board.svg`.
pub(crate) async fn svg(
    State(app): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    Query(query): Query<GameQuery>,
) -> Handled {
    let (line, caption) = line_at(&app, &client, &id, query.ply).await?;
    Ok(svg_file(match query.show.as_deref() {
        Some("small") => svg_board::thumbnail(&BoardView::of(&*line)),
        _ => downloads::picture(client.words, &*line, Some(caption)),
    }))
}

/// `GET /games/{id}/board.png`.
pub(crate) async fn png(
    State(app): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    Query(query): Query<GameQuery>,
) -> Handled {
    let (line, caption) = line_at(&app, &client, &id, query.ply).await?;
    png_file(&app.analysis, &client, &*line, Some(caption)).await
}

/// Returns the line of play up to a ply, with the players and the result.
async fn line_at(
    app: &AppState,
    client: &Client,
    id: &str,
    ply: Option<usize>,
) -> Result<(Box<dyn AnyLine>, String), Rejection> {
    let game = app.games.get(id, client.address).await?;
    let state = game.state();
    let mut line = state.line.clone_line();
    while ply.is_some_and(|ply| line.moves().len() > ply) {
        line.undo();
    }
    let words = client.words;
    let name = |player: Player| match &state.players[player.index()] {
        PlayerSpec::Human => {
            let name = state.names[player.index()].clone();
            name.unwrap_or_else(|| side_of(words, &line.game(), player))
        }
        PlayerSpec::Strategy(spec) => messages::strategy_name(words, spec),
    };
    let mut caption = Player::BOTH.map(name).join(" – ");
    let is_last = line.moves().len() == state.line.moves().len();
    if let Some(ending) = state.ending.as_ref().filter(|_| is_last) {
        let result = result(words, &BoardView::of(&*line), ending.outcome);
        caption.push_str(&format!(" · {result}"));
    }
    Ok((line, caption))
}

/// `GET /games/{id}/study/{page}`: redirects to the analysis or the review.
pub(crate) async fn analyse(
    State(app): State<AppState>,
    client: Client,
    Path((id, page)): Path<(String, String)>,
    Query(query): Query<GameQuery>,
) -> Handled {
    let game = app.games.get(&id, client.address).await?;
    let state = game.state();
    if state.needs_consent() && !state.is_over() {
        return Err(Rejection::NotYourSeat);
    }
    let url = PositionUrl {
        game: state.line.game().name(),
        start: game.header.start.clone(),
        moves: state.line.text(),
        ply: query.ply,
        ..PositionUrl::default()
    };
    let path = match page.as_str() {
        "analysis" => "/analysis",
        "review" => "/review",
        _ => return Err(Rejection::NotFound),
    };
    Ok(Redirect::to(&url.link(path)).into_response())
}
