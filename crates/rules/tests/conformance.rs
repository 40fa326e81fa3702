//! The conformance suite on every game.

use papan_rules::{Gomoku, GomokuRule, Grid, Othello, Wide, conformance, tictactoe};

#[test]
fn every_grid_keeps_its_promises() {
    conformance::check(&tictactoe(), 60);
    for (sides, length) in [
        (&[1][..], 1),
        (&[5], 3),
        (&[4, 3], 3),
        (&[4, 4], 4),
        (&[3, 5], 3),
        (&[3, 3, 3], 3),
        (&[2, 3, 4], 3),
        (&[2, 2, 2, 2], 2),
    ] {
        conformance::check(&Grid::<u64>::new(sides, length).unwrap(), 6);
    }
    conformance::check(&Grid::<Wide>::new(&[4, 4], 4).unwrap(), 4);
    conformance::check(&Grid::<Wide>::new(&[9, 9], 5).unwrap(), 1);
}

#[test]
fn every_othello_keeps_its_promises() {
    for side in [4, 6, 8] {
        conformance::check(&Othello::new(side).unwrap(), 30);
    }
}

#[test]
fn every_rule_of_gomoku_keeps_its_promises() {
    for rule in GomokuRule::ALL {
        conformance::check(&Gomoku::new(5, rule).unwrap(), 4);
        conformance::check(&Gomoku::new(7, rule).unwrap(), 2);
        conformance::check(&Gomoku::new(11, rule).unwrap(), 1);
    }
}
