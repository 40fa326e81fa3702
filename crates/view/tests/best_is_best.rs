//! Property test: the recommended move has the best number, in the decision, in the text of a cell
//! and in JSON.

use papan_catalog::{AnyGame, AnyLine, STRATEGIES, StrategySpec};
use papan_rules::SplitMix;
use papan_strategies::{Candidate, Context, Decision, Limits, ManualClock, Score, Value};
use papan_view::{Language, Messages, explain, json};
use std::time::Duration;

/// Plays random legal moves.
fn random_line(game: &AnyGame, random: &mut SplitMix) -> Box<dyn AnyLine> {
    let mut line = game.line();
    let most = (game.cells() / 2).min(24);
    for _ in 0..random.below(most + 1) {
        let legal = line.legal_moves();
        let mv = legal[random.below(legal.len())];
        line.play(mv).unwrap();
        if line.outcome().is_some() {
            line.undo();
            break;
        }
    }
    line
}

/// The number that a cell shows, as something that compares; `None` for rules and texts.
fn shown(candidate: &Candidate) -> Option<f64> {
    let number = |value: &Value| match value {
        Value::Number(number) | Value::AtMost(number) => Some(*number as f64),
        Value::Infinite { times, plus } => Some(f64::from(*times) * 1e9 + *plus as f64),
        Value::Real(real) => Some(*real),
        Value::Rule(_) | Value::Text(_) => None,
    };
    let decides = |name: &str| candidate.terms.iter().find(|term| term.name == name);
    match decides("felt").or(decides("visits")) {
        Some(term) => number(&term.value),
        None => match candidate.score {
            Some(score) => Some(score.balance().into()),
            None => candidate
                .terms
                .iter()
                .find(|t| t.decides)
                .and_then(|t| number(&t.value)),
        },
    }
}

/// Whether moves are chosen by another number than the score, which is shown in its place.
fn has_own_number(candidate: &Candidate) -> bool {
    let mut terms = candidate.terms.iter();
    terms.any(|term| matches!(term.name, "felt" | "visits"))
}

/// The number in the text of a cell, if it is one alone: `+3`, `−1`, `=`, `54 %`.
fn printed(candidate: &Candidate, words: Messages) -> Option<f64> {
    let score = candidate.score.filter(|_| !has_own_number(candidate))?;
    // A proved win with its length is no number to compare.
    if score.is_proven() {
        return None;
    }
    let [only] = &explain::short(candidate, words, false)[..] else {
        return None;
    };
    let text = only
        .value
        .trim_start_matches(['≤', '≥', '~', ' '])
        .replace('−', "-");
    if text == "=" {
        return Some(0.0);
    }
    let digits = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.');
    let end = text.find(|c| !digits(c)).unwrap_or(text.len());
    text[..end].parse().ok()
}

fn check(line: &dyn AnyLine, spec: &StrategySpec, decision: &Decision, words: Messages) {
    let place = || format!("{spec} at {} after {}", line.game().name(), line.text());
    let chosen = decision.chosen().unwrap_or_else(|| panic!("{}", place()));
    let Some(best) = shown(chosen) else { return };
    let alike = |other: &&Candidate| other.score.map(Score::unit) == chosen.score.map(Score::unit);
    for other in decision.candidates.iter().filter(alike) {
        let number = shown(other).unwrap_or(f64::MIN);
        assert!(number <= best, "{}: {other:?} beside {chosen:?}", place());
    }
    // What a reader compares in the text of the cells: the number that is printed of the chosen
    // move is not below another one.
    if let Some(best) = printed(chosen, words) {
        for other in decision.candidates.iter().filter(alike) {
            let number = printed(other, words);
            assert!(
                number.is_none_or(|number| number <= best),
                "{}: {other:?} beside {chosen:?}",
                place()
            );
        }
    }
    // The same numbers in the text of a cell and in JSON.
    let game = line.game();
    let value: serde_json::Value =
        serde_json::to_value(json::Decision::new(&game, decision)).unwrap();
    let rows = value["candidates"].as_array().unwrap();
    let recommended = rows
        .iter()
        .find(|row| row["move"] == value["move"])
        .unwrap();
    if !has_own_number(chosen) {
        for row in rows.iter().filter(|row| row["unit"] == recommended["unit"]) {
            let (number, best) = (row["score"].as_f64(), recommended["score"].as_f64());
            assert!(number <= best, "{}: {row} beside {recommended}", place());
        }
    }
    for (row, candidate) in rows.iter().zip(&decision.candidates) {
        let short = explain::short(candidate, words, false);
        let Some(score) = candidate.score else {
            continue;
        };
        assert_eq!(
            row["bound"] == "at-most",
            score.bound() == papan_strategies::Bound::AtMost
        );
        let number = row["score"].as_f64().unwrap() as f32;
        assert!((number - score.value()).abs() < 1e-3, "{}", place());
        if let [only] = &short[..]
            && only.term.is_none()
        {
            let text = papan_view::score::short(score, false);
            assert_eq!(only.value, text, "{}", place());
        }
    }
}

/// Checks every strategy in random positions of a game.
fn check_game(name: &str) {
    let words = Messages::new(Language::English);
    let mut random = SplitMix::new(38);
    let game: AnyGame = name.parse().unwrap();
    // A decision takes much longer on a large board.
    let positions = if game.cells() > 64 { 2 } else { 6 };
    for info in STRATEGIES {
        let spec: StrategySpec = info.name.parse().unwrap();
        // A limit in time, as front ends give it, stops the comparison at a smaller depth.
        for milliseconds in [1, 20, 150] {
            let limits = Limits {
                time: Some(Duration::from_millis(milliseconds)),
                ..Limits::default()
            };
            let Ok(mut seat) = game.seat(&spec, &limits) else {
                continue;
            };
            for _ in 0..positions {
                let line = random_line(&game, &mut random);
                let clock = ManualClock::stepping(Duration::from_micros(20));
                let context = Context::with_seed(1).limited(limits, &clock);
                let Ok(decision) = seat.decide(&*line, &context) else {
                    continue;
                };
                check(&*line, &spec, &decision, words);
            }
        }
    }
}

/// One test for each game, so that they run in parallel.
macro_rules! the_recommended_move_has_the_best_number {
    ($($test:ident: $game:literal),* $(,)?) => {
        $(
            #[test]
            fn $test() {
                check_game($game);
            }
        )*
    };
}

the_recommended_move_has_the_best_number! {
    tictactoe: "tictactoe",
    tictactoe_4x4: "tictactoe:4x4",
    tictactoe_3x3x3: "tictactoe:3x3x3",
    tictactoe_7x7: "tictactoe:7x7:5",
    tictactoe_6x6: "tictactoe:6x6:4",
    tictactoe_15x15: "tictactoe:15x15:5",
    gomoku_standard: "gomoku:9x9:standard",
    othello_4x4: "othello:4x4",
    othello_6x6: "othello:6x6",
    othello: "othello",
}
