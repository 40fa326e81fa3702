//! Tests of the engine for smaller boards against plain negamax over the rules.

use papan_othello::{EngineError, Options, SmallEngine};
use papan_rules::{Game as _, Line, Othello, OthelloPosition, SplitMix};
use papan_strategies::{Context, Strategy as _, Turn};

fn negamax(game: &Othello, pos: &OthelloPosition) -> i32 {
    let after = |mv| {
        let next = game.after(pos, mv);
        -negamax(game, &next)
    };
    let best = game.legal_moves(pos).map(after).max();
    best.unwrap_or_else(|| game.final_score(pos, game.turn(pos)))
}

/// Returns lines of random moves that leave at most `left` squares empty.
fn random_lines(game: &Othello, left: usize, count: usize) -> Vec<Line<Othello>> {
    let mut random = SplitMix::new(5);
    let mut lines = Vec::new();
    while lines.len() < count {
        let mut line = Line::new(game);
        let empty = |line: &Line<Othello>| {
            let cells = 0..game.cells();
            cells
                .filter(|&cell| game.piece(line.position(), cell).is_none())
                .count()
        };
        while empty(&line) > left && game.outcome(line.position()).is_none() {
            let moves: Vec<_> = game.legal_moves(line.position()).collect();
            line.play(game, moves[random.below(moves.len())]).unwrap();
        }
        if game.outcome(line.position()).is_none() {
            lines.push(line);
        }
    }
    lines
}

fn engine(game: &Othello, threads: usize) -> SmallEngine {
    let options = Options {
        threads,
        hash_mib: 16,
    };
    SmallEngine::new(game, &options).unwrap()
}

#[test]
fn endgames_on_6x6_agree_with_negamax() {
    let game = Othello::new(6).unwrap();
    for line in random_lines(&game, 9, 60) {
        let expected = negamax(&game, line.position());
        let result = engine(&game, 1).solve(&line, &Context::default());
        assert!(result.exact);
        assert_eq!(result.score, expected, "{:?}", line.position());
        let shared = engine(&game, 3).solve(&line, &Context::default());
        assert_eq!(
            shared.score,
            expected,
            "three threads, {:?}",
            line.position()
        );
        // The principal variation leads to that score.
        let mut played = line.clone();
        for &mv in &result.pv {
            played.play(&game, mv).unwrap();
        }
        let mover = game.turn(line.position());
        assert!(game.outcome(played.position()).is_some());
        assert_eq!(game.final_score(played.position(), mover), expected);
    }
}

#[test]
fn a_table_larger_than_memory_is_rejected() {
    let game = Othello::new(6).unwrap();
    let options = Options {
        threads: 1,
        hash_mib: usize::MAX,
    };
    let Err(EngineError::HashTooLarge { largest, .. }) = SmallEngine::new(&game, &options) else {
        panic!("it was not rejected");
    };
    assert!(largest > 0);
}

#[test]
fn the_first_player_loses_4x4_by_ten_discs() {
    let game = Othello::new(4).unwrap();
    let result = engine(&game, 2).solve(&Line::new(&game), &Context::default());
    assert_eq!((result.score, result.exact), (-10, true));
}

#[test]
fn every_move_of_an_endgame_gets_its_exact_score() {
    let game = Othello::new(6).unwrap();
    for line in random_lines(&game, 8, 20) {
        let context = Context::default();
        let decision = engine(&game, 1)
            .decide(Turn::new(&game, &line, &context))
            .unwrap();
        let legal: Vec<_> = game.legal_moves(line.position()).collect();
        assert_eq!(decision.candidates.len(), legal.len());
        for candidate in &decision.candidates {
            let next = game.after(line.position(), candidate.mv);
            let exact = candidate.score.and_then(|score| score.proven());
            assert_eq!(exact, Some(-negamax(&game, &next)), "{:?}", candidate.mv);
        }
        let mut choices = Vec::new();
        let fresh = engine(&game, 1).choices(Turn::new(&game, &line, &context), &mut choices);
        assert!(fresh.is_ok());
        assert_eq!(choices, [decision.best]);
    }
}
