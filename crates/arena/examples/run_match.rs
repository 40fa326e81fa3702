//! Runs a match of 100 games and prints the score with its rating difference:
//! `cargo run --release -p papan-arena --example run_match`.

use std::time::Duration;

use papan_arena::results::Memory;
use papan_arena::{Format, RunOptions, Tournament, run};
use papan_strategies::{Limits, StopToken};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tournament = Tournament {
        game: "tictactoe".parse()?,
        entrants: vec!["expert".parse()?, "random".parse()?],
        format: Format::RoundRobin,
        games: 100,
        // One opening without moves: every game begins on the empty board.
        openings: vec![Vec::new()],
        limits: Limits::default(),
        margin: Duration::ZERO,
        patience: Duration::from_secs(10),
        seed: 1,
        timed: false,
        swap: None,
        adjudication: Default::default(),
    };
    let options = RunOptions {
        concurrency: 2,
        sprt: None,
        observer: &mut |_| {},
        live_games: None,
        stop: StopToken::default(),
    };
    let scoreboard = run(&tournament, &mut Memory::default(), options)?;

    let standings = scoreboard.standings();
    let score = standings.between(0, 1).ok_or("no games were played")?;
    println!("+{} ={} -{}", score.wins, score.draws, score.losses);
    if let Some(elo) = standings.ratings().elo(0) {
        println!("{elo:+.0} Elo");
    }
    Ok(())
}
