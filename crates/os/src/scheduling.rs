//! Scheduling of a process: its state, its processor time, and the time that it waited for a
//! processor although it could run.
//!
//! On a loaded machine a program may be late without being slow. Linux counts the wait in
//! `/proc/PID/schedstat` (time on the processor, time in the run queue, time slices). A deadline is
//! extended by it, and as long as the program is about to run or waits inside the kernel, so that
//! other programs, or the other submissions of a class, do not make a good program hang. On other
//! systems there is no extension.

use std::time::Duration;

/// The scheduling of the main thread of a process since it started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scheduling {
    /// Time on a processor.
    pub busy: Duration,
    /// Time in the run queue.
    pub delay: Duration,
    /// Whether it can run, or waits inside the kernel for a disk or a namespace.
    pub is_active: bool,
}

impl Scheduling {
    /// Reads the scheduling of a process; all zero where it is unknown.
    #[cfg(unix)]
    pub(crate) fn of_process(process: u32) -> Self {
        let read = |name: &str| std::fs::read_to_string(format!("/proc/{process}/{name}"));
        let times = read("schedstat").unwrap_or_default();
        let mut times = times
            .split_whitespace()
            .map(|word| Duration::from_nanos(word.parse().unwrap_or(0)));
        let stat = read("stat").unwrap_or_default();
        // The name in parentheses may contain anything; the state follows.
        let state = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
        Self {
            busy: times.next().unwrap_or_default(),
            delay: times.next().unwrap_or_default(),
            is_active: state.starts_with(['R', 'D']),
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_computes_is_active_and_one_that_sleeps_is_not() {
        let scheduling = |command: &[&str]| {
            let mut child = std::process::Command::new(command[0])
                .args(&command[1..])
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(500));
            let found = Scheduling::of_process(child.id());
            let _ = child.kill();
            let _ = child.wait();
            found
        };
        let busy = scheduling(&["sh", "-c", "while :; do :; done"]);
        assert!(busy.is_active && !busy.busy.is_zero(), "{busy:?}");
        let asleep = scheduling(&["sleep", "5"]);
        assert!(
            !asleep.is_active && asleep.busy < busy.busy + busy.delay,
            "{asleep:?}"
        );
    }
}
