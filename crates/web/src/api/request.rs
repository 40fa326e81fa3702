//! Extractor for commands on a game: state, client, game, idempotency key and body.

use std::sync::Arc;

use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::game::command::Command;
use crate::game::commands::CommandRequest;
use crate::game::live_game::LiveGame;
use crate::http::body::{ParsedBody, optional_u64};
use crate::http::client::Client;
use crate::http::rejection::{Malformed, Rejection};
use crate::state::AppState;

/// Maximum length of an idempotency key.
const MAX_KEY: usize = 100;

/// The fields that the bodies of all commands have in common.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct CommandFields {
    /// The version that the client has seen.
    #[serde(default, deserialize_with = "optional_u64")]
    pub(crate) version: Option<u64>,
    /// Idempotency key, unless the header has it.
    pub(crate) key: Option<String>,
}

/// A request to change a game.
pub(crate) struct GameRequest<B> {
    pub(crate) app: AppState,
    pub(crate) client: Client,
    pub(crate) game: Arc<LiveGame>,
    /// The version that the client has seen.
    pub(crate) version: Option<u64>,
    /// Idempotency key.
    pub(crate) key: Option<String>,
    pub(crate) body: B,
}

impl<B: DeserializeOwned> FromRequest<AppState> for GameRequest<B> {
    type Rejection = Response;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let Path(id) = Path::<String>::from_request_parts(&mut parts, app)
            .await
            .map_err(IntoResponse::into_response)?;
        let Ok(client) = Client::from_request_parts(&mut parts, app).await;
        let headers = parts.headers.clone();
        let read = async {
            let body = ParsedBody::from_request(Request::from_parts(parts, body), app).await?;
            let game = app.games.get(&id, client.address).await?;
            let fields: CommandFields = body.read()?;
            Ok(Self {
                app: app.clone(),
                game,
                version: fields.version,
                key: idempotency_key(&headers, fields.key)?,
                body: body.read()?,
                client,
            })
        };
        read.await.map_err(|error: Rejection| error.into_response())
    }
}

/// Returns the idempotency key from the header or the body. An empty one counts as none.
fn idempotency_key(headers: &HeaderMap, key: Option<String>) -> Result<Option<String>, Rejection> {
    let key = match headers.get("idempotency-key") {
        Some(header) => Some(header.to_str().map_err(|_| Malformed::KeyText)?.to_owned()),
        None => key,
    };
    match key.filter(|key| !key.is_empty()) {
        Some(key) if !key.bytes().all(|byte| byte.is_ascii_graphic()) => {
            Err(Malformed::KeyText.into())
        }
        Some(key) if key.len() > MAX_KEY => Err(Malformed::KeyLength(MAX_KEY).into()),
        key => Ok(key),
    }
}

impl<B> GameRequest<B> {
    /// Returns a command with the client's version and key.
    pub(crate) fn command(&self, command: Command) -> CommandRequest {
        CommandRequest {
            secret: self.client.secret.clone(),
            command,
            version: self.version,
            key: self.key.clone(),
            words: self.client.words,
        }
    }
}
