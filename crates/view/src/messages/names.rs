//! What is wrong with the name of a game or of a player, or with a table.

use papan_catalog::{
    GameError, Parameter, ParameterKind, PlayerError, PlayerProblem, StrategyInfo, StrategySpec,
    strategy_info,
};
use papan_rules::GridError;
use papan_strategies::{ExpectedField, TableError};

use super::boards::at_place;
use crate::Messages;

/// A text, or another one where something is near.
fn nearest(words: Messages, key: &str, word: &str, nearest: Option<&'static str>) -> String {
    let word = ("word", word.to_owned().into());
    match nearest {
        None => words.with(key, [word]),
        Some(nearest) => words.with(
            &format!("{key}-nearest"),
            [word, ("nearest", nearest.into())],
        ),
    }
}

/// Why a text names no game.
#[must_use]
pub fn game(words: Messages, error: &GameError) -> String {
    let (name, reason) = match error {
        GameError::UnknownFamily {
            word,
            suggestion: near,
        } => return nearest(words, "name-no-game", word, *near),
        GameError::Grid { name, cause } => (name, grid(words, cause)),
        GameError::Size { name, size, .. } => {
            let family = name.split(':').next().unwrap_or_default();
            let expected = words.text(&format!("web-sizes-{}", family.to_ascii_lowercase()));
            let values = [("size", size.clone().into()), ("expected", expected.into())];
            (name, words.with("name-size", values))
        }
        GameError::Othello { name, cause } => (
            name,
            words.with("name-othello-size", [("size", cause.0.clone().into())]),
        ),
    };
    words.with(
        "name-in",
        [("name", name.clone().into()), ("reason", reason.into())],
    )
}

fn grid(words: Messages, error: &GridError) -> String {
    let with =
        |key: &str, name: &'static str, value: String| words.with(key, [(name, value.into())]);
    match error {
        GridError::NotANumber(text) => with("grid-not-a-number", "text", text.clone()),
        GridError::TooManyParts(text) => with("grid-too-many-parts", "text", text.clone()),
        GridError::Dimensions(number) => with("grid-dimensions", "number", number.to_string()),
        GridError::EmptySide => words.text("grid-empty-side"),
        GridError::TooLarge(cells) => with("grid-too-large", "cells", cells.clone()),
        GridError::Width { cells, .. } => with("grid-too-large", "cells", cells.to_string()),
        GridError::Length { length, longest } => words.with(
            "grid-length",
            [
                ("length", length.to_string().into()),
                ("longest", longest.to_string().into()),
            ],
        ),
    }
}

/// Why a text names no player.
#[must_use]
pub fn player(words: Messages, error: &PlayerError) -> String {
    let problem = match &error.problem {
        PlayerProblem::UnknownStrategy {
            word,
            suggestion: near,
        } => return nearest(words, "name-no-strategy", word, *near),
        PlayerProblem::NotAStrategy => return words.text("name-not-a-strategy"),
        PlayerProblem::UnknownParameter {
            strategy,
            word,
            suggestion: near,
        } => unknown_parameter(words, strategy, word, *near),
        PlayerProblem::BadValue {
            parameter,
            value,
            kind,
        } => words.with(
            "name-bad-value",
            [
                ("parameter", (*parameter).into()),
                ("value", value.clone().into()),
                ("expected", expected(words, *kind).into()),
            ],
        ),
        PlayerProblem::Twice(name) => words.with("name-twice", [("parameter", (*name).into())]),
        PlayerProblem::Unclosed => words.text("name-unclosed"),
        PlayerProblem::NoValue => words.text("name-no-value"),
    };
    words.with(
        "name-in",
        [
            ("name", error.text.clone().into()),
            ("reason", problem.into()),
        ],
    )
}

fn unknown_parameter(
    words: Messages,
    strategy: &'static str,
    word: &str,
    nearest: Option<&'static str>,
) -> String {
    let parameters = strategy_info(strategy).map_or(&[][..], |recipe| recipe.parameters);
    let names: Vec<&str> = parameters.iter().map(|p| p.name).collect();
    let (key, names) = match nearest {
        Some(nearest) => ("name-no-parameter-nearest", nearest.to_owned()),
        None if names.is_empty() => ("name-no-parameters", String::new()),
        None => ("name-no-parameter", names.join(", ")),
    };
    words.with(
        key,
        [
            ("strategy", strategy.into()),
            ("word", word.to_owned().into()),
            ("names", names.into()),
        ],
    )
}

