//! Signals that end a server or a worker.

/// Waits for SIGINT (Ctrl-C) or SIGTERM.
pub(crate) async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    // An error means that no handler could be installed.
    let _ = tokio::signal::ctrl_c().await;
}
