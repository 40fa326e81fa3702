//! The machine: its name, memory, processor time, priorities and limits.

use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Returns the MiB of memory available to a new table. `None` where the system does not report it.
#[must_use]
pub fn available_memory_mib() -> Option<usize> {
    available_in(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

fn available_in(info: &str) -> Option<usize> {
    let line = info
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}

/// Returns the name of this machine.
#[must_use]
pub fn host_name() -> String {
    let name = rustix::system::uname();
    name.nodename().to_string_lossy().into_owned()
}

/// Lowers the scheduling priority of the calling thread, so that other threads of the program
/// respond while it computes.
pub fn lower_thread_priority() {
    #[cfg(target_os = "linux")]
    {
        // On Linux niceness is per thread. A failure leaves all threads equal.
        let thread = rustix::thread::gettid();
        let _ = rustix::process::setpriority_process(Some(thread), 10);
    }
}

/// Raises the soft limit on open files towards `wanted` and returns how many may be open.
#[must_use]
pub fn raise_open_files(wanted: u64) -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let soft = current.unwrap_or(u64::MAX);
    if soft >= wanted {
        return soft;
    }
    let raised = maximum.map_or(wanted, |hard| hard.min(wanted));
    let limit = Rlimit {
        current: Some(raised),
        maximum,
    };
    if setrlimit(Resource::Nofile, limit).is_ok() {
        raised
    } else {
        soft
    }
}

/// Returns the user CPU time of this process so far.
#[must_use]
#[allow(unsafe_code)]
pub fn user_time() -> Duration {
    // SAFETY: the struct consists of integers, for which zero is valid, and the call fills it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    Duration::new(
        usage.ru_utime.tv_sec as u64,
        usage.ru_utime.tv_usec as u32 * 1000,
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_available_memory_is_read_from_the_system_s_words() {
        let info = "MemTotal: 2048 kB\nMemAvailable:   1048576 kB\n";
        assert_eq!(super::available_in(info), Some(1024));
        assert_eq!(super::available_in("nothing"), None);
    }
}
