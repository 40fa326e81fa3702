//! Saving, opening, copying, pasting and setting up games and positions.

use crossterm::event::KeyCode;
use papan_rules::{Player, Record};
use papan_terminal::{Effect, Message};
use papan_view::Language;

use crate::desk::Desk;
use crate::games::{between, desk};

#[test]
fn a_record_is_saved_and_opened_again() {
    let mut desk = between("tictactoe", "human", "human");
    desk.keys("519");
    desk.keys("w");
    for _ in 0..30 {
        desk.press(KeyCode::Backspace);
    }
    desk.keys("my game\n");
    let Some(Effect::Save { path, text }) = desk.effects.pop() else {
        panic!("a record was to be saved");
    };
    assert_eq!(path, "my game");
    assert_eq!(Record::parse(&text).unwrap().moves, "5 1 9");
    let exists = std::io::ErrorKind::AlreadyExists;
    desk.tell(Message::Saved(path.clone(), Err(exists.into())));
    let notice = "Could not write my game: a file with this name already exists";
    assert_eq!(desk.notice(), notice);
    let mut other = Desk::new(Language::English, (80, 24));
    other.tell(Message::Opened(path, Ok(text)));
    assert_eq!(other.moves(), "5 1 9");
    other.tell(Message::Opened("x".into(), Ok("papan record 1\n".into())));
    assert!(other.notice().starts_with("Not a record"));
    assert_eq!(other.moves(), "5 1 9");
}

#[test]
fn the_record_of_the_command_line_is_written_after_every_move() {
    let mut desk = between("tictactoe", "human", "human");
    desk.state.record = Some("file".into());
    desk.keys("51");
    let written = desk
        .effects
        .iter()
        .filter(|e| matches!(e, Effect::Record { .. }));
    assert_eq!(written.count(), 2);
}

#[test]
fn the_moves_are_copied() {
    let mut desk = desk().at("othello", ["human", "human"], "f5d6");
    desk.keys("y");
    assert!(matches!(desk.effects.last(), Some(Effect::Copy(text)) if text == "f5d6"));
}

#[test]
fn a_position_is_pasted_and_a_wrong_one_is_explained() {
    let mut desk = between("tictactoe", "human", "perfect");
    desk.tell(Message::Paste("XO-/---/--- X".into()));
    let game = desk.state.game.as_ref().unwrap();
    assert!(game.analysing && game.line().piece(1) == Some(Player::Second));
    desk.tell(Message::Paste("XXX------ O".into()));
    assert!(desk.notice().contains("impossible"), "{}", desk.notice());
    desk.keys("P5 1 9\n");
    assert_eq!(desk.moves(), "5 1 9");
    desk.keys("P5 5\n");
    assert!(
        desk.notice().contains("not a legal move"),
        "{}",
        desk.notice()
    );
}

#[test]
fn a_position_is_set_up_by_hand() {
    let mut desk = between("tictactoe", "human", "perfect");
    desk.keys("E");
    desk.keys("hk1");
    desk.keys("\n");
    assert!(
        desk.notice().contains("it is O's turn"),
        "{}",
        desk.notice()
    );
    desk.keys("s\n");
    let game = desk.state.game.as_ref().unwrap();
    assert!(game.setup.is_none() && game.analysing);
    assert_eq!(game.line().position_text(), "X-------- O");
    desk.keys("Ec");
    desk.press(KeyCode::Esc);
    let game = desk.state.game.as_ref().unwrap();
    assert_eq!(game.line().position_text(), "X-------- O");
}

#[test]
fn command_line_options_are_not_saved() {
    let mut desk = between("tictactoe", "human", "human");
    desk.state.settings.language = Some(Language::Indonesian);
    desk.state.settings.seed = Some(7);
    desk.keys("v");
    desk.keys("n");
    desk.press(KeyCode::Home);
    desk.press(KeyCode::Right);
    let kept = desk.effects.iter().filter_map(|effect| match effect {
        Effect::Remember(settings) => Some(settings),
        _ => None,
    });
    let kept: Vec<_> = kept.collect();
    assert_eq!(kept.len(), 2);
    assert!(
        kept.iter()
            .all(|s| s.language.is_none() && s.seed.is_none())
    );
    assert!(kept[0].evaluation && kept[1].game != "tictactoe");
    desk.keys("\nn");
    desk.press(KeyCode::Home);
}

#[test]
fn errors_are_reported_in_the_selected_language() {
    use papan_terminal::{Failure, SettingsError, failure_text, settings_text};
    use std::io::ErrorKind;

    let mut desk = Desk::new(Language::Indonesian, (80, 24));
    for kind in [
        ErrorKind::NotFound,
        ErrorKind::IsADirectory,
        ErrorKind::InvalidInput,
        ErrorKind::FileTooLarge,
    ] {
        desk.tell(Message::Opened("x".into(), Err(kind.into())));
        let notice = desk.notice();
        assert!(notice.starts_with("x tidak dapat dibuka"), "{notice}");
        assert!(!notice.contains(" is "), "{notice}");
    }
    for text in [
        "papan record 1\n",
        "papan record 1\ngame: tictacto\nfirst: human\nsecond: human\nmoves: 5\nresult: unfinished\n",
        "papan record 1\ngame: tictactoe\nfirst: human\nsecond: human\nmoves: 5 5\nresult: unfinished\n",
    ] {
        desk.tell(Message::Opened("x".into(), Ok(text.into())));
        let notice = desk.notice();
        for english in ["line", "column", "missing", "occupied", "did you mean"] {
            assert!(!notice.contains(english), "{notice}");
        }
    }
    let [english, indonesian] = [Language::English, Language::Indonesian].map(|language| {
        let messages = papan_view::Messages::new(language);
        let game: papan_catalog::AnyGame = "othello".parse().unwrap();
        let spec: papan_catalog::StrategySpec = "expert".parse().unwrap();
        let seated = game.can_seat(&spec, &papan_strategies::Limits::default());
        let failures = [
            Failure::Unplayable(seated.unwrap_err()),
            Failure::NoMove(papan_strategies::NoMove::GameOver),
            Failure::Panicked,
            Failure::NoAnswer,
            Failure::NoThread(ErrorKind::OutOfMemory.into()),
        ];
        let settings = [
            SettingsError::Unreadable(ErrorKind::PermissionDenied),
            SettingsError::Header("papan record 1".into()),
            SettingsError::Line {
                number: 3,
                text: "theme: pink".into(),
            },
        ];
        let mut told: Vec<String> = failures
            .iter()
            .map(|failure| failure_text(messages, failure))
            .collect();
        told.extend(settings.iter().map(|error| settings_text(messages, error)));
        told
    });
    for (english, indonesian) in english.iter().zip(&indonesian) {
        assert_ne!(english, indonesian);
    }
}

#[test]
fn other_programs_games_are_opened_and_pasted() {
    let sgf = "(;GM[2]FF[4]SZ[8];B[f5];W[d6];B[c3])";
    let mut desk = desk();
    desk.tell(Message::Opened("x.sgf".into(), Ok(sgf.into())));
    assert_eq!(desk.moves(), "f5d6c3");
    let mut desk = between("tictactoe", "human", "human");
    desk.tell(Message::Paste(sgf.into()));
    assert_eq!(desk.moves(), "f5d6c3");
}
