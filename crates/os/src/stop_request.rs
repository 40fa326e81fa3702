//! Requests to stop (Ctrl-C, SIGTERM) for programs that do not run on tokio.

use std::io;
use std::thread;

use crate::stop_requested;

/// Starts a thread that calls `handle` with the number of each request to stop, from 1.
///
/// # Errors
/// When no thread can be started.
pub fn on_stop_request(mut handle: impl FnMut(u32) + Send + 'static) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let wait = move || {
        for count in 1.. {
            runtime.block_on(stop_requested());
            handle(count);
        }
    };
    thread::Builder::new().name("signals".into()).spawn(wait)?;
    Ok(())
}
