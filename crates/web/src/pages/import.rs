//! Import: a game of any kind that papan reads, a position or a list of moves, to be looked at.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use papan_catalog::AnyGame;
use papan_files::Format;
use papan_rules::Record;
use papan_view::messages::files;
use papan_view::{Messages, Setup};
use serde::Deserialize;

use crate::api::create_game::game_named;
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

/// Takes what somebody has of a game, and leads to it.
pub(crate) async fn import(
    State(app): State<Arc<AppState>>,
    client: Client,
    sent: ParsedBody,
) -> Result<Response, Rejection> {
    let import: Import = sent.read()?;
    let mut place = read(&app, import, client.words)?;
    let line = place.line(&app, client.words)?;
    place.game = line.game().name();
    place.moves = line.text();
    Ok(Redirect::to(&place.link("/analysis")).into_response())
}

fn read(app: &AppState, import: Import, words: Messages) -> Result<PositionUrl, Rejection> {
    let text = import.text.trim();
    let game = match import.game.as_str() {
        "" => None,
        name => Some(game_named(app, name, words)?),
    };
    if let Some(record) = of_file(text, game.as_ref(), words)? {
        // The app's own game value, so that moves are worded alike everywhere.
        let game = game_named(app, &record.game, words)?;
        return Ok(PositionUrl {
            game: game.name(),
            moves: record.moves,
            start: record.start,
            ..PositionUrl::default()
        });
    }
    let mut place = PositionUrl {
        game: import.game,
        ..PositionUrl::default()
    };
    if game.is_some_and(|game| Setup::parse(&game, text).is_ok()) {
        place.start = Some(text.split_whitespace().collect::<Vec<_>>().join(" "));
    } else {
        place.moves = without_numbers(text);
    }
    Ok(place)
}

/// The first game of a file that some program wrote; `None` where the text is only moves or a
/// position.
fn of_file(
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

/// A list of moves without the numbers that books put before them: `1. f5 2. d6`.
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
    fn numbers_before_moves_are_left_out_and_moves_that_are_numbers_stay() {
        assert_eq!(
            without_numbers("1. f5 d6 2.c3 d3\n3... c4"),
            "f5 d6 c3 d3 c4"
        );
        assert_eq!(without_numbers("5 1\n9"), "5 1 9");
        assert_eq!(without_numbers("f5d6c3"), "f5d6c3");
    }
}
