//! The client's own page: games, display name, and the link to another device.
//!
//! There are no accounts; a client is its secret.

use askama::Template;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect};
use papan_rules::Player;
use papan_store::GameSummary;
use serde::{Deserialize, Serialize};

use crate::http::body::ParsedBody;
use crate::http::client::{Client, ResponseFormat};
use crate::http::identity::Identity;
use crate::http::names::{self, player_name};
use crate::http::rejection::{Handled, Rejection};
use crate::http::secret::Secret;
use crate::side::Side;
use crate::state::AppState;
use crate::wall_clock;
use papan_pages::Layout;
use papan_pages::game_title::game_title;

/// Games on one page of the list.
const PAGE_GAMES: u32 = 60;

#[derive(Template)]
#[template(path = "me.html")]
struct MePage {
    layout: Layout,
    name: String,
    tag: Option<String>,
    open: Vec<GameRow>,
    finished: Vec<GameRow>,
    /// The pages of newer and older games.
    newer: Option<String>,
    older: Option<String>,
    link: Option<String>,
}

/// A game in the list.
struct GameRow {
    id: String,
    title: String,
    players: String,
    /// The discs of both players, where they decide.
    score: Option<String>,
    /// Its status.
    text: String,
    /// The date of the last change.
    date: String,
    your_turn: bool,
}

/// A game in the list as JSON.
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

/// The client as JSON.
#[derive(Serialize)]
struct MeView {
    name: Option<String>,
    games: Vec<GameEntry>,
    /// The address of older games, if there are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    older: Option<String>,
}

/// The new name as JSON.
#[derive(Serialize)]
struct NameView {
    name: String,
}

/// The identity link as JSON.
#[derive(Serialize)]
struct LinkView {
    link: String,
}

/// The transferred secret as JSON.
#[derive(Serialize)]
struct SecretView<'a> {
    secret: &'a str,
}

fn is_your_turn(game: &GameSummary) -> bool {
    let turn = game.standing.turn.filter(|_| !game.vacant);
    // The turn is unknown before the first event.
    turn.is_some_and(|turn| game.seats[turn & 1])
}

/// A part of the list of games.
#[derive(Clone, Copy, Default, Deserialize)]
pub(crate) struct Listed {
    /// Number of newer games that are left out.
    #[serde(default)]
    skip: u32,
}

/// Returns a page of games and whether there are more.
async fn games_of(
    app: &AppState,
    client: &Client,
    listed: Listed,
) -> Result<(Vec<GameSummary>, bool), Rejection> {
    let Some(secret) = &client.secret else {
        return Ok((Vec::new(), false));
    };
    let found = app
        .store
        .games_of(secret.visitor(), PAGE_GAMES + 1, listed.skip);
    let mut games = found.await?;
    let has_more = games.len() > PAGE_GAMES as usize;
    games.truncate(PAGE_GAMES as usize);
    Ok((games, has_more))
}

/// `GET /me`.
pub(crate) async fn me(
    State(app): State<AppState>,
    client: Client,
    Query(listed): Query<Listed>,
) -> Handled {
    if client.format == ResponseFormat::Json {
        let (games, has_more) = games_of(&app, &client, listed).await?;
        let view = MeView {
            name: client.tagged_name(),
            games: games.iter().map(entry).collect(),
            older: has_more.then(|| older(listed)),
        };
        return Ok(Json(view).into_response());
    }
    page(&app, &client, listed, None).await
}

/// Returns the address of the next page of the list.
fn older(listed: Listed) -> String {
    format!("/me?skip={}", listed.skip.saturating_add(PAGE_GAMES))
}

async fn page(app: &AppState, client: &Client, listed: Listed, link: Option<String>) -> Handled {
    let words = client.words;
    let (games, has_more) = games_of(app, client, listed).await?;
    let (mut open, mut finished) = (Vec::new(), Vec::new());
    for game in &games {
        if game.standing.finished {
            finished.push(row(client, game, app.games.final_score(game).await?));
        } else {
            open.push(row(client, game, None));
        }
    }
    let page = MePage {
        layout: Layout::new(&client.page(), words.text("web-my-games"), "/me"),
        name: client.name.clone().unwrap_or_default(),
        tag: client.secret.as_ref().map(Secret::tag),
        open,
        finished,
        newer: (listed.skip > 0).then(|| match listed.skip.saturating_sub(PAGE_GAMES) {
            0 => "/me".into(),
            skip => format!("/me?skip={skip}"),
        }),
        older: has_more.then(|| older(listed)),
        link,
    };
    Ok(Html(page.render().map_err(|_| Rejection::Internal)?).into_response())
}

