//! Values of k in a row and their version 2 certificates.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use papan_rules::{Game, Grid, GridPosition, Line, Move, Outcome, Player, Symmetric};
use papan_solve::{
    ClaimProof, GridValue, SearchCheckpoint, ValueLimits, check_claims, grid_value, write_claims,
};
use papan_strategies::{Context, Limits, ManualClock, Watch};

fn value_of(grid: &Grid<u64>, position: &GridPosition<u64>) -> GridValue {
    grid_value(
        grid,
        position,
        &ValueLimits::default(),
        &mut SearchCheckpoint::default(),
        &Context::default(),
    )
}

/// Values from the literature: 1 if the first player wins.
const KNOWN: [(&[usize], usize, i32); 14] = [
    (&[3, 3], 3, 0),
    (&[3, 4], 3, 1),
    (&[4, 3], 3, 1),
    (&[5, 5], 3, 1),
    (&[4, 4], 4, 0),
    (&[4, 5], 4, 0),
    (&[4, 6], 4, 0),
    (&[5, 5], 4, 0),
    (&[5, 6], 4, 1),
    (&[6, 6], 4, 1),
    (&[6, 6], 5, 0),
    (&[3, 3, 3], 3, 1),
    (&[2, 2], 2, 1),
    (&[1, 7], 3, 0),
];

#[test]
fn known_values_are_found_with_valid_certificates() {
    for (sides, length, expected) in KNOWN {
        let grid = Grid::<u64>::new(sides, length).expect("a board");
        let found = value_of(&grid, &grid.start());
        assert_eq!(found.value, Some(expected), "{sides:?}:{length}");
        let bytes = write_claims(&grid, &grid.start(), &found.claims);
        let checked = check_claims(&grid, &bytes);
        let checked = checked.unwrap_or_else(|error| panic!("{sides:?}:{length}: {error}"));
        assert_eq!(checked.value(), Some(expected), "{sides:?}:{length}");
    }
}

#[test]
fn a_board_on_its_side_takes_the_same_search() {
    for (sides, others, length) in [
        (&[4, 6][..], &[6, 4][..], 4),
        (&[5, 6], &[6, 5], 4),
        (&[3, 4], &[4, 3], 3),
        (&[2, 3, 4], &[3, 4, 2], 3),
        (&[2, 3, 4], &[4, 2, 3], 4),
    ] {
        let [found, turned] = [sides, others].map(|sides| {
            let grid = Grid::<u64>::new(sides, length).expect("a board");
            let found = value_of(&grid, &grid.start());
            let bytes = write_claims(&grid, &grid.start(), &found.claims);
            let checked = check_claims(&grid, &bytes);
            let checked = checked.unwrap_or_else(|error| panic!("{sides:?}:{length}: {error}"));
            let mut line = Line::new(&grid);
            for &mv in &found.pv {
                line.play(&grid, mv).expect("the variation is legal");
            }
            (found.value, found.nodes, found.pv.len(), checked.value())
        });
        assert_eq!(found, turned, "{others:?}:{length}");
    }
}

#[test]
fn several_threads_find_the_same_values_with_valid_certificates() {
    for (sides, length, expected) in [([4, 6], 4, 0), ([5, 5], 4, 0), ([5, 6], 4, 1)] {
        let grid = Grid::<u64>::new(&sides, length).expect("a board");
        for threads in [1, 2, 4] {
            let limits = ValueLimits {
                threads,
                ..ValueLimits::default()
            };
            let mut memory = SearchCheckpoint::default();
            let start = grid.start();
            let found = grid_value(&grid, &start, &limits, &mut memory, &Context::default());
            let claims = write_claims(&grid, &start, &found.claims);
            let checked = check_claims(&grid, &claims).map(|file| file.value());
            assert_eq!(checked, Ok(Some(expected)), "{sides:?}, {threads} threads");
        }
    }
}

