//! Tests of `perfect` and `engine` on the boards with bundled certificates.

use papan_catalog::{AnyGame, StrategySpec, Unplayable};
use papan_rules::{Outcome, Player};
use papan_strategies::{Candidate, Context, Limits, Score};

fn spec(text: &str) -> StrategySpec {
    text.parse().expect("a strategy")
}

fn game(name: &str) -> AnyGame {
    name.parse().expect("a game")
}

/// Returns a strategy's candidate for its move after these moves.
fn chosen(game: &AnyGame, strategy: &str, moves: &[&str]) -> Candidate {
    let mut line = game.line();
    line.extend(&moves.join(" ")).expect("legal moves");
    let mut seat = game
        .seat(spec(strategy), &Limits::default())
        .expect("seated");
    let decision = seat.decide(&*line, &Context::default()).expect("a move");
    decision.chosen().expect("the move").clone()
}

#[test]
fn a_seat_is_taken_only_with_a_proof_for_it() {
    let perfect = spec("perfect");
    let can = |name: &str, seat: Player| {
        let limits = Limits::default();
        game(name).can_seat_as(&perfect, &limits, seat)
    };
    for name in ["tictactoe:5x6:4", "tictactoe:6x5:4", "tictactoe:4x9"] {
        assert!(can(name, Player::First).is_ok(), "{name}");
        let refused = can(name, Player::Second);
        assert!(
            matches!(refused, Err(Unplayable::OtherSeat { .. })),
            "{name}"
        );
    }
    for name in [
        "tictactoe:7x7:5",
        "tictactoe:6x4",
        "tictactoe:4x8",
        "tictactoe:4x4",
    ] {
        for seat in Player::BOTH {
            assert!(can(name, seat).is_ok(), "{name}");
        }
    }
    let refused = can("tictactoe:8x8:5", Player::First);
    assert!(matches!(refused, Err(Unplayable::TooLarge { .. })));
}

#[test]
fn a_proved_win_is_said_with_the_most_plies_that_it_takes() {
    for name in ["tictactoe:5x6:4", "tictactoe:6x5:4"] {
        let game = game(name);
        for strategy in ["perfect", "engine"] {
            let best = chosen(&game, strategy, &[]);
            assert_eq!(best.score, Some(Score::result(1).in_plies(17).by_proof()));
            let mut line = game.line();
            for &mv in &best.pv {
                line.play(mv).expect("legal");
            }
            assert_eq!(line.outcome(), Some(Outcome::Win(Player::First)), "{name}");
            assert!(best.pv.len() <= 17);
        }
    }
}

#[test]
fn the_proved_win_of_4x4x4_is_announced_and_kept() {
    let game = game("tictactoe:4x4x4");
    for strategy in ["perfect", "engine"] {
        let mut line = game.line();
        let mut moves: Vec<String> = Vec::new();
        let mut bound = None;
        // The opponent takes the first empty cell that is not the expected reply.
        while line.outcome().is_none() {
            let words: Vec<&str> = moves.iter().map(String::as_str).collect();
            let best = chosen(&game, strategy, &words);
            let score = best.score.expect("a score");
            let plies = score.plies().expect("a number of plies");
            // The engine sees the end of the win without the proof.
            let win = Score::result(1).in_plies(plies);
            assert!(
                score == win.by_proof() || plies < 12 && score == win,
                "{score:?}"
            );
            assert!(bound.is_none_or(|bound| plies < bound), "{plies} {bound:?}");
            bound = Some(plies);
            line.play(best.mv).expect("legal");
            moves.push(game.show_move(best.mv));
            if line.outcome().is_none() {
                let expected = best.pv.get(1);
                let reply = line
                    .legal_moves()
                    .into_iter()
                    .find(|mv| Some(mv) != expected)
                    .expect("a reply");
                line.play(reply).expect("legal");
                moves.push(game.show_move(reply));
            }
        }
        assert_eq!(line.outcome(), Some(Outcome::Win(Player::First)));
    }
}

#[test]
fn a_proved_draw_is_said_and_where_it_is_one_half_only_that() {
    for (name, corner) in [("tictactoe:6x6:5", "1"), ("gomoku:6x6", "a6")] {
        let game = game(name);
        let best = chosen(&game, "engine", &[]);
        assert_eq!(best.score, Some(Score::result(0).by_proof()), "{name}");
        // A corner may be a mistake: there is no proof that it is not.
        let reply = chosen(&game, "engine", &[corner]);
        let half = Score::result(0).or_more().by_proof();
        assert_eq!(reply.score, Some(half), "{name}");
    }
}

#[test]
fn off_the_proof_nothing_is_claimed() {
    let game = game("tictactoe:5x6:4");
    for strategy in ["perfect", "engine"] {
        let reply = chosen(&game, strategy, &["1"]);
        assert!(!reply.score.is_some_and(Score::is_by_proof), "{reply:?}");
    }
}

#[test]
fn whoever_plays_against_a_proof_knows_it() {
    let game = game("tictactoe:5x6:4");
    let first = game.show_move(chosen(&game, "engine", &[]).mv);
    let reply = chosen(&game, "engine", &[&first]);
    assert_eq!(reply.score, Some(Score::result(-1).in_plies(16).by_proof()));
}

/// Plays a game between seats, the owner of a proof and another.
fn outcome(name: &str, owner: Player, other: &str, seed: u64) -> Outcome {
    let game = game(name);
    let limits = Limits::default();
    let mut seats = [owner, owner.other()].map(|player| {
        let player = if player == owner {
            "engine(nodes=500,hash=1)"
        } else {
            other
        };
        game.seat(spec(player), &limits).expect("seated")
    });
    let mut line = game.line();
    loop {
        if let Some(outcome) = line.outcome() {
            return outcome;
        }
        let seat = &mut seats[usize::from(line.turn() != owner)];
        let context = Context::with_seed(seed);
        let (mv, _) = seat.choose(&*line, &context).expect("a move");
        line.play(mv).expect("legal");
    }
}

#[test]
fn the_engine_keeps_what_is_proved_at_the_table() {
    let wins = [
        "tictactoe:5x6:4",
        "tictactoe:7x5:4",
        "tictactoe:4x9",
        "tictactoe:3x3x3",
        "tictactoe:4x4x4",
    ];
    let draws = ["tictactoe:4x6", "tictactoe:6x6:5", "tictactoe:5x5:4"];
    for other in ["random", "greedy", "engine(nodes=2000,hash=1)"] {
        for seed in 0..2 {
            for name in wins {
                let outcome = outcome(name, Player::First, other, seed);
                assert_eq!(outcome, Outcome::Win(Player::First), "{name}: {other}");
            }
            for (name, owner) in draws.into_iter().flat_map(|n| Player::BOTH.map(|p| (n, p))) {
                let outcome = outcome(name, owner, other, seed);
                assert_ne!(outcome, Outcome::Win(owner.other()), "{name}: {other}");
            }
        }
    }
}
