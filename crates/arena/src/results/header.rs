//! Header of a results file.
//!
//! ```text
//! papan results 1
//! game: tictactoe
//! players: random, greedy
//!
//! ```
//!
//! Kind and version, one line per property of the tournament, then an empty line. Two tournaments
//! are the same if all their properties are.

use std::fmt;

const KIND: &str = "papan results";
const VERSION: &str = "1";

/// Properties of a tournament, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    fields: Vec<(String, String)>,
}

/// An error in a header.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// It is something else.
    #[error("not a results file; one begins with `{KIND} {VERSION}`, this with `{0}`")]
    OtherKind(String),
    /// It is too new, or of a version that never was.
    #[error("results of version {0}; this papan reads version {VERSION}")]
    OtherVersion(String),
    /// A property is not written as one.
    #[error("line {0} of the header is not `key: value`")]
    Syntax(usize),
    /// An engine has changed.
    #[error(
        "the program of player {player} has changed since these games were played; --changed-engines goes on with it anyway"
    )]
    ChangedEngine {
        /// The player's number.
        player: String,
    },
    /// The results are those of something else.
    #[error("results of another tournament: there, {key} is `{there}`; here, `{here}`")]
    Other {
        /// The first property that differs.
        key: String,
        /// Its value in the file.
        there: String,
        /// Its value in this tournament.
        here: String,
    },
}

/// How a property begins that names the program of an engine.
const PROGRAM: &str = "program of player ";
/// Prefix of the property with the name that an engine reports.
const NAME: &str = "name of player ";

impl Header {
    /// Adds the digest of an engine's program.
    #[must_use]
    pub fn with_program(self, player: usize, program: impl fmt::Display) -> Self {
        self.with(&format!("{PROGRAM}{player}"), program)
    }

    /// Adds the name that an engine reports.
    #[must_use]
    pub fn with_name(self, player: usize, name: impl fmt::Display) -> Self {
        self.with(&format!("{NAME}{player}"), name)
    }

    /// The header without some of its properties.
    #[must_use]
    pub fn without(mut self, key: &str) -> Self {
        self.fields.retain(|(k, _)| k != key);
        self
    }

