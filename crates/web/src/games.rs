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
use papan_store::games::NewGame;
use papan_view::wording;
use serde::{Deserialize, Serialize};

use crate::body::{Sent, ply, whole};
use crate::creation::Wish;
use crate::event::{Event, Side};
use crate::hub::{Hub, Request, now, request_key};
use crate::live_match::LiveMatch;
use crate::page::Frame;
use crate::pages::game::{GamePage, Shown, StudyView, TablePart};
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
        let secret = visitor.secret.as_ref();
        let invitation = secret.filter(|_| live.vacant.is_some() && !seats.is_empty());
        Self {
            state: MatchState::of(live),
            you: seats.into_iter().map(Side::from).collect(),
            invitation: invitation.map(|secret| {
                format!(
                    "{}/join/{}",
                    visitor.origin,
                    secret.invitation(&live.id).text()
                )
            }),
        }
    }
}

/// The game in the form that the visitor takes.
fn shown(
    hub: &Hub,
    visitor: &Visitor,
    live: &LiveMatch,
    ply: Option<usize>,
    study: Option<StudyView>,
) -> Answer {
    if visitor.form == Form::Json {
        return Ok(Json(Seen::of(live, visitor)).into_response());
    }
    let reloads = live
        .turn()
        .is_some_and(|turn| !live.seats_of(visitor.secret.as_ref()).contains(&turn));
    let waits = live.vacant.is_some() || reloads;
    let still = ply.is_some() || study.is_some();
    let (view, board) = Shown {
        hub,
        visitor,
        live,
        ply,
        study,
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
fn changed(hub: &Hub, visitor: &Visitor, live: &LiveMatch) -> Answer {
    match visitor.form {
        Form::Page => Ok(Redirect::to(&format!("/games/{}", live.id)).into_response()),
        _ => shown(hub, visitor, live, None, None),
    }
}

pub(crate) async fn create(
    State(hub): State<Arc<Hub>>,
    mut visitor: Visitor,
    sent: Sent,
) -> Answer {
    let wish = Wish::read(&sent)?;
    let (secret, cookie) = visitor.secret_or_new()?;
    let game = wish.game(&hub, &secret, visitor.words)?;
    let room = hub.create(game).await?;
    visitor.secret = Some(secret);
    let live = room.live();
    let mut response = match visitor.form {
        Form::Json => (StatusCode::CREATED, Json(Seen::of(&live, &visitor))).into_response(),
        _ => Redirect::to(&format!("/games/{}", live.id)).into_response(),
    };
    let headers = response.headers_mut();
    headers.extend(cookie);
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
    let room = hub.room(&id).await?;
    let live = room.live();
    let study = match at.show.as_deref() {
        Some("hint") => Some(hint_view(&hub, &visitor, &room, &live).await?),
        Some("why") => Some(why_view(&hub, &visitor, &room, &live).await?),
        _ => None,
    };
    shown(&hub, &visitor, &live, at.ply, study)
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
    let room = hub.room(&id).await?;
    let said: Said = sent.read()?;
    let mv = room.game.parse_move(&said.mv).map_err(|error| {
        Rejection::Unusable(wording::notation(visitor.words, &room.game, &error))
    })?;
    let request = Request {
        visitor: visitor.secret.clone(),
        action: Action::Move(mv),
        version: said.version,
        key: key_of(&headers, said.key)?,
        words: visitor.words,
    };
    let live = hub.act(&room, request).await?;
    changed(&hub, &visitor, &live)
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
    let room = hub.room(id).await?;
    let request = Request {
        visitor: visitor.secret.clone(),
        action,
        version: plain.version,
        key: key_of(headers, plain.key)?,
        words: visitor.words,
    };
    let live = hub.act(&room, request).await?;
    changed(hub, visitor, &live)
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

pub(crate) async fn take_back(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Path(id): Path<String>,
    headers: HeaderMap,
    sent: Sent,
) -> Answer {
    let plain: Plain = sent.read()?;
    let action = match plain.answer.as_deref() {
        None | Some("ask") => Action::TakeBack,
        Some("agree") => Action::AgreeBack,
        Some("decline") => Action::DeclineBack,
        Some(other) => {
            let text = [("text", other.to_owned().into())];
            let sentence = visitor.words.with("web-no-such-answer", text);
            return Err(Rejection::Unusable(sentence));
        }
    };
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
    let room = hub.room(&id).await?;
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
        return act(&hub, &visitor, &id, &headers, plain, Action::OfferRematch).await;
    }
    let old = room.header.clone();
    let next = NewGame {
        players: [old.players[1].clone(), old.players[0].clone()],
        holders: [live.holders[1], live.holders[0]],
        invitation: None,
        created_at: now(),
        id: random_game_id(),
        ..old
    };
    let next = hub.create(next).await?;
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
    let next = hub.room(next).await?.live();
    match visitor.form {
        Form::Json => Ok((StatusCode::CREATED, Json(Seen::of(&next, visitor))).into_response()),
        _ => Ok(Redirect::to(&format!("/games/{}", next.id)).into_response()),
    }
}
