//! The error type of all handlers, and its HTTP status (RFC 9110, section 15).
//!
//! A handler returns a typed [`Rejection`]; the middleware in `http::response` turns it into
//! an HTML page or a JSON object in the client's language. The JSON is older than, and
//! simpler than, problem details (RFC 9457): `error` is the sentence.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use papan_pages::PageError;
use papan_store::StoreError;
use parking_lot::Mutex;

use crate::analysis::strategy_failure::StrategyFailure;
use crate::game::snapshot::GameSnapshot;
use crate::game::state::{GameState, ReplayError};

/// The result of a handler.
pub(crate) type Handled = Result<Response, Rejection>;

/// Why a request is rejected.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Rejection {
    /// 404.
    #[error("not found")]
    NotFound,
    /// 404 for an invitation.
    #[error("no such invitation")]
    NoInvitation,
    /// 400: the request cannot be parsed.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// 422: a value cannot be used, with a localized reason.
    #[error("{0}")]
    Unusable(String),
    /// 422 for a known form field.
    #[error("{field}: {what}")]
    UnusableField {
        /// Name of the field.
        field: &'static str,
        /// Localized reason.
        what: String,
    },
    /// 401: the bearer token is not a secret.
    #[error("a secret is 32 of the characters A-Z, a-z, 0-9, - and _")]
    NoSecret,
    /// 403: the client does not hold the required seat.
    #[error("not your seat")]
    NotYourSeat,
    /// 409: the game has changed since the client's version, or its state forbids the action.
    #[error("{why}")]
    Stale {
        /// What forbids the action.
        why: Conflict,
        /// The current state.
        now: Box<GameSnapshot>,
    },
    /// 410: the invitation has been used.
    #[error("this invitation has been used")]
    InvitationUsed {
        /// The game, which can still be watched.
        game: String,
    },
    /// 410: an identity link is used, revoked or expired.
    #[error("this link has been used or has expired")]
    LinkUsed,
    /// 422: the idempotency key belongs to a different request.
    #[error("this idempotency key has been used for another request")]
    KeyReused,
    /// 429 from a token bucket.
    #[error("too many requests; try again in {seconds} s")]
    TooMany {
        /// Value of `Retry-After`.
        seconds: u64,
    },
    /// 429: too many proofs or reviews of one client are in flight.
    #[error("{limit} proofs or reviews are in progress; wait until one is done")]
    TooManyJobs {
        /// Maximum per address.
        limit: usize,
    },
    /// 422: a strategy returned no move.
    #[error("the strategy has no answer: {0:?}")]
    NoAnswer(StrategyFailure),
    /// 421: the host is not served here.
    #[error("this server does not know that host name; see --host and --public-url")]
    UnknownHost,
    /// 503: the engine queue is full.
    #[error("the engine is busy; try again soon")]
    Busy,
    /// 403 from the CSRF check.
    #[error("this request came from another site")]
    ForeignSite,
    /// 405.
    #[error("method not allowed")]
    WrongMethod,
    /// 413.
    #[error("the request is too large")]
    TooLarge,
    /// 503: the database cannot be reached.
    #[error("the database is unavailable; try again soon")]
    StoreUnavailable,
    /// 500.
    #[error("internal error")]
    Internal,
}

/// Why a request cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Malformed {
    /// No `Host` header, or several.
    #[error("send exactly one Host header")]
    Host,
    /// Path or query, with the parser's message.
    #[error("{0}")]
    Url(String),
    /// Body, with the parser's message.
    #[error("{0}")]
    Body(String),
    /// The JSON body is not an object.
    #[error("send a JSON object")]
    NotAnObject,
    /// Unsupported media type.
    #[error("send application/json or application/x-www-form-urlencoded")]
    MediaType,
    /// The idempotency key has other characters.
    #[error("an idempotency key consists of visible ASCII characters without spaces")]
    KeyText,
    /// The idempotency key is too long.
    #[error("an idempotency key has at most {0} characters")]
    KeyLength(usize),
}

