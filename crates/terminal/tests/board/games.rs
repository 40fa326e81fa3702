//! Games played by keys, without a terminal.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent};
use papan_rules::{Outcome, Player};
use papan_terminal::{Effect, Message, Row, update};
use papan_view::Language;

use crate::desk::Desk;

pub(crate) fn desk() -> Desk {
    Desk::new(Language::English, (80, 24))
}

pub(crate) fn between(game: &str, first: &str, second: &str) -> Desk {
    desk().at(game, [first, second], "")
}

#[test]
fn a_person_plays_a_whole_game_by_numbers_and_the_computer_answers() {
    let mut desk = between("tictactoe", "human", "perfect");
    desk.keys("1");
    assert_eq!(desk.moves(), "1 5");
    desk.keys("2");
    assert_eq!(desk.moves(), "1 5 2 3");
    desk.keys("4");
    let game = desk.state.game.as_ref().unwrap();
    assert_eq!(game.outcome(), Some(Outcome::Win(Player::Second)));
    assert_eq!(desk.notice(), "Good game. You lost. Winning line: 3 5 7");
}

#[test]
fn undo_goes_back_to_the_users_turn_and_redo_forward() {
    let mut desk = between("tictactoe", "human", "perfect");
    desk.keys("59");
    let played = desk.moves();
    desk.keys("u");
    assert_eq!(desk.moves().split(' ').count(), 2);
    desk.keys("r");
    assert_eq!(desk.moves(), played);
    desk.keys("uuu");
    assert_eq!(desk.notice(), "There is no move to undo.");
    // The computer moved first; that move cannot be undone.
    let mut desk = between("tictactoe", "perfect", "human");
    let begun = desk.moves();
    desk.keys("u");
    assert_eq!(desk.moves(), begun);
}

#[test]
fn playing_on_from_an_earlier_position_keeps_the_variation() {
    let mut desk = between("tictactoe", "human", "human");
    desk.keys("519");
    desk.keys(",,");
    assert_eq!(desk.moves(), "5");
    desk.keys("2");
    assert_eq!(desk.moves(), "5 2");
    assert!(desk.screen().contains(">2 (1)"));
    desk.keys("]");
    assert_eq!(desk.moves(), "5 1");
    desk.press(KeyCode::End);
    assert_eq!(desk.moves(), "5 1 9");
    desk.press(KeyCode::Home);
    assert_eq!(desk.moves(), "");
}

#[test]
fn the_computer_waits_while_the_user_browses() {
    let mut desk = between("tictactoe", "human", "perfect");
    desk.keys("59");
    desk.keys(",,,");
    assert_eq!(desk.moves(), "5");
    assert!(desk.screen().contains("browsing"));
    // The user may then move for the computer, which moves only on its own turns.
    desk.keys("2");
    assert_eq!(desk.moves(), "5 2");
    desk.keys(",");
    desk.keys("p");
    assert_eq!(desk.moves(), "5 1");
}

#[test]
fn a_watched_game_delays_moves_pauses_and_resumes() {
    let mut desk = between("tictactoe", "perfect", "random(seed=1)");
    assert_eq!(desk.moves(), "");
    desk.wait(Duration::from_millis(600));
    assert_eq!(desk.moves().split(' ').count(), 1);
    desk.keys("p");
    desk.wait(Duration::from_secs(60));
    assert_eq!(desk.moves().split(' ').count(), 1);
    desk.keys("p");
    assert_eq!(desk.moves().split(' ').count(), 2);
    desk.keys("+++");
    for _ in 0..9 {
        desk.wait(Duration::from_millis(1));
    }
    assert!(desk.state.game.as_ref().unwrap().outcome().is_some());
}

#[test]
fn swapping_the_players_starts_the_computer() {
    let mut desk = between("tictactoe", "human", "perfect");
    desk.keys("s");
    assert_eq!(desk.moves().split(' ').count(), 1);
    assert!(desk.screen().contains("O you"));
}

#[test]
fn a_clock_that_runs_out_ends_the_game() {
    let mut desk = desk();
    desk.state.settings.clock = "10s".parse().ok();
    let mut desk = desk.at("tictactoe", ["human", "human"], "");
    desk.wait(Duration::from_secs(3));
    assert!(desk.screen().contains("7.0"), "{}", desk.screen());
    desk.keys("5");
    desk.wait(Duration::from_secs(11));
    assert_eq!(desk.notice(), "X wins! O is out of time.");
    assert_eq!(desk.state.deadline(), None);
    desk.keys("1");
    assert_eq!(desk.notice(), "The game is over.");
}

