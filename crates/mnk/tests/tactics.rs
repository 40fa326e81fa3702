//! A list of positions in which the engine must not overlook a four, an open three, or a win by
//! fours within ten plies, for every rule.
//!
//! `tactics.txt` holds one position a line: the rule, what there is to see, and the moves.
//!
//! | word | meaning |
//! |---|---|
//! | `five` | the player to move completes five |
//! | `four` | the opponent would complete five |
//! | `three` | the opponent would make a four that cannot be stopped |
//! | `vcf` | the player to move wins by two to five fours |
//!
//! The list is checked by a slow search that knows only the rules (`naive`), and so is the
//! move of the engine.

mod naive;

use naive::{can_make_open_four, winning_fours, wins_by_fours};
use papan_mnk::{GridEngine, GridEngineOptions};
use papan_rules::{Bits as _, Game as _, Gomoku, GomokuRule, Line, Move, Outcome};
use papan_strategies::{Context, Strategy, Turn};

/// Fours of a win within ten plies.
const FOURS: u32 = 5;

fn check(game: &Gomoku, line: &Line<Gomoku>, kind: &str, label: &str) {
    let pos = line.position();
    let me = game.turn(pos);
    let options = GridEngineOptions {
        nodes: Some(4_000),
        hash_mib: 1,
        ..GridEngineOptions::default()
    };
    let mut engine = GridEngine::at_gomoku(game, options);
    let context = Context::default();
    let decision = engine.decide(Turn::new(game, line, &context)).expect(label);
    let cell = decision.best.cell().expect(label);
    let score = decision.chosen().and_then(|chosen| chosen.score);
    let mut next = *pos;
    game.play(&mut next, decision.best).expect(label);
    let threats = game.completing_cells(pos, me.other());
    match kind {
        "five" => {
            assert!(!game.completing_cells(pos, me).is_empty(), "{label}: list");
            assert_eq!(game.outcome(&next), Some(Outcome::Win(me)), "{label}");
        }
        "four" => {
            assert!(game.completing_cells(pos, me).is_empty(), "{label}: list");
            assert_eq!(threats.count(), 1, "{label}: list");
            assert!(
                game.completing_cells(&next, me.other()).is_empty(),
                "{label}"
            );
        }
        "three" => {
            assert!(!wins_by_fours(game, pos, FOURS), "{label}: list");
            assert!(threats.is_empty(), "{label}: list");
            let mut engine = || GridEngine::at_gomoku(game, options);
            assert!(stops_the_three(game, line, &mut engine), "{label}: {cell}");
        }
        "vcf" => {
            assert!(!wins_by_fours(game, pos, 1), "{label}: list");
            let wins = winning_fours(game, pos, FOURS, false);
            assert!(!wins.is_empty(), "{label}: list");
            let score = score.expect(label);
            assert!(
                score.value() == 1.0 && score.is_by_proof(),
                "{label}: {score:?}"
            );
            // The engine may see a longer win first.
            assert!(
                wins.contains(cell) || winning_fours(game, pos, 2 * FOURS, false).contains(cell),
                "{label}: {cell}"
            );
        }
        other => panic!("{label}: no such word: {other}"),
    }
}

/// Plays the engine's fours and the replies that they force, until it wins or makes another move.
/// Returns whether it has won, or the opponent cannot make a four that cannot be stopped.
fn stops_the_three(
    game: &Gomoku,
    line: &Line<Gomoku>,
    engine: &mut dyn FnMut() -> GridEngine,
) -> bool {
    let mut line = line.clone();
    let me = game.turn(line.position());
    loop {
        let context = Context::default();
        let (mv, _) = engine()
            .best_at_gomoku(game, line.position(), &context)
            .expect("a move");
        line.play(game, mv).expect("legal");
        if let Some(outcome) = game.outcome(line.position()) {
            return outcome == Outcome::Win(me);
        }
        let fives = game.completing_cells(line.position(), me);
        let other = game.completing_cells(line.position(), me.other());
        match (fives.first(), other.is_empty()) {
            (_, false) => return false,
            (None, true) => return !can_make_open_four(game, line.position()),
            (Some(reply), true) => {
                let reply = Move::on(reply);
                // A five on a forbidden point cannot be stopped.
                if game.check_move(line.position(), reply).is_err() {
                    return true;
                }
                line.play(game, reply).expect("legal");
            }
        }
    }
}

#[test]
fn no_four_no_open_three_and_no_win_by_five_fours_is_overlooked() {
    let list = include_str!("tactics.txt");
    let mut seen = std::collections::BTreeMap::new();
    for (number, text) in list.lines().enumerate() {
        let label = format!("tactics.txt:{}: {text}", number + 1);
        let mut words = text.splitn(3, ' ');
        let (Some(rule), Some(kind), Some(moves)) = (words.next(), words.next(), words.next())
        else {
            continue;
        };
        let rule = GomokuRule::parse(rule).expect(&label);
        let game = Gomoku::new(15, rule).expect(&label);
        let line = Line::parse(&game, moves).expect(&label);
        check(&game, &line, kind, &label);
        *seen.entry((rule.name(), kind)).or_insert(0) += 1;
    }
    assert_eq!(seen.len(), 16, "{seen:?}");
    assert!(seen.values().all(|&count| count >= 6), "{seen:?}");
}
