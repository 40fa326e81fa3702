//! What players are called.

use papan_view::Messages;

/// The longest name, in characters.
pub(crate) const LONGEST: usize = 20;

/// A name as it may be used: short and plain, without what could be taken for
/// something else. An empty one is no name.
pub(crate) fn checked(text: &str) -> Option<String> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain = |letter: char| letter.is_alphanumeric() || " -_.'’".contains(letter);
    (name.chars().count() <= LONGEST && name.chars().all(plain)).then_some(name)
}

/// A player in a list: a person by their name, a strategy by its own.
pub(crate) fn player_name(words: Messages, player: &str, name: Option<&str>) -> String {
    match (player, name) {
        ("human", Some(name)) => name.to_owned(),
        ("human", None) => words.text("web-somebody"),
        (strategy, _) => strategy.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_and_plain() {
        assert_eq!(checked("  Ann   Lee "), Some("Ann Lee".into()));
        assert_eq!(checked("Ünal-2"), Some("Ünal-2".into()));
        assert_eq!(checked(""), Some(String::new()));
        for wrong in ["<b>", "a#b", "a\u{202e}b", "012345678901234567890"] {
            assert_eq!(checked(wrong), None, "{wrong}");
        }
    }
}
