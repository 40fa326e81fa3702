//! Tests of the full-screen board in a pseudo-terminal.
#![cfg(target_os = "linux")]

mod tty;

use std::thread;
use std::time::Duration;

use tty::Tty;

const WINDOW: (u16, u16) = (80, 24);

#[test]
fn a_whole_game_from_the_start_page_to_the_review() {
    // The default opponent is not deterministic.
    let settings = "papan settings 1\ngame: tictactoe\nfirst: human\nsecond: perfect\n";
    let mut papan = Tty::with(&[], WINDOW, &[], Some(settings));
    papan.expect("[ Play ]");
    papan.send("\r");
    papan.expect("Your turn.");
    papan.send("1");
    papan.expect(">5");
    papan.send("2");
    papan.expect(">3");
    papan.send("4");
    papan.expect("Good game. You lost. Winning line: 3 5 7");
    papan.send("R");
    papan.expect("better 7");
    papan.send("m");
    papan.expect("No moves yet.");
    papan.send("q");
    assert!(papan.end().success());
}

#[test]
fn othello_by_squares_with_undo_hint_and_evaluation() {
    let mut papan = Tty::papan(
        &[
            "play",
            "othello",
            "--second",
            "mcts(playouts=50)",
            "--seed",
            "1",
        ],
        (120, 40),
    );
    papan.expect("Your turn.");
    papan.send("f5");
    papan.expect("1.  f5       >");
    papan.send("u");
    papan.expect_gone("1.  f5       >");
    papan.send("iv");
    papan.expect("Evaluation, for Black");
    papan.send("\u{3}");
    assert!(papan.end().success());
}

#[test]
fn the_board_speaks_indonesian() {
    let mut papan = Tty::papan(&["--lang", "id", "play", "--second", "perfect"], WINDOW);
    papan.expect("Giliran Anda.");
    papan.send("?");
    papan.expect("tombol-tombol");
    papan.send("q");
    papan.expect("Giliran Anda.");
    papan.send("q");
    assert!(papan.end().success());
}

#[test]
fn while_the_computer_thinks_on_keys_cancel_and_quit_are_answered() {
    let mut papan = Tty::papan(
        &["play", "othello", "--first", "mcts(playouts=100000000)"],
        WINDOW,
    );
    papan.expect("mcts is thinking...");
    papan.expect("nodes");
    papan.send("\u{1b}[C");
    papan.send("\u{1b}");
    papan.expect("Stopped and paused");
    papan.expect_gone("mcts is thinking...");
    papan.send("p");
    papan.expect("mcts is thinking...");
    // Its move would take hours.
    papan.send("q");
    assert!(papan.end().success());
}

#[test]
fn a_window_is_resized_to_nothing_and_back() {
    let mut papan = Tty::papan(&["play", "tictactoe"], WINDOW);
    papan.expect("X to move.");
    papan.resize((20, 5));
    papan.expect("too small");
    papan.resize((1, 1));
    papan.resize((100, 30));
    papan.expect("X to move.");
    papan.send("q");
    assert!(papan.end().success());
}

#[test]
fn a_key_pressed_while_the_window_changes_is_heard() {
    let mut papan = Tty::papan(&["play", "tictactoe"], WINDOW);
    papan.expect("X to move.");
    for round in 0..100 {
        papan.resize((100, 30 - round % 2));
        // The screen may still change while the signal is being delivered.
        thread::sleep(Duration::from_micros(u64::from(round) * 2));
        papan.send("?");
        papan.expect("papan: keys");
        papan.send(" ");
        papan.expect("X to move.");
    }
    papan.send("q");
    assert!(papan.end().success());
}

#[test]
fn suspended_and_resumed_the_board_is_drawn_again() {
    let mut papan = Tty::papan(&["play", "tictactoe"], WINDOW);
    papan.expect("X to move.");
    papan.send("\u{1a}");
    while papan.stat(3) != "T" {
        thread::sleep(Duration::from_millis(5));
    }
    papan.expect_gone("X to move.");
    papan.signal("CONT");
    papan.expect("X to move.");
    papan.send("5");
    papan.expect("O to move.");
    papan.signal("TERM");
    assert!(!papan.end().success());
}

#[test]
fn the_settings_of_the_last_time_are_remembered_and_broken_ones_left_out() {
    let settings = "papan settings 1\ngame: othello:6x6\nfirst: human\nsecond: random\n";
    let mut papan = Tty::with(&[], WINDOW, &[], Some(settings));
    papan.expect("othello:6x6");
    papan.send("q");
    papan.end();
    let mut papan = Tty::with(&[], WINDOW, &[], Some("papan settings 1\ngame tictactoe\n"));
    papan.expect("Ignoring the saved settings");
    papan.send("\r");
    papan.expect("Your turn.");
    papan.send("q");
    assert!(papan.end().success());
}

#[test]
fn without_colour_and_unicode_there_is_neither() {
    let variables = [("NO_COLOR", "1"), ("LANG", "C")];
    let mut papan = Tty::with(&["play", "othello"], WINDOW, &variables, None);
    papan.expect("Black to move.");
    papan.send("f5");
    papan.expect("White to move.");
    papan.send("qy");
    papan.end();
    let written = papan.written();
    assert!(written.is_ascii());
    // Colour codes are 30 to 49 and 90 to 107; 39 and 49 reset the colour.
    for colour in ["\u{1b}[36m", "\u{1b}[33m", "\u{1b}[38;5;", "\u{1b}[32m"] {
        assert!(!written.contains(colour), "{colour:?}");
    }
}

