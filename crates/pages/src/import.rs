//! Import of a game record, a position or a list of moves into the analysis.
//!
//! Moves may be those of any game: of the game on the page if they are legal there, or else of
//! the first game of the catalog in which they are.

use std::sync::LazyLock;

use papan_catalog::{AnyGame, FAMILIES};
use papan_files::Format;
use papan_rules::{Pieces, Record};
use papan_view::messages::files;
use papan_view::{Messages, Setup};
use serde::Deserialize;

use crate::error::PageError;
use crate::games::Games;
use crate::position_url::{MAX_NOTES, PositionUrl};
use crate::variations::{MAX_LENGTH, MAX_VARIATIONS};

/// Maximum length of text that is parsed as moves of every game.
const MAX_GUESSED: usize = 2000;

/// A text to import.
#[derive(Clone, Deserialize)]
pub struct Import {
    /// Name of the game on the page.
    #[serde(default)]
    pub game: String,
    /// The text.
    pub text: String,
}

/// Returns the canonical URL of the imported game.
///
/// # Errors
/// If the text is no game, with a localized reason.
pub fn parse(
    games: &dyn Games,
    import: &Import,
    words: Messages,
) -> Result<PositionUrl, PageError> {
    let text = import.text.trim();
    let game = match import.game.as_str() {
        "" => None,
        name => Some(games.parse(name, words)?),
    };
    if let Some(record) = first_record(text, game.as_ref(), words)? {
        return url_of(games, record, words);
    }
    let mut url = PositionUrl {
        game: import.game.clone(),
        ..PositionUrl::default()
    };
    if game.is_some_and(|game| Setup::parse(&game, text).is_ok()) {
        url.start = Some(text.split_whitespace().collect::<Vec<_>>().join(" "));
        url.game = url.line(games, words)?.game().name();
        return Ok(url);
    }
    url.moves = without_numbers(text);
    match canonical(games, url.clone(), words) {
        Err(PageError::Unusable(sentence)) => {
            guess(games, &url.moves, words).ok_or(PageError::Unusable(sentence))
        }
        read => read,
    }
}

/// Replays the moves and writes them in the game's notation.
fn canonical(
    games: &dyn Games,
    url: PositionUrl,
    words: Messages,
) -> Result<PositionUrl, PageError> {
    let line = url.line(games, words)?;
    Ok(PositionUrl {
        game: line.game().name(),
        moves: line.text(),
        ..url
    })
}

/// The games of the catalog in the order in which moves are tried: numbers of cells, then names of
/// squares. Parsing a name builds its board, so that each is parsed once.
static GUESSES: LazyLock<[Vec<&str>; 2]> = LazyLock::new(|| {
    let names = FAMILIES.iter().flat_map(|family| family.examples);
    let games = names.map(|&name| (name, name.parse::<AnyGame>().ok()));
    let games: Vec<_> = games.collect();
    [false, true].map(|named| {
        let mut games = games.clone();
        // Most moves are legal on an empty grid, few in Othello; boards named by squares come before
        // those named by numbers.
        games.sort_by_key(|(_, game)| match game.as_ref().map(AnyGame::pieces) {
            Some(Pieces::Discs) if named => 0,
            Some(Pieces::Stones) if named => 1,
            _ if named => 2,
            _ => game.as_ref().map_or(usize::MAX, AnyGame::cells),
        });
        games.into_iter().map(|(name, _)| name).collect()
    })
});

/// Returns the first game of the catalog in which the moves are legal; of boards whose cells have
/// numbers, the smallest.
fn guess(games: &dyn Games, moves: &str, words: Messages) -> Option<PositionUrl> {
    if moves.len() > MAX_GUESSED {
        return None;
    }
    let named = moves.contains(|letter: char| letter.is_ascii_alphabetic());
    let names = &GUESSES[usize::from(named)];
    names.iter().find_map(|&game| {
        let url = PositionUrl {
            game: game.to_owned(),
            moves: moves.to_owned(),
            ..PositionUrl::default()
        };
        canonical(games, url, words).ok()
    })
}

/// Returns the URL of a record with its players, variations and comments.
///
/// # Errors
/// If they are too long for a URL: nothing is left out silently.
fn url_of(games: &dyn Games, record: Record, words: Messages) -> Result<PositionUrl, PageError> {
    let game = games.parse(&record.game, words)?;
    let notes: Vec<String> = record
        .comments
        .iter()
        .map(|comment| {
            let text = comment.text.split_whitespace().collect::<Vec<_>>();
            format!("{}={}", comment.moves, text.join(" "))
        })
        .collect();
    let (notes, others) = (notes.join("\n"), record.variations.join("."));
    let names = record.players.map(|name| name.replace(['|', '\n'], " "));
    let is_named = names.iter().any(|name| !name.is_empty() && name != "human");
    let fits = notes.len() <= MAX_NOTES
        && others.len() <= MAX_LENGTH
        && record.variations.len() <= MAX_VARIATIONS;
    if !fits {
        return Err(PageError::Unusable(words.text("web-import-too-long")));
    }
    let some = |text: String| Some(text).filter(|text| !text.is_empty());
    let url = PositionUrl {
        game: game.name(),
        moves: record.moves,
        start: record.start,
        others: some(others),
        names: is_named.then(|| names.join("|")),
        notes: some(notes),
        ..PositionUrl::default()
    };
    canonical(games, url, words)
}

/// Returns the first game of a file in any supported format, or `None` if the text is only a
/// list of moves or a position.
fn first_record(
    text: &str,
    game: Option<&AnyGame>,
    words: Messages,
) -> Result<Option<Record>, PageError> {
    let Ok(file) = papan_files::read(text.as_bytes(), game) else {
        return Ok(None);
    };
    if matches!(file.format, Format::Transcript | Format::Position) {
        return Ok(None);
    }
    match (file.records.into_iter().next(), file.faults.first()) {
        (None, Some(fault)) => Err(PageError::Unusable(files::fault(words, fault))),
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
