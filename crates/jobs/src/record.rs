//! Records that producers and workers publish about themselves: open groups, workers alive, dead
//! letters.

use serde::{Deserialize, Serialize};

use crate::transport::Queue;
use crate::{Class, Digest};

/// An open group: a tournament, a proof, a training run, the analyses of a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupRecord {
    /// The name, which is also a subject token: the kind and a digest of the group.
    pub name: String,
    /// The kind of its jobs.
    pub kind: String,
    /// Which workers can reproduce its results.
    pub route: Digest,
    /// The same in words, one requirement each.
    pub needs: Vec<String>,
    /// The classes that its jobs use.
    pub classes: Vec<Class>,
    /// Whether workers publish the progress and the end of each job.
    #[serde(default)]
    pub interactive: bool,
    /// The command that opened it.
    #[serde(default)]
    pub command: String,
    /// When it was opened, in seconds since 1970.
    pub opened: u64,
    /// Where the bytes are that all its jobs share.
    pub body: BlobRecord,
}

impl GroupRecord {
    /// Returns the names of the queues of its jobs, which on a NATS server are consumers of the stream
    /// `JOBS`. Groups that the same workers can run share them.
    #[must_use]
    pub fn queues(&self) -> Vec<String> {
        let route = self.route;
        let queues = self.classes.iter().map(|&class| Queue { class, route });
        queues.map(Queue::name).collect()
    }
}

/// Bytes stored in chunks under their digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlobRecord {
    /// The digest of all bytes.
    pub digest: Digest,
    /// The number of chunks.
    pub chunks: u32,
}

/// Bytes in one chunk at most; `max_payload` of a NATS server is 1 MiB unless configured.
pub(crate) const CHUNK_BYTES: usize = 512 << 10;

impl BlobRecord {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self {
            digest: Digest::of(bytes),
            chunks: bytes.len().div_ceil(CHUNK_BYTES) as u32,
        }
    }
}

/// A worker that is alive, republished every few seconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerRecord {
    /// The name.
    pub name: String,
    /// The version of papan.
    pub version: String,
    /// How many jobs it runs at once.
    pub threads: usize,
    /// How many jobs it has finished.
    pub done: u64,
    /// When it started, in seconds since 1970.
    pub started: u64,
    /// The routes that it serves.
    pub routes: Vec<Digest>,
    /// The jobs that it runs now.
    pub running: Vec<RunningJob>,
    /// The groups that it cannot serve.
    pub declined: Vec<Declined>,
    /// Whether it takes no more jobs and ends after the present ones.
    #[serde(default)]
    pub draining: bool,
}

/// A job that a worker runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningJob {
    /// Its group.
    pub group: String,
    /// Its key in the group.
    pub key: Digest,
}

/// A group that a worker cannot serve.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declined {
    /// The group.
    pub group: String,
    /// Why not.
    pub reason: String,
}

/// The address of a job: everything that its subject contains.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct JobAddress {
    pub(crate) route: Digest,
    pub(crate) class: Class,
    pub(crate) group: String,
    pub(crate) key: Digest,
}

/// A job that failed for good: it broke, ran into its time limit, or several workers died of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadLetter {
    pub(crate) address: JobAddress,
    /// Why it failed.
    pub reason: String,
    /// The worker that reported it.
    pub worker: String,
    pub(crate) body: Vec<u8>,
    /// Its place in the list, so that a later letter of the same job is not dropped with it.
    pub(crate) sequence: u64,
}

impl DeadLetter {
    /// The group of the job.
    #[must_use]
    pub fn group(&self) -> &str {
        &self.address.group
    }

    /// The key of the job in its group.
    #[must_use]
    pub fn key(&self) -> Digest {
        self.address.key
    }
}

/// How many jobs of a group are where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupCounts {
    /// Jobs on the server without a result, waiting or running.
    pub queued: u64,
    /// Results on the server.
    pub done: u64,
    /// Dead letters.
    pub dead: u64,
}

/// Seconds since 1970.
pub(crate) fn unix_seconds() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
