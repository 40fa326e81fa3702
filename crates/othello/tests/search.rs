//! Tests of the engine's public interface against plain negamax, symmetry and reproducibility.

use papan_othello::{Board, Engine, Options, SearchLimits, Square};
use papan_rules::SplitMix;
use papan_strategies::{Budget, Clock, Limits, ManualClock, StopToken};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Returns a position with `empties` empty squares from random moves; the game is not over.
fn random_position(seed: u64, empties: u32) -> Board {
    let mut random = SplitMix::new(seed);
    loop {
        let mut board = Board::START;
        while board.empties() > empties && !board.is_over() {
            let mut moves = board.moves();
            if moves.is_empty() {
                board = board.passed();
                continue;
            }
            let nth = random.below(moves.len() as usize);
            let square = moves.nth(nth);
            board = board
                .play(square.expect("nth is below the count"))
                .expect("legal");
        }
        if board.empties() == empties && !board.is_over() {
            return board;
        }
    }
}

fn negamax(board: Board) -> i32 {
    if board.moves().is_empty() {
        return if board.is_over() {
            board.final_score()
        } else {
            -negamax(board.passed())
        };
    }
    Square::all()
        .filter_map(|square| board.play(square))
        .map(|child| -negamax(child))
        .max()
        .expect("a move")
}

fn engine(threads: usize) -> Engine {
    Engine::new(&Options {
        threads,
        hash_mib: 16,
    })
    .expect("16 MiB is available")
}

#[test]
fn small_endgames_agree_with_plain_negamax() {
    let mut engine = engine(1);
    for seed in 0..60 {
        let board = random_position(seed, 3 + seed as u32 % 6);
        let exact = negamax(board);
        let result = engine.solve(board, &StopToken::default(), |_| {});
        assert_eq!((result.score, result.exact), (exact, true), "{board:?}");
    }
}

#[test]
fn every_move_gets_its_exact_score() {
    let mut engine = engine(1);
    for seed in 100..110 {
        let board = random_position(seed, 8);
        let limits = SearchLimits {
            every_move: true,
            ..SearchLimits::default()
        };
        let result = engine.search(board, &limits, &StopToken::default(), |_| {});
        assert_eq!(result.moves.len() as u32, board.moves().len());
        for mv in &result.moves {
            let child = board.play(mv.square).expect("legal");
            assert_eq!(mv.score, -negamax(child), "{board:?} {}", mv.square);
        }
    }
}

#[test]
fn the_principal_variation_leads_to_the_score() {
    let mut engine = engine(1);
    for seed in 200..206 {
        let start = random_position(seed, 15);
        let result = engine.solve(start, &StopToken::default(), |_| {});
        let (mut board, mut sign) = (start, 1);
        for &square in &result.pv {
            if board.moves().is_empty() {
                (board, sign) = (board.passed(), -sign);
            }
            (board, sign) = (board.play(square).expect("legal"), -sign);
        }
        assert!(board.is_over());
        assert_eq!(sign * board.final_score(), result.score);
    }
}

#[test]
fn all_eight_symmetries_have_the_same_score() {
    for seed in 300..303 {
        let board = random_position(seed, 16);
        let scores: Vec<i32> = (0..8)
            .map(|s| {
                engine(1)
                    .solve(board.transformed(s), &StopToken::default(), |_| {})
                    .score
            })
            .collect();
        assert!(
            scores.iter().all(|&score| score == scores[0]),
            "{board:?} {scores:?}"
        );
    }
}

#[test]
fn several_threads_find_the_score_that_one_finds() {
    for seed in 400..404 {
        let board = random_position(seed, 18);
        let alone = engine(1).solve(board, &StopToken::default(), |_| {});
        let parallel = engine(3).solve(board, &StopToken::default(), |_| {});
        assert_eq!(
            (parallel.score, parallel.exact),
            (alone.score, true),
            "{board:?}"
        );
    }
}

