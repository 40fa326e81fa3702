//! The page of a tournament: the same for the same results, and every position on it
//! as the rules have it.

use std::time::Duration;

use papan_arena::results::{Memory, Results as _};
use papan_arena::{Format, GameResult, RunOptions, Tournament, report, run};
use papan_catalog::AnyGame;
use papan_rules::Player;
use papan_strategies::{Limits, StopToken};

fn tournament(game: &str, players: [&str; 2]) -> Tournament {
    Tournament {
        game: game.parse().unwrap(),
        entrants: players.map(|p| p.parse().unwrap()).to_vec(),
        format: Format::RoundRobin,
        games: 12,
        openings: vec![Vec::new()],
        limits: Limits::default(),
        margin: Duration::ZERO,
        patience: Duration::from_secs(60),
        seed: 4,
        timed: false,
        swap: None,
        adjudication: Default::default(),
    }
}

fn page(tournament: &Tournament, concurrency: usize) -> (String, Vec<GameResult>) {
    let mut store = Memory::default();
    let settings = RunOptions {
        concurrency,
        sprt: None,
        observer: &mut |_| {},
        live_games: None,
        stop: StopToken::default(),
    };
    let scoreboard = run(tournament, &mut store, settings).unwrap();
    let mut out = Vec::new();
    report::html(&mut out, tournament, &scoreboard, &mut store).unwrap();
    let mut games = Vec::new();
    store
        .replay(&mut |record| games.push(GameResult::decode(record).unwrap()))
        .unwrap();
    games.sort_by_key(|game| game.game);
    (String::from_utf8(out).unwrap(), games)
}

#[test]
fn the_page_does_not_depend_on_how_many_games_were_played_at_once() {
    let plan = tournament("othello:4x4", ["random", "random(seed=2)"]);
    let (one, _) = page(&plan, 1);
    let (three, _) = page(&plan, 3);
    assert_eq!(one, three);
    for part in [
        "<svg class=\"plot\"",
        "Cross table",
        "Conditions",
        "random(seed=2)",
    ] {
        assert!(one.contains(part), "{part}");
    }
}

/// Replays the encoded games as the script of the page does.
#[test]
fn every_position_on_the_page_is_the_one_of_the_rules() {
    for game in ["othello:6x6", "tictactoe:3x3x3", "tictactoe:12x12:5"] {
        let plan = tournament(game, ["random", "random(seed=2)"]);
        let (page, games) = page(&plan, 2);
        let between = |from: &str, to: &str| {
            let rest = page.split(from).nth(1).expect(from);
            rest.split(to).next().unwrap().to_owned()
        };
        let board: serde_json::Value =
            serde_json::from_str(&between("const board = ", ";\nconst games")).unwrap();
        let start: Vec<u64> = serde_json::from_value(board["start"].clone()).unwrap();
        assert_eq!(board["looks"].as_array().unwrap().len(), 9);
        let rules: AnyGame = game.parse().unwrap();
        let text = between("const games = `", "`;");
        assert_eq!(text.lines().count(), games.len());
        for (shown, finished) in std::iter::zip(text.lines(), &games) {
            let mut looks = start.clone();
            let mut line = rules.line();
            let moves = shown.rsplit(';').next().unwrap();
            assert_eq!(moves.split(',').count(), finished.moves.len());
            for (shown, &mv) in std::iter::zip(moves.split(','), &finished.moves) {
                line.play(mv).unwrap();
                let cell = usize::from_str_radix(&shown[..2], 36).ok();
                assert_eq!(cell, mv.cell());
                for change in shown.as_bytes()[2..].chunks(3) {
                    let change = std::str::from_utf8(change).unwrap();
                    let cell = usize::from_str_radix(&change[..2], 36).unwrap();
                    looks[cell] = change[2..].parse().unwrap();
                }
                for (cell, &look) in looks.iter().enumerate() {
                    let piece = look
                        .checked_sub(1)
                        .map(|bits| Player::BOTH[bits as usize & 1]);
                    assert_eq!(piece, line.piece(cell), "{game}, cell {cell}");
                }
            }
        }
    }
}
