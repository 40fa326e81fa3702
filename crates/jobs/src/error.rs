//! Errors of producers, workers and transports.

/// Why an operation on jobs failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JobsError {
    /// The text is not an address of a job server.
    #[error("{0}")]
    Address(String),
    /// The server cannot be reached at the start. Later outages are waited out.
    #[error("{server} cannot be reached: {reason}")]
    Unreachable {
        /// The server, without its password.
        server: String,
        /// The reason given by the client library.
        reason: String,
    },
    /// The server refused a request.
    #[error("{server}: {reason}")]
    Server {
        /// The server, without its password.
        server: String,
        /// The reason given by the server.
        reason: String,
    },
    /// The server did not answer in time; the request may be repeated.
    #[error("{server} does not answer: {reason}")]
    TimedOut {
        /// The server, without its password.
        server: String,
        /// The reason given by the client library.
        reason: String,
    },
    /// All jobs that a command waits for have failed.
    #[error(
        "all jobs left of {group} failed: {jobs}. `papan jobs --retry {group}` runs them again; \
         then start the same command again"
    )]
    Failed {
        /// The group.
        group: String,
        /// Their keys and reasons.
        jobs: String,
    },
    /// A file named by the address cannot be read.
    #[error("{path}: {reason}")]
    File {
        /// The file.
        path: String,
        /// Why not.
        reason: String,
    },
    /// A record on the server cannot be read, for example because a later version wrote it.
    #[error("{what} on the job server cannot be read: {reason}")]
    Malformed {
        /// The record.
        what: String,
        /// Why it cannot be read.
        reason: String,
    },
}

impl JobsError {
    /// Whether the same request may succeed a moment later.
    pub(crate) fn is_temporary(&self) -> bool {
        matches!(self, Self::TimedOut { .. })
    }
}
