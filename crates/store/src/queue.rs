//! Work for many workers, in PostgreSQL.
//!
//! An [`Undertaking`] is a tournament, a proof, a batch for training: what all its
//! jobs share, and which papan reproduces it. A job is what one worker does in some
//! seconds. Whoever wants work done posts jobs and reads results; a worker claims a
//! job, says every few seconds that it is alive, and brings the result, which is kept
//! under a digest of what the job is: one that was done twice counts once. A job
//! whose worker falls silent is the next one's.
//!
//! Claiming is `FOR UPDATE SKIP LOCKED` on one table. The libraries for this let a
//! worker put back what it cannot do only as a failure, which the same worker then
//! takes again; here it says so once for the whole undertaking, and is not asked
//! again.

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

/// Where it is said that there are new jobs, or that a job has a result.
const JOBS: &str = "papan_jobs";
const RESULTS: &str = "papan_results";

/// How often a job is given to workers that die of it, before it counts as failed.
const MOST_ATTEMPTS: i64 = 5;

/// A queue in a database.
#[derive(Clone, Debug)]
pub struct Queue {
    options: ConnectOptions,
    pool: PgPool,
}

impl Queue {
    /// Reaches the database and makes what is missing in its schema `papan`.
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

    /// The queue in a database that somebody else has opened, over their connections.
    pub(crate) fn over(options: ConnectOptions, pool: PgPool) -> Self {
        Self { options, pool }
    }

    /// What the database is called, without its password.
    #[must_use]
    pub fn name(&self) -> &str {
        self.options.name()
    }

    /// Hears of new jobs.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn hear_jobs(&self) -> Result<Bell, StoreError> {
        self.hear(JOBS).await
    }

    /// Hears of results.
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

/// Rings when there is something to look for. It may be missed: whoever waits also
/// looks from time to time.
#[derive(Debug)]
pub struct Bell {
    listener: Option<PgListener>,
    runtime: tokio::runtime::Handle,
}

impl Drop for Bell {
    fn drop(&mut self) {
        // It says goodbye to the database, wherever it is dropped.
        let _inside = self.runtime.enter();
        self.listener.take();
    }
}

impl Bell {
    /// Waits until it rings, and says that the line still holds.
    pub async fn ring(&mut self) -> bool {
        match &mut self.listener {
            Some(listener) => matches!(listener.try_recv().await, Ok(Some(_))),
            None => false,
        }
    }
}

/// Which papan reproduces what this one does: its version and what it has learned.
#[must_use]
pub fn reproduced_by(weights: &[u8]) -> String {
    let weights = Key::of(weights).to_string();
    let version = env!("CARGO_PKG_VERSION");
    format!("papan {version} with weights {}", &weights[..16])
}

/// What a job is known by.
fn key_of(body: &str) -> Key {
    Key::of(body.as_bytes())
}