    /// Adds a property. Line breaks in it become spaces.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl fmt::Display) -> Self {
        let value = value.to_string().replace(['\n', '\r'], " ");
        self.fields.push((key.into(), value.trim().into()));
        self
    }

    /// All properties, in order.
    #[must_use]
    pub fn fields(&self) -> &[(String, String)] {
        &self.fields
    }

    /// The value of a property.
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&str> {
        let field = self.fields.iter().find(|(k, _)| k == key);
        field.map(|(_, value)| value.as_str())
    }

    /// Returns a fingerprint: equal for equal headers, on every machine.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        papan_rules::fnv::fnv1a(self.to_string().as_bytes())
    }

    /// Reads the text before the empty line.
    ///
    /// # Errors
    /// When it is the beginning of something else.
    pub fn parse(text: &str) -> Result<Self, HeaderError> {
        let mut lines = text.lines();
        let first = lines.next().unwrap_or("");
        match first.strip_prefix(KIND).map(str::trim) {
            Some(VERSION) => {}
            Some(version) if version.bytes().all(|b| b.is_ascii_digit()) && !version.is_empty() => {
                return Err(HeaderError::OtherVersion(version.into()));
            }
            _ => return Err(HeaderError::OtherKind(first.chars().take(40).collect())),
        }
        let mut header = Self::default();
        for (index, line) in lines.enumerate() {
            let (key, value) = line.split_once(':').ok_or(HeaderError::Syntax(index + 2))?;
            let value = value.trim();
            header = match key {
                "game" => header.with(key, papan_rules::stored_game_name(value)),
                _ => header.with(key, value),
            };
        }
        Ok(header)
    }

    /// Checks that this header, found in a file, belongs to the tournament `wanted`. The number of
    /// games may grow; an engine's program and name must be the same unless `may_change`.
    ///
    /// # Errors
    /// With the first property that differs.
    pub fn check(&self, wanted: &Self, may_change: bool) -> Result<(), HeaderError> {
        let missing = String::from("(nothing)");
        let keys = wanted.fields.iter().chain(&self.fields);
        let may_grow = matches!(wanted.field("format"), Some("round-robin" | "gauntlet"));
        for key in keys.map(|(key, _)| key) {
            let (there, here) = (self.field(key), wanted.field(key));
            let name = key.strip_prefix(NAME);
            let engine = key.strip_prefix(PROGRAM).or(name);
            // Older files have no digests, and an engine that does not start has no name.
            let is_unknown = there.is_none() || (name.is_some() && here.is_none());
            if (key == "games" && may_grow) || (engine.is_some() && (may_change || is_unknown)) {
                continue;
            }
            if let Some(player) = engine.filter(|_| there != here) {
                return Err(HeaderError::ChangedEngine {
                    player: player.into(),
                });
            }
            if there != here {
                return Err(HeaderError::Other {
                    key: key.clone(),
                    there: there.map_or(missing.clone(), Into::into),
                    here: here.map_or(missing, Into::into),
                });
            }
        }
        Ok(())
    }
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{KIND} {VERSION}")?;
        for (key, value) in &self.fields {
            writeln!(f, "{key}: {value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_as_it_was_written() {
        let header = Header::default()
            .with("game", "tictactoe:4x4")
            .with("players", "a\nb: c");
        let read = Header::parse(&header.to_string()).unwrap();
        assert_eq!(read, header);
        assert_eq!(read.fingerprint(), header.fingerprint());
        assert_eq!(read.field("players"), Some("a b: c"));
    }

    #[test]
    fn the_first_difference_is_named() {
        let there = Header::default().with("game", "othello").with("seed", 1);
        let here = Header::default().with("game", "othello").with("seed", 2);
        assert_ne!(there.fingerprint(), here.fingerprint());
        assert_eq!(
            there.check(&here, false).unwrap_err().to_string(),
            "results of another tournament: there, seed is `1`; here, `2`"
        );
        let more = here.clone().with("depth", 3);
        assert!(more.check(&here, false).is_err() && here.check(&more, false).is_err());
        assert_eq!(here.check(&here, false), Ok(()));
    }

    #[test]
    fn more_games_may_follow_but_another_program_may_not() {
        let plan = |games: u32, format: &str| {
            let header = Header::default().with("format", format);
            header.with("games", games)
        };
        let longer = plan(20, "gauntlet");
        assert_eq!(plan(10, "gauntlet").check(&longer, false), Ok(()));
        assert!(plan(10, "swiss").check(&plan(20, "swiss"), false).is_err());
        let old = longer.clone().with_program(2, "abc");
        let new = longer.clone().with_program(2, "def");
        let error = old.check(&new, false).unwrap_err();
        assert!(
            error.to_string().contains("player 2 has changed"),
            "{error}"
        );
        assert_eq!(old.check(&new, true), Ok(()));
        let named = |name: &str| old.clone().with_name(2, name);
        assert!(
            named("Rapfi 0.42")
                .check(&named("Rapfi 0.43"), false)
                .is_err()
        );
        assert_eq!(
            named("Rapfi 0.42").check(&named("Rapfi 0.43"), true),
            Ok(())
        );
        assert_eq!(old.check(&named("Rapfi 0.43"), false), Ok(()));
        assert_eq!(
            named("Rapfi 0.43").check(&old, false),
            Ok(()),
            "it did not start"
        );
        assert_eq!(
            longer.check(&new, false),
            Ok(()),
            "written before there were any"
        );
    }

    #[test]
    fn another_kind_and_another_version_get_a_sentence_of_their_own() {
        let error = |text| Header::parse(text).unwrap_err();
        assert_eq!(
            error("papan results 2"),
            HeaderError::OtherVersion("2".into())
        );
        assert_eq!(
            error("papan record 1"),
            HeaderError::OtherKind("papan record 1".into())
        );
        assert_eq!(error("papan results 1\nno"), HeaderError::Syntax(2));
    }
}
