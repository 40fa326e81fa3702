//! Messages about the names of games, players and parameters, and about automaton tables.

use papan_catalog::{
    GameError, Parameter, ParameterKind, PlayerError, PlayerProblem, StrategyInfo, StrategySpec,
    strategy_info,
};
use papan_rules::GridError;
use papan_strategies::{ExpectedField, TableError};

use super::boards::at_place;
use crate::Messages;

/// Formats a message, or its variant with a suggestion.
fn nearest(messages: Messages, key: &str, word: &str, nearest: Option<&'static str>) -> String {
    let word = ("word", word.to_owned().into());
    match nearest {
        None => messages.with(key, [word]),
        Some(nearest) => messages.with(
            &format!("{key}-nearest"),
            [word, ("nearest", nearest.into())],
        ),
    }
}

/// Returns why a text does not name a game.
#[must_use]
pub fn game(messages: Messages, error: &GameError) -> String {
    let (name, reason) = match error {
        GameError::UnknownFamily {
            word,
            suggestion: near,
        } => return nearest(messages, "name-no-game", word, *near),
        GameError::Grid { name, cause } => (name, grid(messages, cause)),
        GameError::Size { name, size, .. } => {
            let family = name.split(':').next().unwrap_or_default();
            let expected = messages.text(&format!("web-sizes-{}", family.to_ascii_lowercase()));
            let values = [("size", size.clone().into()), ("expected", expected.into())];
            (name, messages.with("name-size", values))
        }
        GameError::Othello { name, cause } => (
            name,
            messages.with("name-othello-size", [("size", cause.0.clone().into())]),
        ),
    };
    messages.with(
        "name-in",
        [("name", name.clone().into()), ("reason", reason.into())],
    )
}

fn grid(messages: Messages, error: &GridError) -> String {
    let with =
        |key: &str, name: &'static str, value: String| messages.with(key, [(name, value.into())]);
    match error {
        GridError::NotANumber(text) => with("grid-not-a-number", "text", text.clone()),
        GridError::TooManyParts(text) => with("grid-too-many-parts", "text", text.clone()),
        GridError::Dimensions(number) => with("grid-dimensions", "number", number.to_string()),
        GridError::EmptySide => messages.text("grid-empty-side"),
        GridError::OneCell => messages.text("grid-one-cell"),
        GridError::LargeSquare { number, suggestion } => {
            let suggestion = suggestion.as_ref().map_or_else(String::new, |board| {
                format!(" {}", with("grid-meant", "board", board.clone()))
            });
            with("grid-large-square", "number", number.to_string()) + &suggestion
        }
        GridError::TooLarge(cells) => with("grid-too-large", "cells", cells.clone()),
        GridError::Width { cells, .. } => with("grid-too-large", "cells", cells.to_string()),
        GridError::Length { length, longest } => messages.with(
            "grid-length",
            [
                ("length", length.to_string().into()),
                ("longest", longest.to_string().into()),
            ],
        ),
    }
}

/// Returns why a text does not name a player.
#[must_use]
pub fn player(messages: Messages, error: &PlayerError) -> String {
    let problem = match &error.problem {
        PlayerProblem::UnknownStrategy {
            word,
            suggestion: near,
        } => return nearest(messages, "name-no-strategy", word, *near),
        PlayerProblem::NotAStrategy => return messages.text("name-not-a-strategy"),
        PlayerProblem::UnknownParameter {
            strategy,
            word,
            suggestion: near,
        } => unknown_parameter(messages, strategy, word, *near),
        PlayerProblem::BadValue {
            parameter,
            value,
            kind,
        } => messages.with(
            "name-bad-value",
            [
                ("parameter", (*parameter).into()),
                ("value", value.clone().into()),
                ("expected", expected(messages, *kind).into()),
            ],
        ),
        PlayerProblem::Twice(name) => messages.with("name-twice", [("parameter", (*name).into())]),
        PlayerProblem::Unclosed => messages.text("name-unclosed"),
        PlayerProblem::NoValue => messages.text("name-no-value"),
    };
    messages.with(
        "name-in",
        [
            ("name", error.text.clone().into()),
            ("reason", problem.into()),
        ],
    )
}

fn unknown_parameter(
    messages: Messages,
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
    messages.with(
        key,
        [
            ("strategy", strategy.into()),
            ("word", word.to_owned().into()),
            ("names", names.into()),
        ],
    )
}

