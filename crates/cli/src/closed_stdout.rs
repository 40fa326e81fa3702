//! Detects a standard output that was closed when papan was started (`papan list >&-`).
//!
//! Before `main`, the Rust runtime opens `/dev/null` in place of closed standard descriptors.
//! Writes would succeed and results would be lost with exit code 0. The descriptor is therefore
//! examined by an ELF initializer, which runs before the runtime; uutils coreutils does the same.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Fails with `EBADF` if standard output was closed when papan was started.
pub(crate) fn check() -> io::Result<()> {
    if WAS_CLOSED.load(Ordering::Relaxed) {
        return Err(rustix::io::Errno::BADF.into());
    }
    Ok(())
}

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
