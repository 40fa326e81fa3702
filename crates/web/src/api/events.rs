//! The event stream of a game. Its ids are versions: a browser that lost the
//! connection says which one it saw last, and hears what happened since.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event as Message, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::game::live_game::{LiveGame, News, Presence};
use crate::http::client::Client;
use crate::http::rate_limit::Permit;
use crate::http::rejection::Rejection;
use crate::state::AppState;

/// Often enough that no proxy between us thinks the line is dead.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

#[derive(Deserialize)]
pub(crate) struct Since {
    /// The version seen, for whoever cannot set the header.
    after: Option<u64>,
}

pub(crate) async fn follow(
    State(app): State<Arc<AppState>>,
    client: Client,
    Path(id): Path<String>,
    Query(since): Query<Since>,
    headers: HeaderMap,
) -> Result<Response, Rejection> {
    let room = app.room(&id, client.address).await?;
    let settings = &app.settings;
    let permit = app
        .gates
        .streams
        .acquire(client.address, settings.streams_per_address, usize::MAX)
        .ok_or(Rejection::TooMany { seconds: 5 })?;
    let seen = headers.get("last-event-id");
    let seen = seen
        .and_then(|seen| seen.to_str().ok())
        .and_then(|seen| seen.parse().ok());
    let version = room.live().version;
    // Whoever names nothing starts from now.
    let seen = seen.or(since.after).unwrap_or(version).min(version);
    let seats = room.live().seats_of(client.secret.as_ref());
    room.look(&seats, client.address, app.now());
    app.let_strategy_move(&room);
    let mut presence = room.presence();
    presence.mark_changed();
    let news = messages(Follower {
        versions: room.versions(),
        presence,
        waiting: VecDeque::new(),
        _presence: room.enter(seats),
        room,
        seen,
        _permit: permit,
    });
    let until_stopped = futures_util::StreamExt::take_until(news, app.stopped());
    let alive = KeepAlive::new().interval(KEEP_ALIVE);
    let mut response = Sse::new(until_stopped).keep_alive(alive).into_response();
    // Nginx would hold events back.
    response.headers_mut().insert(
        "x-accel-buffering",
        axum::http::HeaderValue::from_static("no"),
    );
    Ok(response)
}

/// One open stream. Its permit is given back with it.
struct Follower {
    room: Arc<LiveGame>,
    versions: watch::Receiver<u64>,
    presence: watch::Receiver<[usize; 2]>,
    _presence: Presence,
    seen: u64,
    waiting: VecDeque<News>,
    _permit: Permit,
}

/// What was missed, then what happens.
fn messages(follower: Follower) -> impl Stream<Item = Result<Message, Infallible>> {
    stream::unfold(follower, async |mut follower| {
        while follower.waiting.is_empty() {
            let seen = follower.seen;
            // The room is held: neither of these ends before the stream does.
            let someone_moved = tokio::select! {
                biased;
                moved = follower.versions.wait_for(|version| *version > seen) => {
                    moved.ok()?;
                    true
                }
                came_or_left = follower.presence.changed() => {
                    came_or_left.ok()?;
                    false
                }
            };
            if !someone_moved {
                let open = *follower.presence.borrow_and_update();
                return Some((Ok(presence_message(open)), follower));
            }
            follower.waiting = follower.room.since(seen).into();
        }
        let news = follower.waiting.pop_front()?;
        follower.seen = news.version;
        Some((Ok(message(&news)), follower))
    })
}

/// Who is here, as JSON.
#[derive(Serialize)]
struct Here {
    first: bool,
    second: bool,
}

/// Who is here; it has no id, since it is not part of the game.
fn presence_message([first, second]: [usize; 2]) -> Message {
    let here = Here {
        first: first > 0,
        second: second > 0,
    };
    let here = serde_json::to_string(&here).expect("plain data becomes JSON");
    Message::default().event("presence").data(here)
}

fn message(news: &News) -> Message {
    Message::default()
        .id(news.version.to_string())
        .data(&*news.data)
}
