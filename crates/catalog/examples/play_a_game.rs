//! Plays a game between two strategies and prints it: `cargo run --example play_a_game`.

use papan_catalog::{AnyGame, Seat, StrategySpec};
use papan_strategies::{Context, Limits};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game: AnyGame = "othello:6x6".parse()?;
    let players: [StrategySpec; 2] = ["alphabeta(depth=4)".parse()?, "random".parse()?];
    let limits = Limits::default();
    let mut seats: Vec<Box<dyn Seat>> = Vec::new();
    for player in &players {
        seats.push(game.seat(player, &limits)?);
    }

    let mut line = game.line();
    let context = Context::with_seed(1);
    while line.outcome().is_none() {
        let seat = &mut seats[line.turn().index()];
        let (mv, _nodes) = seat.choose(&*line, &context)?;
        line.play(mv)?;
    }

    println!("{}", line.record(players.map(|player| player.to_string())));
    Ok(())
}
