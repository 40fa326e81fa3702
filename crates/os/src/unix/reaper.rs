//! Reaper: kills engine processes when papan dies, even by `SIGKILL`.
//!
//! An engine whose controller dies sees the end of its input, but a hung or busy one does
//! not notice. `PR_SET_PDEATHSIG` would cover the engine alone and on Linux only. So a
//! helper process, a `/bin/sh` script, holds the read end of a pipe: papan sends it the
//! process group of every engine, and when the pipe closes it kills the groups that are
//! left, and stray descendants of engines ([`super::stray`]).

use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use super::stray;

/// Adds process groups on `+ GROUP`, removes them on `- GROUP`, and at the end of its input
/// kills the rest and all processes whose variable `$1` begins with `$2`.
const SCRIPT: &str = r#"
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) case $groups in
         *" $group "*) groups="${groups%% $group *} ${groups#* $group }" ;;
       esac ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done
for file in $(grep -ls "$1=$2" /proc/[0-9]*/environ); do
  process=${file#/proc/}
  kill -s KILL "${process%/environ}"
done
"#;

static REAPER: Mutex<Option<Child>> = Mutex::new(None);

/// Registers a process group that is to be killed when papan ends.
pub(super) fn watch(group: u32) {
    send('+', group);
}

/// Removes a process group that has ended.
pub(super) fn release(group: u32) {
    send('-', group);
}

fn send(sign: char, group: u32) {
    let mut reaper = REAPER.lock().unwrap_or_else(PoisonError::into_inner);
    if reaper.is_none() {
        *reaper = start();
    }
    // Best effort: without `/bin/sh` most engines still exit at the end of their input.
    if let Some(input) = reaper.as_mut().and_then(|child| child.stdin.as_mut()) {
        let _ = writeln!(input, "{sign} {group}");
    }
}

fn start() -> Option<Child> {
    Command::new("/bin/sh")
        .args(["-c", SCRIPT, "reaper", stray::VARIABLE, &stray::RUN])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // Keeps it out of reach of signals from the terminal.
        .process_group(0)
        .spawn()
        .ok()
}
