//! papan as a person at a shell runs it: its words, what is typed, what comes back.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// papan with these words, in a folder, in English.
pub(crate) fn papan(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_papan"));
    command.args(words).current_dir(folder);
    for name in ["LANG", "LC_ALL", "LC_MESSAGES"] {
        command.env_remove(name);
    }
    command
}

/// Runs it to its end with this input, not all of which it may read.
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

/// What was written, as text.
pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("papan writes UTF-8")
}
