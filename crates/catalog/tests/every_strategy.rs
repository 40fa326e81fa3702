//! Contract of every strategy of the registry, on every game it plays.

use std::time::Duration;

use papan_catalog::{AnyGame, STRATEGIES, StrategySpec};
use papan_strategies::{Context, Limits, ManualClock, SystemClock};

const GAMES: [&str; 8] = [
    "tictactoe",
    "tictactoe:4x3",
    "tictactoe:4x4",
    "tictactoe:3x3x3",
    "tictactoe:7x7:5",
    "tictactoe:19x19:5",
    "othello:4x4",
    "othello",
];

/// Every strategy that can play a game under these limits.
fn players(game: &AnyGame, limits: &Limits) -> Vec<StrategySpec> {
    STRATEGIES
        .iter()
        .map(|info| info.name.parse::<StrategySpec>().unwrap())
        .filter(|spec| game.seat(spec, limits).is_ok())
        .collect()
}

#[test]
fn choosing_and_explaining_agree() {
    let limits = Limits {
        nodes: Some(500),
        ..Limits::default()
    };
    for name in GAMES {
        let game: AnyGame = name.parse().unwrap();
        for spec in players(&game, &limits) {
            let mut seat = game.seat(&spec, &limits).unwrap();
            let mut other = game.seat(&spec, &limits).unwrap();
            for seed in 0..3 {
                let mut line = game.line();
                let context = Context::with_seed(seed).limited(limits, &SystemClock);
                // Both seats by this strategy, for a limited number of moves.
                while line.outcome().is_none() && line.moves().len() < 12 {
                    let decision = seat.decide(&*line, &context).unwrap();
                    let (mv, nodes) = other.choose(&*line, &context).unwrap();
                    assert_eq!(decision.best, mv, "{spec} at {name} after {}", line.text());
                    // Explaining may cost more than choosing, never less.
                    assert!(decision.nodes >= nodes, "{spec} at {name}");
                    assert!(decision.chosen().is_some(), "{spec} at {name}");
                    line.play(mv)
                        .unwrap_or_else(|e| panic!("{spec} at {name}: {e}"));
                }
            }
        }
    }
}

#[test]
fn a_stop_is_answered_with_a_legal_move() {
    for name in GAMES {
        let game: AnyGame = name.parse().unwrap();
        // A limit that would take hours lets the searches in that need one.
        let limits = Limits {
            time: Some(Duration::from_secs(3600)),
            ..Limits::default()
        };
        for spec in players(&game, &limits) {
            let mut seat = game.seat(&spec, &limits).unwrap();
            let context = Context::default().limited(limits, &SystemClock);
            let stop = context.stop.clone();
            let (sender, receiver) = std::sync::mpsc::channel();
            let line = game.line();
            let worker = std::thread::spawn(move || {
                sender.send(()).unwrap();
                (seat.choose(&*line, &context), line)
            });
            receiver.recv().unwrap();
            stop.stop();
            let (answer, line) = worker.join().unwrap();
            let (mv, _) = answer.unwrap();
            assert_eq!(line.check_move(mv), Ok(()), "{spec} at {name}");
        }
    }
}

/// The largest boards of every kind.
const LARGE: [&str; 6] = [
    "tictactoe:15x15:5",
    "tictactoe:20x20:5",
    "tictactoe:4x4x4x4",
    "tictactoe:7x7x7:4",
    "tictactoe:4x4x4:3",
    "othello",
];

#[test]
fn a_spent_budget_is_seen_at_the_first_looks_at_the_clock() {
    let limits = Limits {
        time: Some(Duration::from_millis(40)),
        ..Limits::default()
    };
    for name in LARGE {
        let game: AnyGame = name.parse().unwrap();
        let mut specs = players(&game, &limits);
        specs.push("greedy(ties=reply)".parse().unwrap());
        for spec in specs {
            let Ok(mut seat) = game.seat(&spec, &limits) else {
                continue;
            };
            // Every look at the clock takes a millisecond, so a strategy that continues after its
            // time is noticed.
            let clock = ManualClock::stepping(Duration::from_millis(1));
            let context = Context::default().limited(limits, &clock);
            let line = game.line();
            let decision = seat.decide(&*line, &context).unwrap();
            assert_eq!(line.check_move(decision.best), Ok(()), "{spec} at {name}");
            let shown = clock.shown();
            let most = Duration::from_millis(40 + 8);
            assert!(shown <= most, "{spec} at {name}: {shown:?}");
        }
    }
}

#[test]
fn a_seed_replays_a_game() {
    for name in ["tictactoe", "tictactoe:4x4", "othello:6x6"] {
        let game: AnyGame = name.parse().unwrap();
        let spec: StrategySpec = "random".parse().unwrap();
        let play = |seed| {
            let mut seat = game.seat(&spec, &Limits::default()).unwrap();
            let mut line = game.line();
            while line.outcome().is_none() {
                let (mv, _) = seat.choose(&*line, &Context::with_seed(seed)).unwrap();
                line.play(mv).unwrap();
            }
            line.text()
        };
        assert_eq!(play(1), play(1));
        assert_ne!(play(1), play(2));
    }
}

#[test]
fn strategies_that_cannot_play_a_board_say_why() {
    let refusal = |game: &str, player: &str| {
        let game: AnyGame = game.parse().unwrap();
        let spec: StrategySpec = player.parse().unwrap();
        match game.seat(spec, &Limits::default()) {
            Ok(_) => panic!("{player} plays"),
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(
        refusal("tictactoe:4x4", "expert"),
        "`expert` knows 3x3 only, not tictactoe:4x4"
    );
    assert_eq!(
        refusal("tictactoe:5x5", "minimax"),
        "`minimax` without a depth would search the whole of 5x5; give `depth=`"
    );
    assert_eq!(
        refusal("othello", "greedy"),
        "`greedy` does not play othello"
    );
    assert_eq!(
        refusal("othello", "perfect"),
        "`perfect` cannot solve othello: the board is too large"
    );
    assert!(refusal("tictactoe", "automaton(file=/no/such/file)").contains("/no/such/file"));
}

#[test]
fn the_engines_usual_hash_table_is_the_one_that_is_listed() {
    let info = papan_catalog::strategy_info("engine").unwrap();
    let hash = info.parameters.iter().find(|p| p.name == "hash").unwrap();
    let usual = papan_othello::Options::DEFAULT_HASH_MIB.to_string();
    assert_eq!(hash.default, usual);
}
