//! What can be wrong with a program in another process.

use std::io;
use std::path::PathBuf;

use super::LONGEST_LINE;

/// Why a program in another process gave no line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProcessError {
    /// It has ended.
    #[error("it ended{}{}",
        status.as_ref().map(|s| format!(" ({s})")).unwrap_or_default(),
        last_words.as_ref().map(|s| format!(", saying `{s}`")).unwrap_or_default())]
    Ended {
        /// How, if it is known.
        status: Option<String>,
        /// The last line of its standard error, if there was any.
        last_words: Option<String>,
    },
    /// It said nothing until the deadline.
    #[error("no answer")]
    Silent,
    /// It does not read what it is sent.
    #[error("it does not read its input")]
    Deaf,
    /// Its line does not end.
    #[error("a line of more than {LONGEST_LINE} bytes")]
    LongLine,
}

/// A program that could not be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// There is nothing to start.
    #[error("there is no command to start")]
    Empty,
    /// A quotation mark has no partner.
    #[error("`{0}` has a quotation mark without a partner")]
    Quote(String),
    /// Its conversation cannot be written down.
    #[error("{}: {}", folder.display(), io::Error::from(*cause))]
    Log {
        /// Where it should be.
        folder: PathBuf,
        /// What the system said.
        cause: io::ErrorKind,
    },
    /// The system refused.
    #[error("`{program}` does not start: {}", io::Error::from(*cause))]
    Refused {
        /// The program.
        program: String,
        /// What the system said.
        cause: io::ErrorKind,
    },
}
