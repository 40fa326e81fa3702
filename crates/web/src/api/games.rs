//! What can be asked of games: the same handlers answer pages and programs.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use papan_rules::Player;
use papan_store::NewGame;
use papan_view::messages;
use serde::{Deserialize, Serialize};

use crate::api::create_game::CreateGame;
use crate::api::hints::{hint_view, why_view};
use crate::game::command::Action;
use crate::game::commands::{Request, request_key};
use crate::game::event::{Event, Greeting, Side};
use crate::game::live_game::LiveGame;
use crate::game::snapshot::GameSnapshot;
use crate::game::state::GameState;
use crate::http::body::{ParsedBody, ply, whole};
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::{Conflict, Malformed, Rejection};
use crate::http::secret::random_game_id;
use crate::pages::form_defaults::Choice;
use crate::pages::game::{GamePage, GamePageBuilder, GamePart, StudyView};
use crate::pages::home::{self, WrongField};
use crate::pages::layout::Layout;
use crate::state::AppState;

pub(crate) type Answer = Result<Response, Rejection>;

/// A game as one client sees it.
#[derive(Serialize)]
struct GameView {
    #[serde(flatten)]
    state: GameSnapshot,
    /// Which seats are the client's.
    you: Vec<Side>,
    /// The link that gives the other seat away.
    #[serde(skip_serializing_if = "Option::is_none")]
    invitation: Option<String>,
}

impl GameView {
    fn of(live: &GameState, client: &Client) -> Self {
        let seats = live.seats_of(client.secret.as_ref());
        let invitation = live.invitation(client.secret.as_ref());
        Self {
            state: GameSnapshot::of(live),
            you: seats.into_iter().map(Side::from).collect(),
            invitation: invitation
                .map(|invitation| format!("{}/join/{}", client.origin, invitation.text())),
        }
    }
}

/// What of a game is looked at.
#[derive(Default)]
struct Look {
    /// A position of the past.
    ply: Option<usize>,
    study: Option<StudyView>,
    asks_to_resign: bool,
}

/// The game in the form that the client takes.
fn shown(app: &AppState, client: &Client, room: &LiveGame, live: &GameState, look: Look) -> Answer {
    if client.format == ResponseFormat::Json {
        return Ok(Json(GameView::of(live, client)).into_response());
    }
    let reloads = live
        .turn()
        .is_some_and(|turn| !live.seats_of(client.secret.as_ref()).contains(&turn));
    let waits = live.vacant.is_some() || reloads;
    let still = look.ply.is_some() || look.study.is_some() || look.asks_to_resign;
    let (view, board) = GamePageBuilder {
        app,
        client,
        live,
        ply: look.ply,
        study: look.study,
        asks_to_resign: look.asks_to_resign,
        here: Player::BOTH.map(|player| room.is_here(player, app.now())),
    }
    .view();
    let html = if client.format == ResponseFormat::Part {
        GamePart { view, board }.render()
    } else {
        let path = format!("/games/{}", live.id);
        let mut layout = Layout::new(client, view.heading.clone(), path);
        layout.reload = (waits && !still).then_some(3);
        GamePage {
            layout,
            view,
            board,
        }
        .render()
    };
    Ok(Html(html.map_err(|_| Rejection::Broken)?).into_response())
}

/// After a change: the page again, or the state.
fn changed(app: &AppState, client: &Client, room: &LiveGame, live: &GameState) -> Answer {
    match client.format {
        ResponseFormat::Page => Ok(Redirect::to(&format!("/games/{}", live.id)).into_response()),
        _ => shown(app, client, room, live, Look::default()),
    }
}

pub(crate) async fn create(
    State(app): State<Arc<AppState>>,
    mut client: Client,
    sent: ParsedBody,
) -> Answer {
    let wish = CreateGame::read(&sent)?;
    let (secret, cookie) = client.secret_or_new()?;
    client.secret = Some(secret.clone());
    let game = match (wish.game(&app, &client, &secret), &sent) {
        // Whoever filled in the form is told where it stands.
        (Err(Rejection::UnusableField { field, what }), ParsedBody::Form(fields))
            if client.format == ResponseFormat::Page =>
        {
            let wrong = WrongField {
                name: field,
                sentence: what,
            };
            return home::page(&app, &client, Choice::of_form(fields), Some(wrong));
        }
        (game, _) => game?,
    };
    let room = app.create(game, client.address).await?;
    let live = room.live();
    let mut response = match client.format {
        ResponseFormat::Json => {
            (StatusCode::CREATED, Json(GameView::of(&live, &client))).into_response()
        }
        _ => Redirect::to(&format!("/games/{}", live.id)).into_response(),
    };
    let headers = response.headers_mut();
    headers.extend(cookie);
    if let ParsedBody::Form(fields) = &sent {
        let choice = client.choice_cookie(&Choice::of_form(fields).text());
        headers.append(header::SET_COOKIE, choice);
    }
    if client.format == ResponseFormat::Json {
        let place = format!("/games/{}", live.id);
        headers.insert(
            header::LOCATION,
            place.parse().map_err(|_| Rejection::Broken)?,
        );
    }
    Ok(response)
}

