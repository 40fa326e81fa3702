//! Wins by sequences on 4x4x4: found and certified. `mutants` forges their certificates.

use papan_rules::{Grid, Line, Player};
use papan_solve::{
    ClaimKind, GridValue, SearchCheckpoint, ValueLimits, check_claims, grid_value, write_claims,
};
use papan_strategies::Context;

fn cube() -> Grid<u64> {
    Grid::new(&[4, 4, 4], 4).expect("a board")
}

fn solve(moves: &str) -> (GridValue, Vec<u8>) {
    let grid = cube();
    let line = Line::parse(&grid, moves).expect("a line of play");
    let found = grid_value(
        &grid,
        line.position(),
        &ValueLimits::default(),
        &mut SearchCheckpoint::default(),
        &Context::default(),
    );
    let bytes = write_claims(&grid, line.position(), &found.claims);
    (found, bytes)
}

#[test]
fn wins_are_certified_with_either_side_to_move() {
    for (moves, value) in [
        ("1 28 64 22 4 2", 1),
        ("1 2 22 43 64 5", 1),
        ("1 2 64 3 61", -1),
    ] {
        let (found, bytes) = solve(moves);
        assert_eq!(found.value, Some(value), "{moves}");
        let file = check_claims(&cube(), &bytes).unwrap_or_else(|error| panic!("{moves}: {error}"));
        let [claim] = file.claims[..] else {
            panic!("{moves}: {:?}", file.claims)
        };
        assert_eq!(claim.player, Player::First, "{moves}");
        assert_eq!(claim.kind, ClaimKind::WinsBySequences, "{moves}");
        assert!(bytes.starts_with(b"papan certificate 3\n"));
        let mut line = Line::parse(&cube(), moves).expect("a line of play");
        for &mv in &found.pv {
            line.play(&cube(), mv).expect("the variation is legal");
        }
    }
}
