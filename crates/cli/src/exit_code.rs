//! Exit codes shared by all commands; `papan --help` and the man page list them.

use std::process::ExitCode;

/// The question has a negative answer: the strategy can lose, the certificate is invalid, no game
/// matches.
pub(crate) const NEGATIVE: u8 = 1;
/// Invalid arguments or input, or an I/O error.
pub(crate) const ERROR: u8 = 2;
/// The limits of time, memory or games were reached before there was an answer.
pub(crate) const UNDECIDED: u8 = 3;
/// Ended by Ctrl-C: 128 + `SIGINT`, as shells report it.
pub(crate) const INTERRUPTED: u8 = 130;
/// The reader of standard output went away: 128 + `SIGPIPE`, as shells report it.
pub(crate) const BROKEN_PIPE: u8 = 141;

/// Each code and its meaning, for the help text and the man page.
pub(crate) const MEANINGS: [(u8, &str); 5] = [
    (0, "success"),
    (
        NEGATIVE,
        "negative answer: the strategy can lose, the certificate is invalid, nothing matches",
    ),
    (
        ERROR,
        "error, such as invalid arguments or an unreadable file",
    ),
    (
        UNDECIDED,
        "not decided within the given limits (solve, prove, count, arena --sprt)",
    ),
    (INTERRUPTED, "interrupted by Ctrl-C"),
];

/// [`NEGATIVE`] if the answer is no, else success.
pub(crate) fn for_answer(yes: bool) -> ExitCode {
    if yes {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(NEGATIVE)
    }
}

/// [`INTERRUPTED`] if Ctrl-C ended the work early, else success.
pub(crate) fn for_interrupt(interrupted: bool) -> ExitCode {
    if interrupted {
        ExitCode::from(INTERRUPTED)
    } else {
        ExitCode::SUCCESS
    }
}