#[test]
fn there_are_no_ticks_without_a_clock() {
    let desk = between("tictactoe", "human", "human");
    assert_eq!(desk.state.deadline(), None);
}

#[test]
fn a_rematch_keeps_the_players_and_a_new_game_goes_to_the_start_page() {
    let mut desk = desk().at("tictactoe", ["human", "human"], "1 4 2 5");
    desk.keys("3");
    assert_eq!(desk.notice(), "X wins! Winning line: 1 2 3");
    desk.keys("m");
    assert_eq!(desk.moves(), "");
    desk.keys("n");
    assert!(desk.state.game.is_none());
    desk.keys("\n");
    assert!(desk.state.game.is_some());
}

#[test]
fn enter_passes_in_othello_without_a_legal_move() {
    // The shortest game of first legal moves, after one free choice, that has a pass.
    let game: papan_catalog::AnyGame = "othello:6x6".parse().unwrap();
    let before_a_pass = (0..4_usize).find_map(|choice| {
        let mut line = game.line();
        while let Some(&first) = line.legal_moves().first() {
            if first.cell().is_none() {
                return Some(line.text());
            }
            let legal = line.legal_moves();
            line.play(legal[(line.moves().len() * choice) % legal.len()])
                .unwrap();
        }
        None
    });
    let moves = before_a_pass.expect("one of these games has a pass");
    let mut desk = desk().at("othello:6x6", ["human", "human"], &moves);
    assert!(
        desk.screen().contains("has no move: Enter"),
        "{}",
        desk.screen()
    );
    desk.keys("\n");
    assert!(desk.notice().contains("passes"), "{}", desk.notice());
}

#[test]
fn leaving_a_game_stops_its_searches() {
    let mut desk = between("tictactoe", "human", "human");
    desk.state.game.as_mut().unwrap().players[0] = "mcts(playouts=100000000)".parse().unwrap();
    let started = update(&mut desk.state, Message::Tick, desk.now);
    let Some(Effect::Think(job)) = started.into_iter().next() else {
        panic!("it should think");
    };
    desk.keys("n");
    assert!(matches!(desk.effects.last(), Some(Effect::Stop(id)) if *id == job.id));
}

#[test]
fn leaving_an_unfinished_game_asks_for_confirmation() {
    for key in ["m", "n", "q"] {
        let mut desk = between("tictactoe", "human", "human");
        desk.keys("51");
        desk.keys(key);
        assert!(desk.screen().contains("y / n"), "{}", desk.screen());
        desk.keys("n");
        assert_eq!(desk.moves(), "5 1");
        assert!(!desk.screen().contains("y / n"), "{}", desk.screen());
        let quit = |desk: &Desk| matches!(desk.effects.last(), Some(Effect::Quit(None)));
        assert!(!quit(&desk));
        desk.keys(key);
        desk.keys("y");
        match key {
            "m" => assert_eq!(desk.moves(), ""),
            "n" => assert!(desk.state.game.is_none()),
            _ => assert!(quit(&desk)),
        }
    }
    // Also in a window that is too small for the board.
    let mut desk = between("tictactoe", "human", "human");
    desk.keys("5");
    desk.tell(Message::Resized(20, 5));
    desk.keys("q");
    assert!(desk.screen().contains("y / n"), "{}", desk.screen());
}

#[test]
fn every_offered_player_can_play_and_the_default_does() {
    for game in [
        "othello",
        "othello:6x6",
        "tictactoe:7x7:5",
        "tictactoe:15x15:5",
        "tictactoe:3x3x3",
    ] {
        let mut desk = desk();
        desk.state.start.set_game(game.parse().unwrap());
        let page = &desk.state.start;
        for player in &page.offered {
            if let papan_catalog::PlayerSpec::Strategy(spec) = player {
                let seated = page.game.seat(spec, &papan_strategies::Limits::default());
                assert!(seated.is_ok(), "{spec} at {game}");
            }
        }
        // Enter starts the game: every player accepts.
        let rows = desk.state.start.rows();
        let play = rows.iter().position(|row| matches!(row, Row::Play));
        desk.state.start.focus = play.unwrap();
        let key = Message::Key(KeyEvent::from(KeyCode::Enter));
        let _ = update(&mut desk.state, key, desk.now);
        assert!(desk.state.game.is_some(), "{game}: {}", desk.notice());
    }
}