/// Why the state of a game forbids an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Conflict {
    /// The client's version is outdated.
    #[error("the game has changed")]
    Outdated,
    /// It is the opponent's turn.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The game is not over.
    #[error("the game is not over yet")]
    NotOver,
    /// The other seat is vacant.
    #[error("the other player has not joined yet")]
    Waiting,
    /// No move can be taken back.
    #[error("there is nothing to take back")]
    NothingToTakeBack,
    /// The same offer was made before in this position.
    #[error("that has been asked already")]
    AskedAlready,
    /// The opponent is not a person.
    #[error("there is no opponent to ask")]
    NoOpponent,
    /// The client uses its own invitation.
    #[error("this is your own invitation; it is for your opponent")]
    OwnInvitation,
    /// The game has the maximum number of events.
    #[error("this game has too many events for anything but moves")]
    TooLong,
    /// There is no offer to answer.
    #[error("there is no such offer")]
    NotAsked,
}

impl Conflict {
    /// Returns the key of its localized message.
    #[must_use]
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Outdated => "web-stale",
            Self::NotYourTurn => "web-not-your-turn",
            Self::Over => "wrong-game-over",
            Self::NotOver => "web-not-over",
            Self::Waiting => "web-waiting",
            Self::NothingToTakeBack => "nothing-to-undo",
            Self::NotAsked => "web-not-asked",
            Self::AskedAlready => "web-asked-already",
            Self::NoOpponent => "web-no-opponent",
            Self::OwnInvitation => "web-own-invitation",
            Self::TooLong => "web-game-too-long",
        }
    }
}

impl Rejection {
    /// Creates a conflict that carries the current state.
    pub(crate) fn stale(why: Conflict, state: &GameState) -> Self {
        Self::Stale {
            why,
            now: Box::new(GameSnapshot::of(state)),
        }
    }

    /// Creates a 429 from the time until a token is available.
    pub(crate) fn too_many(wait: std::time::Duration) -> Self {
        Self::TooMany {
            seconds: wait.as_secs() + 1,
        }
    }

    /// Returns whether middleware sent this before any handler could read the body.
    pub(crate) fn leaves_body_unread(&self) -> bool {
        matches!(
            self,
            Self::TooMany { .. }
                | Self::UnknownHost
                | Self::ForeignSite
                | Self::TooLarge
                | Self::Malformed(Malformed::Host)
        )
    }

    /// Returns the parser's message for a malformed request.
    pub(crate) fn detail(&self) -> Option<&str> {
        match self {
            Self::Malformed(Malformed::Body(detail) | Malformed::Url(detail)) => Some(detail),
            _ => None,
        }
    }

    /// Returns the status of the response.
    #[must_use]
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::NotFound | Self::NoInvitation => StatusCode::NOT_FOUND,
            Self::NoSecret => StatusCode::UNAUTHORIZED,
            Self::Malformed(_) => StatusCode::BAD_REQUEST,
            Self::Unusable(_)
            | Self::UnusableField { .. }
            | Self::NoAnswer(_)
            | Self::KeyReused => StatusCode::UNPROCESSABLE_ENTITY,
            Self::NotYourSeat | Self::ForeignSite => StatusCode::FORBIDDEN,
            Self::Stale { .. } => StatusCode::CONFLICT,
            Self::InvitationUsed { .. } | Self::LinkUsed => StatusCode::GONE,
            Self::TooMany { .. } | Self::TooManyJobs { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy | Self::StoreUnavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::UnknownHost => StatusCode::MISDIRECTED_REQUEST,
            Self::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl From<PageError> for Rejection {
    fn from(error: PageError) -> Self {
        match error {
            PageError::NotFound => Self::NotFound,
            PageError::Unusable(sentence) => Self::Unusable(sentence),
            PageError::TooLarge => Self::TooLarge,
            PageError::Internal => Self::Internal,
        }
    }
}

/// Logs an error of the database, at most one per second: while it is away, every request fails.
fn log_store_error(error: &StoreError) {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    const INTERVAL: Duration = Duration::from_secs(1);
    let now = Instant::now();
    let mut last = LAST.lock();
    if last.is_none_or(|last| now >= last + INTERVAL) {
        *last = Some(now);
        tracing::error!(%error, "database error");
    }
}

impl From<StoreError> for Rejection {
    fn from(error: StoreError) -> Self {
        log_store_error(&error);
        match error {
            StoreError::Away { .. } | StoreError::Unwritable { .. } => Self::StoreUnavailable,
            _ => Self::Internal,
        }
    }
}

impl From<ReplayError> for Rejection {
    fn from(error: ReplayError) -> Self {
        tracing::error!(%error, "cannot replay a stored game");
        Self::Internal
    }
}

impl IntoResponse for Rejection {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}
