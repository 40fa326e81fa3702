//! Import: a record, a position or a list of moves, to be looked at.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use papan_catalog::AnyGame;
use papan_rules::{Record, RecordError};
use papan_view::{Setup, Words, wording};
use serde::Deserialize;

use crate::body::Sent;
use crate::creation::game_named;
use crate::hub::Hub;
use crate::line_address::LineAddress;
use crate::rejection::Rejection;
use crate::visitor::Visitor;

#[derive(Deserialize)]
struct Import {
    #[serde(default)]
    game: String,
    text: String,
}

/// Takes what somebody has of a game, and leads to it.
pub(crate) async fn import(
    State(hub): State<Arc<Hub>>,
    visitor: Visitor,
    sent: Sent,
) -> Result<Response, Rejection> {
    let import: Import = sent.read()?;
    let mut place = read(&hub, import, visitor.words)?;
    let line = place.line(&hub, visitor.words)?;
    place.game = line.game().name();
    place.moves = line.text();
    Ok(Redirect::to(&place.link("/analysis")).into_response())
}

fn read(hub: &Hub, import: Import, words: Words) -> Result<LineAddress, Rejection> {
    let text = import.text.trim();
    if text.starts_with("papan ") {
        let broken = |game: Option<&AnyGame>, error: RecordError| {
            Rejection::Unusable(wording::record(words, game, &error))
        };
        let record = Record::parse(text).map_err(|error| broken(None, error))?;
        let game = game_named(hub, &record.game, words)?;
        let line = game
            .line_of(&record)
            .map_err(|error| broken(Some(&game), error))?;
        return Ok(LineAddress {
            game: game.name(),
            moves: line.text(),
            start: record.start,
            ..LineAddress::default()
        });
    }
    let mut place = LineAddress {
        game: import.game,
        ..LineAddress::default()
    };
    let is_position = match place.game.as_str() {
        "" => false,
        name => Setup::parse(&game_named(hub, name, words)?, text).is_ok(),
    };
    if is_position {
        place.start = Some(text.split_whitespace().collect::<Vec<_>>().join(" "));
    } else {
        place.moves = without_numbers(text);
    }
    Ok(place)
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
