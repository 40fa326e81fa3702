//! The lobby: open challenges (seeks) and public games that can be watched.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Response};
use papan_rules::Player;
use papan_store::NewGame;
use serde::Serialize;

use crate::game::clock::clock_name;
use crate::game::live_game::LiveGame;
use crate::http::client::{Client, ResponseFormat};
use crate::http::names::player_name;
use crate::http::rejection::Rejection;
use crate::http::secret::Secret;
use crate::pages::invitation::join_game;
use crate::side::Side;
use crate::state::AppState;
use crate::subnet::subnet;
use papan_pages::Layout;
use papan_pages::game::side_of;
use papan_pages::game_title::game_title;

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
    let address = |game: &LiveGame| subnet(game.address());
    let challenges = take_in_turns(listed.iter().filter_map(|game| {
        let challenge = challenge(game, &client, now)?;
        Some((address(game), challenge))
    }));
    let games = take_in_turns(listed.iter().filter_map(|game| {
        let watchable = watchable(game, &client, now)?;
        Some((address(game), watchable))
    }));
    if client.format == ResponseFormat::Json {
        return Ok(Json(LobbyView { challenges, games }).into_response());
    }
    let mut layout = Layout::new(&client.page(), client.words.text("web-lobby"), "/lobby");
    layout.reload = Some(RELOAD_SECONDS);
    let page = LobbyPage {
        layout,
        challenges,
        games,
    };
    Ok(Html(page.render().map_err(|_| Rejection::Internal)?).into_response())
}

/// Returns at most [`MAX_LISTED`] entries. Addresses take turns, so that one with many games does
/// not push the others off the list; of one address the first entries come first.
fn take_in_turns<T>(entries: impl Iterator<Item = (IpAddr, T)>) -> Vec<T> {
    let mut counts: HashMap<IpAddr, usize> = HashMap::new();
    let mut ranked: Vec<(usize, T)> = entries
        .map(|(address, entry)| {
            let count = counts.entry(address).or_default();
            *count += 1;
            (*count, entry)
        })
        .collect();
    // Stable, so that entries of one rank stay in their order.
    ranked.sort_by_key(|(rank, _)| *rank);
    let entries = ranked.into_iter().map(|(_, entry)| entry);
    entries.take(MAX_LISTED).collect()
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

/// Joins the oldest open challenge with the same game and clock, if there is one (quick
/// pairing).
///
/// # Errors
/// If the store is unavailable.
pub(crate) async fn join_challenge(
    app: &AppState,
    client: &Client,
    secret: &Secret,
    wanted: &NewGame,
) -> Result<Option<Arc<LiveGame>>, Rejection> {
    let now = app.clock.now();
    for game in app.games.listed().into_iter().rev() {
        let state = game.state();
        let Some(seat) = state.vacant else { continue };
        let fits = game.rules.name() == wanted.rules
            && game.header.clock == wanted.clock
            && game.header.start == wanted.start
            && state.opening.is_none()
            && state.seats_of(Some(secret)).is_empty()
            && game.is_present(seat.other(), now);
        if !fits {
            continue;
        }
        let digest = Secret::open_invitation(&state.id).digest();
        match join_game(app, client, secret, digest).await {
            Ok(_) => return Ok(Some(game)),
            // Another player was faster, or the challenge was withdrawn.
            Err(
                Rejection::InvitationUsed { .. }
                | Rejection::Stale { .. }
                | Rejection::NotFound
                | Rejection::NoInvitation,
            ) => {}
            Err(rejection) => return Err(rejection),
        }
    }
    Ok(None)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_many_games_leave_places_for_others() {
        let address = |number: u8| IpAddr::from([192, 0, 2, number]);
        let flood = (0..64).map(|number| (address(number % 2), "flood"));
        let entries = flood.chain((0..9).map(|number| (address(10 + number), "other")));
        let listed = take_in_turns(entries);
        assert_eq!(listed.len(), MAX_LISTED);
        let others = listed.iter().filter(|entry| **entry == "other").count();
        assert_eq!(others, 9);
        let alone = take_in_turns((0..64).map(|number| (address(1), number)));
        assert_eq!(
            alone,
            Vec::from_iter(0..MAX_LISTED),
            "a classroom may use it all"
        );
    }
}
