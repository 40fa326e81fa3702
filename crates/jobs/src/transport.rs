//! The interface between producers or workers and a transport.
//!
//! [`memory`] keeps everything in this process; [`nats`] uses NATS JetStream. Both deliver a job at
//! least once and store the first result of each job.

pub(crate) mod memory;
pub(crate) mod nats;

use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{Notify, mpsc};

use crate::record::{DeadLetter, GroupCounts, GroupRecord, JobAddress, WorkerRecord};
use crate::{Class, Digest, JobsError};

/// The answer of a transport.
pub(crate) type Reply<'a, T> = Pin<Box<dyn Future<Output = Result<T, JobsError>> + Send + 'a>>;

/// A queue of jobs: workers pull from some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Queue {
    /// Urgent queues sort first.
    pub(crate) class: Class,
    pub(crate) route: Digest,
}

impl Queue {
    /// The name, which is that of a durable consumer on a NATS server.
    pub(crate) fn name(self) -> String {
        format!("{}-{}", self.route, self.class.name())
    }
}

/// A job that a worker has pulled.
#[derive(Debug)]
pub(crate) struct Delivery {
    pub(crate) address: JobAddress,
    pub(crate) body: Bytes,
    /// How often the job was delivered, this time included.
    pub(crate) attempt: u64,
    pub(crate) receipt: Receipt,
}

/// How a delivery is acknowledged.
#[derive(Clone, Debug)]
pub(crate) enum Receipt {
    /// Not at all: within this process, or by a producer.
    None,
    /// The reply subject of the message.
    Nats(async_nats::Subject),
}

/// How a delivery ended.
#[derive(Debug)]
pub(crate) enum Completion {
    /// With a result.
    Done(Vec<u8>),
    /// For good, without a result.
    Dead(String),
    /// Not at this worker: it goes to another one after this time.
    Release(Duration),
    /// Its group is closed, or the job was withdrawn.
    Discard,
}

/// A result as it was stored.
#[derive(Clone, Debug)]
pub(crate) struct RawResult {
    pub(crate) group: String,
    pub(crate) key: Digest,
    /// The position in the stream of results.
    pub(crate) sequence: u64,
    pub(crate) worker: String,
    pub(crate) job: Bytes,
    pub(crate) output: Bytes,
}

/// Messages to workers and producers that are not stored and may be lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A group was opened or refreshed.
    Opened(GroupRecord),
    /// A group was closed.
    Closed(String),
    /// Jobs of a group are no longer wanted.
    Withdrawn(String, Vec<Digest>),
    /// A producer rejected several results of a worker of this group.
    Distrusted {
        worker: String,
        group: String,
        reason: String,
    },
    /// A job has looked at this many nodes.
    Progress(Digest, u64),
    /// A job has a result, or became a dead letter.
    Finished(Digest),
    /// The connection was lost and is back: events may be missing.
    Reconnected,
}

/// Which events a receiver wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Interest {
    /// Changes of groups, withdrawn jobs, and distrust of this worker.
    Worker(String),
    /// Progress and end of the jobs of this group.
    Group(String),
}

/// The results of one group, in the order of the stream.
pub(crate) trait ReadResults: Send {
    /// Waits up to `wait` for at least one result. After an error that is temporary, the stream
    /// may have lost its messages.
    fn next(&mut self, wait: Duration) -> Reply<'_, Vec<RawResult>>;
}

/// The jobs that one worker takes.
pub(crate) trait Pull: Send {
    /// Waits for jobs of these queues, urgent ones first, about `limit` at once. Returns early,
    /// perhaps with nothing, once `cancel` is notified.
    fn next<'a>(
        &'a mut self,
        queues: &'a [Queue],
        limit: usize,
        cancel: &'a Notify,
    ) -> Reply<'a, Vec<Delivery>>;
}

/// Carries jobs from producers to workers and results back.
pub(crate) trait Transport: Send + Sync {
    /// The server in words, without a password.
    fn name(&self) -> &str;

