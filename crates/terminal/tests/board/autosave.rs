//! Autosave, and continuing a saved game.

use std::time::Duration;

use papan_rules::{Player, Record};
use papan_terminal::{Effect, Message};

use crate::desk::Desk;
use crate::games::{between, desk};

fn kept(desk: &Desk) -> Option<(&str, Record)> {
    desk.effects.iter().rev().find_map(|effect| match effect {
        Effect::Record { path, text } => Some((path.as_str(), Record::parse(text).unwrap())),
        _ => None,
    })
}

#[test]
fn a_game_is_autosaved_and_offered_again() {
    let mut desk = between("tictactoe:4x4", "human", "human");
    desk.state.games = Some("games".into());
    desk.state.began = Duration::from_secs(1_800_000_000);
    desk.tell(Message::Tick);
    assert!(kept(&desk).is_none());
    desk.keys("1\n16");
    let (path, record) = kept(&desk).unwrap();
    assert_eq!(path, "games/01800000000000-tictactoe-4x4.papan");
    assert_eq!(
        (record.moves.as_str(), record.game.as_str()),
        ("1 16", "tictactoe:4x4")
    );
    // The start page offers it, and it continues in the same file.
    let path = path.to_owned();
    desk.keys("ny");
    assert!(
        desk.screen().contains("[ Continue tictactoe:4x4 ]"),
        "{}",
        desk.screen()
    );
    let written = desk.effects.len();
    desk.keys("\n");
    assert_eq!(desk.moves(), "1 16");
    assert_eq!(desk.effects.len(), written);
    desk.keys("2\n");
    let (again, record) = kept(&desk).unwrap();
    assert_eq!((again, record.moves.as_str()), (path.as_str(), "1 16 2"));
    // Analysis is not saved.
    let written = desk.effects.len();
    desk.keys("A33\n");
    assert_eq!(desk.effects.len(), written);
}

#[test]
fn an_unwritable_directory_is_reported_once() {
    let mut desk = between("tictactoe", "human", "human");
    desk.state.games = Some("/no/such".into());
    desk.keys("5");
    let path = kept(&desk).unwrap().0.to_owned();
    desk.tell(saved_badly(path));
    assert!(
        desk.notice().contains("Could not write"),
        "{}",
        desk.notice()
    );
    let written = desk.effects.len();
    desk.keys("1");
    assert_eq!(
        (desk.moves().as_str(), desk.effects.len()),
        ("5 1", written)
    );
}

fn saved_badly(path: String) -> Message {
    Message::Saved(path, Err(std::io::ErrorKind::StorageFull.into()))
}

#[test]
fn variations_comments_and_dates_are_saved_as_they_were_opened() {
    let text = "papan record 2\ngame: tictactoe\nfirst: human\nsecond: human\n\
                moves: 5 1 9\nresult: unfinished\ndate: 2026-11-15\n\
                variation: 5 2 8\ncomment: 5 = the centre\n";
    let mut desk = desk();
    desk.tell(Message::Opened("x".into(), Ok(text.into())));
    assert_eq!(desk.moves(), "5 1 9");
    desk.keys(",,");
    assert_eq!(desk.moves(), "5");
    desk.keys(".]");
    assert_eq!(desk.moves(), "5 2");
    desk.keys("[");
    let record = desk.state.game.as_ref().unwrap().record();
    assert_eq!(record, Record::parse(text).unwrap());
    // Another line of play is another variation.
    desk.keys(",3");
    desk.keys(",");
    let record = desk.state.game.as_ref().unwrap().record();
    assert_eq!(record.moves, "5 3");
    assert_eq!(record.variations, ["5 1 9", "5 2 8"]);
    assert_eq!(record.comments[0].text, "the centre");
}

#[test]
fn a_continued_game_has_its_clocks() {
    let mut desk = desk();
    desk.state.settings.clock = "1m+2s".parse().ok();
    let mut desk = desk.at("tictactoe", ["human", "human"], "");
    desk.state.games = Some("games".into());
    for (seconds, key) in [(5, "5"), (11, "1"), (4, "9")] {
        desk.wait(Duration::from_secs(seconds));
        desk.keys(key);
    }
    // The undone move has still used time.
    desk.keys("u");
    desk.wait(Duration::from_secs(3));
    desk.keys("8");
    let (_, record) = kept(&desk).unwrap();
    assert_eq!(record.clock.as_deref(), Some("1m+2s"));
    assert_eq!(record.times, [5_000, 11_000, 5_000]);
    let left = |desk: &Desk| {
        let game = desk.state.game.as_ref().unwrap();
        let clock = game.clock.unwrap();
        Player::BOTH.map(|player| clock.left(player, desk.now).as_secs())
    };
    assert_eq!(left(&desk), [54, 51]);
    desk.wait(Duration::from_secs(1));
    // The time that the other player has used since then is not in the record.
    let mut again = between("tictactoe", "human", "human");
    again.tell(Message::Opened("x".into(), Ok(record.to_string())));
    assert_eq!(left(&again), [54, 51]);
    again.wait(Duration::from_secs(9));
    assert_eq!(left(&again), [54, 51], "an opened game waits");
    again.keys("p");
    again.wait(Duration::from_secs(9));
    assert_eq!(left(&again), [54, 42]);
    desk.keys("ny\n");
    desk.wait(Duration::from_secs(9));
    assert_eq!(left(&desk), [54, 42], "a kept game goes on at once");
}

#[test]
fn a_game_that_was_over_is_opened_without_a_clock() {
    let text = "papan record 2\ngame: tictactoe\nfirst: human\nsecond: human\n\
                moves: 5 1 9\nresult: first (time)\nclock: 5m\ntimes: 1 2 3\n";
    let mut desk = desk();
    desk.tell(Message::Opened("x".into(), Ok(text.into())));
    let game = desk.state.game.as_ref().unwrap();
    assert!(game.clock.is_none());
    assert_eq!(game.record(), Record::parse(text).unwrap());
}