#[test]
fn a_node_limit_is_reproducible() {
    let limits = SearchLimits {
        nodes: Some(30_000),
        ..SearchLimits::default()
    };
    let board = random_position(5, 44);
    let first = engine(1).search(board, &limits, &StopToken::default(), |_| {});
    let second = engine(1).search(board, &limits, &StopToken::default(), |_| {});
    assert_eq!(
        (first.best, first.score, first.nodes, first.pv),
        (second.best, second.score, second.nodes, second.pv)
    );
    assert!(second.nodes < 40_000);
}

#[test]
fn a_node_limit_counts_the_nodes_of_all_threads() {
    let board = random_position(12, 30);
    let limits = SearchLimits {
        nodes: Some(1_000_000),
        ..SearchLimits::default()
    };
    let result = engine(2).search(board, &limits, &StopToken::default(), |_| {});
    assert!(!result.exact);
    // A thread may exceed the limit by a subtree of up to ten empty squares, which it does not check.
    assert!(
        (1_000_000..1_300_000).contains(&result.nodes),
        "{} nodes",
        result.nodes
    );
}

/// A clock that does not advance; it stops the search at one of its readings and counts the later
/// ones.
#[derive(Clone)]
struct StoppingClock {
    stop: StopToken,
    stops_at: u64,
    readings: Arc<AtomicU64>,
}

impl Clock for StoppingClock {
    fn now(&self) -> Duration {
        if self.readings.fetch_add(1, Ordering::Relaxed) + 1 == self.stops_at {
            self.stop.stop();
        }
        Duration::ZERO
    }
}

#[test]
fn every_thread_notices_a_stop_before_its_next_clock_reading() {
    for (threads, stops_at) in [(1, 3), (1, 500), (2, 40), (2, 500), (4, 200)] {
        let clock = StoppingClock {
            stop: StopToken::default(),
            stops_at,
            readings: Arc::default(),
        };
        let time_limit = Limits {
            time: Some(Duration::from_secs(1)),
            ..Limits::default()
        };
        let limits = SearchLimits {
            budget: Budget::begin(&time_limit, &clock),
            ..SearchLimits::default()
        };
        let board = random_position(6, 50);
        let result = engine(threads).search(board, &limits, &clock.stop, |_| {});
        assert!(board.play(result.best.expect("a move")).is_some());
        // The other threads may already be about to read the clock.
        let later = clock.readings.load(Ordering::Relaxed) - stops_at;
        assert!(
            later < threads as u64,
            "{later} readings on {threads} threads"
        );
    }
}

/// Searches with a clock that advances by a millisecond at every reading; returns the time used.
fn time_taken(time_limit: &Limits) -> Duration {
    let clock = ManualClock::stepping(Duration::from_millis(1));
    let limits = SearchLimits {
        budget: Budget::begin(time_limit, &clock),
        ..SearchLimits::default()
    };
    let board = random_position(7, 48);
    let result = engine(1).search(board, &limits, &StopToken::default(), |_| {});
    assert!(result.best.is_some() && !result.exact);
    clock.shown()
}

#[test]
fn the_time_for_a_move_is_used_and_not_exceeded() {
    let time = Duration::from_millis(50);
    let time_limit = Limits {
        time: Some(time),
        ..Limits::default()
    };
    let taken = time_taken(&time_limit);
    let range = time..=time + Duration::from_millis(5);
    assert!(range.contains(&taken), "{taken:?}");
}

