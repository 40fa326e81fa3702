//! Tests of line mode in a pseudo-terminal.

use std::process::Command;
use std::time::Duration;

use expectrl::process::unix::WaitStatus;
use expectrl::session::OsSession;
use expectrl::{Eof, Expect as _, Session};

fn papan(args: &[&str]) -> OsSession {
    let mut command = Command::new(env!("CARGO_BIN_EXE_papan"));
    command
        .args(args)
        .env("TERM", "xterm-256color")
        .env("LANG", "C.UTF-8")
        .env_remove("NO_COLOR");
    let mut session = Session::spawn(command).expect("a pseudo-terminal");
    session.set_expect_timeout(Some(Duration::from_secs(30)));
    session
}

#[test]
fn a_game_is_played_and_won_at_a_terminal() {
    let mut game = papan(&[
        "play", "--plain", "--moves", "1 4 2 5", "--second", "greedy",
    ]);
    game.expect("Your turn (X)").unwrap();
    game.expect("Your move:").unwrap();
    game.send_line("4").unwrap();
    game.expect("4 is occupied").unwrap();
    game.send_line("3").unwrap();
    game.expect("YOU WIN!").unwrap();
    game.expect("Play again?").unwrap();
    game.send_line("0").unwrap();
    game.expect(Eof).unwrap();
    let status = game.get_process().wait().unwrap();
    assert!(matches!(status, WaitStatus::Exited(_, 0)), "{status:?}");
}

#[test]
fn a_terminal_gets_colour_and_control_d_ends_the_input() {
    let mut game = papan(&["play", "--plain", "othello"]);
    game.expect("\u{1b}[").unwrap();
    game.expect("Your move:").unwrap();
    game.send("\u{4}").unwrap();
    game.expect("Input ended before the game was over.")
        .unwrap();
    game.expect(Eof).unwrap();
    let status = game.get_process().wait().unwrap();
    assert!(matches!(status, WaitStatus::Exited(_, 2)), "{status:?}");
}
