//! What an operator can set.

use std::net::SocketAddr;
use std::time::Duration;

use papan_store::Address;

/// What an operator can set. The defaults are for one machine and its friends.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where to show numbers instead, so that visitors cannot see them.
    pub metrics_listen: Option<SocketAddr>,
    /// Where the database is.
    pub database: Address,
    /// Which papan answers as this one does. With it, and a database that workers
    /// reach too, reviews and proofs are theirs.
    pub reproduced_by: Option<String>,
    /// The address that visitors use, such as `https://play.example`; without it
    /// links are made from what the request says.
    pub public_url: Option<String>,
    /// Whether to believe the address of the client that a proxy forwards.
    pub trust_forwarded: bool,
    /// Threads that think, beside the one for opponents' moves.
    pub engine_threads: usize,
    /// Pieces of engine work that may wait for one client.
    pub engine_waiting_per_visitor: usize,
    /// What strategies may remember together, in MiB, their hash tables included; a
    /// proof may take two thirds as much beside them.
    pub engine_memory: usize,
    /// How long an opponent may think about a move.
    pub move_time: Duration,
    /// How long a hint or one position of an analysis may take.
    pub study_time: Duration,
    /// Between two moves of a game that is only watched, so that it can be.
    pub watched_pace: Duration,
    /// Connections from one address.
    pub connections_per_address: usize,
    /// Connections altogether.
    pub connections: usize,
    /// Event streams of one address.
    pub streams_per_address: usize,
    /// Requests a second from one address that change something, in the long run.
    pub changes_per_second: f64,
    /// Requests a second from one address for engine work, in the long run.
    pub studies_per_second: f64,
    /// Costly pages a second from one address, in the long run.
    pub pages_per_second: f64,
    /// Whether other sites may show `/embed` inside their pages.
    pub embedding: bool,
    /// How long the head of a request may take to arrive, also between requests.
    pub head_timeout: Duration,
    /// How long a whole request may take.
    pub request_timeout: Duration,
    /// How long a client may take nothing of what is sent to them.
    pub write_timeout: Duration,
    /// The largest body.
    pub body_limit: usize,
    /// After how long an unfinished game in which nothing happens is forgotten.
    pub expire_after: Duration,
    /// How long running requests have when the server is told to end.
    pub shutdown_deadline: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 7272)),
            metrics_listen: None,
            database: Address::Sqlite("games.sqlite".into()),
            reproduced_by: None,
            public_url: None,
            trust_forwarded: false,
            engine_threads: cores.saturating_sub(1).max(1),
            engine_waiting_per_visitor: 8,
            engine_memory: 192,
            move_time: Duration::from_secs(1),
            study_time: Duration::from_secs(1),
            watched_pace: Duration::from_millis(700),
            connections_per_address: 128,
            connections: 8192,
            streams_per_address: 32,
            changes_per_second: 20.0,
            studies_per_second: 4.0,
            pages_per_second: 10.0,
            embedding: false,
            head_timeout: Duration::from_secs(20),
            request_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            body_limit: 64 << 10,
            expire_after: Duration::from_secs(30 * 24 * 3600),
            shutdown_deadline: Duration::from_secs(10),
        }
    }
}
