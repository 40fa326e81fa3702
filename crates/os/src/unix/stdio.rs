//! Standard streams, and the detection of a standard output that was closed when papan was started (`papan list >&-`).
//!
//! Before `main`, the Rust runtime opens `/dev/null` in place of closed standard descriptors.
//! Writes would succeed and results would be lost with exit code 0. The descriptor is therefore
//! examined by an ELF initializer, which runs before the runtime; uutils coreutils does the same.

use std::fs::File;
use std::io;
use std::os::fd::AsFd as _;
use std::sync::atomic::{AtomicBool, Ordering};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Checks that there was a standard output when the program was started. The standard library
/// opens `/dev/null` in place of a closed one, and writes would succeed.
///
/// # Errors
/// `EBADF` if it was closed. Only Linux is examined.
pub fn check_stdout() -> io::Result<()> {
    if WAS_CLOSED.load(Ordering::Relaxed) {
        return Err(rustix::io::Errno::BADF.into());
    }
    Ok(())
}

/// Returns whether standard input is redirected from a file.
#[must_use]
pub fn stdin_is_file() -> bool {
    let file = io::stdin().as_fd().try_clone_to_owned().map(File::from);
    file.and_then(|file| file.metadata())
        .is_ok_and(|metadata| metadata.is_file())
}

/// Does nothing: terminals interpret escape sequences.
pub const fn enable_escape_sequences() {}

#[cfg(target_os = "linux")]
extern "C" fn examine() {
    let is_closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err();
    WAS_CLOSED.store(is_closed, Ordering::Relaxed);
}

#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "`examine` is an `extern \"C\"` function that makes one system call and needs nothing of the runtime"
)]
#[used]
#[unsafe(link_section = ".init_array")]
static EXAMINE: extern "C" fn() = examine;
