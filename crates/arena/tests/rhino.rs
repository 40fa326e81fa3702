//! Whole games of Othello, both colours, against gtp-rhino: an engine that was
//! written by others, long before papan.

use std::time::Duration;

use papan_arena::GameResult;
use papan_arena::results::{Memory, Results as _};
use papan_arena::{Format, RunOptions, Tournament, openings, run};
use papan_catalog::AnyGame;
use papan_rules::{Game as _, Line, Othello, Player};
use papan_strategies::{Limits, StopToken};

fn rhino() -> String {
    let places = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<_> = std::env::split_paths(&places).collect();
    // Where Debian puts games, which not every PATH names.
    folders.push("/usr/games".into());
    let found = folders.iter().map(|folder| folder.join("gtp-rhino"));
    let found = found.into_iter().find(|program| program.exists());
    let missing = "gtp-rhino is missing: `apt-get install grhino`, as `cargo xtask test` does";
    format!("gtp:{}", found.expect(missing).display())
}

#[test]
fn gtp_rhino_plays_whole_games_in_both_colours() {
    let game: AnyGame = "othello".parse().unwrap();
    let tournament = Tournament {
        openings: openings::random_any(&game, 4, 5),
        game,
        entrants: vec![
            rhino().parse().unwrap(),
            "mcts(playouts=60)".parse().unwrap(),
        ],
        format: Format::RoundRobin,
        games: 8,
        limits: Limits::default(),
        margin: Duration::ZERO,
        patience: Duration::from_secs(60),
        seed: 3,
        timed: false,
        swap: None,
        adjudication: Default::default(),
    };
    let mut store = Memory::default();
    let settings = RunOptions {
        concurrency: 2,
        sprt: None,
        observer: &mut |_| {},
        live_games: None,
        stop: StopToken::default(),
    };
    let scoreboard = run(&tournament, &mut store, settings).unwrap();
    assert_eq!(scoreboard.standings().games, 8);
    let [rhino, mcts] = scoreboard.standings().players[..] else {
        panic!("there are two players");
    };
    assert_eq!((rhino.forfeited(), mcts.forfeited()), (0, 0));
    assert_eq!(rhino.seats.map(|seat| seat.games()), [4, 4], "both colours");
    // Rules that do not know the arena agree with every record.
    let othello = Othello::default();
    let mut discs = [0; 2];
    store
        .replay(&mut |record| {
            let finished = GameResult::decode(record).unwrap();
            let mut line = Line::new(&othello);
            for &mv in &finished.moves {
                line.play(&othello, mv).unwrap();
            }
            assert_eq!(othello.outcome(line.position()), Some(finished.outcome));
            let counted = finished.discs.unwrap();
            let score = othello.final_score(line.position(), Player::First);
            assert_eq!(
                score.signum(),
                (counted[0] as i32 - counted[1] as i32).signum()
            );
            let rhinos_seat = (finished.game % 2) as usize;
            discs[0] += u64::from(counted[rhinos_seat]);
            discs[1] += u64::from(counted[1 - rhinos_seat]);
        })
        .unwrap();
    assert_eq!([rhino.discs, mcts.discs], discs);
}