    /// Stores a group, creates its queues and announces it. Repeating it keeps the group from
    /// expiring.
    fn open_group<'a>(&'a self, record: &'a GroupRecord, body: &'a [u8]) -> Reply<'a, ()>;
    /// Returns the open groups.
    fn groups(&self) -> Reply<'_, Vec<GroupRecord>>;
    /// Returns whether a group is open. Does not wait for a server that is away.
    fn is_open<'a>(&'a self, group: &'a str) -> Reply<'a, bool>;
    /// Creates the storage of a new server, so that workers can announce themselves.
    fn prepare(&self) -> Reply<'_, ()>;
    /// Returns the bytes that all jobs of a group share.
    fn group_body<'a>(&'a self, record: &'a GroupRecord) -> Reply<'a, Vec<u8>>;
    /// Removes a group with its jobs, results and dead letters.
    fn close_group<'a>(&'a self, record: &'a GroupRecord) -> Reply<'a, ()>;

    /// Queues a job, unless a job with the same key is queued or running.
    fn submit<'a>(&'a self, address: &'a JobAddress, body: Bytes) -> Reply<'a, ()>;
    /// Queues a job, unless a job with the same key is queued, running or has a result: several
    /// producers of one group do not run it twice.
    fn submit_once<'a>(&'a self, address: &'a JobAddress, body: Bytes) -> Reply<'a, ()>;
    /// Returns of each job whether a worker has been given it and has not ended it.
    fn taken<'a>(&'a self, addresses: &'a [JobAddress]) -> Reply<'a, Vec<bool>>;
    /// Removes jobs from the queue, all of the group with `None`, and stops those that run.
    fn withdraw<'a>(&'a self, record: &'a GroupRecord, keys: Option<&'a [Digest]>)
    -> Reply<'a, ()>;
    /// Returns a reader of all results of a group, from the first.
    fn results(&self, group: &str) -> Box<dyn ReadResults>;
    /// Returns the result of one job.
    fn result<'a>(&'a self, group: &'a str, key: Digest) -> Reply<'a, Option<RawResult>>;
    /// Removes a false result, so that another one can be stored.
    fn reject<'a>(&'a self, result: &'a RawResult) -> Reply<'a, ()>;

    /// Returns how a worker takes jobs.
    fn puller(&self) -> Box<dyn Pull>;
    /// Says that a delivery is still being worked on.
    fn extend<'a>(&'a self, receipt: &'a Receipt) -> Reply<'a, ()>;
    /// Ends a delivery. A result is stored before the job is acknowledged.
    fn complete<'a>(
        &'a self,
        delivery: &'a Delivery,
        worker: &'a str,
        completion: Completion,
    ) -> Reply<'a, ()>;

    /// Publishes that a worker is alive; it expires after some seconds.
    fn announce<'a>(&'a self, record: &'a WorkerRecord) -> Reply<'a, ()>;
    /// Removes a worker before it expires.
    fn retire<'a>(&'a self, worker: &'a str) -> Reply<'a, ()>;
    /// Returns the workers alive.
    fn workers(&self) -> Reply<'_, Vec<WorkerRecord>>;

    /// Subscribes to events.
    fn events(&self, interest: Interest) -> Reply<'_, mpsc::Receiver<Event>>;
    /// Publishes an event about a group.
    fn notify<'a>(&'a self, group: &'a str, event: Event) -> Reply<'a, ()>;

    /// Returns the dead letters of a group, or all.
    fn dead_letters<'a>(&'a self, group: Option<&'a str>) -> Reply<'a, Vec<DeadLetter>>;
    /// Returns the dead letter of a job.
    fn dead_letter<'a>(&'a self, group: &'a str, key: Digest) -> Reply<'a, Option<DeadLetter>>;
    /// Removes a dead letter.
    fn drop_dead_letter<'a>(&'a self, letter: &'a DeadLetter) -> Reply<'a, ()>;
    /// Counts the jobs of a group.
    fn counts<'a>(&'a self, group: &'a str) -> Reply<'a, GroupCounts>;
}
