//! Runs `papan arena` without input.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::shell;

pub(crate) fn papan(arguments: &[&str]) -> Command {
    let mut command = shell::papan(Path::new("."), arguments);
    command.stdin(Stdio::null());
    command
}

pub(crate) fn output(arguments: &[&str]) -> Output {
    shell::run(papan(arguments), b"")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    shell::text(bytes).to_owned()
}
