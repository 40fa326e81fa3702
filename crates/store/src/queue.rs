//! Job queue in PostgreSQL (`FOR UPDATE SKIP LOCKED`).
//!
//! An [`Undertaking`] is a job group (a tournament, a proof, training games): the data shared by
//! its jobs, and the version that reproduces them. A producer submits jobs and reads results; a
//! worker claims a job, sends heartbeats, and stores the result under the digest of the job, so
//! that a job executed twice counts once. A job without heartbeats is given to another worker. A
//! worker that cannot reproduce a group declines it once.

mod claim;
mod overview;
mod post;
mod standing;

use sqlx::postgres::{PgListener, PgPool, PgPoolOptions};

use crate::postgres::{self, ConnectOptions};
use crate::{Key, StoreError};

pub use claim::{Claimed, Finish};
pub use overview::{Overview, UndertakingStatus, WorkerStatus};
pub use post::{JobResult, NewJob, Undertaking};
pub use standing::JobStanding;

/// Notification channel for new jobs and results.
const JOBS: &str = "papan_jobs";
const RESULTS: &str = "papan_results";

/// Maximum number of attempts before a job counts as failed.
const MAX_ATTEMPTS: i64 = 5;

/// A queue in a database.
#[derive(Clone, Debug)]
pub struct Queue {
    options: ConnectOptions,
    pool: PgPool,
}

impl Queue {
    /// Connects to the database and creates the schema `papan` if it is missing.
    ///
    /// # Errors
    /// As [`crate::PostgresGames::open`].
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        let options = ConnectOptions::parse(url)?;
        drop(postgres::open_schema(&options).await?);
        let pool = PgPoolOptions::new()
            .max_connections(8)
            .acquire_timeout(postgres::CONNECT_TIMEOUT)
            .connect_lazy_with(options.options());
        Ok(Self { options, pool })
    }

    /// Returns the queue of an open database, over its connections.
    pub(crate) fn over(options: ConnectOptions, pool: PgPool) -> Self {
        Self { options, pool }
    }

    /// Returns the name of the database without its password.
    #[must_use]
    pub fn name(&self) -> &str {
        self.options.name()
    }

    /// Subscribes to new jobs.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn hear_jobs(&self) -> Result<Bell, StoreError> {
        self.hear(JOBS).await
    }

    /// Subscribes to results.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn hear_results(&self) -> Result<Bell, StoreError> {
        self.hear(RESULTS).await
    }

    async fn hear(&self, channel: &str) -> Result<Bell, StoreError> {
        let listening = async {
            let mut listener = PgListener::connect_with(&self.pool).await?;
            listener.listen(channel).await?;
            let runtime = tokio::runtime::Handle::current();
            Ok(Bell {
                listener: Some(listener),
                runtime,
            })
        };
        listening.await.map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &sqlx::Error) -> StoreError {
        self.options.failed(error)
    }
}

/// A `LISTEN` subscription. Notifications can be lost; callers must also poll.
#[derive(Debug)]
pub struct Bell {
    listener: Option<PgListener>,
    runtime: tokio::runtime::Handle,
}

impl Drop for Bell {
    fn drop(&mut self) {
        // Dropping closes the connection, which needs the runtime.
        let _inside = self.runtime.enter();
        self.listener.take();
    }
}

impl Bell {
    /// Waits for a notification; returns whether the connection is alive.
    pub async fn ring(&mut self) -> bool {
        match &mut self.listener {
            Some(listener) => matches!(listener.try_recv().await, Ok(Some(_))),
            None => false,
        }
    }
}

/// Returns the version and weights digest that a worker must have to reproduce results.
#[must_use]
pub fn reproduced_by(weights: &[u8]) -> String {
    let weights = Key::of(weights).to_string();
    let version = env!("CARGO_PKG_VERSION");
    format!("papan {version} with weights {}", &weights[..16])
}

/// Returns the key of a job.
fn key_of(body: &str) -> Key {
    Key::of(body.as_bytes())
}
