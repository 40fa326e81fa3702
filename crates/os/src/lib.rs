//! Operating system interface: everything that differs between Unix and Windows.
//!
//! | concern | Unix | Windows |
//! |---|---|---|
//! | [`ChildProcess`] | process group, non-blocking pipes, `poll(2)` | job object, a thread per pipe |
//! | [`stop_requested`] | SIGINT, SIGTERM | Ctrl-C, Ctrl-Break, closing the console, shutdown |
//! | [`watch_interrupts`] | SIGINT | Ctrl-C, Ctrl-Break, closing the console |
//! | [`watch_terminal`] | SIGTSTP, SIGCONT, SIGWINCH, SIGHUP, SIGINT, SIGTERM | console control events |
//! | [`FileId`] | device and inode | volume and file index |
//! | [`try_lock`] | `flock(2)` | `LockFileEx` beyond the end of the file |
//! | [`raise_open_files`], [`lower_thread_priority`] | `setrlimit(2)`, `setpriority(2)` | no limit, `SetThreadPriority` |
//! | [`HugePages`] | `madvise(MADV_HUGEPAGE)` on Linux | ordinary memory |
//!
//! No other crate of papan asks for the operating system outside of tests. On systems that are
//! neither, such as WebAssembly, there are no processes and no signals.

mod huge_pages;
#[cfg(any(unix, windows))]
mod scheduling;
#[cfg(any(windows, test))]
mod threaded_pipes;

#[cfg(not(any(unix, windows)))]
#[path = "other.rs"]
mod platform;
#[cfg(unix)]
#[path = "unix/mod.rs"]
mod platform;
#[cfg(windows)]
#[path = "windows/mod.rs"]
mod platform;

#[cfg(any(unix, windows))]
mod process_limits;
#[cfg(all(any(unix, windows), feature = "tokio"))]
mod stop_request;
#[cfg(any(unix, windows))]
mod terminal_signal;

pub use huge_pages::HugePages;
pub use platform::file::{
    FileId, file_permissions, keep_owner, make_private, restrict_to_owner, sync_directory, try_lock,
};
pub use platform::machine::{
    available_memory_mib, host_name, lower_thread_priority, raise_open_files, user_time,
};
#[cfg(any(unix, windows))]
pub use platform::process::{ChildProcess, interrupt, make_interruptible, replace_process};
#[cfg(all(any(unix, windows), feature = "tokio"))]
pub use platform::signals::stop_requested;
#[cfg(any(unix, windows))]
pub use platform::signals::{raise, suspend, watch_interrupts, watch_terminal};
pub use platform::stdio::check_stdout;
#[cfg(any(unix, windows))]
pub use platform::stdio::{enable_escape_sequences, stdin_is_file};
#[cfg(any(unix, windows))]
pub use process_limits::ProcessLimits;
#[cfg(any(unix, windows))]
pub use scheduling::Scheduling;
#[cfg(all(any(unix, windows), feature = "tokio"))]
pub use stop_request::on_stop_request;
#[cfg(any(unix, windows))]
pub use terminal_signal::TerminalSignal;

/// Whether a backslash separates directories, so that it cannot quote in commands.
pub const BACKSLASH_IS_SEPARATOR: bool = cfg!(windows);
/// Whether a listening socket may take over an address whose connections are in TIME_WAIT. On
/// Windows the option of that name would let two servers listen at one address.
pub const REUSES_ADDRESS: bool = cfg!(unix);
