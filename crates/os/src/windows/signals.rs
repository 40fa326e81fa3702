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

/// Calls `notify` at Ctrl-C, at Ctrl-Break, and when the console closes; the program then has some
/// seconds to save its results.
///
/// # Errors
/// When the handler cannot be installed.
pub fn watch_interrupts(mut notify: impl FnMut() + Send + 'static) -> io::Result<()> {
    watch_terminal(move |_| {
        notify();
        true
    })
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

/// Ignores the events of the console while a child process handles them.
pub(super) fn leave_events_to_child() -> io::Result<()> {
    watch_terminal(|_| true)
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use windows_sys::Win32::System::Console::CTRL_CLOSE_EVENT;

    use super::*;

    #[test]
    fn a_closed_console_leaves_time_to_save_results() {
        let (sender, events) = channel();
        watch_interrupts(move || sender.send(()).unwrap()).unwrap();
        let handler = thread::spawn(|| {
            // SAFETY: the system calls it so.
            unsafe { handle(CTRL_CLOSE_EVENT) }
        });
        events.recv_timeout(Duration::from_secs(60)).unwrap();
        // The process would end when it returns.
        thread::sleep(CLOSING_TIME / 2);
        assert!(!handler.is_finished());
        assert_eq!(handler.join().unwrap(), 1);
    }
}
