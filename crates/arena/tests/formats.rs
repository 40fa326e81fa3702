//! Knockout and Swiss tournaments, adjudication, and export.

use std::fs;
use std::time::Duration;

use papan_arena::export::Export;
use papan_arena::results::{Memory, Results as _};
use papan_arena::{
    AdjudicatedBy, Adjudication, Format, GameResult, RunOptions, Scoreboard, Tournament, run,
};
use papan_catalog::AnyGame;
use papan_rules::{Outcome, Record};
use papan_strategies::{Limits, StopToken};

fn tournament(game: &str, players: &[&str], games: u64, format: Format) -> Tournament {
    Tournament {
        game: game.parse().unwrap(),
        entrants: players.iter().map(|p| p.parse().unwrap()).collect(),
        format,
        games,
        openings: vec![Vec::new()],
        limits: Limits::default(),
        margin: Duration::ZERO,
        patience: Duration::from_secs(60),
        seed: 2,
        timed: false,
        swap: None,
        adjudication: Adjudication::default(),
    }
}

fn play(tournament: &Tournament, store: &mut Memory, concurrency: usize) -> Scoreboard {
    let settings = RunOptions {
        concurrency,
        sprt: None,
        observer: &mut |_| {},
        live_games: None,
        stop: StopToken::default(),
    };
    run(tournament, store, settings).unwrap()
}

fn games(store: &mut Memory) -> Vec<GameResult> {
    let mut games = Vec::new();
    store
        .replay(&mut |record| games.push(GameResult::decode(record).unwrap()))
        .unwrap();
    games.sort_by_key(|game| game.game);
    games
}

/// The first records of a store, as after a crash.
fn cut(store: &mut Memory, count: usize) -> Memory {
    let mut kept = Memory::default();
    let mut left = count;
    store
        .replay(&mut |record| {
            if left > 0 {
                kept.append(record);
                left -= 1;
            }
        })
        .unwrap();
    kept.commit().unwrap();
    kept
}

const FIVE: [&str; 5] = [
    "random",
    "random(seed=2)",
    "greedy",
    "expert",
    "greedy-points",
];

#[test]
fn rounds_do_not_depend_on_interruptions() {
    for (format, meetings) in [(Format::Knockout, 4), (Format::Swiss { rounds: 3 }, 6)] {
        let plan = tournament("tictactoe", &FIVE, 4, format);
        let mut whole = Memory::default();
        let one = play(&plan, &mut whole, 1);
        assert_eq!(one.standings().games, 4 * meetings);
        assert_eq!(plan.pairs(), 2 * meetings);
        for (concurrency, kept) in [(2, 0), (1, 3), (3, 9), (2, 13)] {
            let mut resumed = cut(&mut whole, kept);
            let again = play(&plan, &mut resumed, concurrency);
            assert_eq!(again.standings().tallies, one.standings().tallies);
            assert_eq!(
                games(&mut resumed),
                games(&mut whole),
                "{format:?}, {kept} kept"
            );
        }
    }
}

#[test]
fn a_knockout_eliminates_the_losers() {
    let plan = tournament(
        "tictactoe",
        &["random", "minimax", "random", "minimax"],
        6,
        Format::Knockout,
    );
    let standings = play(&plan, &mut Memory::default(), 1).standings().clone();
    let played: Vec<u64> = standings
        .players
        .iter()
        .map(|p| p.score().games())
        .collect();
    assert_eq!(played.iter().sum::<u64>(), 3 * 2 * 6);
    assert_eq!((played[0], played[2]), (6, 6), "both lose to minimax");
    assert_eq!((played[1], played[3]), (12, 12), "and the two others meet");
}

#[test]
fn more_games_may_be_asked_for_later() {
    let plan = tournament("tictactoe", &["random", "greedy"], 4, Format::RoundRobin);
    let mut store = Memory::default();
    play(&plan, &mut store, 1);
    let first = games(&mut store);
    let longer = Tournament {
        games: 10,
        ..plan.clone()
    };
    assert_eq!(play(&longer, &mut store, 2).standings().games, 10);
    assert_eq!(games(&mut store)[..4], first);
    // And fewer: the others are not counted.
    assert_eq!(play(&plan, &mut store, 1).standings().games, 4);
}

