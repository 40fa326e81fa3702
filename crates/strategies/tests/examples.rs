//! The teaching example runs to the end of its game.

#[path = "../examples/own_strategy.rs"]
mod own_strategy;

#[test]
fn own_strategy_plays_a_whole_game() {
    own_strategy::main().unwrap();
}