#[derive(Deserialize)]
pub(crate) struct GameQuery {
    #[serde(default, deserialize_with = "ply")]
    pub(crate) ply: Option<usize>,
    show: Option<String>,
}

pub(crate) async fn look(
    State(app): State<Arc<AppState>>,
    client: Client,
    Path(id): Path<String>,
    Query(at): Query<GameQuery>,
) -> Answer {
    let room = app.room(&id, client.address).await?;
    let live = room.live();
    let seats = live.seats_of(client.secret.as_ref());
    room.look(&seats, client.address, app.now());
    app.let_strategy_move(&room);
    let study = match at.show.as_deref() {
        Some("hint") => Some(hint_view(&app, &client, &room, &live).await?),
        Some("why") => Some(why_view(&app, &client, &room, &live).await?),
        _ => None,
    };
    let look = Look {
        ply: at.ply,
        study,
        asks_to_resign: at.show.as_deref() == Some("resign"),
    };
    shown(&app, &client, &room, &live, look)
}

#[derive(Deserialize)]
struct MoveRequest {
    #[serde(rename = "move")]
    mv: String,
    #[serde(default, deserialize_with = "whole")]
    version: Option<u64>,
    key: Option<String>,
}

/// Longer keys are not stored.
const LONGEST_KEY: usize = 100;

/// The key of a request, from its header or its body. An empty one is none.
fn key_of(headers: &HeaderMap, key: Option<String>) -> Result<Option<String>, Rejection> {
    let key = match headers.get("idempotency-key") {
        Some(header) => Some(header.to_str().map_err(|_| Malformed::KeyText)?.to_owned()),
        None => key,
    };
    match key.filter(|key| !key.is_empty()) {
        Some(key) if !key.bytes().all(|byte| byte.is_ascii_graphic()) => {
            Err(Malformed::KeyText.into())
        }
        Some(key) if key.len() > LONGEST_KEY => Err(Malformed::KeyLength(LONGEST_KEY).into()),
        key => Ok(key),
    }
}

pub(crate) async fn make_move(
    State(app): State<Arc<AppState>>,
    client: Client,
    Path(id): Path<String>,
    headers: HeaderMap,
    sent: ParsedBody,
) -> Answer {
    let room = app.room(&id, client.address).await?;
    let said: MoveRequest = sent.read()?;
    room.look(
        &room.live().seats_of(client.secret.as_ref()),
        client.address,
        app.now(),
    );
    let mv = room.game.parse_move(&said.mv).map_err(|error| {
        Rejection::Unusable(messages::notation(client.words, &room.game, &error))
    })?;
    let request = Request {
        client: client.secret.clone(),
        action: Action::Move(mv),
        version: said.version,
        key: key_of(&headers, said.key)?,
        words: client.words,
    };
    let live = app.act(&room, request).await?;
    changed(&app, &client, &room, &live)
}

#[derive(Default, Deserialize)]
struct ActionRequest {
    #[serde(default, deserialize_with = "whole")]
    version: Option<u64>,
    key: Option<String>,
    answer: Option<String>,
}

async fn act(
    app: &Arc<AppState>,
    client: &Client,
    id: &str,
    headers: &HeaderMap,
    plain: ActionRequest,
    action: Action,
) -> Answer {
    let room = app.room(id, client.address).await?;
    let request = Request {
        client: client.secret.clone(),
        action,
        version: plain.version,
        key: key_of(headers, plain.key)?,
        words: client.words,
    };
    let live = app.act(&room, request).await?;
    changed(app, client, &room, &live)
}

pub(crate) async fn resign(
    State(app): State<Arc<AppState>>,
    client: Client,
    Path(id): Path<String>,
    headers: HeaderMap,
    sent: ParsedBody,
) -> Answer {
    act(&app, &client, &id, &headers, sent.read()?, Action::Resign).await
}

/// What an answer to an offer may be.
fn answered(
    plain: &ActionRequest,
    client: &Client,
    [ask, agree, decline]: [Action; 3],
) -> Result<Action, Rejection> {
    match plain.answer.as_deref() {
        None | Some("ask") => Ok(ask),
        Some("agree") => Ok(agree),
        Some("decline") => Ok(decline),
        Some(other) => {
            let text = [("text", other.to_owned().into())];
            let sentence = client.words.with("web-no-such-answer", text);
            Err(Rejection::Unusable(sentence))
        }
    }
}

