//! The languages of the user interface, and their selection by locale.

use std::str::FromStr;

/// A supported language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Bahasa Indonesia.
    Indonesian,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::English, Self::Indonesian];

    /// Returns its ISO 639-1 code, `en` or `id`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Indonesian => "id",
        }
    }

    /// Returns the language of a locale such as `id_ID.UTF-8`, if it is supported.
    #[must_use]
    pub fn of_locale(locale: &str) -> Option<Self> {
        let code = locale.split(['_', '-', '.', '@']).next()?;
        Self::ALL
            .into_iter()
            .find(|language| language.code().eq_ignore_ascii_case(code))
            // `in` is the old code of Indonesian.
            .or_else(|| code.eq_ignore_ascii_case("in").then_some(Self::Indonesian))
    }

    /// Returns the language of the environment (`LC_ALL`, `LC_MESSAGES`, `LANG`), or English.
    #[must_use]
    pub fn of_environment() -> Self {
        ["LC_ALL", "LC_MESSAGES", "LANG"]
            .iter()
            .filter_map(|name| std::env::var(name).ok())
            .find(|locale| !locale.is_empty())
            .and_then(|locale| Self::of_locale(&locale))
            .unwrap_or_default()
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::of_locale(text).ok_or_else(|| format!("`{text}` is not a language; write en or id"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_chooses_its_language() {
        assert_eq!(
            Language::of_locale("id_ID.UTF-8"),
            Some(Language::Indonesian)
        );
        assert_eq!(Language::of_locale("en-GB"), Some(Language::English));
        assert_eq!(Language::of_locale("C.UTF-8"), None);
    }
}
