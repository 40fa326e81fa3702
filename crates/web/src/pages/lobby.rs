//! The lobby: open challenges (seeks) and public games that can be watched.

use std::time::Duration;

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Response};
use papan_rules::Player;
use serde::Serialize;

use crate::game::clock::clock_name;
use crate::game::live_game::LiveGame;
use crate::http::client::{Client, ResponseFormat};
use crate::http::names::player_name;
use crate::http::rejection::Rejection;
use crate::http::secret::Secret;
use crate::pages::game::{game_title, side_of};
use crate::pages::layout::Layout;
use crate::side::Side;
use crate::state::AppState;

/// Maximum number of challenges, and of games.
const MAX_LISTED: usize = 50;
/// Reload interval without scripts, in seconds.
const RELOAD_SECONDS: u32 = 10;

#[derive(Template)]
#[template(path = "lobby.html")]
struct LobbyPage {
    layout: Layout,
    challenges: Vec<Challenge>,
    games: Vec<WatchableGame>,
}

/// A game with a vacant seat.
#[derive(Serialize)]
struct Challenge {
    id: String,
    game: String,
    /// Display name of the client that created it.
    name: Option<String>,
    /// The vacant seat.
    seat: Side,
    /// Initial time and increment in milliseconds.
    clock: Option<(u64, u64)>,
    /// The invitation to the seat.
    invitation: String,
    #[serde(skip)]
    title: String,
    #[serde(skip)]
    text: String,
    #[serde(skip)]
    is_mine: bool,
}

/// A game that can be watched.
#[derive(Serialize)]
struct WatchableGame {
    id: String,
    game: String,
    names: [Option<String>; 2],
    moves: usize,
    watching: usize,
    #[serde(skip)]
    title: String,
    #[serde(skip)]
    players: String,
}

/// The lobby as JSON.
#[derive(Serialize)]
struct LobbyView {
    challenges: Vec<Challenge>,
    games: Vec<WatchableGame>,
}

/// `GET /lobby`.
pub(crate) async fn lobby(
    State(app): State<AppState>,
    client: Client,
) -> Result<Response, Rejection> {
    let (listed, now) = (app.games.listed(), app.clock.now());
    let challenges: Vec<Challenge> = listed
        .iter()
        .filter_map(|game| challenge(game, &client, now))
        .take(MAX_LISTED)
        .collect();
    let games: Vec<WatchableGame> = listed
        .iter()
        .filter_map(|game| watchable(game, &client, now))
        .take(MAX_LISTED)
        .collect();
    if client.format == ResponseFormat::Json {
        return Ok(Json(LobbyView { challenges, games }).into_response());
    }
    let mut layout = Layout::new(&client, client.words.text("web-lobby"), "/lobby");
    layout.reload = Some(RELOAD_SECONDS);
    let page = LobbyPage {
        layout,
        challenges,
        games,
    };
    Ok(Html(page.render().map_err(|_| Rejection::Internal)?).into_response())
}

fn challenge(game: &LiveGame, client: &Client, now: Duration) -> Option<Challenge> {
    let state = game.state();
    let seat = state.vacant?;
    // Only while its creator is present to play it.
    game.is_present(seat.other(), now).then_some(())?;
    let words = client.words;
    let creator = state.names[seat.other().index()].clone();
    let clock = game.header.clock;
    let text = words.with(
        "web-challenge",
        [
            (
                "name",
                player_name(words, "human", creator.as_deref()).into(),
            ),
            ("side", side_of(words, &game.rules, seat).into()),
            ("clock", clock_name(words, clock).into()),
        ],
    );
    Some(Challenge {
        id: state.id.clone(),
        game: game.rules.name(),
        name: creator,
        seat: seat.into(),
        clock,
        invitation: Secret::open_invitation(&state.id).text().into(),
        title: game_title(words, &game.rules.name()),
        text,
        is_mine: !state.seats_of(client.secret.as_ref()).is_empty(),
    })
}

fn watchable(game: &LiveGame, client: &Client, now: Duration) -> Option<WatchableGame> {
    let state = game.state();
    state.turn()?;
    Player::BOTH
        .into_iter()
        .any(|player| game.is_present(player, now))
        .then_some(())?;
    let words = client.words;
    let names = Player::BOTH.map(|player| {
        let index = player.index();
        let spec = state.players[index].to_string();
        player_name(words, &spec, state.names[index].as_deref())
    });
    Some(WatchableGame {
        id: state.id.clone(),
        game: game.rules.name(),
        names: state.names.clone(),
        moves: state.line.moves().len(),
        watching: game.followers(),
        title: game_title(words, &game.rules.name()),
        players: names.join(" – "),
    })
}
