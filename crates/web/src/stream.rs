//! The event stream of a game. Its ids are versions: a browser that lost the
//! connection says which one it saw last, and hears everything since.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event as Message, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use serde::Deserialize;
use tokio::sync::broadcast::error::RecvError;

use crate::hub::Hub;
use crate::rate::Place;
use crate::refusal::Refusal;
use crate::room::{News, Room};
use crate::visitor::Visitor;

/// Often enough that no proxy between us thinks the line is dead.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

#[derive(Deserialize)]
pub(crate) struct From {
    /// The version seen, for whoever cannot set the header.
    after: Option<u64>,
}

pub(crate) async fn follow(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(from): Query<From>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let room = hub.room(&id).await?;
    let settings = &hub.settings;
    let place = hub
        .gates
        .streams
        .enter(visitor.address, settings.streams_per_address, usize::MAX)
        .ok_or(Refusal::TooMany { seconds: 5 })?;
    let seen = headers.get("last-event-id");
    let seen = seen
        .and_then(|seen| seen.to_str().ok())
        .and_then(|seen| seen.parse().ok());
    let version = room.now().live.version;
    // Whoever names nothing starts from now.
    let seen = seen.or(from.after).unwrap_or(version).min(version);
    let stopped = hub.stopped();
    let news = messages(room, seen, place)?;
    let until_stopped = futures_util::StreamExt::take_until(news, stopped);
    let alive = KeepAlive::new().interval(KEEP_ALIVE);
    let mut response = Sse::new(until_stopped).keep_alive(alive).into_response();
    // Nginx would hold events back.
    response.headers_mut().insert(
        "x-accel-buffering",
        axum::http::HeaderValue::from_static("no"),
    );
    Ok(response)
}

/// What was missed, then what happens. `place` is given back with the stream.
fn messages(
    room: Arc<Room>,
    seen: u64,
    place: Place,
) -> Result<impl Stream<Item = Result<Message, Infallible>>, Refusal> {
    let following = room.follow(seen)?;
    let state = (room, following, seen, place);
    Ok(stream::unfold(state, async |state| {
        let (room, mut following, mut seen, place) = state;
        loop {
            let told = match following.missed.pop_front() {
                Some(told) => told,
                // There was more than is read up at once.
                None if seen < following.version => {
                    following = room.follow(seen).ok()?;
                    continue;
                }
                None => match following.news.recv().await {
                    Ok(told) => told,
                    Err(RecvError::Closed) => return None,
                    Err(RecvError::Lagged(_)) => {
                        // Too slow for the news as they come: read them up.
                        following = room.follow(seen).ok()?;
                        continue;
                    }
                },
            };
            if told.version > seen {
                seen = told.version;
                let message = message(&told);
                return Some((Ok(message), (room, following, seen, place)));
            }
        }
    }))
}

fn message(news: &News) -> Message {
    Message::default()
        .id(news.version.to_string())
        .data(&*news.data)
}
