//! What a visitor sends: JSON from programs, a form from pages.

use axum::body::{Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::header;
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;

/// A body as it came.
#[derive(Clone, Debug)]
pub(crate) enum Sent {
    /// From a program.
    Json(Bytes),
    /// From a page.
    Form(Vec<(String, String)>),
}

impl Sent {
    /// The body as a value with fields.
    ///
    /// # Errors
    /// When a field is missing or wrong.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        match self {
            Self::Json(bytes) => {
                serde_json::from_slice(bytes).map_err(|error| Refusal::Malformed(error.to_string()))
            }
            Self::Form(pairs) => {
                // A field left empty is a field not given.
                let given = pairs.iter().filter(|(_, value)| !value.is_empty());
                let text = serde_urlencoded::to_string(given.collect::<Vec<_>>());
                text.map_err(|error| error.to_string())
                    .and_then(|text| {
                        serde_urlencoded::from_str(&text).map_err(|error| error.to_string())
                    })
                    .map_err(Refusal::Malformed)
            }
        }
    }
}

impl<S: Send + Sync> FromRequest<S> for Sent {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or("");
        let kind = kind
            .split(';')
            .next()
            .unwrap_or("")
            .trim()
            .to_ascii_lowercase();
        // The layer around us limits the length.
        let bytes = to_bytes(request.into_body(), usize::MAX)
            .await
            .map_err(|_| Refusal::TooLarge)?;
        match kind.as_str() {
            "application/json" => Ok(Self::Json(bytes)),
            "application/x-www-form-urlencoded" => serde_urlencoded::from_bytes(&bytes)
                .map(Self::Form)
                .map_err(|error| Refusal::Malformed(error.to_string())),
            // Nothing to read is a form without fields.
            "" if bytes.is_empty() => Ok(Self::Form(Vec::new())),
            _ => Err(Refusal::Malformed(
                "send application/json or application/x-www-form-urlencoded".into(),
            )),
        }
    }
}
