//! The teaching example runs and prints a finished game.

#[path = "../examples/play_a_game.rs"]
mod play_a_game;

#[test]
fn play_a_game_reaches_the_end() {
    play_a_game::main().unwrap();
}