/// A strategy as people call it: the computer by its level's name, others by their own.
#[must_use]
pub fn strategy_name(words: Messages, spec: &StrategySpec) -> String {
    let Some(level) = spec.level() else {
        return spec.to_string();
    };
    let name = words.text(&format!("level-{level}"));
    let values = [("level", level.to_string().into()), ("name", name.into())];
    words.with("level-name", values)
}

/// What a strategy is like, in one line.
#[must_use]
pub fn about_strategy(words: Messages, spec: &StrategySpec) -> String {
    match spec.level() {
        Some(level) => words.text(&format!("level-{level}-about")),
        None => words.text(&format!("strategy-{}", spec.info().name)),
    }
}

/// What a parameter takes.
#[must_use]
pub fn expected(words: Messages, kind: ParameterKind) -> String {
    let text = |number: u64| number.to_string();
    match kind {
        ParameterKind::Number { min, max: u64::MAX } => {
            words.with("kind-number-from", [("min", text(min).into())])
        }
        ParameterKind::Number { min, max } => words.with(
            "kind-number",
            [("min", text(min).into()), ("max", text(max).into())],
        ),
        ParameterKind::Choice(choices) => {
            words.with("kind-choice", [("words", choices.join(", ").into())])
        }
        ParameterKind::File => words.text("kind-file"),
    }
}

/// What a parameter of a strategy does.
#[must_use]
pub fn parameter(words: Messages, recipe: &StrategyInfo, parameter: &Parameter) -> String {
    own_or_shared(words, "parameter", recipe, parameter).unwrap_or(parameter.summary.into())
}

/// What holds when a parameter is not given. Numbers and words that can be typed
/// are the same in every language.
#[must_use]
pub fn default(words: Messages, recipe: &StrategyInfo, parameter: &Parameter) -> String {
    own_or_shared(words, "default", recipe, parameter).unwrap_or(parameter.default.into())
}

/// The words for this strategy's parameter, or for all parameters of its name.
fn own_or_shared(
    words: Messages,
    what: &str,
    recipe: &StrategyInfo,
    parameter: &Parameter,
) -> Option<String> {
    let own = format!("{what}-{}-{}", recipe.name, parameter.name);
    let shared = format!("{what}-{}", parameter.name);
    [own, shared]
        .iter()
        .find(|key| words.has(key))
        .map(|key| words.text(key))
}

/// Where a table of an automaton is wrong, and why.
#[must_use]
pub fn table(words: Messages, error: &TableError) -> String {
    let key = match error.expected {
        ExpectedField::Flag => "table-flag",
        ExpectedField::Cell => "table-cell",
        ExpectedField::Bar => "table-bar",
        ExpectedField::Input => "table-input",
        ExpectedField::Reply => "table-reply",
        ExpectedField::End => "table-end",
    };
    let found = match error.found {
        Some(found) => found.to_string(),
        None => words.text("table-found-end"),
    };
    let problem = words.with(
        "table-wrong",
        [
            ("expected", words.text(key).into()),
            ("found", found.into()),
        ],
    );
    at_place(words, error.line, error.column, problem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;
    use papan_catalog::STRATEGIES;

    #[test]
    fn every_parameter_has_its_words_in_both_languages() {
        let (en, id) = (
            Messages::new(Language::English),
            Messages::new(Language::Indonesian),
        );
        for recipe in STRATEGIES {
            for given in recipe.parameters {
                let name = format!("{} {}", recipe.name, given.name);
                assert_eq!(parameter(en, recipe, given), given.summary, "{name}");
                assert_ne!(parameter(id, recipe, given), given.summary, "{name}");
                assert_eq!(default(en, recipe, given), given.default, "{name}");
                // A sentence needs a translation; one word or number does not.
                if given.default.contains(' ') {
                    assert_ne!(default(id, recipe, given), given.default, "{name}");
                }
            }
        }
    }

    #[test]
    fn names_are_refused_in_the_readers_language() {
        let words = Messages::new(Language::Indonesian);
        let wrong = |text: &str| match text.parse::<papan_catalog::AnyGame>() {
            Ok(_) => panic!("{text} is a game"),
            Err(error) => game(words, &error),
        };
        assert_eq!(
            wrong("tictacto"),
            "Tidak ada permainan “tictacto”. Maksud Anda tictactoe?"
        );
        assert!(wrong("tictactoe:0x3").contains("tictactoe:0x3"));
        let wrong = |text: &str| match text.parse::<papan_catalog::PlayerSpec>() {
            Ok(_) => panic!("{text} is a player"),
            Err(error) => player(words, &error),
        };
        assert!(wrong("mcts(playouts=0)").contains("angka dari 1 sampai 100000000"));
        assert!(wrong("mcts(playouts").contains(')'));
    }
}
