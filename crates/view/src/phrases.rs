//! Translations by phrase, as in GNU gettext: the English text is the key.
//!
//! Sentences of the user interface are Fluent messages ([`Messages::text`]). Texts that are written
//! elsewhere in English (help texts, errors of the argument parser, labels of reports) are looked up in
//! `locales/phrases.id.txt`: pairs of lines, English and Indonesian, separated by blank lines. `{}`
//! is a placeholder for a variable part, which is translated in turn.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::{Language, Messages};

#[cfg(feature = "programs")]
const INDONESIAN: &str = include_str!("../locales/phrases.id.txt");
#[cfg(not(feature = "programs"))]
const INDONESIAN: &str = "";
const VARIABLE: &str = "{}";
/// Depth of phrases inside phrases, so that no text is looked up without end.
const MAX_DEPTH: u32 = 4;

struct Phrases {
    whole: HashMap<&'static str, &'static str>,
    /// English and Indonesian with variable parts, in the order of the file.
    patterns: Vec<Pattern>,
}

struct Pattern {
    english: Vec<&'static str>,
    indonesian: &'static str,
}

/// Returns the pairs of the file.
fn pairs(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let blocks = text.split("\n\n").map(|block| block.trim_matches('\n'));
    blocks.filter_map(|block| block.split_once('\n'))
}

fn phrases() -> &'static Phrases {
    static PHRASES: OnceLock<Phrases> = OnceLock::new();
    PHRASES.get_or_init(|| {
        let is_pattern = |pair: &(&str, &str)| pair.0.contains(VARIABLE);
        let (patterns, whole): (Vec<_>, Vec<_>) = pairs(INDONESIAN).partition(is_pattern);
        Phrases {
            whole: whole.into_iter().collect(),
            patterns: patterns
                .into_iter()
                .map(|(english, indonesian)| Pattern {
                    english: english.split(VARIABLE).collect(),
                    indonesian,
                })
                .collect(),
        }
    })
}

impl Pattern {
    /// Returns the variable parts of a text, if it has this form.
    fn parts<'a>(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let (first, others) = self.english.split_first()?;
        let (last, middle) = others.split_last()?;
        let mut rest = text.strip_prefix(first)?.strip_suffix(last)?;
        let mut parts = Vec::new();
        for piece in middle {
            let (part, after) = rest.split_once(piece)?;
            parts.push(part);
            rest = after;
        }
        parts.push(rest);
        Some(parts)
    }
}

fn translate(text: &str, depth: u32) -> Option<String> {
    if let Some(whole) = phrases().whole.get(text) {
        return Some((*whole).to_owned());
    }
    if depth == MAX_DEPTH {
        return None;
    }
    phrases().patterns.iter().find_map(|pattern| {
        let mut translated = String::new();
        let mut pieces = pattern.indonesian.split(VARIABLE);
        translated.push_str(pieces.next()?);
        for (part, piece) in pattern.parts(text)?.into_iter().zip(pieces) {
            translated += &translate(part, depth + 1).unwrap_or_else(|| part.to_owned());
            translated.push_str(piece);
        }
        Some(translated)
    })
}

impl Messages {
    /// Translates each line of an English text. A line that is not in the file stays as it is.
    #[must_use]
    pub fn phrase(self, english: &str) -> String {
        if self.language() == Language::English {
            return english.to_owned();
        }
        let line = |line: &str| {
            let text = line.trim_start();
            let indent = &line[..line.len() - text.len()];
            let translated = translate(text, 0).unwrap_or_else(|| text.to_owned());
            format!("{indent}{translated}")
        };
        english.split('\n').map(line).collect::<Vec<_>>().join("\n")
    }

    /// Whether each line of an English text can be translated, or needs no translation.
    #[must_use]
    pub fn has_phrase(self, english: &str) -> bool {
        let is_known = |line: &str| line.trim().is_empty() || translate(line.trim(), 0).is_some();
        self.language() == Language::English || english.split('\n').all(is_known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_pair_is_a_translation_and_none_is_repeated() {
        let mut seen = HashSet::new();
        for (english, indonesian) in pairs(INDONESIAN) {
            assert!(seen.insert(english), "{english} stands twice");
            assert!(!indonesian.contains('\n'), "{english}: more than two lines");
            let variables = |text: &str| text.matches(VARIABLE).count();
            assert_eq!(variables(english), variables(indonesian), "{english}");
            let letters = english.chars().filter(|c| c.is_alphabetic()).count();
            let is_specific = letters >= 2 || !english.contains(VARIABLE);
            assert!(is_specific, "{english} would match anything");
        }
        assert!(seen.len() > 100);
    }

    #[test]
    fn variable_parts_are_kept_or_translated() {
        let id = Messages::new(Language::Indonesian);
        assert_eq!(
            id.phrase("error: unexpected argument '--x' found"),
            "galat: argumen '--x' tidak dikenal"
        );
        assert_eq!(id.phrase("  Print JSON"), "  Cetak JSON");
        assert_eq!(id.phrase("not a known phrase"), "not a known phrase");
        let en = Messages::new(Language::English);
        assert_eq!(en.phrase("Print JSON"), "Print JSON");
    }
}
