//! Errors of an engine process.

use std::io;
use std::path::PathBuf;

use super::MAX_LINE;

/// Why no line could be read from or written to a process.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProcessError {
    /// The process has exited.
    #[error("process exited{}{}",
        status.as_ref().map(|s| format!(" ({s})")).unwrap_or_default(),
        stderr.as_ref().map(|s| format!(", last error output `{s}`")).unwrap_or_default())]
    Exited {
        /// The exit status, where known.
        status: Option<String>,
        /// The last line of its standard error.
        stderr: Option<String>,
    },
    /// No line before the deadline.
    #[error("no answer")]
    Timeout,
    /// Its input pipe stayed full until the deadline.
    #[error("process does not read its input")]
    InputBlocked,
    /// The wait was stopped ([`stop_waiting_by`](super::stop_waiting_by)).
    #[error("stopped before it answered")]
    Stopped,
    /// A line exceeds the maximum length.
    #[error("line longer than {MAX_LINE} bytes")]
    LineTooLong,
}

/// Why a program could not be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The command is empty.
    #[error("empty command")]
    Empty,
    /// A quotation mark is not closed.
    #[error("unclosed quotation mark in `{0}`")]
    Quote(String),
    /// The log cannot be created.
    #[error("{}: {}", folder.display(), io::Error::from(*cause))]
    Log {
        /// The log directory.
        folder: PathBuf,
        /// The error of the operating system.
        cause: io::ErrorKind,
    },
    /// The operating system could not start the program.
    #[error("cannot start `{program}`: {}", io::Error::from(*cause))]
    Refused {
        /// The program.
        program: String,
        /// The error of the operating system.
        cause: io::ErrorKind,
    },
}
