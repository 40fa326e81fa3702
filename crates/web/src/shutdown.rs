//! Graceful shutdown: a flag that long-running tasks can await.

use std::sync::Arc;

use tokio::sync::watch;

/// A shutdown signal, shared by everything that outlives one request.
#[derive(Clone, Debug)]
pub(crate) struct Shutdown(Arc<watch::Sender<bool>>);

impl Default for Shutdown {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }
}

impl Shutdown {
    /// Raises the signal.
    pub(crate) fn trigger(&self) {
        self.0.send_replace(true);
    }

    /// Returns whether the signal has been raised.
    #[must_use]
    pub(crate) fn is_triggered(&self) -> bool {
        *self.0.borrow()
    }

    /// Completes when the signal is raised.
    pub(crate) fn wait(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut signal = self.0.subscribe();
        async move {
            // An error means that every sender is gone, which is a shutdown as well.
            let _ = signal.wait_for(|triggered| *triggered).await;
        }
    }
}
