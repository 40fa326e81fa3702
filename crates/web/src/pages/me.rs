//! A client's own page: their games, their name, and the link that takes both to
//! another device. There is no account: the client's secret is all there is.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use papan_rules::Player;
use papan_store::GameSummary;
use serde::{Deserialize, Serialize};

use crate::game::event::Side;
use crate::http::body::ParsedBody;
use crate::http::client::{Client, ResponseFormat};
use crate::http::identity::IdentityLink;
use crate::http::names::{self, player_name};
use crate::http::rejection::Rejection;
use crate::http::secret::Secret;
use crate::pages::game::game_title;
use crate::pages::layout::Layout;
use crate::state::AppState;

type Answer = Result<Response, Rejection>;

/// Games that are listed.
const MOST: u32 = 60;

#[derive(Template)]
#[template(path = "me.html")]
struct MePage {
    layout: Layout,
    name: String,
    tag: Option<String>,
    open: Vec<GameRow>,
    finished: Vec<GameRow>,
    link: Option<String>,
}

/// A game in the list.
struct GameRow {
    id: String,
    title: String,
    players: String,
    /// How it stands.
    text: String,
    /// Whether the client is to move.
    turn: bool,
}

/// A game in the list, as JSON.
#[derive(Serialize)]
struct GameEntry {
    id: String,
    game: String,
    players: [String; 2],
    names: [Option<String>; 2],
    you: Vec<Side>,
    over: bool,
    result: Option<String>,
    your_turn: bool,
    changed_at: i64,
}

/// A client, as JSON.
#[derive(Serialize)]
struct Me {
    name: Option<String>,
    games: Vec<GameEntry>,
}

/// The name that a client took, as JSON.
#[derive(Serialize)]
struct Renamed {
    name: String,
}

/// The link that takes an identity along, as JSON.
#[derive(Serialize)]
struct LinkMade {
    link: String,
}

/// Who a program has become, as JSON.
#[derive(Serialize)]
struct Become<'a> {
    secret: &'a str,
}

fn your_turn(game: &GameSummary) -> bool {
    let turn = game.standing.turn.filter(|_| !game.vacant);
    // Before its first event a game says nothing of whose turn it is.
    turn.is_some_and(|turn| game.seats[turn & 1])
}

async fn games(app: &AppState, client: &Client) -> Result<Vec<GameSummary>, Rejection> {
    match &client.secret {
        Some(secret) => Ok(app.store.games_of(secret.visitor(), MOST).await?),
        None => Ok(Vec::new()),
    }
}

pub(crate) async fn me(State(app): State<Arc<AppState>>, client: Client) -> Answer {
    let games = games(&app, &client).await?;
    if client.format == ResponseFormat::Json {
        let me = Me {
            name: client.shown_name(),
            games: games.iter().map(entry).collect(),
        };
        return Ok(Json(me).into_response());
    }
    page(&client, &games, None)
}

fn page(client: &Client, games: &[GameSummary], link: Option<String>) -> Answer {
    let words = client.words;
    let rows = |finished: bool| {
        let rows = games
            .iter()
            .filter(move |game| game.standing.finished == finished);
        rows.map(|game| row(client, game)).collect::<Vec<_>>()
    };
    let page = MePage {
        layout: Layout::new(client, words.text("web-my-games"), "/me"),
        name: client.name.clone().unwrap_or_default(),
        tag: client.secret.as_ref().map(Secret::tag),
        open: rows(false),
        finished: rows(true),
        link,
    };
    Ok(Html(page.render().map_err(|_| Rejection::Broken)?).into_response())
}

fn row(client: &Client, game: &GameSummary) -> GameRow {
    let words = client.words;
    let turn = your_turn(game);
    let mine = |player: Player| game.seats[player.index()];
    let key = match (&game.standing.result, game.vacant) {
        _ if turn => "web-row-your-turn",
        (Some(result), _) if result == "draw" => "web-draw",
        (Some(_), _) if mine(Player::First) == mine(Player::Second) => "web-row-over",
        (Some(result), _) => match Player::BOTH.into_iter().find(|p| p.to_string() == *result) {
            Some(winner) if mine(winner) => "web-row-won",
            _ => "web-row-lost",
        },
        (None, true) => "web-waiting",
        (None, false) if game.standing.turn.is_none() => "web-row-new",
        (None, false) => "web-row-their-turn",
    };
    let players = Player::BOTH.map(|player| {
        let index = player.index();
        player_name(words, &game.players[index], game.names[index].as_deref())
    });
    GameRow {
        id: game.id.clone(),
        title: game_title(words, &game.rules),
        players: players.join(" – "),
        text: words.text(key),
        turn,
    }
}

