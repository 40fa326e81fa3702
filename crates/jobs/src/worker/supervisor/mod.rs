//! The task that assigns jobs to threads, reports them as in progress, stops them, and hands over
//! their results.

mod groups;
mod jobs;
mod reports;

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use papan_strategies::Watch;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{MissedTickBehavior, interval};

use super::thread::{self, Assignment};
use super::{Input, Shared, puller};
use crate::backoff::jitter;
use crate::kind::AnyKind;
use crate::record::{GroupRecord, unix_seconds};
use crate::transport::{Delivery, Event, Interest};
use crate::{Digest, JobsError};

/// Between two looks at the running jobs.
const TICK: Duration = Duration::from_secs(1);
/// Ticks between two reports that jobs are in progress and the worker is alive.
const REPORT_TICKS: u32 = 4;
/// Between two readings of all open groups, in case an announcement was lost.
const RESYNC: Duration = Duration::from_secs(60);
/// A job that was delivered more often becomes a dead letter: it kills its workers.
const MAX_ATTEMPTS: u64 = 5;
/// A job that failed here is left to others until it was delivered more often.
const MAX_LEFT_ATTEMPTS: u64 = 3;
/// How long it then waits for another worker.
const LEFT_DELAY: Duration = Duration::from_secs(1);
/// Failed jobs that are remembered.
const MAX_FAILED: usize = 10_000;
/// Before a job that cannot run here goes to another worker.
const RELEASE_DELAY: Duration = Duration::from_secs(2);
/// Jobs that wait at this worker should take this long, so that short jobs hide the network.
const PREFETCH_TIME: Duration = Duration::from_millis(20);
/// Waiting jobs for each thread, at most.
const MAX_PREFETCH: usize = 32;

/// A group whose jobs run here.
#[derive(Clone)]
pub(super) struct Accepted {
    kind: Arc<dyn AnyKind>,
    body: Arc<[u8]>,
    /// How long one of its jobs may run.
    limit: Duration,
}

enum GroupState {
    Checking,
    Accepted(Accepted),
    Declined {
        reason: String,
        /// Whether that can change, for example because an engine is installed.
        may_change: bool,
    },
}

struct Group {
    record: GroupRecord,
    state: GroupState,
}

/// A job that waits for a thread.
struct Held {
    delivery: Delivery,
    permit: Option<OwnedSemaphorePermit>,
}

struct Running {
    delivery: Arc<Delivery>,
    watch: Arc<Watch>,
    since: Instant,
    limit: Duration,
    slot: usize,
    stopped: Option<StopReason>,
    /// Freed when the thread is.
    _permit: Option<OwnedSemaphorePermit>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StopReason {
    /// The group is closed or the job withdrawn.
    Unwanted,
    TimeLimit,
    /// Beyond the grace after its time limit; its delivery is completed.
    Stuck,
}

struct Slot {
    assignments: Sender<Assignment>,
    is_busy: bool,
    /// The group of its last job: its session is warm.
    group: String,
}

/// The state of a worker.
pub(super) struct Supervisor {
    shared: Arc<Shared>,
    groups: BTreeMap<String, Group>,
    /// Jobs whose group is being looked up.
    parked: Vec<Held>,
    ready: [VecDeque<Held>; 2],
    slots: Vec<Slot>,
    running: HashMap<u64, Running>,
    /// Jobs whose result is on its way to the server.
    completing: HashMap<u64, Arc<Delivery>>,
    next_job: u64,
    /// Jobs that failed here.
    failed: HashSet<(String, Digest)>,
    started: u64,
    /// When there last was a job.
    busy: Instant,
    ticks: u32,
    is_syncing: bool,
    is_pulling: bool,
    /// The mean time of the last jobs, in seconds.
    job_time: Option<f64>,
    prefetch: usize,
}

impl Supervisor {
    pub(super) fn new(shared: Arc<Shared>) -> Result<Self, JobsError> {
        let options = &shared.options;
        let slots = (0..options.threads).map(|_| {
            let inputs = shared.inputs.clone();
            let started = thread::start(&options.name, options.stack_bytes, inputs);
            started.map(|assignments| Slot {
                assignments,
                is_busy: false,
                group: String::new(),
            })
        });
        let slots: Result<Vec<Slot>, std::io::Error> = slots.collect();
        let slots = slots.map_err(|error| JobsError::Unreachable {
            server: "a thread".into(),
            reason: error.to_string(),
        })?;
        Ok(Self {
            slots,
            shared,
            groups: BTreeMap::new(),
            parked: Vec::new(),
            ready: [VecDeque::new(), VecDeque::new()],
            running: HashMap::new(),
            completing: HashMap::new(),
            next_job: 0,
            failed: HashSet::new(),
            started: unix_seconds(),
            busy: Instant::now(),
            ticks: 0,
            is_syncing: false,
            is_pulling: true,
            job_time: None,
            prefetch: 0,
        })
    }