#[test]
fn a_terminal_that_cannot_move_its_cursor_gets_lines() {
    let papan = Tty::with(&["play"], WINDOW, &[("TERM", "dumb")], None);
    papan.expect("Your move:");
}

#[test]
fn an_idle_board_is_small_and_uses_no_time() {
    let mut papan = Tty::papan(&["play", "--second", "perfect"], WINDOW);
    papan.expect("Your turn.");
    papan.send("5");
    papan.expect(">1");
    // Waits until no thread has woken up for a second. A program that polls never reaches that
    // state.
    let quiet = (0..100).any(|_| {
        let before = papan.wakings();
        thread::sleep(Duration::from_secs(1));
        papan.wakings() == before
    });
    assert!(quiet, "it never sleeps");
    let status = std::fs::read_to_string(format!("/proc/{}/status", papan.pid())).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap();
    let kilobytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(kilobytes < 30 * 1024, "{line}");
    papan.send("qy");
    assert!(papan.end().success());
}

#[test]
fn records_are_saved_by_a_key_and_opened_again() {
    let mut papan = Tty::papan(&["play", "tictactoe"], WINDOW);
    papan.send("519w");
    papan.expect("Save as: tictactoe.papan_");
    papan.send("\r");
    papan.expect("Game saved to tictactoe.papan.");
    papan.send("w\r");
    papan.expect("Could not write");
    papan.send("n");
    papan.expect("This game is not over.");
    papan.send("y");
    papan.expect("[ Play ]");
    papan.send("\u{1b}[F\u{1b}[A\r");
    papan.expect("Open record:");
    papan.send("tictactoe.papan\r");
    papan.expect("2. >9");
    papan.send("q");
    assert!(papan.end().success());
}

#[test]
fn a_square_of_a_large_board_is_typed_and_its_letter_throws_nothing_away() {
    let mut papan = Tty::papan(&["play", "tictactoe:15x15:5"], WINDOW);
    papan.expect("X to move.");
    papan.expect("a  b  c  d  e  f  g  h  i  j  k  l  m  n  o");
    papan.send("m8");
    papan.expect("1. >m8");
    papan.send("n");
    papan.expect("Enter: new game");
    papan.send("15");
    papan.expect(">n15");
    papan.send("q");
    papan.expect("y / n");
    papan.send("y");
    assert!(papan.end().success());
}

#[test]
fn wrong_arguments_are_echoed_to_a_terminal_without_what_it_obeys() {
    let mut tty = Tty::papan(&["x\u{1b}[2J\u{9b}31m\u{202e}y"], WINDOW);
    tty.expect("unrecognized subcommand");
    tty.end();
    let written = tty.written();
    for hostile in ["\u{1b}[2J", "\u{9b}", "\u{202e}"] {
        assert!(!written.contains(hostile), "{written:?}");
    }
}

#[test]
fn a_game_that_was_left_is_offered_at_the_next_start() {
    let mut papan = Tty::papan(&["--lang", "id", "play", "tictactoe:4x4"], WINDOW);
    papan.send("16");
    papan.expect("1. >16");
    papan.signal("KILL");
    assert!(!papan.child.wait().unwrap().success());
    // The option applied to one run only; this one uses the language of the environment.
    let mut papan = papan.again(&[], WINDOW);
    papan.expect("[ Continue tictactoe:4x4 ]");
    papan.send("\r");
    papan.expect("1. >16");
    papan.send("15");
    papan.expect(">15");
    papan.send("qy");
    assert!(papan.end().success());
    let papan = papan.again(&[], WINDOW);
    papan.expect("[ Continue tictactoe:4x4 ]");
}

#[test]
fn a_trace_is_stepped_through_by_keys() {
    let words = [
        "--lang",
        "en",
        "trace",
        "tictactoe",
        "--moves",
        "1 5 9 3",
        "--strategy",
        "alphabeta",
    ];
    let mut papan = Tty::papan(&words, (100, 30));
    papan.expect("Step 1 of ");
    papan.expect(">  1 function search");
    papan.send("\u{1b}[C");
    papan.expect("Step 2 of ");
    papan.send("c");
    papan.expect("cut: ");
    papan.expect(">  8 . . if alpha >= beta");
    papan.expect("because alpha");
    papan.send("\u{1b}[F");
    papan.expect("play 7");
    // The best move in the tree, and a folded subtree.
    papan.expect("7  +1");
    papan.expect("⋯");
    papan.send("i");
    papan.expect("terminal test: is the game over?");
    papan.expect("utility: +1, 0 or -1 for MAX");
    papan.send("i");
    papan.expect("⋯");
    papan.send("\u{1b}[H");
    papan.expect("Step 1 of ");
    papan.resize((60, 16));
    papan.expect("Step 1 of ");
    papan.send("q");
    assert!(papan.end().success());
}

#[test]
fn the_move_of_a_strategy_is_predicted_at_the_terminal() {
    let words = [
        "--lang",
        "en",
        "trace",
        "tictactoe",
        "--moves",
        "1",
        "--strategy",
        "alphabeta",
        "--predict",
    ];
    let mut papan = Tty::papan(&words, WINDOW);
    papan.expect("Which move will alphabeta choose?");
    papan.send("1\r");
    papan.expect("not a legal move");
    papan.send("5\r");
    papan.expect("Right: it plays 5. Your predictions: 1 of 1 right.");
    papan.send("n");
    papan.expect("Which move will alphabeta choose? Your predictions: 1 of 1 right.");
    papan.send("9\r");
    papan.expect("of 2 right.");
    papan.send("\u{3}");
    assert!(papan.end().success());
}
