//! Runs papan as from a shell.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Returns papan with arguments, in a directory, in English.
pub(crate) fn papan(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_papan"));
    command.args(words).current_dir(folder);
    for name in ["LANG", "LC_ALL", "LC_MESSAGES"] {
        command.env_remove(name);
    }
    command
}

/// Runs a command with input, of which it may leave some unread.
pub(crate) fn run(mut command: Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("papan starts");
    let _ = child
        .stdin
        .take()
        .expect("standard input is piped")
        .write_all(input);
    child.wait_with_output().expect("papan ends")
}

/// Returns the output as text.
pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("papan writes UTF-8")
}