fn row(client: &Client, game: &GameSummary, score: Option<[usize; 2]>) -> GameRow {
    let words = client.words;
    let your_turn = is_your_turn(game);
    let mine = |player: Player| game.seats[player.index()];
    let key = match (&game.standing.result, game.vacant) {
        _ if your_turn => "web-row-your-turn",
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
        score: score.map(|[first, second]| format!("{first} – {second}")),
        text: words.text(key),
        date: wall_clock::date(game.changed_at),
        your_turn,
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
        your_turn: is_your_turn(game),
        changed_at: game.changed_at,
    }
}

#[derive(Deserialize)]
struct RenameBody {
    #[serde(default)]
    name: String,
}

/// `POST /me/name`: sets the display name, or removes it.
pub(crate) async fn rename(
    State(app): State<AppState>,
    client: Client,
    body: ParsedBody,
) -> Handled {
    let rename: RenameBody = body.read()?;
    let name = names::normalize(&rename.name, &app.settings.programs).ok_or_else(|| {
        let most = [("most", names::MAX_CHARS.to_string().into())];
        Rejection::Unusable(client.words.with("web-name-wrong", most))
    })?;
    let (_, mut headers) = client.secret_or_new()?;
    client.set_name(&name, &mut headers);
    let mut response = match client.format {
        ResponseFormat::Json => Json(NameView { name }).into_response(),
        _ => Redirect::to("/me").into_response(),
    };
    response.headers_mut().extend(headers);
    Ok(response)
}

/// `POST /me/link`: creates the link to another device and revokes the previous one.
pub(crate) async fn create_link(State(app): State<AppState>, client: Client) -> Handled {
    let (secret, cookie) = client.secret_or_new()?;
    let identity = Identity {
        secret,
        name: client.name.clone(),
    };
    let links = &app.identity_links;
    let code = links.create(identity, client.address, app.clock.now());
    let link = format!("{}/identity/{}", client.origin, code.text());
    let mut response = match client.format {
        ResponseFormat::Json => (StatusCode::CREATED, Json(LinkView { link })).into_response(),
        _ => page(&app, &client, Listed::default(), Some(link)).await?,
    };
    response.headers_mut().extend(cookie);
    Ok(response)
}

/// `POST /me/link/withdrawal`: revokes the link.
pub(crate) async fn revoke_link(State(app): State<AppState>, client: Client) -> Handled {
    if let Some(secret) = &client.secret {
        app.identity_links.revoke(secret);
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

/// `GET /identity/{code}`: asks for confirmation, so link previews do not consume the link.
pub(crate) async fn confirm(
    State(app): State<AppState>,
    client: Client,
    Path(text): Path<String>,
) -> Handled {
    let identity = app.identity_links.peek(&code(&text)?, app.clock.now());
    let Identity { name, .. } = identity.ok_or(Rejection::LinkUsed)?;
    let page = IdentityPage {
        layout: Layout::new(
            &client.page(),
            client.words.text("web-identity-title"),
            format!("/identity/{text}"),
        ),
        code: text,
        name,
        has_games: client.secret.is_some(),
    };
    Ok(Html(page.render().map_err(|_| Rejection::Internal)?).into_response())
}

/// `POST /identity/{code}`: transfers the identity of the link to this client.
pub(crate) async fn redeem_link(
    State(app): State<AppState>,
    client: Client,
    Path(text): Path<String>,
) -> Handled {
    let identity = app.identity_links.redeem(&code(&text)?, app.clock.now());
    let Identity { secret, name } = identity.ok_or(Rejection::LinkUsed)?;
    let mut headers = client.secret_cookie(&secret);
    if let Some(name) = &name {
        client.set_name(name, &mut headers);
    }
    let mut response = match client.format {
        ResponseFormat::Json => Json(SecretView {
            secret: secret.text(),
        })
        .into_response(),
        _ => Redirect::to("/me").into_response(),
    };
    response.headers_mut().extend(headers);
    Ok(response)
}
