//! Operating system limits: thread niceness and `RLIMIT_NOFILE`.

/// Lowers the scheduling priority of the calling thread (nice 10).
///
/// Search threads call this so that requests are answered while the CPU is busy.
pub(crate) fn lower_thread_priority() {
    #[cfg(target_os = "linux")]
    {
        // On Linux niceness is per thread. A failure leaves all threads equal.
        let thread = rustix::thread::gettid();
        let _ = rustix::process::setpriority_process(Some(thread), 10);
    }
}

/// Raises the soft limit on open files towards `wanted` connections and returns how many
/// connections fit.
pub(crate) fn raise_open_files(wanted: usize) -> usize {
    /// Descriptors besides connections: the database, its WAL, epoll, standard streams.
    const RESERVED: u64 = 64;
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        let needed = wanted as u64 + RESERVED;
        let soft = current.unwrap_or(u64::MAX);
        if soft >= needed {
            return wanted;
        }
        let raised = maximum.map_or(needed, |hard| hard.min(needed));
        let limit = Rlimit {
            current: Some(raised),
            maximum,
        };
        let available = if setrlimit(Resource::Nofile, limit).is_ok() {
            raised
        } else {
            soft
        };
        (available.saturating_sub(RESERVED) as usize).min(wanted)
    }
    #[cfg(not(unix))]
    wanted
}
