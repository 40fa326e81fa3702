//! Tests of line mode in a pseudo-terminal.

#[allow(dead_code, reason = "other tests use the rest")]
mod tty;

use tty::Tty;

const WINDOW: (u16, u16) = (80, 40);

#[test]
fn a_game_is_played_and_won_at_a_terminal() {
    let args = [
        "play", "--plain", "--moves", "1 4 2 5", "--second", "greedy",
    ];
    let mut game = Tty::papan(&args, WINDOW);
    game.expect("Your turn (X)");
    game.expect("Your move:");
    game.send("4\n");
    game.expect("4 is occupied");
    game.send("3\n");
    game.expect("YOU WIN!");
    game.expect("Play again?");
    game.send("0\n");
    assert_eq!(game.end().exit_code(), 0);
}

#[test]
fn a_terminal_gets_colour_and_control_d_ends_the_input() {
    let mut game = Tty::papan(&["play", "--plain", "othello"], WINDOW);
    game.expect("Your move:");
    assert!(game.written().contains("\u{1b}["));
    game.send("\u{4}");
    game.expect("Input ended before the game was over.");
    assert_eq!(game.end().exit_code(), 2);
}
