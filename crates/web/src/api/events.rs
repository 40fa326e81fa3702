//! Server-sent events (WHATWG HTML, section 9.2): the event stream of a game.
//!
//! Event ids are versions, so a client that reconnects with `Last-Event-ID` receives the
//! events it missed. API clients receive every event with the state after it as JSON; our own
//! page asks for versions only (`content=version`) and fetches its HTML.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use papan_rules::Player;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::game::live_game::{LiveGame, Presence, Update};
use crate::http::client::Client;
use crate::http::rate_limit::Permit;
use crate::http::rejection::Rejection;
use crate::state::AppState;

/// Interval of keep-alive comments, shorter than the idle timeout of proxies.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// `Retry-After` for a client with too many streams, in seconds.
pub(crate) const STREAM_RETRY_AFTER: u64 = 5;

/// The query of a stream.
#[derive(Deserialize)]
pub(crate) struct StreamQuery {
    /// The version that the client has seen, where it cannot set `Last-Event-ID`.
    after: Option<u64>,
    #[serde(default)]
    content: Content,
}

/// The data of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Content {
    /// The event and the state after it.
    #[default]
    Json,
    /// The version alone.
    Version,
}

/// `GET /games/{id}/events`.
pub(crate) async fn follow(
    State(app): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    Query(query): Query<StreamQuery>,
    headers: HeaderMap,
) -> Result<Response, Rejection> {
    let game = app.games.get(&id, client.address).await?;
    let permit = app
        .limits
        .streams
        .acquire(client.address, app.settings.streams_per_address, usize::MAX)
        .ok_or(Rejection::TooMany {
            seconds: STREAM_RETRY_AFTER,
        })?;
    let last_event_id = headers
        .get("last-event-id")
        .and_then(|id| id.to_str().ok())
        .and_then(|id| id.parse().ok());
    let state = game.state();
    // Without a version the stream starts now.
    let seen = last_event_id
        .or(query.after)
        .unwrap_or(state.version)
        .min(state.version);
    let seats = state.seats_of(client.secret.as_ref());
    game.touch(&seats, client.address, app.clock.now());
    let mut presence = game.subscribe_presence();
    presence.mark_changed();
    let events = events(Follower {
        versions: game.subscribe(),
        presence,
        queue: VecDeque::new(),
        _presence: game.enter(&state, &seats),
        game,
        seen,
        content: query.content,
        _permit: permit,
    });
    let events = futures_util::StreamExt::take_until(events, app.shutdown.wait());
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    let mut response = Sse::new(events).keep_alive(keep_alive).into_response();
    // nginx buffers responses by default.
    response
        .headers_mut()
        .insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

/// An open stream.
struct Follower {
    game: Arc<LiveGame>,
    versions: watch::Receiver<u64>,
    presence: watch::Receiver<[usize; 2]>,
    _presence: Presence,
    /// The last version that was sent.
    seen: u64,
    content: Content,
    queue: VecDeque<Update>,
    _permit: Permit,
}

/// Returns the missed events, then new ones.
fn events(follower: Follower) -> impl Stream<Item = Result<SseEvent, Infallible>> {
    stream::unfold(follower, async |mut follower| {
        while follower.queue.is_empty() {
            let seen = follower.seen;
            // Both senders live as long as `follower.game`.
            let has_update = tokio::select! {
                biased;
                version = follower.versions.wait_for(|version| *version > seen) => {
                    version.ok()?;
                    true
                }
                presence = follower.presence.changed() => {
                    presence.ok()?;
                    false
                }
            };
            if !has_update {
                follower.presence.mark_unchanged();
                let present = Player::BOTH.map(|seat| follower.game.has_stream(seat));
                return Some((Ok(presence_event(present)), follower));
            }
            follower.queue = follower.game.updates_since(seen).into();
        }
        let update = follower.queue.pop_front()?;
        follower.seen = update.version;
        Some((Ok(update_event(&update, follower.content)), follower))
    })
}

/// Which players are present, as JSON.
#[derive(Serialize)]
struct PresenceView {
    first: bool,
    second: bool,
}

/// Returns a `presence` event. It has no id, because presence is not part of the game.
fn presence_event([first, second]: [bool; 2]) -> SseEvent {
    let view = PresenceView { first, second };
    let json = serde_json::to_string(&view).expect("presence serializes to JSON");
    SseEvent::default().event("presence").data(json)
}

fn update_event(update: &Update, content: Content) -> SseEvent {
    let event = SseEvent::default().id(update.version.to_string());
    match content {
        Content::Json => event.data(&*update.json),
        Content::Version => event.data(update.version.to_string()),
    }
}
