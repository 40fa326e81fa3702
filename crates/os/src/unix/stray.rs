//! Stray processes: descendants of an engine that left its process group by `setsid`.
//!
//! Every engine gets an environment variable with a unique value, which its descendants
//! inherit; on Linux they are found by it in `/proc` (the process tree killer of Jenkins works
//! alike). `PR_SET_CHILD_SUBREAPER` would make papan their parent instead, but then papan
//! would have to reap the zombies of processes that it cannot attribute to an engine, and it
//! would not help when papan itself is killed.
//!
//! A descendant that also clears its environment is not found. On other systems than Linux
//! only the process group is killed.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The environment variable.
pub(super) const VARIABLE: &str = "PAPAN_ENGINE_PROCESS";
/// Searches per engine. A stray process may fork between the search and its death.
#[cfg(target_os = "linux")]
const MAX_ROUNDS: usize = 10;

/// The beginning of all values of this run, unique to it.
pub(super) static RUN: LazyLock<String> = LazyLock::new(|| {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = since_epoch.unwrap_or_default().as_nanos();
    format!("{}-{nanos}.", std::process::id())
});

/// Returns a new value of the variable.
pub(super) fn new_mark() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("{}{}.", *RUN, COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Kills all processes with this mark.
#[cfg(target_os = "linux")]
pub(super) fn kill_marked(mark: &str) {
    use rustix::process::{Signal, kill_process};
    for _ in 0..MAX_ROUNDS {
        let marked = find_marked(mark);
        if marked.is_empty() {
            return;
        }
        for process in marked {
            // Fails when the process has exited meanwhile.
            let _ = kill_process(process, Signal::KILL);
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn kill_marked(_mark: &str) {}

#[cfg(target_os = "linux")]
fn find_marked(mark: &str) -> Vec<rustix::process::Pid> {
    let entry = format!("{VARIABLE}={mark}");
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    processes
        .filter_map(|process| {
            let process = process.ok()?;
            let pid: i32 = process.file_name().to_str()?.parse().ok()?;
            // Readable for processes of the same user; empty for zombies.
            let environment = std::fs::read(process.path().join("environ")).ok()?;
            let is_marked = environment
                .split(|&byte| byte == 0)
                .any(|variable| variable == entry.as_bytes());
            rustix::process::Pid::from_raw(pid).filter(|_| is_marked)
        })
        .collect()
}
