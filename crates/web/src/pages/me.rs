//! A visitor's own page: their games, their name, and the link that takes both to
//! another device. There is no account: the visitor's secret is all there is.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use papan_rules::Player;
use papan_store::GameSummary;
use serde::{Deserialize, Serialize};

use crate::body::Sent;
use crate::event::Side;
use crate::hub::Hub;
use crate::identity::IdentityLink;
use crate::names::{self, player_name};
use crate::page::Frame;
use crate::pages::game::game_title;
use crate::rejection::Rejection;
use crate::secret::Secret;
use crate::visitor::{Form, Visitor};

type Answer = Result<Response, Rejection>;

/// Games that are listed.
const MOST: u32 = 60;

#[derive(Template)]
#[template(path = "me.html")]
struct MePage {
    frame: Frame,
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
    /// Whether the visitor is to move.
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

/// A visitor, as JSON.
#[derive(Serialize)]
struct Me {
    name: Option<String>,
    games: Vec<GameEntry>,
}

/// The name that a visitor took, as JSON.
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

async fn games(hub: &Hub, visitor: &Visitor) -> Result<Vec<GameSummary>, Rejection> {
    match &visitor.secret {
        Some(secret) => Ok(hub.store.games_of(secret.visitor(), MOST).await?),
        None => Ok(Vec::new()),
    }
}

pub(crate) async fn me(State(hub): State<Arc<Hub>>, visitor: Visitor) -> Answer {
    let games = games(&hub, &visitor).await?;
    if visitor.form == Form::Json {
        let me = Me {
            name: visitor.shown_name(),
            games: games.iter().map(entry).collect(),
        };
        return Ok(Json(me).into_response());
    }
    page(&visitor, &games, None)
}

fn page(visitor: &Visitor, games: &[GameSummary], link: Option<String>) -> Answer {
    let words = visitor.words;
    let rows = |finished: bool| {
        let rows = games
            .iter()
            .filter(move |game| game.standing.finished == finished);
        rows.map(|game| row(visitor, game)).collect::<Vec<_>>()
    };
    let page = MePage {
        frame: Frame::new(visitor, words.text("web-my-games"), "/me"),
        name: visitor.name.clone().unwrap_or_default(),
        tag: visitor.secret.as_ref().map(Secret::tag),
        open: rows(false),
        finished: rows(true),
        link,
    };
    Ok(Html(page.render().map_err(|_| Rejection::Broken)?).into_response())
}

fn row(visitor: &Visitor, game: &GameSummary) -> GameRow {
    let words = visitor.words;
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
pub(crate) async fn rename(visitor: Visitor, sent: Sent) -> Answer {
    let renaming: Renaming = sent.read()?;
    let name = names::checked(&renaming.name).ok_or_else(|| {
        let most = [("most", names::LONGEST.to_string().into())];
        Rejection::Unusable(visitor.words.with("web-name-wrong", most))
    })?;
    let (_, mut headers) = visitor.secret_or_new()?;
    visitor.set_name(&name, &mut headers);
    let mut response = match visitor.form {
        Form::Json => Json(Renamed { name }).into_response(),
        _ => Redirect::to("/me").into_response(),
    };
    response.headers_mut().extend(headers);
    Ok(response)
}

/// Makes the link that takes one's identity to another device, in the place of any
/// that was made before.
pub(crate) async fn make_link(State(hub): State<Arc<Hub>>, visitor: Visitor) -> Answer {
    let (secret, cookie) = visitor.secret_or_new()?;
    let code = hub
        .identities
        .make(&secret, visitor.name.clone(), hub.now());
    let link = format!("{}/identity/{}", visitor.origin, code.text());
    let mut response = match visitor.form {
        Form::Json => (StatusCode::CREATED, Json(LinkMade { link })).into_response(),
        _ => page(&visitor, &games(&hub, &visitor).await?, Some(link))?,
    };
    response.headers_mut().extend(cookie);
    Ok(response)
}

/// Withdraws the link.
pub(crate) async fn withdraw_link(State(hub): State<Arc<Hub>>, visitor: Visitor) -> Answer {
    if let Some(secret) = &visitor.secret {
        hub.identities.withdraw(secret);
    }
    Ok(match visitor.form {
        Form::Json => StatusCode::NO_CONTENT.into_response(),
        _ => Redirect::to("/me").into_response(),
    })
}

#[derive(Template)]
#[template(path = "identity.html")]
struct IdentityPage {
    frame: Frame,
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
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Path(text): Path<String>,
) -> Answer {
    let link = hub.identities.look(&code(&text)?, hub.now());
    let IdentityLink { name, .. } = link.ok_or(Rejection::LinkUsed)?;
    let page = IdentityPage {
        frame: Frame::new(
            &visitor,
            visitor.words.text("web-identity-title"),
            format!("/identity/{text}"),
        ),
        code: text,
        name,
        has_games: visitor.secret.is_some(),
    };
    Ok(Html(page.render().map_err(|_| Rejection::Broken)?).into_response())
}

/// Becomes the visitor who made the link.
pub(crate) async fn become_visitor(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Path(text): Path<String>,
) -> Answer {
    let link = hub.identities.take(&code(&text)?, hub.now());
    let IdentityLink { secret, name } = link.ok_or(Rejection::LinkUsed)?;
    let mut headers = visitor.cookie_of(&secret);
    if let Some(name) = &name {
        visitor.set_name(name, &mut headers);
    }
    let mut response = match visitor.form {
        Form::Json => Json(Become {
            secret: secret.text(),
        })
        .into_response(),
        _ => Redirect::to("/me").into_response(),
    };
    response.headers_mut().extend(headers);
    Ok(response)
}
