//! Where visitors meet: open challenges, and games that can be watched now.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Response};
use papan_rules::Player;
use serde::Serialize;

use crate::event::Side;
use crate::game_clock::clock_name;
use crate::hub::Hub;
use crate::live_match::LiveMatch;
use crate::names::player_name;
use crate::page::Frame;
use crate::pages::game::{game_title, side_of};
use crate::rejection::Rejection;
use crate::room::Room;
use crate::secret::Secret;
use crate::visitor::{Form, Visitor};

/// Games that are shown of each kind.
const MOST: usize = 50;

#[derive(Template)]
#[template(path = "lobby.html")]
struct LobbyPage {
    frame: Frame,
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
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
) -> Result<Response, Rejection> {
    let (rooms, now) = (hub.listed_rooms(), hub.now());
    let challenges = rooms
        .iter()
        .filter_map(|room| challenge(room, &visitor, now));
    let challenges: Vec<Challenge> = challenges.take(MOST).collect();
    let matches = rooms
        .iter()
        .filter_map(|room| watchable(room, &visitor, now));
    let matches: Vec<Watchable> = matches.take(MOST).collect();
    if visitor.form == Form::Json {
        let lobby = Lobby {
            challenges,
            games: matches,
        };
        return Ok(Json(lobby).into_response());
    }
    let mut frame = Frame::new(&visitor, visitor.words.text("web-lobby"), "/lobby");
    frame.reload = Some(10);
    let page = LobbyPage {
        frame,
        challenges,
        matches,
    };
    Ok(Html(page.render().map_err(|_| Rejection::Broken)?).into_response())
}

fn challenge(room: &Room, visitor: &Visitor, now: Duration) -> Option<Challenge> {
    let live = room.live();
    let seat = live.vacant?;
    // Whoever went away would not come back to a game that somebody else began.
    room.is_here(seat.other(), now).then_some(())?;
    let words = visitor.words;
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
        mine: !live.seats_of(visitor.secret.as_ref()).is_empty(),
    })
}

fn watchable(room: &Room, visitor: &Visitor, now: Duration) -> Option<Watchable> {
    let live: Arc<LiveMatch> = room.live();
    live.turn()?;
    Player::BOTH
        .into_iter()
        .any(|player| room.is_here(player, now))
        .then_some(())?;
    let words = visitor.words;
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