#[test]
fn a_game_is_ended_when_it_is_long_enough_or_its_result_is_known() {
    let mut plan = tournament(
        "tictactoe:5x5:5",
        &["random", "random(seed=2)"],
        4,
        Format::RoundRobin,
    );
    plan.adjudication.draw_after = Some(6);
    let mut store = Memory::default();
    play(&plan, &mut store, 1);
    for game in games(&mut store) {
        assert_eq!((game.moves.len(), game.outcome), (6, Outcome::Draw));
        assert_eq!(game.adjudicated, Some(AdjudicatedBy::Length));
    }
    // Adjudicated results equal the played ones: minimax plays 3x3 perfectly.
    let mut plan = tournament("tictactoe", &["minimax", "random"], 40, Format::RoundRobin);
    let mut whole = Memory::default();
    play(&plan, &mut whole, 2);
    plan.adjudication.exact = Some(1_000_000);
    plan.openings = vec![vec![papan_rules::Move::on(4), papan_rules::Move::on(1)]];
    let mut store = Memory::default();
    play(&plan, &mut store, 1);
    for game in games(&mut store) {
        assert_eq!(game.adjudicated, Some(AdjudicatedBy::Knowledge));
        assert_eq!(
            game.outcome,
            Outcome::Win(papan_rules::Player::First),
            "the centre and an edge"
        );
        assert_eq!(game.moves.len(), 2);
    }
}

#[test]
fn exported_games_are_the_games_that_were_played() {
    let folder = tempfile::tempdir().unwrap();
    let plan = tournament(
        "othello:6x6",
        &["random", "random(seed=2)"],
        4,
        Format::RoundRobin,
    );
    let mut store = Memory::default();
    let scoreboard = play(&plan, &mut store, 1);
    let export = |form: &str| {
        let path = folder.path().join(form);
        let export: Export = format!("{form}:{}", path.display()).parse().unwrap();
        export.check(&plan).unwrap();
        export.write(&plan, &scoreboard, &mut store).unwrap();
        path
    };
    let mut export = export;
    let records = export("records");
    let sgf = fs::read_to_string(export("sgf")).unwrap();
    let ggf = fs::read_to_string(export("ggf")).unwrap();
    let rules: AnyGame = "othello:6x6".parse().unwrap();
    for game in games(&mut store) {
        let path = records.join(format!("{:06}.papan", game.game + 1));
        let record = Record::parse(&fs::read_to_string(path).unwrap()).unwrap();
        let moves = game.moves.iter().filter(|mv| mv.cell().is_some());
        let words: Vec<String> = moves.map(|&mv| rules.format_move(mv)).collect();
        let said: Vec<&str> = record.moves.split_whitespace().collect();
        assert_eq!(said.concat(), words.concat());
    }
    for text in [sgf, ggf] {
        let read = papan_files::read(text.as_bytes(), None).unwrap();
        assert!(read.faults.is_empty(), "{:?}", read.faults);
        for (record, game) in std::iter::zip(&read.records, games(&mut store)) {
            let line = rules.line_of(record).unwrap();
            assert_eq!(line.moves(), game.moves);
        }
        assert_eq!(read.records.len(), 4);
    }
    let wrong: Export = "psq:x".parse().unwrap();
    assert!(wrong.check(&plan).is_err(), "PSQ is five in a row");
    assert!("pdf:x".parse::<Export>().is_err());
}

#[test]
fn piskvorks_files_have_one_line_for_each_move() {
    let folder = tempfile::tempdir().unwrap();
    let plan = tournament(
        "tictactoe:6x7:5",
        &["random", "greedy"],
        2,
        Format::RoundRobin,
    );
    let mut store = Memory::default();
    let scoreboard = play(&plan, &mut store, 1);
    let export: Export = format!("psq:{}", folder.path().display()).parse().unwrap();
    export.write(&plan, &scoreboard, &mut store).unwrap();
    for game in games(&mut store) {
        let path = folder.path().join(format!("{:06}.psq", game.game + 1));
        let text = fs::read_to_string(path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("Piskvorky 7x6"), "{}", lines[0]);
        let first = game.moves[0].cell().unwrap();
        assert_eq!(lines[1], format!("{},{},0", first % 7 + 1, first / 7 + 1));
        let names = ["random", "greedy"];
        let order = [game.game % 2, 1 - game.game % 2].map(|n| names[n as usize]);
        assert_eq!(lines[1 + game.moves.len()..][..2], order);
    }
}
