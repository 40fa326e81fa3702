//! The puzzles that come with papan.

use std::collections::HashSet;

use papan_catalog::puzzles::{Goal, Puzzle, Theme, collection};
use papan_catalog::{AnyGame, AnyLine, advisor};
use papan_rules::Move;
use papan_strategies::{Context, Limits, Score};

#[test]
fn there_are_a_thousand_within_a_mebibyte_on_every_theme() {
    let all = collection();
    assert!(all.len() >= 1000, "{}", all.len());
    let size: usize = all.iter().map(|puzzle| puzzle.to_string().len() + 1).sum();
    assert!(size < 1 << 20, "{size} bytes");
    for theme in Theme::ALL {
        let count = all.iter().filter(|p| p.themes.contains(&theme)).count();
        assert!(count >= 10, "{theme:?}: {count}");
    }
    let ids: HashSet<String> = all.iter().map(Puzzle::id).collect();
    assert_eq!(ids.len(), all.len());
    assert!(all.is_sorted_by_key(|puzzle| puzzle.rating));
    let long = all.iter().filter(|puzzle| puzzle.length() > 1).count();
    assert!(
        2 * long > all.len(),
        "{long} of {} have several moves",
        all.len()
    );
}

#[test]
fn every_solution_is_legal_and_a_sample_is_solved_again() {
    for (at, puzzle) in collection().iter().enumerate() {
        assert!(puzzle.steps().is_some(), "{puzzle}");
        if at % 23 == 0 {
            puzzle
                .verify()
                .unwrap_or_else(|fault| panic!("{puzzle}: {fault}"));
        }
    }
}

/// Plain negamax, to the end of the game: +1, 0 or -1.
fn value(line: &dyn AnyLine) -> i32 {
    if let Some(outcome) = line.outcome() {
        return outcome.value_for(line.turn());
    }
    let after = |mv: Move| {
        let mut next = line.clone_line();
        next.play(mv).unwrap();
        let sign = if next.turn() == line.turn() { 1 } else { -1 };
        sign * value(&*next)
    };
    line.legal_moves().into_iter().map(after).max().unwrap()
}

/// Neither the endgame solver nor the mate search is used here.
#[test]
fn the_answer_is_the_only_right_move_by_other_means() {
    let small = |puzzle: &&Puzzle| {
        let line = puzzle.line().unwrap();
        let cells = 0..line.game().cells();
        let empty = cells.filter(|&cell| line.piece(cell).is_none()).count();
        matches!(puzzle.goal, Goal::Win | Goal::Hold) && empty <= 7
    };
    for puzzle in collection().iter().filter(small).take(8) {
        let line = puzzle.line().unwrap();
        let least = i32::from(puzzle.goal == Goal::Win);
        let right = |mv: &Move| {
            let mut next = line.clone_line();
            next.play(*mv).unwrap();
            let sign = if next.turn() == line.turn() { 1 } else { -1 };
            sign * value(&*next) >= least
        };
        let right: Vec<Move> = line.legal_moves().into_iter().filter(right).collect();
        assert_eq!(right, puzzle.steps().unwrap()[..1], "{puzzle}");
    }
    // The engine's threat search proves the wins.
    let wins = |puzzle: &&Puzzle| matches!(puzzle.goal, Goal::WinIn(2..) | Goal::Fours(_));
    let game: AnyGame = "gomoku".parse().unwrap();
    let mut seat = game.seat(advisor(&game), &Limits::default()).unwrap();
    let gomoku = collection().iter().filter(|puzzle| puzzle.game == "gomoku");
    for puzzle in gomoku.filter(wins).step_by(29) {
        let mut line = game.line();
        line.extend(&puzzle.moves).unwrap();
        let context = Context::default().with_nodes(200_000);
        let decision = seat.decide(&*line, &context).unwrap();
        let score = decision.chosen().and_then(|chosen| chosen.score);
        assert_eq!(score.and_then(Score::proven), Some(1), "{puzzle}");
    }
}