#[test]
fn the_best_move_of_an_interrupted_iteration_is_used() {
    let (mut changed, mut confirmed) = (0, 0);
    for (seed, time) in (0..12).flat_map(|seed| (5..60).map(move |time| (seed, time))) {
        let time_limit = Limits {
            time: Some(Duration::from_millis(time)),
            ..Limits::default()
        };
        let clock = ManualClock::stepping(Duration::from_millis(1));
        let limits = SearchLimits {
            budget: Budget::begin(&time_limit, &clock),
            ..SearchLimits::default()
        };
        let board = random_position(seed, 40);
        let mut reports = Vec::new();
        let result = engine(1).search(board, &limits, &StopToken::default(), |result| {
            reports.push((result.depth, result.best));
        });
        assert_eq!(result.pv.first().copied(), result.best);
        assert_eq!(reports.last(), Some(&(result.depth, result.best)));
        // Two reports of one depth: the second has the move of the interrupted iteration.
        if let [.., (before, whole), (depth, better)] = reports[..]
            && before == depth
        {
            assert_ne!(whole, better);
            let stop = StopToken::default();
            let mut next = None;
            engine(1).search(board, &SearchLimits::default(), &stop, |result| {
                if next.is_none() && result.depth > depth {
                    next = Some(result.best);
                    stop.stop();
                }
            });
            changed += 1;
            confirmed += u32::from(next == Some(better));
        }
    }
    assert!(changed > 10, "{changed} moves changed");
    assert!(
        4 * confirmed > 3 * changed,
        "{confirmed} of {changed} are the move of the complete iteration"
    );
}

/// Plays a move with `left` on the game clock, which advances by 0.1 ms at every reading. Returns the
/// move and the time left after it.
fn play_on_clock(engine: &mut Engine, board: Board, left: Duration) -> (Option<Square>, Duration) {
    let clock = ManualClock::stepping(Duration::from_micros(100));
    let time_limit = Limits {
        clock: Some((left, Duration::ZERO)),
        ..Limits::default()
    };
    let limits = SearchLimits {
        budget: Budget::begin(&time_limit, &clock),
        ..SearchLimits::default()
    };
    let result = engine.search(board, &limits, &StopToken::default(), |_| {});
    let left = left.checked_sub(clock.shown());
    (result.best, left.expect("the clock has not run out"))
}

#[test]
fn a_game_stays_within_its_clock_and_uses_most_of_it() {
    for seed in 0..4 {
        let [mut engine, mut opponent] = [engine(1), engine(1)];
        let mut random = SplitMix::new(seed);
        let (mut board, mut left) = (Board::START, Duration::from_millis(400));
        let mut own = seed % 2 == 0;
        while !board.is_over() {
            let mut moves = board.moves();
            let best = if own {
                let (best, after) = play_on_clock(&mut engine, board, left);
                left = after;
                best
            } else if board.empties() > 50 {
                moves.nth(random.below(moves.len() as usize))
            } else {
                // A weak opponent would decide the game early, and then little time is needed.
                let limits = SearchLimits {
                    depth: Some(4),
                    ..SearchLimits::default()
                };
                let never = StopToken::default();
                opponent.search(board, &limits, &never, |_| {}).best
            };
            board = best.map_or(board.passed(), |mv| board.play(mv).expect("legal"));
            own = !own;
        }
        assert!(left < Duration::from_millis(200), "{left:?} left");
    }
}

#[test]
fn a_forced_move_takes_almost_no_time() {
    let forced = (0..)
        .map(|seed| random_position(seed, 40))
        .find(|board| board.moves().len() == 1)
        .expect("such positions are common");
    let before = Duration::from_secs(60);
    let (_, after) = play_on_clock(&mut engine(1), forced, before);
    assert!(before - after < Duration::from_millis(10), "{after:?}");
}

#[test]
fn a_table_larger_than_memory_is_rejected_with_the_largest_size() {
    let asked = usize::MAX >> 21;
    let error = Engine::new(&Options {
        threads: 1,
        hash_mib: asked,
    })
    .err()
    .expect("too large");
    let papan_othello::EngineError::HashTooLarge { largest, .. } = error else {
        panic!("another error: {error}")
    };
    assert!(0 < largest && largest < asked);
}

#[test]
fn a_number_of_threads_out_of_range_is_rejected() {
    for asked in [0, 257, 20_000, usize::MAX] {
        let options = Options {
            threads: asked,
            hash_mib: 1,
        };
        let error = Engine::new(&options).err().expect("refused");
        assert_eq!(
            error.to_string(),
            format!("{asked} threads are not supported; use 1 to 256")
        );
    }
}
