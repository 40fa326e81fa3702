//! File formats and their detection by content.

use std::fmt;
use std::str::FromStr;

use crate::wthor;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// papan's own records, one or several after another.
    Record,
    /// One list of moves per line: `f5d6c3…`.
    Transcript,
    /// OBF: Othello positions with the scores of their moves.
    Obf,
    /// GGF: the Generic Game Format of Othello servers.
    Ggf,
    /// SGF: the Smart Game Format, for Othello (`GM[2]`) and Gomoku (`GM[4]`).
    Sgf,
    /// Piskvork's game files.
    Psq,
    /// WTHOR: the database of Othello tournaments.
    Wthor,
    /// Positions as papan writes them, one per line.
    Position,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 8] = [
        Self::Record,
        Self::Transcript,
        Self::Obf,
        Self::Ggf,
        Self::Sgf,
        Self::Psq,
        Self::Wthor,
        Self::Position,
    ];

    /// Returns the name, which is also the usual extension.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Transcript => "txt",
            Self::Obf => "obf",
            Self::Ggf => "ggf",
            Self::Sgf => "sgf",
            Self::Psq => "psq",
            Self::Wthor => "wtb",
            Self::Position => "pos",
        }
    }

    /// Detects the format of a file; `None` if it is neither text nor a database.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        if wthor::is_database(bytes) {
            return Some(Self::Wthor);
        }
        let text = std::str::from_utf8(bytes).ok()?;
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with("papan ") {
            return Some(Self::Record);
        }
        if text.starts_with("Piskvorky") {
            return Some(Self::Psq);
        }
        // Servers write the number of games before a synchro pair.
        let tree = text.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace());
        if tree.starts_with("(;")
            || (tree.starts_with('(') && tree[1..].trim_start().starts_with(';'))
        {
            let othello_server = tree.contains("GM[Othello]") || tree.contains("GM[othello]");
            return Some(if othello_server { Self::Ggf } else { Self::Sgf });
        }
        let first = lines(text).next().map_or("", |(_, line)| line);
        Some(match squares(first) {
            64.. if first.contains(';') => Self::Obf,
            0..=3 => Self::Transcript,
            _ => Self::Position,
        })
    }
}

/// Returns the number of board squares at the start of a line.
fn squares(line: &str) -> usize {
    let is_square = |c: &char| matches!(c, 'X' | 'x' | 'O' | 'o' | '*' | '0' | '-' | '.');
    let between = |c: &char| matches!(c, '/' | ' ');
    line.chars()
        .filter(|c| !between(c))
        .take_while(is_square)
        .count()
}

/// Returns the lines that are not blank, with their numbers counted from 1.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate();
    let numbered = numbered.map(|(at, line)| (at + 1, line.trim_end()));
    numbered.filter(|(_, line)| {
        let line = line.trim_start();
        !line.is_empty() && !line.starts_with(['#', '%'])
    })
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown name of a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no kind of file; write record, txt, obf, ggf, sgf, psq or pos")]
pub struct NoFormat(pub String);

impl FromStr for Format {
    type Err = NoFormat;

    fn from_str(name: &str) -> Result<Self, NoFormat> {
        let known = Self::ALL
            .into_iter()
            .find(|f| f.name().eq_ignore_ascii_case(name));
        known.ok_or_else(|| NoFormat(name.to_owned()))
    }
}
