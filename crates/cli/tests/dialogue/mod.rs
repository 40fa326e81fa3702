//! Runs papan with piped input and checks the dialogue.

use std::path::Path;
use std::process::Output;

use crate::shell::{self, text};

/// Runs papan with arguments and input.
pub(crate) fn papan(args: &[&str], input: &str) -> Output {
    shell::run(shell::papan(Path::new("."), args), input.as_bytes())
}

pub(crate) fn stdout(output: &Output) -> String {
    text(&output.stdout).to_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    text(&output.stderr).to_owned()
}

#[track_caller]
pub(crate) fn says(output: &Output, texts: &[&str]) {
    let out = stdout(output);
    let mut rest = out.as_str();
    for text in texts {
        match rest.find(text) {
            Some(at) => rest = &rest[at + text.len()..],
            None => panic!(
                "`{text}` does not come (in this order) in:\n{out}\n{}",
                stderr(output)
            ),
        }
    }
}
