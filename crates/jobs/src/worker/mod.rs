//! Workers: they pull jobs as threads become free, run them and store their results.
//!
//! One task pulls ([`puller`]), one task supervises ([`supervisor`]), and each job runs on one of
//! several threads ([`thread`]). All jobs that a worker holds are reported as in progress every few
//! seconds; a job whose worker falls silent goes to another one.

mod puller;
mod supervisor;
mod thread;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::{Notify, Semaphore, mpsc, watch};
use tokio::task::JoinHandle;

use crate::transport::{Delivery, Event, Queue, Transport};
use crate::{Connection, JobsError, Kinds, Notice};
use supervisor::{Accepted, Supervisor};
use thread::Ended;

/// How a worker runs.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    name: String,
    threads: usize,
    version: String,
    idle: Option<Duration>,
    max_jobs: Option<u64>,
    stack_bytes: usize,
    notice: Notice,
}

impl WorkerOptions {
    /// A worker with this name and one thread. Names of workers that run at the same time differ.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            threads: 1,
            version: String::new(),
            idle: None,
            max_jobs: None,
            // Searches are deep.
            stack_bytes: 16 << 20,
            notice: Notice::none(),
        }
    }

    /// Sets how many jobs run at once.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Sets the version that lists of workers show.
    #[must_use]
    pub fn version(mut self, version: &str) -> Self {
        version.clone_into(&mut self.version);
        self
    }

    /// Drains the worker once it has had nothing to do for this long.
    #[must_use]
    pub fn idle(mut self, idle: Option<Duration>) -> Self {
        self.idle = idle;
        self
    }

    /// Drains the worker once it has finished this many jobs. Jobs that run at that moment still
    /// end, so that several threads finish a few more.
    #[must_use]
    pub fn max_jobs(mut self, jobs: Option<u64>) -> Self {
        self.max_jobs = jobs;
        self
    }

    /// Sets where messages for the user go.
    #[must_use]
    pub fn notice(mut self, notice: Notice) -> Self {
        self.notice = notice;
        self
    }
}

/// Statistics of a worker that has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerSummary {
    /// Jobs with a result.
    pub done: u64,
}

/// A running worker.
pub struct Worker {
    connection: Connection,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

/// State shared by the tasks of a worker.
struct Shared {
    options: WorkerOptions,
    transport: Arc<dyn Transport>,
    kinds: Kinds,
    inputs: mpsc::UnboundedSender<Input>,
    /// The queues that are pulled from.
    queues: watch::Sender<Vec<Queue>>,
    /// One permit for each job that the worker may hold.
    permits: Arc<Semaphore>,
    /// Interrupts a pull.
    cancel: Notify,
    is_draining: AtomicBool,
    done: AtomicU64,
}

/// Inputs of the supervisor.
enum Input {
    Delivered(Delivery, Option<tokio::sync::OwnedSemaphorePermit>),
    /// A thread ended a job.
    Ended {
        job: u64,
        ended: Ended,
    },
    /// A job is off this worker's hands.
    Completed {
        job: u64,
        result: Result<(), JobsError>,
    },
    Event(Event),
    /// All open groups.
    Groups(Vec<crate::GroupRecord>),
    /// Whether a group can be served.
    Checked(crate::GroupRecord, Result<Accepted, String>),
    Drain,
    /// No more jobs will be delivered.
    PullingEnded,
}

impl Worker {
    /// Starts a worker.
    ///
    /// # Errors
    /// When the server cannot be reached, or no thread can be started.
    pub fn start(
        connection: &Connection,
        kinds: Kinds,
        options: WorkerOptions,
    ) -> Result<Self, JobsError> {
        let (inputs, received) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared {
            permits: Arc::new(Semaphore::new(options.threads)),
            options,
            transport: Arc::clone(connection.transport()),
            kinds,
            inputs,
            queues: watch::Sender::new(Vec::new()),
            cancel: Notify::new(),
            is_draining: AtomicBool::new(false),
            done: AtomicU64::new(0),
        });
        let supervisor = Supervisor::new(Arc::clone(&shared))?;
        let task = connection.handle().spawn(supervisor.run(received));
        Ok(Self {
            connection: connection.clone(),
            shared,
            task,
        })
    }

    /// Takes no more jobs and ends after the present ones. Returns at once.
    pub fn drain(&self) {
        self.drainer().drain();
    }

    /// Returns a handle that drains the worker, for signal handlers.
    #[must_use]
    pub fn drainer(&self) -> Drainer {
        Drainer(Arc::clone(&self.shared))
    }

    /// Waits until the worker has ended: after [`Worker::drain`], when it was idle for too
    /// long, or after its last job.
    ///
    /// # Panics
    /// Inside an asynchronous runtime.
    pub fn join(self) -> WorkerSummary {
        // The task returns or was aborted with its runtime; both mean that it has ended.
        let _ = self.connection.block_on(self.task);
        WorkerSummary {
            done: self.shared.done.load(Ordering::Relaxed),
        }
    }
}

/// Drains a worker.
#[derive(Clone)]
pub struct Drainer(Arc<Shared>);

impl Drainer {
    /// See [`Worker::drain`].
    pub fn drain(&self) {
        // A worker that has ended needs no draining.
        let _ = self.0.inputs.send(Input::Drain);
    }
}
