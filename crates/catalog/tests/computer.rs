//! Tests of the levels: determinism by seed, and monotone strength.

use papan_catalog::{AnyGame, LEVELS, StrategySpec};
use papan_rules::{Move, Outcome, Player};
use papan_strategies::{Context, Limits};

const BOARDS: [&str; 10] = [
    "tictactoe",
    "tictactoe:4x4",
    "tictactoe:7x7:5",
    "tictactoe:4x4x4",
    "tictactoe:15x15:5",
    "gomoku:standard",
    "renju",
    "othello:4x4",
    "othello:6x6",
    "othello",
];

fn computer(level: u64) -> StrategySpec {
    format!("computer(level={level})").parse().unwrap()
}

/// The first plies of a game of two players, or all of it.
fn play(game: &AnyGame, players: [&StrategySpec; 2], seed: u64, plies: usize) -> Vec<Move> {
    let mut seats = players.map(|spec| game.seat(spec, &Limits::default()).unwrap());
    let mut line = game.line();
    let context = Context::with_seed(seed);
    while line.outcome().is_none() && line.moves().len() < plies {
        let seat = &mut seats[line.moves().len() % 2];
        let (mv, _) = seat.choose(&*line, &context).unwrap();
        line.play(mv).unwrap();
    }
    line.moves().to_vec()
}

fn five_seconds() -> Limits {
    Limits {
        time: Some(std::time::Duration::from_secs(5)),
        ..Limits::default()
    }
}

#[test]
fn every_level_plays_every_board() {
    for name in BOARDS {
        let game: AnyGame = name.parse().unwrap();
        for level in LEVELS {
            let spec = computer(level);
            let plies = if level < 9 { 4 } else { 1 };
            let moves = play(&game, [&spec, &spec], 1, plies);
            assert_eq!(moves.len(), plies, "{name}, level {level}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_game_and_another_seed_another() {
    for name in BOARDS {
        let game: AnyGame = name.parse().unwrap();
        for level in [0, 3, 7] {
            let spec = computer(level);
            let game_of = |seed| play(&game, [&spec, &spec], seed, 5);
            assert_eq!(game_of(7), game_of(7), "{name}, level {level}");
            let others: Vec<Vec<Move>> = (0..12).map(game_of).collect();
            let differs = others.iter().any(|other| other[..2] != others[0][..2]);
            assert!(differs, "{name}, level {level}: {others:?}");
        }
    }
}

#[test]
fn a_limit_in_time_does_not_change_what_a_level_plays() {
    let game: AnyGame = "othello".parse().unwrap();
    let clock = papan_strategies::ManualClock::default();
    let limits = five_seconds();
    let mut seat = game.seat(computer(5), &Limits::default()).unwrap();
    let mut line = game.line();
    for _ in 0..12 {
        let free = Context::with_seed(3);
        let timed = Context::with_seed(3).limited(limits, &clock);
        let (mv, _) = seat.choose(&*line, &free).unwrap();
        assert_eq!(seat.choose(&*line, &timed).unwrap().0, mv);
        line.play(mv).unwrap();
    }
}

#[test]
fn from_the_level_that_plays_exactly_on_nobody_ever_loses_a_drawn_game() {
    let game: AnyGame = "tictactoe".parse().unwrap();
    let (exact, weak) = (computer(6), computer(2));
    let mut won = 0;
    for seed in 0..40 {
        let mut line = game.line();
        let players = if seed % 2 == 0 {
            [&exact, &weak]
        } else {
            [&weak, &exact]
        };
        for mv in play(&game, players, seed, 9) {
            line.play(mv).unwrap();
        }
        let winner = match line.outcome() {
            Some(Outcome::Win(player)) => Some(player),
            _ => None,
        };
        let weak_seat = if seed % 2 == 0 {
            Player::Second
        } else {
            Player::First
        };
        assert_ne!(winner, Some(weak_seat), "seed {seed}");
        won += u32::from(winner.is_some());
    }
    assert!(won >= 10, "a learner loses now and then: {won} of 40");
}

#[test]
fn the_highest_level_plays_its_openings_by_the_book_and_no_other_does() {
    let game: AnyGame = "othello".parse().unwrap();
    let clock = papan_strategies::ManualClock::default();
    let limits = five_seconds();
    let nodes = |level| {
        let mut seat = game.seat(computer(level), &limits).unwrap();
        let context = Context::with_seed(1).limited(limits, &clock);
        seat.choose(&*game.line(), &context).unwrap().1
    };
    assert_eq!(nodes(10), 0, "nobody has to think about the first move");
    assert!(nodes(9) > 0);
}
