//! Import of a game record, a position or a list of moves into the analysis.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use papan_catalog::AnyGame;
use papan_files::Format;
use papan_rules::Record;
use papan_view::messages::files;
use papan_view::{Messages, Setup};
use serde::Deserialize;

use crate::game::catalog::GameCatalog;
use crate::http::body::ParsedBody;
use crate::http::client::Client;
use crate::http::rejection::Rejection;
use crate::pages::position_url::PositionUrl;
use crate::state::AppState;

#[derive(Deserialize)]
struct Import {
    #[serde(default)]
    game: String,
    text: String,
}

/// `POST /import`: redirects to the analysis of the imported game.
pub(crate) async fn import(
    State(app): State<AppState>,
    client: Client,
    body: ParsedBody,
) -> Result<Response, Rejection> {
    let import: Import = body.read()?;
    let mut url = parse(&app.catalog, import, client.words)?;
    let line = url.line(&app.catalog, client.words)?;
    url.game = line.game().name();
    url.moves = line.text();
    Ok(Redirect::to(&url.link("/analysis")).into_response())
}

fn parse(catalog: &GameCatalog, import: Import, words: Messages) -> Result<PositionUrl, Rejection> {
    let text = import.text.trim();
    let game = match import.game.as_str() {
        "" => None,
        name => Some(catalog.parse(name, words)?),
    };
    if let Some(record) = first_record(text, game.as_ref(), words)? {
        let game = catalog.parse(&record.game, words)?;
        return Ok(PositionUrl {
            game: game.name(),
            moves: record.moves,
            start: record.start,
            ..PositionUrl::default()
        });
    }
    let mut url = PositionUrl {
        game: import.game,
        ..PositionUrl::default()
    };
    if game.is_some_and(|game| Setup::parse(&game, text).is_ok()) {
        url.start = Some(text.split_whitespace().collect::<Vec<_>>().join(" "));
    } else {
        url.moves = without_numbers(text);
    }
    Ok(url)
}

/// Returns the first game of a file in any supported format, or `None` if the text is only a
/// list of moves or a position.
fn first_record(
    text: &str,
    game: Option<&AnyGame>,
    words: Messages,
) -> Result<Option<Record>, Rejection> {
    let Ok(file) = papan_files::read(text.as_bytes(), game) else {
        return Ok(None);
    };
    if matches!(file.format, Format::Transcript | Format::Position) {
        return Ok(None);
    }
    match (file.records.into_iter().next(), file.faults.first()) {
        (None, Some(fault)) => Err(Rejection::Unusable(files::fault(words, fault))),
        (record, _) => Ok(record),
    }
}

/// Removes move numbers, as in `1. f5 2. d6`.
fn without_numbers(text: &str) -> String {
    let words = text
        .split_whitespace()
        .map(|word| match word.split_once('.') {
            Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                rest.trim_start_matches('.')
            }
            _ => word,
        });
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_numbers_are_removed_and_moves_that_are_numbers_stay() {
        assert_eq!(
            without_numbers("1. f5 d6 2.c3 d3\n3... c4"),
            "f5 d6 c3 d3 c4"
        );
        assert_eq!(without_numbers("5 1\n9"), "5 1 9");
        assert_eq!(without_numbers("f5d6c3"), "f5d6c3");
    }
}
