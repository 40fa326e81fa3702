//! What can be asked of games: the same handlers answer pages and programs.

mod exports;
mod hints;

pub(crate) use exports::{analyse, png, record, svg};
pub(crate) use hints::hint;
use hints::{hint_view, why_view};

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

use crate::body::{Sent, ply, whole};
use crate::choice::Choice;
use crate::creation::Wish;
use crate::event::{Event, Greeting, Side};
use crate::hub::{Hub, Request, request_key};
use crate::live_match::LiveMatch;
use crate::page::Frame;
use crate::pages::game::{GamePage, Shown, StudyView, TablePart};
use crate::pages::home::{self, WrongField};
use crate::rejection::{Conflict, Malformed, Rejection};
use crate::room::Room;
use crate::rulebook::Action;
use crate::secret::random_game_id;
use crate::state::MatchState;
use crate::visitor::{Form, Visitor};

type Answer = Result<Response, Rejection>;

/// A game as one visitor sees it.
#[derive(Serialize)]
struct Seen {
    #[serde(flatten)]
    state: MatchState,
    /// Which seats are the visitor's.
    you: Vec<Side>,
    /// The link that gives the other seat away.
    #[serde(skip_serializing_if = "Option::is_none")]
    invitation: Option<String>,
}

impl Seen {
    fn of(live: &LiveMatch, visitor: &Visitor) -> Self {
        let seats = live.seats_of(visitor.secret.as_ref());
        let invitation = live.invitation(visitor.secret.as_ref());
        Self {
            state: MatchState::of(live),
            you: seats.into_iter().map(Side::from).collect(),
            invitation: invitation
                .map(|invitation| format!("{}/join/{}", visitor.origin, invitation.text())),
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

/// The game in the form that the visitor takes.
fn shown(hub: &Hub, visitor: &Visitor, room: &Room, live: &LiveMatch, look: Look) -> Answer {
    if visitor.form == Form::Json {
        return Ok(Json(Seen::of(live, visitor)).into_response());
    }
    let reloads = live
        .turn()
        .is_some_and(|turn| !live.seats_of(visitor.secret.as_ref()).contains(&turn));
    let waits = live.vacant.is_some() || reloads;
    let still = look.ply.is_some() || look.study.is_some() || look.asks_to_resign;
    let (view, board) = Shown {
        hub,
        visitor,
        live,
        ply: look.ply,
        study: look.study,
        asks_to_resign: look.asks_to_resign,
        here: Player::BOTH.map(|player| room.is_here(player, hub.now())),
    }
    .view();
    let html = if visitor.form == Form::Part {
        TablePart { view, board }.render()
    } else {
        let path = format!("/games/{}", live.id);
        let mut frame = Frame::new(visitor, view.heading.clone(), path);
        frame.reload = (waits && !still).then_some(3);
        GamePage { frame, view, board }.render()
    };
    Ok(Html(html.map_err(|_| Rejection::Broken)?).into_response())
}

/// After a change: the page again, or the state.
fn changed(hub: &Hub, visitor: &Visitor, room: &Room, live: &LiveMatch) -> Answer {
    match visitor.form {
        Form::Page => Ok(Redirect::to(&format!("/games/{}", live.id)).into_response()),
        _ => shown(hub, visitor, room, live, Look::default()),
    }
}

pub(crate) async fn create(
    State(hub): State<Arc<Hub>>,
    mut visitor: Visitor,
    sent: Sent,
) -> Answer {
    let wish = Wish::read(&sent)?;
    let (secret, cookie) = visitor.secret_or_new()?;
    visitor.secret = Some(secret.clone());
    let game = match (wish.game(&hub, &visitor, &secret), &sent) {
        // Whoever filled in the form is told where it stands.
        (Err(Rejection::UnusableField { field, what }), Sent::Form(fields))
            if visitor.form == Form::Page =>
        {
            let wrong = WrongField {
                name: field,
                sentence: what,
            };
            return home::page(&hub, &visitor, Choice::of_form(fields), Some(wrong));
        }
        (game, _) => game?,
    };
    let room = hub.create(game, visitor.address).await?;
    let live = room.live();
    let mut response = match visitor.form {
        Form::Json => (StatusCode::CREATED, Json(Seen::of(&live, &visitor))).into_response(),
        _ => Redirect::to(&format!("/games/{}", live.id)).into_response(),
    };
    let headers = response.headers_mut();
    headers.extend(cookie);
    if let Sent::Form(fields) = &sent {
        let choice = visitor.choice_cookie(&Choice::of_form(fields).text());
        headers.append(header::SET_COOKIE, choice);
    }
    if visitor.form == Form::Json {
        let place = format!("/games/{}", live.id);
        headers.insert(
            header::LOCATION,
            place.parse().map_err(|_| Rejection::Broken)?,
        );
    }
    Ok(response)
}

#[derive(Deserialize)]
pub(crate) struct LookAt {
    #[serde(default, deserialize_with = "ply")]
    ply: Option<usize>,
    show: Option<String>,
}

pub(crate) async fn look(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(at): Query<LookAt>,
) -> Answer {
    let room = hub.room(&id, visitor.address).await?;
    let live = room.live();
    let seats = live.seats_of(visitor.secret.as_ref());
    room.look(&seats, visitor.address, hub.now());
    hub.let_strategy_move(&room);
    let study = match at.show.as_deref() {
        Some("hint") => Some(hint_view(&hub, &visitor, &room, &live).await?),
        Some("why") => Some(why_view(&hub, &visitor, &room, &live).await?),
        _ => None,
    };
    let look = Look {
        ply: at.ply,
        study,
        asks_to_resign: at.show.as_deref() == Some("resign"),
    };
    shown(&hub, &visitor, &room, &live, look)
}

#[derive(Deserialize)]
struct Said {
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
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Path(id): Path<String>,
    headers: HeaderMap,
    sent: Sent,
) -> Answer {
    let room = hub.room(&id, visitor.address).await?;
    let said: Said = sent.read()?;
    room.look(
        &room.live().seats_of(visitor.secret.as_ref()),
        visitor.address,
        hub.now(),
    );
    let mv = room.game.parse_move(&said.mv).map_err(|error| {
        Rejection::Unusable(messages::notation(visitor.words, &room.game, &error))
    })?;
    let request = Request {
        visitor: visitor.secret.clone(),
        action: Action::Move(mv),
        version: said.version,
        key: key_of(&headers, said.key)?,
        words: visitor.words,
    };
    let live = hub.act(&room, request).await?;
    changed(&hub, &visitor, &room, &live)
}

#[derive(Default, Deserialize)]
struct Plain {
    #[serde(default, deserialize_with = "whole")]
    version: Option<u64>,
    key: Option<String>,
    answer: Option<String>,
}

async fn act(
    hub: &Arc<Hub>,
    visitor: &Visitor,
    id: &str,
    headers: &HeaderMap,
    plain: Plain,
    action: Action,
) -> Answer {
    let room = hub.room(id, visitor.address).await?;
    let request = Request {
        visitor: visitor.secret.clone(),
        action,
        version: plain.version,
        key: key_of(headers, plain.key)?,
        words: visitor.words,
    };
    let live = hub.act(&room, request).await?;
    changed(hub, visitor, &room, &live)
}

pub(crate) async fn resign(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Path(id): Path<String>,
    headers: HeaderMap,
    sent: Sent,
) -> Answer {
    act(&hub, &visitor, &id, &headers, sent.read()?, Action::Resign).await
}

/// What an answer to an offer may be.
fn answered(
    plain: &Plain,
    visitor: &Visitor,
    [ask, agree, decline]: [Action; 3],
) -> Result<Action, Rejection> {
    match plain.answer.as_deref() {
        None | Some("ask") => Ok(ask),
        Some("agree") => Ok(agree),
        Some("decline") => Ok(decline),
        Some(other) => {
            let text = [("text", other.to_owned().into())];
            let sentence = visitor.words.with("web-no-such-answer", text);
            Err(Rejection::Unusable(sentence))
        }
    }
}

/// Offers a draw, or answers the offer.
pub(crate) async fn draw(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Path(id): Path<String>,
    headers: HeaderMap,
    sent: Sent,
) -> Answer {
    let plain: Plain = sent.read()?;
    let actions = [Action::OfferDraw, Action::AgreeDraw, Action::DeclineDraw];
    let action = answered(&plain, &visitor, actions)?;
    act(&hub, &visitor, &id, &headers, plain, action).await
}

#[derive(Deserialize)]
struct Greeted {
    greeting: Greeting,
    key: Option<String>,
}

/// Says one of the ready-made things.
pub(crate) async fn greet(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Path(id): Path<String>,
    headers: HeaderMap,
    sent: Sent,
) -> Answer {
    let said: Greeted = sent.read()?;
    let plain = Plain {
        key: said.key,
        ..Plain::default()
    };
    act(
        &hub,
        &visitor,
        &id,
        &headers,
        plain,
        Action::Greet(said.greeting),
    )
    .await
}

pub(crate) async fn take_back(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Path(id): Path<String>,
    headers: HeaderMap,
    sent: Sent,
) -> Answer {
    let plain: Plain = sent.read()?;
    let actions = [Action::TakeBack, Action::AgreeBack, Action::DeclineBack];
    let action = answered(&plain, &visitor, actions)?;
    act(&hub, &visitor, &id, &headers, plain, action).await
}

/// Offers another game, or begins it when the other has offered or nobody else
/// needs to be asked.
pub(crate) async fn rematch(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Path(id): Path<String>,
    headers: HeaderMap,
    sent: Sent,
) -> Answer {
    let plain: Plain = sent.read()?;
    let actions = [
        Action::OfferRematch,
        Action::OfferRematch,
        Action::DeclineRematch,
    ];
    let action = answered(&plain, &visitor, actions)?;
    if action == Action::DeclineRematch {
        return act(&hub, &visitor, &id, &headers, plain, action).await;
    }
    let room = hub.room(&id, visitor.address).await?;
    let live = room.live();
    let seats = live.seats_of(visitor.secret.as_ref());
    let key = key_of(&headers, plain.key.clone())?;
    let key = request_key(&seats, key.as_deref());
    if key.as_deref().is_some_and(|key| begun_by(&room, key)) {
        return next_game(&hub, &visitor, &live).await;
    }
    let other_offers = live.rematch_offer.is_some_and(|by| !seats.contains(&by));
    let alone = !live.needs_consent();
    let begins = !seats.is_empty() && live.is_over() && live.rematch.is_none();
    if !(begins && (other_offers || alone)) {
        return act(&hub, &visitor, &id, &headers, plain, action).await;
    }
    let old = room.header.clone();
    let next = NewGame {
        players: [old.players[1].clone(), old.players[0].clone()],
        holders: [live.holders[1], live.holders[0]],
        visitors: [old.visitors[1], old.visitors[0]],
        names: [live.names[1].clone(), live.names[0].clone()],
        listed: false,
        invitation: None,
        created_at: hub.date(),
        id: random_game_id(),
        ..old
    };
    let next = hub.create(next, visitor.address).await?;
    let game = next.header.id.clone();
    let event = Event::RematchStarted { game };
    hub.add(&room, live.version, event, key).await?;
    // Whoever was faster has begun the next game.
    next_game(&hub, &visitor, &room.live()).await
}

/// Whether the request of this key began the next game.
fn begun_by(room: &Room, key: &str) -> bool {
    matches!(room.answered(key), Some((_, Event::RematchStarted { .. })))
}

/// Leads to the game that follows this one.
async fn next_game(hub: &Arc<Hub>, visitor: &Visitor, live: &LiveMatch) -> Answer {
    let Some(next) = &live.rematch else {
        return Err(Rejection::stale(Conflict::GoneOn, live));
    };
    let next = hub.room(next, visitor.address).await?.live();
    match visitor.form {
        Form::Json => Ok((StatusCode::CREATED, Json(Seen::of(&next, visitor))).into_response()),
        _ => Ok(Redirect::to(&format!("/games/{}", next.id)).into_response()),
    }
}
