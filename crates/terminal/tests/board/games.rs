//! Games played by keys, without a terminal.

use std::time::Duration;

use crate::desk::Desk;
use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use papan_rules::{Outcome, Player, Record, SplitMix};
use papan_terminal::message::{Effect, Message};
use papan_terminal::table::Numbers;
use papan_terminal::view::geometry;
use papan_view::Language;

fn desk() -> Desk {
    Desk::new(Language::English, (80, 24))
}

fn between(game: &str, first: &str, second: &str) -> Desk {
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
    let table = desk.state.table.as_ref().unwrap();
    assert_eq!(table.outcome(), Some(Outcome::Win(Player::Second)));
    assert_eq!(desk.notice(), "YOU LOSE! Winning line: 3 5 7");
}

#[test]
fn squares_are_typed_and_h_both_moves_and_begins_a_square() {
    let mut desk = between("othello", "human", "human");
    desk.keys("f5");
    assert_eq!(desk.moves(), "f5");
    desk.keys("66");
    assert_eq!(desk.moves(), "f5f6");
    let before = desk.state.table.as_ref().unwrap().cursor;
    desk.keys("h");
    assert_eq!(desk.state.table.as_ref().unwrap().cursor, before - 1);
    desk.keys("8");
    assert!(
        desk.notice().contains("h8 flips nothing"),
        "{}",
        desk.notice()
    );
}

#[test]
fn a_number_that_could_go_on_waits_for_enter() {
    let mut desk = between("tictactoe:4x4", "human", "human");
    desk.keys("1");
    assert_eq!(desk.moves(), "");
    assert!(desk.screen().contains("Move: 1_"));
    desk.keys("\n");
    assert_eq!(desk.moves(), "1");
    desk.keys("16");
    assert_eq!(desk.moves(), "1 16");
    desk.keys("99");
    assert_eq!(desk.moves(), "1 16 9");
    assert!(desk.notice().contains("occupied"), "{}", desk.notice());
    desk.keys(":zzz\n");
    assert!(desk.notice().contains("zzz is not a move"));
}

#[test]
fn undo_takes_back_to_the_persons_turn_and_redo_plays_again() {
    let mut desk = between("tictactoe", "human", "perfect");
    desk.keys("59");
    let played = desk.moves();
    desk.keys("u");
    assert_eq!(desk.moves().split(' ').count(), 2);
    desk.keys("r");
    assert_eq!(desk.moves(), played);
    desk.keys("uuu");
    assert_eq!(desk.notice(), "There is nothing to take back.");
    // The computer began: its first move cannot be taken back.
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
fn while_an_earlier_position_is_looked_at_the_computer_waits() {
    let mut desk = between("tictactoe", "human", "perfect");
    desk.keys("59");
    desk.keys(",,,");
    assert_eq!(desk.moves(), "5");
    assert!(desk.screen().contains("looking back"));
    // A person may then move for the computer, which answers no more than its own turns.
    desk.keys("2");
    assert_eq!(desk.moves(), "5 2");
    desk.keys(",");
    desk.keys("p");
    assert_eq!(desk.moves(), "5 1");
}

#[test]
fn the_cursor_goes_round_the_board_and_enter_plays() {
    let mut desk = between("tictactoe", "human", "human");
    desk.keys("hk\n");
    assert_eq!(desk.moves(), "1");
    desk.press(KeyCode::Left);
    desk.press(KeyCode::Up);
    desk.keys(" ");
    assert_eq!(desk.moves(), "1 9");
    desk.keys(" ");
    assert!(desk.notice().contains("9 is occupied"));
}

#[test]
fn the_mouse_plays_and_the_wheel_walks() {
    let mut desk = between("tictactoe", "human", "human");
    let cell = geometry::of_table(&desk.state).unwrap().cell(6);
    let mouse = |kind, column, row| {
        Message::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers: KeyModifiers::NONE,
        })
    };
    let down = MouseEventKind::Down(MouseButton::Left);
    desk.tell(mouse(down, cell.x + 1, cell.y));
    assert_eq!(desk.moves(), "7");
    desk.tell(mouse(MouseEventKind::ScrollUp, 0, 0));
    assert_eq!(desk.moves(), "");
    desk.tell(mouse(MouseEventKind::ScrollDown, 0, 0));
    assert_eq!(desk.moves(), "7");
    // A click on the list of moves goes there.
    desk.keys("519");
    let row = desk
        .screen()
        .lines()
        .position(|line| line.contains("1.  7"))
        .unwrap();
    let line = desk.screen().lines().nth(row).unwrap().to_owned();
    let column = line.chars().collect::<Vec<_>>().len() - 1;
    desk.tell(mouse(down, column as u16, row as u16));
    assert_eq!(desk.moves(), "7 5");
}

#[test]
fn a_watched_game_waits_between_moves_pauses_and_goes_on() {
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
    assert!(desk.state.table.as_ref().unwrap().outcome().is_some());
}

#[test]
fn flipping_the_seats_sets_the_computer_to_work() {
    let mut desk = between("tictactoe", "human", "perfect");
    desk.keys("s");
    assert_eq!(desk.moves().split(' ').count(), 1);
    assert!(desk.screen().contains("O you"));
}

