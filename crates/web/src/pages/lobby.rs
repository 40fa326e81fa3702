//! Where visitors meet: open challenges, and games that can be watched now.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Response};
use papan_rules::Player;
use serde::Serialize;

use crate::game::clock::clock_name;
use crate::game::event::Side;
use crate::game::live_game::LiveGame;
use crate::game::state::GameState;
use crate::http::client::{Client, ResponseFormat};
use crate::http::names::player_name;
use crate::http::rejection::Rejection;
use crate::http::secret::Secret;
use crate::pages::game::{game_title, side_of};
use crate::pages::layout::Layout;
use crate::state::AppState;

/// Games that are shown of each kind.
const MOST: usize = 50;

#[derive(Template)]
#[template(path = "lobby.html")]
struct LobbyPage {
    layout: Layout,
    challenges: Vec<Challenge>,
    matches: Vec<Watchable>,
}

/// A game that waits for somebody.
#[derive(Serialize)]
struct Challenge {
    id: String,
    game: String,
    /// Who made it.
    name: Option<String>,
    /// The seat that is vacant.
    seat: Side,
    /// Milliseconds for each, and what every move adds.
    clock: Option<(u64, u64)>,
    /// What takes the seat.
    invitation: String,
    #[serde(skip)]
    title: String,
    #[serde(skip)]
    text: String,
    #[serde(skip)]
    mine: bool,
}

/// A game that can be watched.
#[derive(Serialize)]
struct Watchable {
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

/// The lobby, as JSON.
#[derive(Serialize)]
struct Lobby {
    challenges: Vec<Challenge>,
    games: Vec<Watchable>,
}

pub(crate) async fn lobby(
    State(app): State<Arc<AppState>>,
    client: Client,
) -> Result<Response, Rejection> {
    let (rooms, now) = (app.listed_rooms(), app.now());
    let challenges = rooms
        .iter()
        .filter_map(|room| challenge(room, &client, now));
    let challenges: Vec<Challenge> = challenges.take(MOST).collect();
    let matches = rooms
        .iter()
        .filter_map(|room| watchable(room, &client, now));
    let matches: Vec<Watchable> = matches.take(MOST).collect();
    if client.format == ResponseFormat::Json {
        let lobby = Lobby {
            challenges,
            games: matches,
        };
        return Ok(Json(lobby).into_response());
    }
    let mut layout = Layout::new(&client, client.words.text("web-lobby"), "/lobby");
    layout.reload = Some(10);
    let page = LobbyPage {
        layout,
        challenges,
        matches,
    };
    Ok(Html(page.render().map_err(|_| Rejection::Broken)?).into_response())
}

fn challenge(room: &LiveGame, client: &Client, now: Duration) -> Option<Challenge> {
    let live = room.live();
    let seat = live.vacant?;
    // Whoever went away would not come back to a game that somebody else began.
    room.is_here(seat.other(), now).then_some(())?;
    let words = client.words;
    let maker = live.names[seat.other().index()].clone();
    let clock = room.header.clock;
    let text = words.with(
        "web-challenge",
        [
            ("name", player_name(words, "human", maker.as_deref()).into()),
            ("side", side_of(words, &room.game, seat).into()),
            ("clock", clock_name(words, clock).into()),
        ],
    );
    Some(Challenge {
        id: live.id.clone(),
        game: room.game.name(),
        name: maker,
        seat: seat.into(),
        clock,
        invitation: Secret::open_invitation(&live.id).text().into(),
        title: game_title(words, &room.game.name()),
        text,
        mine: !live.seats_of(client.secret.as_ref()).is_empty(),
    })
}

fn watchable(room: &LiveGame, client: &Client, now: Duration) -> Option<Watchable> {
    let live: Arc<GameState> = room.live();
    live.turn()?;
    Player::BOTH
        .into_iter()
        .any(|player| room.is_here(player, now))
        .then_some(())?;
    let words = client.words;
    let names = Player::BOTH.map(|player| {
        let index = player.index();
        let spec = live.players[index].to_string();
        player_name(words, &spec, live.names[index].as_deref())
    });
    Some(Watchable {
        id: live.id.clone(),
        game: room.game.name(),
        names: live.names.clone(),
        moves: live.line.moves().len(),
        watching: room.followers(),
        title: game_title(words, &room.game.name()),
        players: names.join(" – "),
    })
}
