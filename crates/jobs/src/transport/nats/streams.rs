//! Creating streams, buckets and consumers.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::CreateStreamErrorKind;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};

use tokio::time::Instant;

use super::link::{Link, is_unavailable};
use super::{WORKER_TTL, subjects};
use crate::JobsError;
use crate::backoff::Backoff;
use crate::transport::Queue;

pub(super) const JOBS: &str = "JOBS";
pub(super) const RESULTS: &str = "RESULTS";
pub(super) const DEAD_LETTERS: &str = "DEAD_LETTERS";
pub(super) const BLOBS: &str = "BLOBS";
pub(super) const GROUPS: &str = "KV_GROUPS";
pub(super) const WORKERS: &str = "KV_WORKERS";

/// How long a request may take before it is repeated.
pub(super) const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
/// A job whose worker sends no sign of life for this long is delivered again.
pub(crate) const ACK_WAIT: Duration = Duration::from_secs(15);
/// Abandoned jobs and results expire after this time.
pub(super) const MAX_AGE: Duration = Duration::from_secs(7 * 24 * 3600);
/// How long the server knows the ids of jobs: longer than a job waits and runs.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(3600);
/// Pull requests that may wait at one consumer: one per idle worker.
const MAX_WAITING: i64 = 16_384;
/// Jobs of one queue that may run at once.
const MAX_RUNNING: i64 = 100_000;

/// How long a cluster that starts may lack the nodes for all replicas.
const CLUSTER_START: Duration = Duration::from_secs(30);

/// JetStream's error code of a stream that does not exist.
pub(super) const STREAM_NOT_FOUND: u64 = 10059;
/// JetStream's error code of a stream that exists with another configuration.
const STREAM_NAME_EXIST: u64 = 10058;

impl Link {
    fn stream_configs(&self) -> [Config; 6] {
        let common = || Config {
            num_replicas: self.replicas,
            max_age: MAX_AGE,
            storage: StorageType::File,
            max_messages_per_subject: 1,
            allow_direct: true,
            ..Config::default()
        };
        [
            Config {
                name: JOBS.into(),
                subjects: vec!["jobs.>".into()],
                retention: RetentionPolicy::WorkQueue,
                discard: DiscardPolicy::New,
                discard_new_per_subject: true,
                duplicate_window: DUPLICATE_WINDOW,
                ..common()
            },
            Config {
                name: RESULTS.into(),
                subjects: vec!["results.>".into()],
                discard: DiscardPolicy::New,
                discard_new_per_subject: true,
                ..common()
            },
            Config {
                name: DEAD_LETTERS.into(),
                subjects: vec!["dead.>".into()],
                ..common()
            },
            Config {
                name: BLOBS.into(),
                subjects: vec!["blobs.>".into()],
                ..common()
            },
            // Key-value buckets, as the tool `nats kv` makes them.
            Config {
                name: GROUPS.into(),
                subjects: vec!["$KV.GROUPS.>".into()],
                discard: DiscardPolicy::New,
                allow_rollup: true,
                deny_delete: true,
                ..common()
            },
            Config {
                name: WORKERS.into(),
                subjects: vec!["$KV.WORKERS.>".into()],
                max_age: WORKER_TTL,
                storage: StorageType::Memory,
                discard: DiscardPolicy::New,
                allow_rollup: true,
                deny_delete: true,
                ..common()
            },
        ]
    }

    /// Creates missing streams. Existing ones keep their configuration.
    pub(super) async fn ensure_streams(&self) -> Result<(), JobsError> {
        let deadline = Instant::now() + CLUSTER_START;
        for config in self.stream_configs() {
            let name = config.name.clone();
            let mut backoff = Backoff::new();
            let created = loop {
                match self.context.create_stream(config.clone()).await {
                    Err(error)
                        if error.to_string().contains("no suitable peers")
                            && Instant::now() < deadline =>
                    {
                        backoff.wait().await;
                    }
                    created => break created,
                }
            };
            if let Err(error) = created {
                let exists = matches!(
                    error.kind(),
                    CreateStreamErrorKind::JetStream(inner)
                        if inner.error_code().0 == STREAM_NAME_EXIST
                );
                if !exists {
                    let message = format!("{error} {:?}", std::error::Error::source(&error));
                    return Err(self.creation_failed(&name, &message));
                }
            }
        }
        Ok(())
    }

    fn creation_failed(&self, name: &str, reason: &str) -> JobsError {
        if reason.contains("timed out") || is_unavailable(reason) {
            return self.timed_out(format_args!("{name}: {reason}"));
        }
        if reason.contains("not enabled") {
            return self.server_error("JetStream is not enabled; start it with `nats-server -js`");
        }
        self.server_error(format_args!("{name}: {reason}"))
    }

    /// Creates the consumer of a queue, from which workers pull.
    pub(super) async fn ensure_queue(&self, queue: Queue) -> Result<(), JobsError> {
        let name = queue.name();
        let config = pull::Config {
            durable_name: Some(name.clone()),
            name: Some(name),
            filter_subject: subjects::queue(queue),
            ack_policy: AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
            // Workers count the attempts: the server would keep such a job without a reason.
            max_deliver: -1,
            max_waiting: MAX_WAITING,
            max_ack_pending: MAX_RUNNING,
            inactive_threshold: MAX_AGE,
            ..pull::Config::default()
        };
        let created = self.context.create_consumer_on_stream(config, JOBS).await;
        match created {
            Ok(_) => Ok(()),
            Err(error) => {
                let message = format!("{error} {:?}", std::error::Error::source(&error));
                Err(self.creation_failed(&queue.name(), &message))
            }
        }
    }
}
