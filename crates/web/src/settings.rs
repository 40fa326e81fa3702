//! Server configuration: addresses, limits, timeouts.

use std::net::SocketAddr;
use std::time::Duration;

use papan_store::Address;

use papan_pages::programs::OfferedProgram;

use crate::http::engine_files::EngineFiles;

/// Server configuration. The defaults suit one machine and a small group.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Address of the public listener.
    pub listen: SocketAddr,
    /// Address of the admin listener; without it `/metrics` is on the public one.
    pub metrics_listen: Option<SocketAddr>,
    /// The database.
    pub database: Address,
    /// The job server; with it, reviews and proofs are left to workers while there are any.
    pub jobs: Option<papan_jobs::JobsAddress>,
    /// Public origin, such as `https://play.example`; without it links use the request's
    /// `Host`.
    pub public_url: Option<String>,
    /// Host names that are served besides IP addresses and `localhost`, if there is no public
    /// URL.
    pub hosts: Vec<String>,
    /// Whether `X-Forwarded-For` is trusted.
    pub trust_forwarded: bool,
    /// Programs that clients may choose as opponents.
    pub programs: Vec<OfferedProgram>,
    /// Search threads for everything, besides the two for opponents' moves.
    pub engine_threads: usize,
    /// Queued engine jobs per client address.
    pub engine_waiting_per_visitor: usize,
    /// Memory of all cached engines, in MiB, including hash tables. Proofs may use
    /// five sixths as much in addition.
    pub engine_memory: usize,
    /// Time limit for an opponent's move.
    pub move_time: Duration,
    /// Time limit for a hint or one analysed position.
    pub study_time: Duration,
    /// Delay between moves of a game between two strategies.
    pub watched_pace: Duration,
    /// Maximum number of connections per address.
    pub connections_per_address: usize,
    /// Maximum number of connections.
    pub connections: usize,
    /// Maximum number of event streams per address.
    pub streams_per_address: usize,
    /// Sustained rate of reading requests per address.
    pub reads_per_second: f64,
    /// Sustained rate of state-changing requests per address.
    pub changes_per_second: f64,
    /// Sustained rate of engine requests per address.
    pub studies_per_second: f64,
    /// Sustained rate of expensive pages per address.
    pub pages_per_second: f64,
    /// Whether other sites may frame `/embed`.
    pub embedding: bool,
    /// The engine that browsers run instead of the server.
    pub engine: Option<EngineFiles>,
    /// Timeout for a request's head; also the keep-alive timeout.
    pub head_timeout: Duration,
    /// Timeout for a whole request.
    pub request_timeout: Duration,
    /// Timeout for a write that makes no progress.
    pub write_timeout: Duration,
    /// Maximum size of a request body in bytes.
    pub body_limit: usize,
    /// Unfinished games without an event for this long are deleted.
    pub expire_after: Duration,
    /// Time that running requests have on shutdown.
    pub shutdown_deadline: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 7272)),
            metrics_listen: None,
            database: Address::Sqlite("games.sqlite".into()),
            jobs: None,
            public_url: None,
            hosts: Vec::new(),
            trust_forwarded: false,
            programs: Vec::new(),
            engine_threads: cores.saturating_sub(1).max(1),
            engine_waiting_per_visitor: 8,
            engine_memory: 192,
            move_time: Duration::from_secs(1),
            study_time: Duration::from_secs(1),
            watched_pace: Duration::from_millis(700),
            connections_per_address: 128,
            connections: 8192,
            streams_per_address: 32,
            reads_per_second: 50.0,
            changes_per_second: 20.0,
            studies_per_second: 4.0,
            pages_per_second: 10.0,
            embedding: false,
            engine: None,
            head_timeout: Duration::from_secs(20),
            request_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            body_limit: 64 << 10,
            expire_after: Duration::from_secs(30 * 24 * 3600),
            shutdown_deadline: Duration::from_secs(10),
        }
    }
}
