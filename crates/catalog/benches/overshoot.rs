//! Benchmark: how far every strategy exceeds its time limit on the largest boards, in milliseconds.
//!
//! Each strategy gets two limits, five times each, on an empty board and in the middle of a game,
//! with and without reasons. On a busy machine the maximum measures the system; the minimum and the
//! median measure the strategy. `cargo bench -p papan-catalog [-- WORD]` runs those whose game and
//! strategy contain the word.

use std::time::{Duration, Instant};

use papan_catalog::{AnyGame, AnyLine, STRATEGIES, Seat, StrategySpec};
use papan_rules::SplitMix;
use papan_strategies::{Context, Limits, SystemClock};

const GAMES: [&str; 7] = [
    "tictactoe:15x15:5",
    "tictactoe:20x20:5",
    "tictactoe:4x4x4x4",
    "tictactoe:7x7x7:4",
    "tictactoe:4x4x4:3",
    "othello:6x6",
    "othello",
];
const TIMES: [u64; 2] = [5, 50];
const ROUNDS: u32 = 5;

/// Returns a line of random moves, shorter if the game ends earlier.
fn middle(game: &AnyGame, plies: usize) -> Box<dyn AnyLine> {
    let mut random = SplitMix::new(1);
    let mut line = game.line();
    for _ in 0..plies {
        let moves = line.legal_moves();
        let mv = moves[random.below(moves.len())];
        line.play(mv).expect("a legal move");
        if line.outcome().is_some() {
            line.undo();
            break;
        }
    }
    line
}

fn overshoot(seat: &mut dyn Seat, line: &dyn AnyLine, limits: Limits, explain: bool) -> Duration {
    let started = Instant::now();
    let context = Context::default().limited(limits, &SystemClock);
    let answered = if explain {
        seat.decide(line, &context).map(|decision| decision.best)
    } else {
        seat.choose(line, &context).map(|(mv, _)| mv)
    };
    let taken = started.elapsed();
    answered.expect("a move");
    taken.saturating_sub(limits.time.expect("given"))
}

fn main() {
    let word = std::env::args()
        .nth(1)
        .filter(|word| !word.starts_with('-'));
    let named = STRATEGIES.iter().map(|info| info.name);
    println!(
        "{:<20} {:<20} {:>10} {:>10} {:>10}",
        "game", "strategy", "least ms", "median ms", "worst ms"
    );
    for name in GAMES {
        let game: AnyGame = name.parse().expect("a game");
        let lines = [game.line(), middle(&game, game.cells() / 3)];
        for player in named.clone().chain(["greedy(ties=reply)"]) {
            if word
                .as_ref()
                .is_some_and(|word| !format!("{name} {player}").contains(word))
            {
                continue;
            }
            let spec: StrategySpec = player.parse().expect("a strategy");
            let mut over = Vec::new();
            for time in TIMES {
                let limits = Limits {
                    time: Some(Duration::from_millis(time)),
                    ..Limits::default()
                };
                let Ok(mut seat) = game.seat(&spec, &limits) else {
                    continue;
                };
                for _ in 0..ROUNDS {
                    for line in &lines {
                        for explain in [false, true] {
                            over.push(overshoot(&mut *seat, &**line, limits, explain));
                        }
                    }
                }
            }
            over.sort_unstable();
            if let Some(worst) = over.last() {
                let ms = |time: &Duration| time.as_secs_f64() * 1000.0;
                let median = ms(&over[over.len() / 2]);
                let least = ms(&over[0]);
                println!(
                    "{name:<20} {player:<20} {least:>10.2} {median:>10.2} {:>10.2}",
                    ms(worst)
                );
            }
        }
    }
}
