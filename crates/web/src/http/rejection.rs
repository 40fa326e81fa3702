//! Why a request is refused: one type, which turns into a response.
//!
//! A handler gives the typed rejection; the layer in `response.rs` puts it into words,
//! in the client's language, as a page or as JSON.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use papan_store::StoreError;

use crate::analysis::strategy_failure::StrategyFailure;
use crate::game::snapshot::GameSnapshot;
use crate::game::state::{GameState, ReplayError};

/// Why a request is refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Rejection {
    /// Nothing has this address.
    #[error("there is nothing at this address")]
    NotFound,
    /// Nobody was invited by this.
    #[error("there is no such invitation")]
    NoInvitation,
    /// The request does not have the right form.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// A field's value cannot be used; the sentence says why.
    #[error("{0}")]
    Unusable(String),
    /// The same, and the field is known.
    #[error("{field}: {what}")]
    UnusableField {
        /// The name of the field.
        field: &'static str,
        /// The sentence that says why.
        what: String,
    },
    /// What a program brings as its secret cannot be one.
    #[error("a secret is 32 of the characters A-Z, a-z, 0-9, - and _")]
    NoSecret,
    /// The client does not hold the seat that this needs.
    #[error("this seat is not yours")]
    NotYourSeat,
    /// The game has gone on since the client looked, or does not allow this now.
    #[error("{why}")]
    Stale {
        /// What stands in the way.
        why: Conflict,
        /// The game as it is.
        now: Box<GameSnapshot>,
    },
    /// The invitation has been used.
    #[error("this invitation has been used")]
    Spent {
        /// The game, to be watched.
        game: String,
    },
    /// A link that took an identity along is used, withdrawn or too old.
    #[error("this link has been used or is too old")]
    LinkUsed,
    /// The same key came with another request.
    #[error("this key has been used for another request")]
    KeyReused,
    /// Too many requests from one address.
    #[error("too many requests; try again in {seconds} s")]
    TooMany {
        /// After how long it may try again.
        seconds: u64,
    },
    /// The client has enough long work under way.
    #[error("{most} proofs or reviews are under way; wait until one is done")]
    EnoughUnderWay {
        /// How much they may have.
        most: usize,
    },
    /// A strategy was asked and has no answer.
    #[error("the strategy has no answer: {0:?}")]
    NoAnswer(StrategyFailure),
    /// The engine has no room for more.
    #[error("the engine is busy; try again soon")]
    Busy,
    /// The request came from another site.
    #[error("this request came from another site")]
    ForeignSite,
    /// The method is not one for this address.
    #[error("this address does not take that method")]
    WrongMethod,
    /// The body is too large.
    #[error("this is too much at once")]
    TooLarge,
    /// The database is away for a while.
    #[error("the games cannot be reached now; try again soon")]
    Away,
    /// Something is broken on our side.
    #[error("something broke on the server")]
    Broken,
}

/// What is wrong with the form of a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Malformed {
    /// The address, as its reader says.
    #[error("{0}")]
    Address(String),
    /// The body, as its reader says.
    #[error("{0}")]
    Body(String),
    /// The body is JSON, but no object.
    #[error("send a JSON object")]
    NotAnObject,
    /// The body is of a kind that nobody reads.
    #[error("send application/json or application/x-www-form-urlencoded")]
    Kind,
    /// The key is not text.
    #[error("a key has letters, digits and marks of ASCII only, without spaces")]
    KeyText,
    /// The key is too long.
    #[error("a key has at most {0} characters")]
    KeyLength(usize),
}

/// What stands in the way of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Conflict {
    /// Somebody did something since.
    #[error("the game has gone on")]
    GoneOn,
    /// It is the other's turn.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The game is not over yet.
    #[error("the game is not over yet")]
    NotOver,
    /// The other seat is still free.
    #[error("the other player is not here yet")]
    Waiting,
    /// There is no move to take back.
    #[error("there is nothing to take back")]
    NothingToTakeBack,
    /// It was asked for and answered, or still stands.
    #[error("that has been asked already")]
    AskedAlready,
    /// There is no other person to ask.
    #[error("there is nobody else to ask")]
    NobodyElse,
    /// The client brings their own invitation.
    #[error("this is your own invitation; it is for somebody else")]
    OwnInvitation,
    /// Too much has happened in this game for anything but moves.
    #[error("this game has gone on for too long for anything but moves")]
    TooLong,
    /// Nobody has asked.
    #[error("nobody has asked for that")]
    NotAsked,
}

impl Conflict {
    /// The key of its sentence.
    #[must_use]
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::GoneOn => "web-gone-on",
            Self::NotYourTurn => "web-not-your-turn",
            Self::Over => "wrong-game-over",
            Self::NotOver => "web-not-over",
            Self::Waiting => "web-waiting",
            Self::NothingToTakeBack => "nothing-to-undo",
            Self::NotAsked => "web-not-asked",
            Self::AskedAlready => "web-asked-already",
            Self::NobodyElse => "web-nobody-else",
            Self::OwnInvitation => "web-own-invitation",
            Self::TooLong => "web-game-too-long",
        }
    }
}

impl Rejection {
    /// The game does not allow this now; the answer says how it stands.
    pub(crate) fn stale(why: Conflict, live: &GameState) -> Self {
        Self::Stale {
            why,
            now: Box::new(GameSnapshot::of(live)),
        }
    }

    /// What the reader of a malformed request says, for whoever made it.
    pub(crate) fn detail(&self) -> Option<&str> {
        match self {
            Self::Malformed(Malformed::Body(detail) | Malformed::Address(detail)) => Some(detail),
            _ => None,
        }
    }

    /// The status of the response.
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
            Self::Spent { .. } | Self::LinkUsed => StatusCode::GONE,
            Self::TooMany { .. } | Self::EnoughUnderWay { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy | Self::Away => StatusCode::SERVICE_UNAVAILABLE,
            Self::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl From<StoreError> for Rejection {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "the store failed");
        match error {
            StoreError::Away { .. } => Self::Away,
            _ => Self::Broken,
        }
    }
}

impl From<ReplayError> for Rejection {
    fn from(error: ReplayError) -> Self {
        tracing::error!(%error, "a stored game cannot be understood");
        Self::Broken
    }
}

impl IntoResponse for Rejection {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}
