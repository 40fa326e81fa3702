//! Whatever ends papan, its engines end too.
//!
//! An engine that is left alone sees the end of its input, but one that is hung or
//! thinks for ever does not look. So a small process of its own holds the other end
//! of a pipe: it is told of every engine, and when the pipe closes, because papan
//! has ended in whatever way, it kills those that are left.

use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

/// Remembers process groups by `+ GROUP` and `- GROUP` and kills them in the end.
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
"#;

static GUARDIAN: Mutex<Option<Child>> = Mutex::new(None);

/// Has a process group end when papan does.
pub(crate) fn watch(group: u32) {
    tell('+', group);
}

/// A process group has ended.
pub(crate) fn release(group: u32) {
    tell('-', group);
}

fn tell(sign: char, group: u32) {
    let mut guardian = GUARDIAN
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    if guardian.is_none() {
        *guardian = start();
    }
    // Without a guardian engines still end with their input; most look at it.
    if let Some(input) = guardian.as_mut().and_then(|child| child.stdin.as_mut()) {
        let _ = writeln!(input, "{sign} {group}");
    }
}

fn start() -> Option<Child> {
    Command::new("/bin/sh")
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // What is typed at the terminal must not reach it.
        .process_group(0)
        .spawn()
        .ok()
}
