//! Titles of games, such as `Tic-tac-toe 7×7, 5 in a row`, and menus of games.

use papan_catalog::{FAMILIES, FamilyEntry};
use papan_view::Messages;

/// Returns the title of a game.
#[must_use]
pub fn game_title(words: Messages, name: &str) -> String {
    let mut parts = name.split(':');
    let family = parts.next().unwrap_or(name);
    let key = format!("web-family-{family}");
    let mut title = if words.has(&key) {
        words.text(&key)
    } else {
        family.to_owned()
    };
    for part in parts.filter(|part| !part.is_empty()) {
        title.push_str(&part_title(words, part));
    }
    title
}

/// Returns a size, a rule or a number in a row as it follows the name of a game.
fn part_title(words: Messages, part: &str) -> String {
    let rule = format!("web-rule-{part}");
    if part.bytes().all(|byte| byte.is_ascii_digit()) {
        words.with("web-in-a-row", [("count", part.to_owned().into())])
    } else if words.has(&rule) {
        format!(" ({})", words.text(&rule))
    } else {
        format!(" {}", part.replace('x', "×"))
    }
}

/// A game in a menu.
pub(crate) struct GameOption {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) chosen: bool,
}

/// Returns the games that a menu suggests, and the chosen one if it is not among them.
pub(crate) fn game_options(words: Messages, chosen: &str) -> Vec<GameOption> {
    let mut names: Vec<&str> = FAMILIES
        .iter()
        .flat_map(|family| family.examples)
        .copied()
        .collect();
    if !chosen.is_empty() && !names.contains(&chosen) {
        names.push(chosen);
    }
    options(words, names.into_iter(), chosen)
}

/// Returns the boards and rules of a family.
pub(crate) fn boards_of(words: Messages, family: &FamilyEntry, chosen: &str) -> Vec<GameOption> {
    let is_rule = |other: &&FamilyEntry| other.listed_with == Some(family.name);
    let rules = FAMILIES.iter().filter(is_rule);
    let names = family
        .examples
        .iter()
        .chain(rules.flat_map(|other| other.examples));
    options(words, names.copied(), chosen)
}

fn options<'a>(
    words: Messages,
    names: impl Iterator<Item = &'a str>,
    chosen: &str,
) -> Vec<GameOption> {
    let option = |name: &str| GameOption {
        title: game_title(words, name),
        chosen: name == chosen,
        name: name.to_owned(),
    };
    names.map(option).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_view::Language;

    #[test]
    fn titles_are_words_and_not_names_of_games() {
        let words = Messages::new(Language::English);
        for (name, title) in [
            ("tictactoe", "Tic-tac-toe"),
            ("tictactoe:3x3x3", "Tic-tac-toe 3×3×3"),
            ("tictactoe:7x7:5", "Tic-tac-toe 7×7, 5 in a row"),
            ("gomoku", "Gomoku"),
            ("gomoku:20x20:caro", "Gomoku 20×20 (caro rule)"),
            ("gomoku:standard", "Gomoku (standard rule)"),
            ("renju", "Renju"),
            ("othello:6x6", "Othello 6×6"),
        ] {
            assert_eq!(game_title(words, name), title);
        }
    }

    #[test]
    fn every_family_is_listed_once_and_rules_with_their_game() {
        let words = Messages::new(Language::English);
        let listed = FAMILIES
            .iter()
            .filter(|family| family.listed_with.is_none());
        let mut names: Vec<String> = listed
            .flat_map(|family| boards_of(words, family, ""))
            .map(|option| option.name)
            .collect();
        let mut all: Vec<&str> = FAMILIES
            .iter()
            .flat_map(|family| family.examples)
            .copied()
            .collect();
        names.sort();
        all.sort_unstable();
        assert_eq!(names, all);
    }
}
