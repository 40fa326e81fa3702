//! `can_seat` agrees with building the player.

use papan_catalog::{AnyGame, FAMILIES, STRATEGIES, StrategySpec};
use papan_strategies::{Context, Limits};

const BOARDS: [&str; 19] = [
    "tictactoe:1x1",
    "tictactoe:5",
    "tictactoe:3x3:2",
    "tictactoe:4x3",
    "tictactoe:11x1:3",
    "tictactoe:5x4",
    "tictactoe:1x64:3",
    "tictactoe:2x32:3",
    "tictactoe:8x8:3",
    "tictactoe:4x4x4",
    "tictactoe:9x9:3",
    "tictactoe:19x19:5",
    "tictactoe:2x2x2x2",
    "othello:6x6",
    "gomoku:5x5",
    "gomoku:6x6",
    "gomoku:7x7",
    "gomoku:7x7:caro",
    "renju:7x7",
];

const MORE_PLAYERS: [&str; 4] = [
    "minimax(depth=2)",
    "alphabeta(depth=400)",
    "automaton(file=/no/such/file)",
    "lookup(file=/no/such/file)",
];

#[test]
fn the_answer_is_that_of_building() {
    let limited = Limits {
        nodes: Some(100),
        ..Limits::default()
    };
    let examples = FAMILIES.iter().flat_map(|family| family.examples);
    for name in examples.copied().chain(BOARDS) {
        let game: AnyGame = name.parse().unwrap();
        let names = STRATEGIES.iter().map(|info| info.name).chain(MORE_PLAYERS);
        for (player, limits) in names.flat_map(|n| [(n, Limits::default()), (n, limited)]) {
            let spec: StrategySpec = player.parse().unwrap();
            let answer = game.can_seat(&spec, &limits).map_err(|e| e.to_string());
            let built = game.seat(&spec, &limits).map(|_| ());
            match built.map_err(|e| e.to_string()) {
                // A file that is not there shows only when it is opened.
                Err(said) if said.contains("/no/such/file") => assert_eq!(answer, Ok(())),
                built => assert_eq!(answer, built, "{player} at {name}"),
            }
        }
    }
}

#[test]
fn a_board_that_would_never_be_solved_is_refused_before_the_search() {
    let refused = |game: &str| {
        let game: AnyGame = game.parse().unwrap();
        let spec: StrategySpec = "perfect".parse().unwrap();
        game.can_seat(&spec, &Limits::default()).is_err()
    };
    assert!(refused("tictactoe:1x64:3"));
    assert!(refused("tictactoe:2x32:3"));
    assert!(!refused("tictactoe:8x8:3"));
    assert!(!refused("tictactoe:1x20:3"));
}

#[test]
fn perfect_plays_gomoku_from_proofs_of_its_rule_only() {
    let spec: StrategySpec = "perfect".parse().unwrap();
    let limits = Limits::default();
    for size in ["5x5", "6x6", "7x7"] {
        for rule in ["standard", "renju", "caro"] {
            let game: AnyGame = format!("gomoku:{size}:{rule}").parse().unwrap();
            let Err(refused) = game.can_seat(&spec, &limits) else {
                panic!("{}: a proof of another rule", game.name());
            };
            assert!(refused.to_string().contains(&game.name()), "{refused}");
        }
        let game: AnyGame = format!("gomoku:{size}").parse().unwrap();
        let mut seat = game.seat(&spec, &limits).unwrap();
        let decision = seat.decide(&*game.line(), &Context::default()).unwrap();
        let score = decision.chosen().unwrap().score.unwrap();
        assert!(score.is_by_proof() && score.value() == 0.0, "{size}");
    }
}
