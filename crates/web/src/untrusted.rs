//! Entry points of the fuzz targets: readers of untrusted bytes, without a socket or a database.

use std::cell::Cell;
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use axum::body::{Body, to_bytes};
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use papan_catalog::AnyGame;
use papan_pages::programs::Programs;
use papan_store::{NewGame, StoredEvent, StoredGame};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::game::event::Event;
use crate::game::snapshot::GameSnapshot;
use crate::game::state::GameState;
use crate::http::line_endings::StrictLines;
use crate::http::server::MAX_HEAD;

/// A connection on which bytes arrive in pieces, and which drops the responses.
struct Pieces<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl AsyncRead for Pieces<'_> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let count = self.size.min(self.bytes.len()).min(buffer.remaining());
        let (piece, rest) = self.bytes.split_at(count);
        buffer.put_slice(piece);
        self.bytes = rest;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Pieces<'_> {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// Answers the requests on a connection on which `bytes` arrive in pieces of `size`. Returns the
/// number of requests.
///
/// # Panics
/// If more requests are answered than the check of the line endings has seen, which then takes a
/// request for the body of another one; or if the connection neither ends nor goes on.
pub fn answer_requests(bytes: &[u8], size: usize) -> usize {
    /// Far more than bytes need that have arrived.
    const MAX_POLLS: usize = 100_000;
    let answered = Cell::new(0);
    let service = service_fn(|request: Request<Incoming>| {
        answered.set(answered.get() + 1);
        async {
            let _ = to_bytes(Body::new(request.into_body()), MAX_HEAD).await;
            Ok::<_, Infallible>(Response::new(Body::empty()))
        }
    });
    let pieces = Pieces {
        bytes,
        size: size.max(1),
    };
    let mut connection = http1::Builder::new()
        .header_read_timeout(None)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(StrictLines::new(pieces)), service);
    let mut context = Context::from_waker(Waker::noop());
    let ended = (0..MAX_POLLS).any(|_| Pin::new(&mut connection).poll(&mut context).is_ready());
    assert!(ended, "the connection hangs");
    let heads = connection.into_parts().io.into_inner().heads();
    assert!(
        answered.get() <= heads,
        "{} requests of {heads}",
        answered.get()
    );
    answered.get()
}

/// Replays a stored game: the name of its rules in the first line, and an event in each other one.
/// Returns whether all of it is valid.
///
/// # Panics
/// If an event changes when it is written and read again.
pub fn replay_game(text: &str) -> bool {
    let mut lines = text.lines();
    let rules = lines.next().unwrap_or_default();
    let Ok(game) = rules.parse::<AnyGame>() else {
        return false;
    };
    let mut header = NewGame::new("id", rules, ["human", "human"].map(Into::into));
    header.clock = Some((60_000, 1_000));
    let events: Vec<StoredEvent> = (1..)
        .zip(lines)
        .map(|(version, body)| StoredEvent::new(version, body))
        .collect();
    for event in &events {
        if let Ok(event) = Event::from_json(&event.body) {
            let again = Event::from_json(&event.to_json()).expect("a written event is valid");
            assert_eq!(again, event);
        }
    }
    let stored = StoredGame {
        game: header,
        events,
    };
    let state = GameState::replay(&game, &Programs::default(), &stored, u64::MAX);
    state.is_ok_and(|state| !GameSnapshot::of(&state).id.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipelined_requests_are_answered_and_bare_line_feeds_are_not() {
        let requests = "GET / HTTP/1.1\r\nhost: x\r\n\r\n\
            POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\na\nb\
            GET / HTTP/1.1\r\nhost: x\r\n\r\n";
        for size in [1, 7, 1000] {
            assert_eq!(answer_requests(requests.as_bytes(), size), 3);
        }
        assert_eq!(answer_requests(b"GET / HTTP/1.1\nhost: x\r\n\r\n", 9), 0);
    }

    #[test]
    fn a_stored_game_is_replayed() {
        let moved = r#"{"kind":"moved","by":"first","move":"5","charged":700}"#;
        let resigned = r#"{"kind":"resigned","by":"second"}"#;
        assert!(replay_game(&format!("tictactoe\n{moved}\n{resigned}")));
        assert!(!replay_game(&format!("tictactoe\n{moved}\n{moved}")));
        assert!(!replay_game("chess"));
    }
}