#[test]
fn a_hint_is_the_advisors_move_and_is_marked() {
    let mut desk = desk().at("tictactoe", ["human", "human"], "1 5 2");
    desk.keys("i");
    assert_eq!(desk.notice(), "Hint: 3 (perfect: a draw)");
    assert!(desk.screen().contains("!"));
}

#[test]
fn the_numbers_go_from_reasons_to_scores_to_none() {
    let mut desk = desk().at("tictactoe", ["human", "greedy"], "5 1");
    let numbers = |desk: &Desk| desk.state.table.as_ref().unwrap().numbers;
    desk.keys("x");
    assert_eq!(numbers(&desk), Numbers::Reasons);
    assert!(desk.screen().contains("p = "), "{}", desk.screen());
    desk.keys("x");
    assert_eq!(numbers(&desk), Numbers::Scores);
    desk.keys("x");
    assert_eq!(numbers(&desk), Numbers::None);
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
fn nothing_ticks_while_nobody_has_a_clock() {
    let desk = between("tictactoe", "human", "human");
    assert_eq!(desk.state.deadline(), None);
}

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
    desk.tell(Message::Saved(path.clone(), Err("it exists".into())));
    assert_eq!(desk.notice(), "my game was not written: it exists");
    let mut other = Desk::new(Language::English, (80, 24));
    other.tell(Message::Opened(path, Ok(text)));
    assert_eq!(other.moves(), "5 1 9");
    other.tell(Message::Opened("x".into(), Ok("papan record 1\n".into())));
    assert!(other.notice().starts_with("This is no record"));
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
    let table = desk.state.table.as_ref().unwrap();
    assert!(table.analysing && table.line().piece(1) == Some(Player::Second));
    desk.tell(Message::Paste("XXX------ O".into()));
    assert!(desk.notice().contains("cannot arise"), "{}", desk.notice());
    desk.keys("P5 1 9\n");
    assert_eq!(desk.moves(), "5 1 9");
    desk.keys("P5 5\n");
    assert!(desk.notice().contains("no legal move"), "{}", desk.notice());
}

#[test]
fn a_position_is_set_up_by_hand() {
    let mut desk = between("tictactoe", "human", "perfect");
    desk.keys("E");
    desk.keys("hk1");
    desk.keys("\n");
    assert!(desk.notice().contains("O is to move"), "{}", desk.notice());
    desk.keys("s\n");
    let table = desk.state.table.as_ref().unwrap();
    assert!(table.setup.is_none() && table.analysing);
    assert_eq!(table.line().position_text(), "X-------- O");
    desk.keys("Ec");
    desk.press(KeyCode::Esc);
    let table = desk.state.table.as_ref().unwrap();
    assert_eq!(table.line().position_text(), "X-------- O");
}

#[test]
fn a_rematch_keeps_the_players_and_a_new_game_goes_to_the_start_page() {
    let mut desk = desk().at("tictactoe", ["human", "human"], "1 4 2 5");
    desk.keys("3");
    assert_eq!(desk.notice(), "X wins! Winning line: 1 2 3");
    desk.keys("m");
    assert_eq!(desk.moves(), "");
    desk.keys("n");
    assert!(desk.state.table.is_none());
    desk.keys("\n");
    assert!(desk.state.table.is_some());
}

#[test]
fn othello_passes_by_enter_where_nothing_else_is_left() {
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
fn every_cell_that_shares_a_line_with_the_cursor_is_marked() {
    let mut desk = between("tictactoe:3x3x3", "human", "human");
    // The centre shares a line with all others.
    let marked = |desk: &Desk| desk.screen().matches(['-', '+']).count();
    assert_eq!(desk.state.table.as_ref().unwrap().cursor, 13);
    assert_eq!(marked(&desk), 2 * 26);
    // A middle of a side with its row, its column and its depth, no diagonal.
    desk.keys("hhk");
    let lines = desk.screen();
    assert!(lines.contains("lines through"), "{lines}");
    assert!(marked(&desk) < 2 * 26);
}

#[test]
fn leaving_a_game_stops_whoever_thinks() {
    use papan_terminal::update::update;
    let mut desk = between("tictactoe", "human", "human");
    desk.state.table.as_mut().unwrap().players[0] = "mcts(playouts=100000000)".parse().unwrap();
    let started = update(&mut desk.state, Message::Tick, desk.now);
    let Some(Effect::Think(job)) = started.into_iter().next() else {
        panic!("it should think");
    };
    desk.keys("n");
    assert!(matches!(desk.effects.last(), Some(Effect::Stop(id)) if *id == job.id));
}

#[test]
fn any_keys_in_any_order_do_no_harm() {
    // With a seed of its own, so that a failure can be replayed.
    let mut random = SplitMix::new(0x2545_f491_4f6c_dd1d);
    let mut next = |n: usize| random.below(n);
    let special = [
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Tab,
        KeyCode::BackTab,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::Backspace,
        KeyCode::PageUp,
    ];
    for game in ["tictactoe", "othello:4x4", "tictactoe:2x2x2"] {
        let mut desk = between(game, "human", "random(seed=3)");
        for _ in 0..400 {
            match next(3) {
                0 => desk.press(special[next(special.len())]),
                _ => desk.press(KeyCode::Char(char::from(b' ' + next(95) as u8))),
            }
            let _ = desk.screen();
        }
    }
}