/// Plain negamax, as an independent reference.
fn negamax(
    grid: &Grid<u64>,
    position: &GridPosition<u64>,
    known: &mut HashMap<(u64, u64), i32>,
) -> i32 {
    match grid.outcome(position) {
        Some(Outcome::Draw) => return 0,
        Some(Outcome::Win(_)) => return -1,
        None => {}
    }
    let key = grid.pack(position);
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let mut best = -1;
    for mv in grid.legal_moves(position) {
        let next = grid.after(position, mv);
        best = best.max(-negamax(grid, &next, known));
        if best == 1 {
            break;
        }
    }
    known.insert(key, best);
    best
}

fn random(seed: &mut u64) -> usize {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    (*seed >> 20) as usize
}

/// A position after up to this many random moves.
fn random_position(grid: &Grid<u64>, plies: usize, seed: &mut u64) -> GridPosition<u64> {
    loop {
        let mut position = grid.start();
        for _ in 0..plies {
            let moves: Vec<Move> = grid.legal_moves(&position).collect();
            if moves.is_empty() {
                break;
            }
            grid.play_unchecked(&mut position, moves[random(seed) % moves.len()]);
        }
        if grid.outcome(&position).is_none() {
            return position;
        }
    }
}

#[test]
fn values_of_random_positions_are_those_of_plain_negamax() {
    let mut seed = 0x5eed;
    for (sides, length, plies) in [
        (&[3, 3][..], 3, 0..7),
        (&[3, 4], 3, 1..8),
        (&[4, 4], 3, 3..10),
        (&[4, 4], 4, 4..12),
        (&[5, 3], 3, 3..9),
        (&[2, 2, 3], 2, 0..4),
        (&[2, 3, 2], 3, 0..8),
    ] {
        let grid = Grid::<u64>::new(sides, length).expect("a board");
        let mut known = HashMap::new();
        for plies in plies.cycle().take(60) {
            let position = random_position(&grid, plies, &mut seed);
            let found = value_of(&grid, &position);
            let expected = negamax(&grid, &position, &mut known);
            assert_eq!(found.value, Some(expected), "{position:?}");
            let bytes = write_claims(&grid, &position, &found.claims);
            let checked = check_claims(&grid, &bytes);
            assert!(checked.is_ok(), "{sides:?}: {position:?}: {checked:?}");
        }
    }
}

/// A search that ends early: its result, and whether it left a checkpoint.
fn ended_by(context: &Context) -> (GridValue, bool) {
    let grid = Grid::<u64>::new(&[4, 4, 4], 4).expect("a board");
    let mut memory = SearchCheckpoint::default();
    let limits = ValueLimits::default();
    let found = grid_value(&grid, &grid.start(), &limits, &mut memory, context);
    let claims = write_claims(&grid, &grid.start(), &found.claims);
    let checked = check_claims(&grid, &claims).expect("what is established holds");
    assert_eq!(checked.value(), None);
    (found, memory != SearchCheckpoint::default())
}

#[test]
fn a_timeout_and_a_stop_keep_the_proved_claims() {
    // Every reading of the clock takes a millisecond.
    let clock = ManualClock::stepping(Duration::from_millis(1));
    let time = Limits {
        time: Some(Duration::from_secs(2)),
        ..Limits::default()
    };
    let timed = ended_by(&Context::default().limited(time, &clock));
    // Stopped after the first progress report.
    let watch = Arc::new(Watch::default());
    let mut context = Context::default().stopped_by(&watch.stop);
    let told = Arc::clone(&watch);
    context.listener = Some(Arc::new(move |progress| {
        told.report(progress);
        told.stop.stop();
    }));
    let stopped = ended_by(&context);
    for (found, remembered) in [timed, stopped] {
        assert_eq!(found.value, None);
        assert!(matches!(found.claims[..], [ClaimProof::MovesFirst(_)]));
        assert!(found.nodes > 0 && remembered);
    }
    // The open queries match the last report.
    assert_eq!(watch.progress().open, [Player::First]);
}
