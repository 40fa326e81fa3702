//! Signals of the terminal and of service managers.

use std::io;
use std::thread;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::low_level::emulate_default_handler;

use crate::TerminalSignal;

/// Starts a thread that passes the signals of the terminal to `notify`, until it returns `false`.
///
/// # Errors
/// When the handlers cannot be installed.
pub fn watch_terminal(
    mut notify: impl FnMut(TerminalSignal) -> bool + Send + 'static,
) -> io::Result<()> {
    let caught = [SIGTSTP, SIGCONT, SIGWINCH, SIGHUP, SIGINT, SIGTERM];
    let mut signals = signal_hook::iterator::Signals::new(caught)?;
    thread::spawn(move || {
        for signal in signals.forever() {
            let signal = match signal {
                SIGTSTP => TerminalSignal::Suspend,
                SIGCONT => TerminalSignal::Resume,
                SIGWINCH => TerminalSignal::Resize,
                _ => TerminalSignal::Terminate(signal),
            };
            if !notify(signal) {
                return;
            }
        }
    });
    Ok(())
}

/// Starts a thread that calls `notify` at every SIGINT (Ctrl-C).
///
/// # Errors
/// When the handler cannot be installed.
pub fn watch_interrupts(mut notify: impl FnMut() + Send + 'static) -> io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new([SIGINT])?;
    thread::spawn(move || signals.forever().for_each(|_| notify()));
    Ok(())
}

/// Suspends this process until SIGCONT.
///
/// # Errors
/// When the signal cannot be sent.
pub fn suspend() -> io::Result<()> {
    emulate_default_handler(SIGTSTP)
}

/// Ends the process by the signal's default action.
pub fn raise(signal: i32) {
    let _ = emulate_default_handler(signal);
}

/// Waits for SIGINT (Ctrl-C) or SIGTERM.
#[cfg(feature = "tokio")]
pub async fn stop_requested() {
    use tokio::signal::unix::{SignalKind, signal};
    if let Ok(mut terminate) = signal(SignalKind::terminate()) {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        return;
    }
    // An error means that no handler could be installed.
    let _ = tokio::signal::ctrl_c().await;
}
