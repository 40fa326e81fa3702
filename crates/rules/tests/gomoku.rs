//! Gomoku and renju: wins by each rule, forbidden points, notation.

use papan_rules::{
    Forbidden, Game as _, GameInfo as _, Gomoku, GomokuPosition, GomokuRule, IllegalMove, Line,
    Move, Notation as _, Outcome, Player,
};

const SIDE: usize = 15;

fn game(rule: GomokuRule) -> Gomoku {
    Gomoku::new(SIDE, rule).expect("a board")
}

type Point = (usize, usize);

/// A position with these stones and Black to move; other white stones far away make up the number.
fn position(game: &Gomoku, black: &[Point], white: &[Point]) -> GomokuPosition {
    let mut cells = vec![None; SIDE * SIDE];
    for (points, player) in [(black, Player::First), (white, Player::Second)] {
        for &(row, column) in points {
            cells[row * SIDE + column] = Some(player);
        }
    }
    for filler in 0..black.len() - white.len() {
        cells[(filler % 2) * SIDE + 2 * (filler / 2)] = Some(Player::Second);
    }
    game.position(&cells, Player::First).expect("a position")
}

fn at((row, column): Point) -> Move {
    Move::on(row * SIDE + column)
}

fn row(columns: &[usize]) -> Vec<Point> {
    columns.iter().map(|&column| (7, column)).collect()
}

fn column(rows: &[usize]) -> Vec<Point> {
    rows.iter().map(|&row| (row, 7)).collect()
}

fn verdict(black: &[Point], white: &[Point]) -> Result<(), IllegalMove> {
    let game = game(GomokuRule::Renju);
    game.check_move(&position(&game, black, white), at((7, 7)))
}

const fn forbidden(why: Forbidden) -> Result<(), IllegalMove> {
    Err(IllegalMove::Forbidden(why))
}

#[test]
fn black_may_not_make_two_threes_two_fours_or_six() {
    let both = |a: &[usize], b: &[usize]| [row(a), column(b)].concat();
    assert_eq!(
        verdict(&both(&[5, 6], &[5, 6]), &[]),
        forbidden(Forbidden::DoubleThree)
    );
    // A three that is closed at one end is none.
    assert_eq!(verdict(&both(&[5, 6], &[5, 6]), &[(7, 4)]), Ok(()));
    // A three and a four are allowed, two fours are not.
    assert_eq!(verdict(&both(&[4, 5, 6], &[5, 6]), &[]), Ok(()));
    assert_eq!(
        verdict(&both(&[4, 5, 6], &[4, 5, 6]), &[]),
        forbidden(Forbidden::DoubleFour)
    );
    // Two fours in one row.
    assert_eq!(
        verdict(&row(&[4, 6, 8, 10]), &[]),
        forbidden(Forbidden::DoubleFour)
    );
    // A straight four is one four.
    assert_eq!(verdict(&row(&[4, 5, 6]), &[]), Ok(()));
    assert_eq!(
        verdict(&row(&[4, 5, 6, 8, 9]), &[]),
        forbidden(Forbidden::Overline)
    );
    // Five wins, even with an overline.
    assert_eq!(verdict(&both(&[4, 5, 6, 8, 9], &[3, 4, 5, 6]), &[]), Ok(()));
}

#[test]
fn a_three_counts_only_if_its_extension_is_allowed() {
    // The row can become a straight four on (7, 8) and on (7, 4) only. Both points are overlines
    // along their columns, so that the row is no three.
    let threes = [row(&[5, 6]), column(&[5, 6])].concat();
    let overline_at = |column: usize| -> Vec<Point> {
        [4, 5, 6, 8, 9].iter().map(|&row| (row, column)).collect()
    };
    assert_eq!(verdict(&threes, &[]), forbidden(Forbidden::DoubleThree));
    let blocked = [threes.clone(), overline_at(8), overline_at(4)].concat();
    assert_eq!(verdict(&blocked, &[]), Ok(()));
    // One allowed extension suffices.
    let half = [threes, overline_at(8)].concat();
    assert_eq!(verdict(&half, &[]), forbidden(Forbidden::DoubleThree));
}

/// The outcome after Black plays on (7, 7).
fn outcome(rule: GomokuRule, black: &[Point], white: &[Point]) -> Option<Outcome> {
    let game = game(rule);
    let mut position = position(&game, black, white);
    game.play(&mut position, at((7, 7))).expect("legal");
    game.outcome(&position)
}

#[test]
fn each_rule_has_its_own_wins() {
    let win = Some(Outcome::Win(Player::First));
    let (five, six) = (row(&[3, 4, 5, 6]), row(&[4, 5, 6, 8, 9]));
    for rule in GomokuRule::ALL {
        assert_eq!(outcome(rule, &five, &[]), win, "{rule:?}");
        // One end blocked is enough for caro.
        assert_eq!(outcome(rule, &five, &[(7, 2)]), win, "{rule:?}");
    }
    assert_eq!(outcome(GomokuRule::Freestyle, &six, &[]), win);
    assert_eq!(outcome(GomokuRule::Standard, &six, &[]), None);
    assert_eq!(outcome(GomokuRule::Caro, &six, &[]), win);
    let blocked = [(7, 2), (7, 8)];
    assert_eq!(outcome(GomokuRule::Caro, &five, &blocked), None);
    assert_eq!(outcome(GomokuRule::Standard, &five, &blocked), win);
}

#[test]
fn rows_are_counted_from_the_bottom() {
    let game = game(GomokuRule::Freestyle);
    assert_eq!(game.name(), "gomoku");
    assert_eq!(game.show_move(Move::on(0)), "a15");
    assert_eq!(game.parse_move("H8"), Ok(Move::on(7 * SIDE + 7)));
    assert_eq!(game.parse_move("o1"), Ok(Move::on(SIDE * SIDE - 1)));
    for wrong in ["", "p1", "a16", "a0", "113"] {
        assert!(game.parse_move(wrong).is_err(), "{wrong}");
    }
    let line = Line::parse(&game, "h8 a1 i8 a2 j8 a3 k8 a4 l8").expect("a line of play");
    assert_eq!(
        game.outcome(line.position()),
        Some(Outcome::Win(Player::First))
    );
    assert_eq!(game.winning_cells(line.position()).len(), 5);
}
