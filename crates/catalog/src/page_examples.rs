//! Tests of the pages on adding a game and a strategy: their files are compiled, their entries are
//! in the lists, and the results are played.

#[allow(unreachable_pub, reason = "public in the crate it is written for")]
#[path = "../../../docs/examples/last.rs"]
pub(crate) mod last;
#[path = "../../../docs/examples/row.rs"]
pub(crate) mod row;

use papan_rules::conformance;
use papan_strategies::{Context, Limits};

use crate::{AnyGame, STRATEGIES, StrategySpec};

const GAME_PAGE: &str = include_str!("../../../docs/adding-a-game.md");
const STRATEGY_PAGE: &str = include_str!("../../../docs/adding-a-strategy.md");

/// The blocks of Rust code on a page.
fn blocks(page: &str) -> Vec<&str> {
    let parts = page.split("\n```").skip(1).step_by(2);
    parts
        .filter_map(|part| part.strip_prefix("rust\n"))
        .collect()
}

/// Returns a text without indentation and test-only lines.
fn plain(text: &str) -> String {
    let lines = text.lines().map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| *line != "#[cfg(test)]").collect();
    lines.join("\n")
}

/// Checks that every code block of a page occurs in one of its files.
fn is_followed(page: &str, files: &[&str]) {
    let files: Vec<String> = files.iter().map(|file| plain(file)).collect();
    let blocks = blocks(page);
    assert!(blocks.len() >= 2, "a file and an entry");
    for block in blocks {
        let block = plain(block);
        let found = files.iter().any(|file| file.contains(block.trim()));
        assert!(found, "not as the page says:\n{block}");
    }
}

#[test]
fn the_page_about_games_shows_what_is_compiled_here() {
    let file = include_str!("../../../docs/examples/row.rs");
    is_followed(GAME_PAGE, &[file, include_str!("families.rs")]);
}

#[test]
fn the_page_about_strategies_shows_what_is_compiled_here() {
    let file = include_str!("../../../docs/examples/last.rs");
    is_followed(STRATEGY_PAGE, &[file, include_str!("registry/mod.rs")]);
}

#[test]
fn the_game_of_the_page_keeps_every_promise_and_is_played_by_name() {
    conformance::check(&row::Row::new(7), 40);
    let game: AnyGame = "row:5".parse().unwrap();
    assert_eq!(game.name(), "row:5");
    assert_eq!(game.family().name, "row");
    let error = "row:x".parse::<AnyGame>().unwrap_err().to_string();
    assert!(error.contains("a number from 1 to 60"), "{error}");
    // Whoever plays every game plays this one: five cells, so the first wins.
    for name in ["minimax", "alphabeta", "random", "mcts", "perfect", "last"] {
        let spec: StrategySpec = name.parse().unwrap();
        assert!(spec.info().families().contains(&"row"), "{name}");
        let mut seat = game.seat(&spec, &Limits::default()).unwrap();
        let mut line = game.line();
        while line.outcome().is_none() {
            let decision = seat.decide(&*line, &Context::default()).unwrap();
            line.play(decision.best).unwrap();
        }
        assert_eq!(line.moves().len(), 5);
    }
    let spec: StrategySpec = "greedy".parse().unwrap();
    let refusal = game.can_seat(&spec, &Limits::default()).unwrap_err();
    assert_eq!(refusal.to_string(), "`greedy` does not play row:5");
}

#[test]
fn the_strategy_of_the_page_plays_every_game_by_name() {
    assert!(STRATEGIES.iter().any(|info| info.name == "last"));
    let spec: StrategySpec = "last".parse().unwrap();
    for (game, expected) in [
        ("tictactoe", "9"),
        ("tictactoe:15x15:5", "225"),
        ("othello", "e6"),
    ] {
        let game: AnyGame = game.parse().unwrap();
        let mut seat = game.seat(&spec, &Limits::default()).unwrap();
        let line = game.line();
        let decision = seat.decide(&*line, &Context::default()).unwrap();
        assert_eq!(game.format_move(decision.best), expected);
        let (chosen, _) = seat.choose(&*line, &Context::default()).unwrap();
        assert_eq!(chosen, decision.best, "choosing and explaining agree");
    }
}