fn entry(game: &GameSummary) -> GameEntry {
    let seats = Player::BOTH
        .into_iter()
        .filter(|player| game.seats[player.index()]);
    GameEntry {
        id: game.id.clone(),
        game: game.rules.clone(),
        players: game.players.clone(),
        names: game.names.clone(),
        you: seats.map(Side::from).collect(),
        over: game.standing.finished,
        result: game.standing.result.clone(),
        your_turn: your_turn(game),
        changed_at: game.changed_at,
    }
}

#[derive(Deserialize)]
struct Renaming {
    #[serde(default)]
    name: String,
}

/// Takes a name to play under, or none.
pub(crate) async fn rename(client: Client, sent: ParsedBody) -> Answer {
    let renaming: Renaming = sent.read()?;
    let name = names::checked(&renaming.name).ok_or_else(|| {
        let most = [("most", names::LONGEST.to_string().into())];
        Rejection::Unusable(client.words.with("web-name-wrong", most))
    })?;
    let (_, mut headers) = client.secret_or_new()?;
    client.set_name(&name, &mut headers);
    let mut response = match client.format {
        ResponseFormat::Json => Json(Renamed { name }).into_response(),
        _ => Redirect::to("/me").into_response(),
    };
    response.headers_mut().extend(headers);
    Ok(response)
}

/// Makes the link that takes one's identity to another device, in the place of any
/// that was made before.
pub(crate) async fn make_link(State(app): State<Arc<AppState>>, client: Client) -> Answer {
    let (secret, cookie) = client.secret_or_new()?;
    let code = app.identities.make(&secret, client.name.clone(), app.now());
    let link = format!("{}/identity/{}", client.origin, code.text());
    let mut response = match client.format {
        ResponseFormat::Json => (StatusCode::CREATED, Json(LinkMade { link })).into_response(),
        _ => page(&client, &games(&app, &client).await?, Some(link))?,
    };
    response.headers_mut().extend(cookie);
    Ok(response)
}

/// Withdraws the link.
pub(crate) async fn withdraw_link(State(app): State<Arc<AppState>>, client: Client) -> Answer {
    if let Some(secret) = &client.secret {
        app.identities.withdraw(secret);
    }
    Ok(match client.format {
        ResponseFormat::Json => StatusCode::NO_CONTENT.into_response(),
        _ => Redirect::to("/me").into_response(),
    })
}

#[derive(Template)]
#[template(path = "identity.html")]
struct IdentityPage {
    layout: Layout,
    code: String,
    name: Option<String>,
    has_games: bool,
}

fn code(text: &str) -> Result<Secret, Rejection> {
    Secret::parse(text).ok_or(Rejection::NoInvitation)
}

/// Asks first: whoever only looks at the link, a program that previews it included,
/// uses nothing up.
pub(crate) async fn ask(
    State(app): State<Arc<AppState>>,
    client: Client,
    Path(text): Path<String>,
) -> Answer {
    let link = app.identities.look(&code(&text)?, app.now());
    let IdentityLink { name, .. } = link.ok_or(Rejection::LinkUsed)?;
    let page = IdentityPage {
        layout: Layout::new(
            &client,
            client.words.text("web-identity-title"),
            format!("/identity/{text}"),
        ),
        code: text,
        name,
        has_games: client.secret.is_some(),
    };
    Ok(Html(page.render().map_err(|_| Rejection::Broken)?).into_response())
}

/// Becomes the client who made the link.
pub(crate) async fn become_visitor(
    State(app): State<Arc<AppState>>,
    client: Client,
    Path(text): Path<String>,
) -> Answer {
    let link = app.identities.take(&code(&text)?, app.now());
    let IdentityLink { secret, name } = link.ok_or(Rejection::LinkUsed)?;
    let mut headers = client.cookie_of(&secret);
    if let Some(name) = &name {
        client.set_name(name, &mut headers);
    }
    let mut response = match client.format {
        ResponseFormat::Json => Json(Become {
            secret: secret.text(),
        })
        .into_response(),
        _ => Redirect::to("/me").into_response(),
    };
    response.headers_mut().extend(headers);
    Ok(response)
}
