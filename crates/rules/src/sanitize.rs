//! Sanitizing of untrusted text for terminals (CWE-150: escape sequences).

use std::borrow::Cow;

/// Replacement of a removed character.
const INSTEAD: char = '\u{fffd}';

/// Returns whether a terminal interprets the character instead of showing it: control characters
/// start escape sequences, line separators break tables, and bidirectional controls reorder the
/// text around them.
fn is_obeyed(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

fn shown(character: char) -> char {
    match character {
        '\t' => ' ',
        _ if is_obeyed(character) => INSTEAD,
        _ => character,
    }
}

/// Returns the text on one line without characters that a terminal interprets. Everything papan
/// prints from files, engines and people passes through here or through [`sanitize_lines`].
///
/// ```
/// let name = "Edax\u{1b}[2J\nwins";
/// assert_eq!(papan_rules::sanitize(name), "Edax\u{fffd}[2J\u{fffd}wins");
/// ```
#[must_use]
pub fn sanitize(text: &str) -> Cow<'_, str> {
    if text.contains(is_obeyed) {
        Cow::Owned(text.chars().map(shown).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns the text without characters that a terminal interprets, except line feeds.
#[must_use]
pub fn sanitize_lines(text: &str) -> Cow<'_, str> {
    let kept = |character: char| match character {
        '\n' => '\n',
        other => shown(other),
    };
    if text.contains(|character| character != '\n' && is_obeyed(character)) {
        Cow::Owned(text.chars().map(kept).collect())
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Arbitrary text with a higher share of control characters.
    fn garbage() -> impl Strategy<Value = String> {
        let obeyed = "[\u{0}-\u{1f}\u{7f}-\u{9f}\u{202a}-\u{202e}\u{2066}-\u{2069}]";
        proptest::collection::vec(prop_oneof![any::<String>(), obeyed], 0..8)
            .prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn nothing_that_a_terminal_obeys_is_left(text in garbage()) {
            let line = sanitize(&text);
            // C0, DEL, C1, and Unicode's list of bidirectional and separator controls.
            for character in line.chars() {
                let code = u32::from(character);
                prop_assert!(code >= 0x20 && !(0x7f..=0x9f).contains(&code), "{code:x}");
                let turns = [0x61c, 0x200e, 0x200f].contains(&code)
                    || (0x2028..=0x202e).contains(&code)
                    || (0x2066..=0x2069).contains(&code);
                prop_assert!(!turns, "{code:x}");
            }
            prop_assert_eq!(sanitize(&line), line.clone());
            prop_assert_eq!(line.chars().count(), text.chars().count());
            let lines = sanitize_lines(&text);
            prop_assert_eq!(lines.replace('\n', "\u{fffd}"), line);
            prop_assert_eq!(lines.matches('\n').count(), text.matches('\n').count());
        }

        #[test]
        fn what_can_be_shown_stays_as_it_is(text in "[ -~À-žα-ω一-十•●○∞]*") {
            prop_assert_eq!(&sanitize(&text), &text);
        }
    }
}
