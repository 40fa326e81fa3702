//! Display names of players.

use papan_view::Messages;

/// Maximum length of a name in characters.
pub(crate) const MAX_CHARS: usize = 20;

/// Normalizes a name, or returns `None` if it may not be used: letters, digits and a few
/// marks only, so that it cannot imitate a tag or markup. The empty name means no name.
pub(crate) fn normalize(text: &str) -> Option<String> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let allowed = |letter: char| letter.is_alphanumeric() || " -_.'’".contains(letter);
    (name.chars().count() <= MAX_CHARS && name.chars().all(allowed)).then_some(name)
}

/// Returns the display name of a player in a list: a person's name or a strategy's.
pub(crate) fn player_name(words: Messages, player: &str, name: Option<&str>) -> String {
    match (player, name) {
        ("human", Some(name)) => name.to_owned(),
        ("human", None) => words.text("web-guest"),
        (strategy, _) => strategy.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_and_has_plain_characters() {
        assert_eq!(normalize("  Ann   Lee "), Some("Ann Lee".into()));
        assert_eq!(normalize("Ünal-2"), Some("Ünal-2".into()));
        assert_eq!(normalize(""), Some(String::new()));
        for wrong in ["<b>", "a#b", "a\u{202e}b", "012345678901234567890"] {
            assert_eq!(normalize(wrong), None, "{wrong}");
        }
    }
}