    pub(super) async fn run(mut self, mut inputs: UnboundedReceiver<Input>) {
        let listener = tokio::spawn(listen(Arc::clone(&self.shared)));
        tokio::spawn(puller::run(Arc::clone(&self.shared)));
        self.sync_groups();
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut resync = interval(jitter(RESYNC));
        resync.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !self.is_over() {
            tokio::select! {
                input = inputs.recv() => match input {
                    Some(input) => self.handle(input).await,
                    None => return,
                },
                _ = tick.tick() => self.tick().await,
                _ = resync.tick() => self.sync_groups(),
            }
        }
        listener.abort();
        // The list of workers forgets it by itself.
        let _ = self
            .shared
            .transport
            .retire(&self.shared.options.name)
            .await;
    }

    fn is_draining(&self) -> bool {
        self.shared.is_draining.load(Ordering::Relaxed)
    }

    fn is_over(&self) -> bool {
        self.is_draining()
            && !self.is_pulling
            && !self.has_live_jobs()
            && self.completing.is_empty()
    }

    async fn handle(&mut self, input: Input) {
        match input {
            Input::Delivered(delivery, permit) => self.deliver(Held { delivery, permit }),
            Input::Ended { job, ended } => self.end(job, ended),
            Input::Completed { job, result } => {
                self.completing.remove(&job);
                if let Err(error) = result {
                    self.say(&format!("a result could not be stored: {error}"));
                }
            }
            Input::Event(event) => self.react(event),
            Input::Groups(groups) => self.enter_groups(groups),
            Input::Checked(record, checked) => self.enter_checked(&record, checked),
            Input::Drain => self.drain(),
            Input::PullingEnded => self.is_pulling = false,
        }
    }

    fn say(&self, message: &str) {
        self.shared.options.notice.say(message);
    }

    fn react(&mut self, event: Event) {
        match event {
            Event::Opened(record) => self.open(record),
            Event::Closed(name) => self.close(&name),
            Event::Withdrawn(group, keys) => self.stop_jobs(|delivery| {
                delivery.address.group == group && keys.contains(&delivery.address.key)
            }),
            Event::Distrusted { group, reason, .. } => {
                let reason = format!("its producer rejected results of this worker: {reason}");
                self.decline(&group, &reason, false);
            }
            Event::Reconnected => self.sync_groups(),
            Event::Progress(..) | Event::Finished(_) => {}
        }
    }
}

/// Forwards events, and subscribes again when a subscription ends.
async fn listen(shared: Arc<Shared>) {
    let interest = Interest::Worker(shared.options.name.clone());
    while !shared.is_draining.load(Ordering::Relaxed) {
        if let Ok(mut events) = shared.transport.events(interest.clone()).await {
            // Earlier events were missed.
            if shared
                .inputs
                .send(Input::Event(Event::Reconnected))
                .is_err()
            {
                return;
            }
            while let Some(event) = events.recv().await {
                if shared.inputs.send(Input::Event(event)).is_err() {
                    return;
                }
            }
        }
        tokio::time::sleep(TICK).await;
    }
}

fn over_limit(limit: Duration) -> String {
    format!("it exceeded its time limit of {} s", limit.as_secs())
}
