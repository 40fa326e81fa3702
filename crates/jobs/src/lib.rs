//! Jobs on many machines: producers submit them, workers run them, results are verified.
//!
//! A *kind* ([`JobKind`]) defines jobs, how to run them and how to check their results; the crates of
//! tournaments, proofs, self-play and analysis implement kinds. A [`Producer`] opens a
//! *group*, submits its jobs and reads verified results. A [`Worker`] runs jobs of every group that
//! it can reproduce. Between them is a transport: threads of this process by default, NATS
//! JetStream for workers on any number of machines.
//!
//! Guarantees of both transports, also after crashes:
//!
//! - A job is delivered until it has a result, is withdrawn, or becomes a dead letter.
//! - The first result of a job that verifies counts; it reaches the producer once.
//! - A result that does not verify is dropped, its worker is named, and the job runs again.
//!
//! ```
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! use papan_jobs::{Connection, JobKind, Kinds, Notice, Producer, Worker, WorkerOptions};
//! use papan_strategies::Watch;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Clone, Serialize, Deserialize)]
//! struct Number(u64);
//! papan_jobs::json_payload!(Number);
//!
//! struct Squares;
//!
//! impl JobKind for Squares {
//!     const NAME: &'static str = "squares";
//!     type Group = Number;
//!     type Job = Number;
//!     type Output = Number;
//!     type Session = ();
//!
//!     fn requirements(_: &Number) -> Vec<String> {
//!         vec!["arithmetic".into()]
//!     }
//!     fn start(_: &Number) -> Result<(), String> {
//!         Ok(())
//!     }
//!     fn run(_: &mut (), job: &Number, _: &Arc<Watch>) -> Result<Number, String> {
//!         Ok(Number(job.0 * job.0))
//!     }
//!     fn verify(_: &Number, job: &Number, output: &Number) -> Result<(), String> {
//!         let is_right = output.0.checked_div(job.0) == Some(job.0);
//!         is_right.then_some(()).ok_or_else(|| "not a square".into())
//!     }
//! }
//!
//! let connection = Connection::local()?;
//! let options = WorkerOptions::named("one").threads(2);
//! let worker = Worker::start(&connection, Kinds::new().with::<Squares>(), options)?;
//! let mut producer = Producer::<Squares>::begin(&connection, Number(0), "example", Notice::none())?;
//! producer.submit(&[Number(3), Number(4)])?;
//! let mut squares = Vec::new();
//! while squares.len() < 2 {
//!     let results = producer.results(Duration::from_secs(1))?;
//!     squares.extend(results.iter().map(|result| result.output.0));
//! }
//! squares.sort();
//! assert_eq!(squares, [9, 16]);
//! producer.end()?;
//! worker.drain();
//! worker.join();
//! # Ok::<(), papan_jobs::JobsError>(())
//! ```

mod address;
mod backoff;
mod connection;
mod digest;
mod error;
mod fraction;
mod kind;
mod notice;
mod overview;
mod producer;
mod recheck;
mod record;
mod requests;
mod transport;
mod trust;
mod worker;

pub use address::{JobsAddress, NatsAddress};
pub use connection::Connection;
pub use digest::{Digest, ParseDigestError};
pub use error::JobsError;
pub use fraction::{Fraction, ParseFractionError};
pub use kind::{Class, JobKind, Kinds, Payload};
pub use notice::Notice;
pub use overview::{GroupStatus, Overview};
pub use producer::{Finished, Producer};
pub use record::{
    BlobRecord, DeadLetter, Declined, GroupCounts, GroupRecord, RunningJob, WorkerRecord,
};
pub use requests::{AskError, JobStatus, RequestCounts, Requests};
pub use worker::{Drainer, Worker, WorkerOptions, WorkerSummary};

#[doc(hidden)]
pub use serde_json;

/// Returns the version of the code that jobs depend on: a release by its number, another build
/// with a digest of its source, such as `0.2.0+1f0c2a9b`.
#[must_use]
pub const fn code_version() -> &'static str {
    concat!(env!("CARGO_PKG_VERSION"), env!("PAPAN_SOURCE"))
}
