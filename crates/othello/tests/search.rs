//! The engine from outside: its answers are compared with plain negamax, with symmetry, and
//! with themselves.

use papan_othello::{Board, Engine, Options, SearchLimits, Square};
use papan_rules::SplitMix;
use papan_strategies::{Budget, Clock, Limits, ManualClock, StopToken};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A position with so many empty squares, from random moves; never one that is over.
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
    .expect("16 MiB can be had")
}

#[test]
fn small_endgames_agree_with_plain_negamax() {
    let mut engine = engine(1);
    for seed in 0..60 {
        let board = random_position(seed, 3 + seed as u32 % 6);
        let exact = negamax(board);
        let report = engine.solve(board, &StopToken::default(), |_| {});
        assert_eq!((report.score, report.exact), (exact, true), "{board:?}");
    }
}

#[test]
fn every_move_gets_its_exact_score() {
    let mut engine = engine(1);
    for seed in 100..110 {
        let board = random_position(seed, 8);
        let task = SearchLimits {
            every_move: true,
            ..SearchLimits::default()
        };
        let report = engine.search(board, &task, &StopToken::default(), |_| {});
        assert_eq!(report.moves.len() as u32, board.moves().len());
        for mv in &report.moves {
            let child = board.play(mv.square).expect("legal");
            assert_eq!(mv.score, -negamax(child), "{board:?} {}", mv.square);
        }
    }
}

#[test]
fn a_best_line_leads_to_the_score() {
    let mut engine = engine(1);
    for seed in 200..206 {
        let start = random_position(seed, 15);
        let report = engine.solve(start, &StopToken::default(), |_| {});
        let (mut board, mut sign) = (start, 1);
        for &square in &report.pv {
            if board.moves().is_empty() {
                (board, sign) = (board.passed(), -sign);
            }
            (board, sign) = (board.play(square).expect("legal"), -sign);
        }
        assert!(board.is_over());
        assert_eq!(sign * board.final_score(), report.score);
    }
}

