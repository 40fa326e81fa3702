//! The language switch.

use axum::Json;
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use papan_view::Language;
use serde::{Deserialize, Serialize};

use crate::http::body::ParsedBody;
use crate::http::client::{Client, ResponseFormat};
use crate::http::rejection::Rejection;

/// The chosen language as JSON.
#[derive(Serialize)]
struct ChosenLanguage {
    language: &'static str,
}

#[derive(Deserialize)]
struct LanguageChoice {
    language: String,
    #[serde(default)]
    back: String,
}

/// `POST /language`: sets the language cookie and returns to a page.
pub(crate) async fn set(client: Client, body: ParsedBody) -> Result<Response, Rejection> {
    let choice: LanguageChoice = body.read()?;
    let language = choice.language.parse::<Language>().map_err(|_| {
        let text = [("text", choice.language.clone().into())];
        Rejection::Unusable(client.words.with("web-no-such-language", text))
    })?;
    let mut response = match client.format {
        ResponseFormat::Json => Json(ChosenLanguage {
            language: language.code(),
        })
        .into_response(),
        _ => Redirect::to(local_path(&choice.back)).into_response(),
    };
    let cookie = client.language_cookie(language);
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}

/// Returns a path of this site, or `/`, to prevent an open redirect: `//host` and `/\host`
/// lead to another site.
fn local_path(path: &str) -> &str {
    let is_plain = path
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if path.starts_with('/') && !path.starts_with("//") && is_plain {
        path
    } else {
        "/"
    }
}
