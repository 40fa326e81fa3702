//! Messages for strategies that cannot be proved.

use papan_catalog::AnyGame;
use papan_rules::Move;
use papan_solve::ProveError;

use super::no_answer;
use crate::{Messages, json};

/// Returns why a strategy is not proved, as a sentence.
#[must_use]
pub fn unproved(messages: Messages, game: &AnyGame, strategy: &str, error: &ProveError) -> String {
    let strategy = ("strategy", strategy.to_owned().into());
    let game_name = ("game", game.name().into());
    match error {
        ProveError::Stopped => messages.text("stopped"),
        ProveError::TooLarge { positions, mib } => {
            let most = ("most", positions.to_string().into());
            let limit = messages.with("prove-memory", [("mib", mib.to_string().into())]);
            let large = messages.with("prove-too-large", [game_name, most]);
            format!("{large} {limit}")
        }
        ProveError::TooManyLines => messages.with("prove-too-many-lines", [game_name]),
        ProveError::Journal(why) => why.clone(),
        ProveError::Random => messages.with("prove-nondeterministic", [strategy]),
        ProveError::NotAFunction {
            line,
            first,
            second,
        } => {
            let moves = ("moves", line_of_play(messages, game, line).into());
            let answers = [("first", first), ("second", second)];
            let [first, second] =
                answers.map(|(name, answer)| (name, self::answer(game, answer).into()));
            messages.with("prove-not-a-function", [strategy, moves, first, second])
        }
        ProveError::NoAnswer { line, fault } => {
            let moves = ("moves", line_of_play(messages, game, line).into());
            let reason = ("reason", no_answer(messages, fault).into());
            messages.with("prove-no-answer", [strategy, moves, reason])
        }
    }
}

/// Formats the moves before a question.
#[must_use]
pub fn line_of_play(messages: Messages, game: &AnyGame, line: &[Move]) -> String {
    if line.is_empty() {
        messages.text("prove-no-moves")
    } else {
        json::moves(game, line).join(" ")
    }
}

/// Formats an answer to a question, or why there is none.
#[must_use]
pub fn answer(game: &AnyGame, answer: &Result<Move, String>) -> String {
    match answer {
        Ok(mv) => game.show_move(*mv),
        Err(why) => format!("({why})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn both_answers_of_a_strategy_that_is_no_function_are_named() {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let error = |line| ProveError::NotAFunction {
            line,
            first: Ok(Move::on(4)),
            second: Err("boom".into()),
        };
        let text = |language, line| {
            unproved(
                Messages::new(language),
                &game,
                "python:Student",
                &error(line),
            )
        };
        assert_eq!(
            text(Language::English, vec![Move::on(0)]),
            "python:Student is not a function of the position: after 1 it answered 5, and (boom) \
             when it was asked again. There is nothing to prove."
        );
        assert!(text(Language::English, Vec::new()).contains("after no moves it answered 5"));
        assert!(text(Language::Indonesian, Vec::new()).contains("ia menjawab 5, lalu (boom)"));
    }
}
