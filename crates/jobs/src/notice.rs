//! Messages for the user: outages, rejected results, dead letters.

use std::fmt;
use std::sync::Arc;

/// Where messages for the user go: standard error of a command, the log of a server.
#[derive(Clone)]
pub struct Notice(Arc<dyn Fn(&str) + Send + Sync>);

impl Notice {
    /// Calls `say` with each message, one line without its end.
    pub fn new(say: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(say))
    }

    /// Drops all messages.
    #[must_use]
    pub fn none() -> Self {
        Self::new(|_| {})
    }

    /// Passes on a message.
    pub fn say(&self, message: &str) {
        (self.0)(message);
    }
}

impl fmt::Debug for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Notice")
    }
}