#[test]
fn all_eight_symmetries_have_one_score() {
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
fn two_threads_solve_what_one_solves() {
    for seed in 400..404 {
        let board = random_position(seed, 18);
        let alone = engine(1).solve(board, &StopToken::default(), |_| {});
        let together = engine(3).solve(board, &StopToken::default(), |_| {});
        assert_eq!(
            (together.score, together.exact),
            (alone.score, true),
            "{board:?}"
        );
    }
}

#[test]
fn a_node_limit_gives_the_same_answer_every_time() {
    let task = SearchLimits {
        nodes: Some(30_000),
        ..SearchLimits::default()
    };
    let board = random_position(5, 44);
    let first = engine(1).search(board, &task, &StopToken::default(), |_| {});
    let second = engine(1).search(board, &task, &StopToken::default(), |_| {});
    assert_eq!(
        (first.best, first.score, first.nodes, first.pv),
        (second.best, second.score, second.nodes, second.pv)
    );
    assert!(second.nodes < 40_000);
}

#[test]
fn a_node_limit_counts_the_nodes_of_all_threads() {
    let board = random_position(12, 30);
    let task = SearchLimits {
        nodes: Some(1_000_000),
        ..SearchLimits::default()
    };
    let report = engine(2).search(board, &task, &StopToken::default(), |_| {});
    assert!(!report.exact);
    // Each thread may finish what it does not watch: up to ten empty squares.
    assert!(
        (1_000_000..1_300_000).contains(&report.nodes),
        "{} nodes",
        report.nodes
    );
}

/// A clock that stands still and stops a search at one of its looks, counting those that follow.
#[derive(Clone)]
struct StoppingClock {
    stop: StopToken,
    stops_at: u64,
    looks: Arc<AtomicU64>,
}

impl Clock for StoppingClock {
    fn now(&self) -> Duration {
        if self.looks.fetch_add(1, Ordering::Relaxed) + 1 == self.stops_at {
            self.stop.stop();
        }
        Duration::ZERO
    }
}

#[test]
fn a_stop_is_heard_by_every_thread_before_its_next_look_at_the_clock() {
    for (threads, stops_at) in [(1, 3), (1, 500), (2, 40), (2, 500), (4, 200)] {
        let clock = StoppingClock {
            stop: StopToken::default(),
            stops_at,
            looks: Arc::default(),
        };
        let limits = Limits {
            time: Some(Duration::from_secs(1)),
            ..Limits::default()
        };
        let task = SearchLimits {
            budget: Budget::begin(&limits, &clock),
            ..SearchLimits::default()
        };
        let board = random_position(6, 50);
        let report = engine(threads).search(board, &task, &clock.stop, |_| {});
        assert!(board.play(report.best.expect("a move")).is_some());
        // The others may have been on their way to the clock when it stopped them.
        let later = clock.looks.load(Ordering::Relaxed) - stops_at;
        assert!(later < threads as u64, "{later} looks on {threads} threads");
    }
}

/// A search by a clock that moves on by a millisecond with every look: what it showed at the end.
fn time_taken(limits: &Limits) -> Duration {
    let clock = ManualClock::stepping(Duration::from_millis(1));
    let task = SearchLimits {
        budget: Budget::begin(limits, &clock),
        ..SearchLimits::default()
    };
    let board = random_position(7, 48);
    let report = engine(1).search(board, &task, &StopToken::default(), |_| {});
    assert!(report.best.is_some() && !report.exact);
    clock.shown()
}

#[test]
fn time_for_a_move_is_used_and_kept() {
    let time = Duration::from_millis(50);
    let limits = Limits {
        time: Some(time),
        ..Limits::default()
    };
    let taken = time_taken(&limits);
    let range = time..=time + Duration::from_millis(5);
    assert!(range.contains(&taken), "{taken:?}");
}

#[test]
fn a_better_move_counts_that_a_step_found_before_its_time_was_up() {
    let (mut changed, mut confirmed) = (0, 0);
    for (seed, time) in (0..12).flat_map(|seed| (5..60).map(move |time| (seed, time))) {
        let limits = Limits {
            time: Some(Duration::from_millis(time)),
            ..Limits::default()
        };
        let clock = ManualClock::stepping(Duration::from_millis(1));
        let task = SearchLimits {
            budget: Budget::begin(&limits, &clock),
            ..SearchLimits::default()
        };
        let board = random_position(seed, 40);
        let mut told = Vec::new();
        let report = engine(1).search(board, &task, &StopToken::default(), |report| {
            told.push((report.depth, report.best));
        });
        assert_eq!(report.pv.first().copied(), report.best);
        assert_eq!(told.last(), Some(&(report.depth, report.best)));
        // Told twice of one depth: the second time of what the next step had found.
        if let [.., (before, whole), (depth, better)] = told[..]
            && before == depth
        {
            assert_ne!(whole, better);
            let stop = StopToken::default();
            let mut next = None;
            engine(1).search(board, &SearchLimits::default(), &stop, |report| {
                if next.is_none() && report.depth > depth {
                    next = Some(report.best);
                    stop.stop();
                }
            });
            changed += 1;
            confirmed += u32::from(next == Some(better));
        }
    }
    assert!(changed > 10, "{changed} moves were found so");
    assert!(
        4 * confirmed > 3 * changed,
        "{confirmed} of {changed} are what the whole step finds"
    );
}

/// A move by a game's clock that shows `left`, each look at it a tenth of a millisecond: the best
/// square, and what is left afterwards.
fn by_the_clock(engine: &mut Engine, board: Board, left: Duration) -> (Option<Square>, Duration) {
    let clock = ManualClock::stepping(Duration::from_micros(100));
    let limits = Limits {
        clock: Some((left, Duration::ZERO)),
        ..Limits::default()
    };
    let task = SearchLimits {
        budget: Budget::begin(&limits, &clock),
        ..SearchLimits::default()
    };
    let report = engine.search(board, &task, &StopToken::default(), |_| {});
    let left = left.checked_sub(clock.shown());
    (report.best, left.expect("the clock has not run out"))
}

#[test]
fn a_whole_game_is_played_within_its_clock_and_uses_most_of_it() {
    for seed in 0..4 {
        let [mut engine, mut opponent] = [engine(1), engine(1)];
        let mut random = SplitMix::new(seed);
        let (mut board, mut left) = (Board::START, Duration::from_millis(400));
        let mut own = seed % 2 == 0;
        while !board.is_over() {
            let mut moves = board.moves();
            let best = if own {
                let (best, after) = by_the_clock(&mut engine, board, left);
                left = after;
                best
            } else if board.empties() > 50 {
                moves.nth(random.below(moves.len() as usize))
            } else {
                // A game that is long decided would need little time.
                let task = SearchLimits {
                    depth: Some(4),
                    ..SearchLimits::default()
                };
                let never = StopToken::default();
                opponent.search(board, &task, &never, |_| {}).best
            };
            board = best.map_or(board.passed(), |mv| board.play(mv).expect("legal"));
            own = !own;
        }
        assert!(left < Duration::from_millis(200), "{left:?} left");
    }
}

#[test]
fn a_move_without_a_choice_takes_next_to_nothing_of_a_games_time() {
    let forced = (0..)
        .map(|seed| random_position(seed, 40))
        .find(|board| board.moves().len() == 1)
        .expect("such positions are common");
    let before = Duration::from_secs(60);
    let (_, after) = by_the_clock(&mut engine(1), forced, before);
    assert!(before - after < Duration::from_millis(10), "{after:?}");
}

#[test]
fn a_table_larger_than_memory_is_refused_with_the_largest_that_fits() {
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
fn numbers_of_threads_that_make_no_sense_are_refused_with_those_that_do() {
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