/// Offers a draw, or answers the offer.
pub(crate) async fn draw(
    State(app): State<Arc<AppState>>,
    client: Client,
    Path(id): Path<String>,
    headers: HeaderMap,
    sent: ParsedBody,
) -> Answer {
    let plain: ActionRequest = sent.read()?;
    let actions = [Action::OfferDraw, Action::AgreeDraw, Action::DeclineDraw];
    let action = answered(&plain, &client, actions)?;
    act(&app, &client, &id, &headers, plain, action).await
}

#[derive(Deserialize)]
struct GreetRequest {
    greeting: Greeting,
    key: Option<String>,
}

/// Says one of the ready-made things.
pub(crate) async fn greet(
    State(app): State<Arc<AppState>>,
    client: Client,
    Path(id): Path<String>,
    headers: HeaderMap,
    sent: ParsedBody,
) -> Answer {
    let said: GreetRequest = sent.read()?;
    let plain = ActionRequest {
        key: said.key,
        ..ActionRequest::default()
    };
    act(
        &app,
        &client,
        &id,
        &headers,
        plain,
        Action::Greet(said.greeting),
    )
    .await
}

pub(crate) async fn take_back(
    State(app): State<Arc<AppState>>,
    client: Client,
    Path(id): Path<String>,
    headers: HeaderMap,
    sent: ParsedBody,
) -> Answer {
    let plain: ActionRequest = sent.read()?;
    let actions = [Action::TakeBack, Action::AgreeBack, Action::DeclineBack];
    let action = answered(&plain, &client, actions)?;
    act(&app, &client, &id, &headers, plain, action).await
}

/// Offers another game, or begins it when the other has offered or nobody else
/// needs to be asked.
pub(crate) async fn rematch(
    State(app): State<Arc<AppState>>,
    client: Client,
    Path(id): Path<String>,
    headers: HeaderMap,
    sent: ParsedBody,
) -> Answer {
    let plain: ActionRequest = sent.read()?;
    let actions = [
        Action::OfferRematch,
        Action::OfferRematch,
        Action::DeclineRematch,
    ];
    let action = answered(&plain, &client, actions)?;
    if action == Action::DeclineRematch {
        return act(&app, &client, &id, &headers, plain, action).await;
    }
    let room = app.room(&id, client.address).await?;
    let live = room.live();
    let seats = live.seats_of(client.secret.as_ref());
    let key = key_of(&headers, plain.key.clone())?;
    let key = request_key(&seats, key.as_deref());
    if key.as_deref().is_some_and(|key| begun_by(&room, key)) {
        return next_game(&app, &client, &live).await;
    }
    let other_offers = live.rematch_offer.is_some_and(|by| !seats.contains(&by));
    let alone = !live.needs_consent();
    let begins = !seats.is_empty() && live.is_over() && live.rematch.is_none();
    if !(begins && (other_offers || alone)) {
        return act(&app, &client, &id, &headers, plain, action).await;
    }
    let old = room.header.clone();
    let next = NewGame {
        players: [old.players[1].clone(), old.players[0].clone()],
        holders: [live.holders[1], live.holders[0]],
        visitors: [old.visitors[1], old.visitors[0]],
        names: [live.names[1].clone(), live.names[0].clone()],
        listed: false,
        invitation: None,
        created_at: app.date(),
        id: random_game_id(),
        ..old
    };
    let next = app.create(next, client.address).await?;
    let game = next.header.id.clone();
    let event = Event::RematchStarted { game };
    app.add(&room, live.version, event, key).await?;
    // Whoever was faster has begun the next game.
    next_game(&app, &client, &room.live()).await
}

/// Whether the request of this key began the next game.
fn begun_by(room: &LiveGame, key: &str) -> bool {
    matches!(room.answered(key), Some((_, Event::RematchStarted { .. })))
}

/// Leads to the game that follows this one.
async fn next_game(app: &Arc<AppState>, client: &Client, live: &GameState) -> Answer {
    let Some(next) = &live.rematch else {
        return Err(Rejection::stale(Conflict::GoneOn, live));
    };
    let next = app.room(next, client.address).await?.live();
    match client.format {
        ResponseFormat::Json => {
            Ok((StatusCode::CREATED, Json(GameView::of(&next, client))).into_response())
        }
        _ => Ok(Redirect::to(&format!("/games/{}", next.id)).into_response()),
    }
}
