//! Console control events: Ctrl-Break, closing the console, logging off, shutting down.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT, SetConsoleCtrlHandler};
use windows_sys::core::BOOL;

use crate::TerminalSignal;

type Notify = Box<dyn FnMut(TerminalSignal) -> bool + Send>;

static NOTIFY: Mutex<Option<Notify>> = Mutex::new(None);

/// Time that the system gives a program after its console was closed.
const CLOSING_TIME: Duration = Duration::from_secs(5);

/// Passes the events of the console to `notify`, until it returns `false`. In raw mode Ctrl-C is a
/// key, and changes of size come with the keys.
///
/// # Errors
/// When the handler cannot be installed.
pub fn watch_terminal(
    notify: impl FnMut(TerminalSignal) -> bool + Send + 'static,
) -> io::Result<()> {
    let mut current = NOTIFY.lock().unwrap_or_else(PoisonError::into_inner);
    let is_first = current.is_none();
    *current = Some(Box::new(notify));
    // SAFETY: the handler is a function, which lives as long as the process.
    if is_first && unsafe { SetConsoleCtrlHandler(Some(handle), 1) } == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Called in a thread of its own. The process ends when it returns from other events than keys.
unsafe extern "system" fn handle(event: u32) -> BOOL {
    {
        let mut notify = NOTIFY.lock().unwrap_or_else(PoisonError::into_inner);
        let is_wanted = notify
            .as_mut()
            .is_some_and(|notify| notify(TerminalSignal::Terminate(event.cast_signed())));
        if !is_wanted {
            return 0;
        }
    }
    if !matches!(event, CTRL_C_EVENT | CTRL_BREAK_EVENT) {
        thread::sleep(CLOSING_TIME);
    }
    1
}

/// Does nothing: no program is suspended by its console.
///
/// # Errors
/// Never.
pub const fn suspend() -> io::Result<()> {
    Ok(())
}

/// Ends the process because of a console control event, with the exit code of Windows for it.
pub fn raise(_: i32) {
    /// `STATUS_CONTROL_C_EXIT`
    const CONTROL_C_EXIT: u32 = 0xC000_013A;
    std::process::exit(CONTROL_C_EXIT.cast_signed());
}

/// Waits for Ctrl-C, Ctrl-Break, the end of the console or of the system.
#[cfg(feature = "tokio")]
pub async fn stop_requested() {
    use tokio::signal::windows;
    let events = (
        windows::ctrl_break(),
        windows::ctrl_close(),
        windows::ctrl_logoff(),
        windows::ctrl_shutdown(),
    );
    if let (Ok(mut broken), Ok(mut closed), Ok(mut left), Ok(mut shut_down)) = events {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = broken.recv() => {}
            _ = closed.recv() => {}
            _ = left.recv() => {}
            _ = shut_down.recv() => {}
        }
        return;
    }
    // An error means that no handler could be installed.
    let _ = tokio::signal::ctrl_c().await;
}