/// Returns the displayed name of a strategy: the name of its level for the computer, else its own.
#[must_use]
pub fn strategy_name(messages: Messages, spec: &StrategySpec) -> String {
    if let Some(guest) = spec.as_guest() {
        return guest.title();
    }
    let Some(level) = spec.level() else {
        return spec.to_string();
    };
    let name = messages.text(&format!("level-{level}"));
    let values = [("level", level.to_string().into()), ("name", name.into())];
    messages.with("level-name", values)
}

/// Describes a strategy in one line.
#[must_use]
pub fn about_strategy(messages: Messages, spec: &StrategySpec) -> String {
    match spec.level() {
        Some(level) => messages.text(&format!("level-{level}-about")),
        None => messages.text(&format!("strategy-{}", spec.info().name)),
    }
}

/// Describes the values of a parameter.
#[must_use]
pub fn expected(messages: Messages, kind: ParameterKind) -> String {
    let text = |number: u64| number.to_string();
    match kind {
        ParameterKind::Number { min, max: u64::MAX } => {
            messages.with("kind-number-from", [("min", text(min).into())])
        }
        ParameterKind::Number { min, max } => messages.with(
            "kind-number",
            [("min", text(min).into()), ("max", text(max).into())],
        ),
        ParameterKind::Choice(choices) => {
            messages.with("kind-choice", [("words", choices.join(", ").into())])
        }
        ParameterKind::File => messages.text("kind-file"),
    }
}

/// Describes a parameter of a strategy.
#[must_use]
pub fn parameter(messages: Messages, recipe: &StrategyInfo, parameter: &Parameter) -> String {
    own_or_shared(messages, "parameter", recipe, parameter).unwrap_or(parameter.summary.into())
}

/// Describes the default of a parameter. Numbers and keywords are the same in every language.
#[must_use]
pub fn default(messages: Messages, recipe: &StrategyInfo, parameter: &Parameter) -> String {
    own_or_shared(messages, "default", recipe, parameter).unwrap_or(parameter.default.into())
}

/// Returns the message for this strategy's parameter, or for all parameters of that name.
fn own_or_shared(
    messages: Messages,
    what: &str,
    recipe: &StrategyInfo,
    parameter: &Parameter,
) -> Option<String> {
    let own = format!("{what}-{}-{}", recipe.name, parameter.name);
    let shared = format!("{what}-{}", parameter.name);
    [own, shared]
        .iter()
        .find(|key| messages.has(key))
        .map(|key| messages.text(key))
}

/// Returns where an automaton table is wrong, and why.
#[must_use]
pub fn table(messages: Messages, error: &TableError) -> String {
    let key = match error.expected {
        ExpectedField::Flag => "table-flag",
        ExpectedField::Cell => "table-cell",
        ExpectedField::Bar => "table-bar",
        ExpectedField::Input => "table-input",
        ExpectedField::Reply => "table-reply",
        ExpectedField::Row => "table-row",
        ExpectedField::End => "table-end",
    };
    let found = match error.found {
        Some(found) => found.to_string(),
        None => messages.text("table-found-end"),
    };
    let problem = messages.with(
        "table-wrong",
        [
            ("expected", messages.text(key).into()),
            ("found", found.into()),
        ],
    );
    at_place(messages, error.line, error.column, problem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;
    use papan_catalog::STRATEGIES;

    #[test]
    fn every_parameter_has_its_messages_in_both_languages() {
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
    fn wrong_names_are_reported_in_the_selected_language() {
        let messages = Messages::new(Language::Indonesian);
        let wrong = |text: &str| match text.parse::<papan_catalog::AnyGame>() {
            Ok(_) => panic!("{text} is a game"),
            Err(error) => game(messages, &error),
        };
        assert_eq!(
            wrong("tictacto"),
            "Tidak ada permainan “tictacto”. Maksud Anda tictactoe?"
        );
        assert!(wrong("tictactoe:0x3").contains("tictactoe:0x3"));
        let wrong = |text: &str| match text.parse::<papan_catalog::PlayerSpec>() {
            Ok(_) => panic!("{text} is a player"),
            Err(error) => player(messages, &error),
        };
        assert!(wrong("mcts(playouts=0)").contains("angka dari 1 sampai 100000000"));
        assert!(wrong("mcts(playouts").contains(')'));
    }
}
