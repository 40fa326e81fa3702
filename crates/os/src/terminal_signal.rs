//! Signals of a terminal.

/// An event that the terminal or the system sends to a full-screen program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerminalSignal {
    /// The user suspends the program (SIGTSTP).
    Suspend,
    /// The program continues after it was suspended (SIGCONT).
    Resume,
    /// The window has another size (SIGWINCH).
    Resize,
    /// The program should end, by this signal: see [`raise`](crate::raise).
    Terminate(i32),
}
