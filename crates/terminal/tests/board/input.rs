//! Moves by letters, numbers, cursor and mouse; lines that are typed.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use papan_rules::SplitMix;
use papan_terminal::{Message, board_layout};

use crate::desk::Desk;
use crate::games::{between, desk};

#[test]
fn squares_are_typed_and_h_both_moves_and_begins_a_square() {
    let mut desk = between("othello", "human", "human");
    desk.keys("f5");
    assert_eq!(desk.moves(), "f5");
    desk.keys("66");
    assert_eq!(desk.moves(), "f5f6");
    let before = desk.state.game.as_ref().unwrap().cursor;
    desk.keys("h");
    assert_eq!(desk.state.game.as_ref().unwrap().cursor, before - 1);
    desk.keys("8");
    assert!(
        desk.notice().contains("h8 flips no discs"),
        "{}",
        desk.notice()
    );
}

#[test]
fn a_number_that_could_be_longer_waits_for_enter() {
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
fn enter_after_a_completed_number_plays_no_second_move() {
    let mut desk = between("tictactoe:4x4", "human", "human");
    desk.keys("16\n");
    assert_eq!(desk.moves(), "16");
    assert!(!desk.notice().contains("occupied"), "{}", desk.notice());
    // A second Enter plays, and so does one after the cursor has moved.
    desk.keys("\n");
    assert!(desk.notice().contains("16 is occupied"));
    desk.keys("15");
    desk.press(KeyCode::Left);
    desk.keys("\n");
    assert_eq!(desk.moves(), "16 15 14");
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
fn the_mouse_plays_and_the_wheel_browses() {
    let mut desk = between("tictactoe", "human", "human");
    let cell = board_layout(&desk.state).unwrap().cell(6);
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
    // A click in the move list goes to that position.
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
fn every_cell_that_shares_a_line_with_the_cursor_is_marked() {
    let mut desk = between("tictactoe:3x3x3", "human", "human");
    // The centre shares a line with all others.
    let marked = |desk: &Desk| desk.screen().matches(['-', '+']).count();
    assert_eq!(desk.state.game.as_ref().unwrap().cursor, 13);
    assert_eq!(marked(&desk), 2 * 26);
    // A middle of a side with its row, its column and its depth, no diagonal.
    desk.keys("hhk");
    let lines = desk.screen();
    assert!(lines.contains("lines through"), "{lines}");
    assert!(marked(&desk) < 2 * 26);
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

#[test]
fn a_square_is_typed_whose_letter_is_a_command() {
    let mut desk = between("tictactoe:15x15:5", "human", "human");
    desk.keys("a1\n");
    // `m` alone is a rematch, `n` a new game, `o` opens a record, `i` is a hint.
    desk.keys("m8");
    desk.keys("n9");
    desk.keys("o7");
    desk.keys("i6");
    desk.keys("h5");
    let squares = ["a1", "m8", "n9", "o7", "i6", "h5"];
    let game = desk.state.game.as_ref().unwrap();
    assert_eq!(
        game.rules.show_moves(game.line().moves()),
        squares.join(" ")
    );
    assert!(game.hint.is_none() && desk.state.prompt.is_none());
}

#[test]
fn the_command_of_a_letter_is_shown_and_enter_executes_it() {
    let mut desk = between("tictactoe:15x15:5", "human", "human");
    desk.keys("i");
    assert!(desk.screen().contains("Move: i_"), "{}", desk.screen());
    assert!(desk.screen().contains("Enter: a hint"), "{}", desk.screen());
    // Any other key cancels it.
    desk.press(KeyCode::Right);
    assert!(!desk.screen().contains("Move: i_"));
    desk.keys("o\n");
    assert!(desk.state.prompt.is_some());
    // A letter that moves the cursor does so at once, and Enter plays there.
    let mut desk = between("tictactoe:15x15:5", "human", "human");
    desk.keys("hk\n");
    let game = desk.state.game.as_ref().unwrap();
    assert_eq!(game.rules.show_moves(game.line().moves()), "g7");
    // On boards with cell numbers the letters remain commands.
    let mut desk = between("tictactoe", "human", "human");
    desk.keys("i");
    assert!(desk.notice().starts_with("Hint"), "{}", desk.notice());
}

#[test]
fn columns_beyond_z_have_two_letters() {
    let mut desk = between("tictactoe:2x40:2", "human", "human");
    desk.keys("an2");
    let game = desk.state.game.as_ref().unwrap();
    assert_eq!(game.rules.show_moves(game.line().moves()), "an2");
}

#[test]
fn a_line_that_is_typed_is_emptied_by_control_u() {
    let empty = |desk: &mut Desk| {
        let key = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
        desk.tell(Message::Key(key));
    };
    let mut desk = desk();
    desk.press(KeyCode::Home);
    desk.press(KeyCode::Enter);
    assert_eq!(desk.state.start.editing.as_deref(), Some("tictactoe"));
    empty(&mut desk);
    assert_eq!(desk.state.start.editing.as_deref(), Some(""));
}
