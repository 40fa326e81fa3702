//! What the system is asked for: its limits, and who comes first.

/// Lets the other threads of the program come before this one.
pub(crate) fn yield_to_others() {
    #[cfg(target_os = "linux")]
    {
        // On Linux a thread has a niceness of its own. Where it cannot be set, all
        // threads are equal, as they were.
        let thread = rustix::thread::gettid();
        let _ = rustix::process::setpriority_process(Some(thread), 10);
    }
}

/// Raises the limit on open files to what the system allows, up to what `wanted`
/// connections need; returns how many connections fit.
pub(crate) fn raise_open_files(wanted: usize) -> usize {
    /// Files beside connections: the database, its log, the program itself.
    const BESIDE: u64 = 64;
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        let needed = wanted as u64 + BESIDE;
        let have = current.unwrap_or(u64::MAX);
        if have >= needed {
            return wanted;
        }
        let raised = maximum.map_or(needed, |most| most.min(needed));
        let raised_limit = Rlimit {
            current: Some(raised),
            maximum,
        };
        let have = match setrlimit(Resource::Nofile, raised_limit) {
            Ok(()) => raised,
            Err(_) => have,
        };
        (have.saturating_sub(BESIDE) as usize).min(wanted)
    }
    #[cfg(not(unix))]
    wanted
}
