//! The task that assigns jobs to threads, reports them as in progress, stops them, and hands over
//! their results.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use papan_strategies::Watch;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{MissedTickBehavior, interval};

use super::thread::{self, Assignment, Ended, Failure};
use super::{Input, Shared, puller};
use crate::backoff::jitter;
use crate::kind::AnyKind;
use crate::record::{Declined, GroupRecord, WorkerRecord, unix_seconds};
use crate::transport::{Completion, Delivery, Event, Interest, Queue};
use crate::{Class, Digest, JobsError};

/// Between two looks at the running jobs.
const TICK: Duration = Duration::from_secs(1);
/// Ticks between two reports that jobs are in progress and the worker is alive.
const REPORT_TICKS: u32 = 4;
/// Between two readings of all open groups, in case an announcement was lost.
const RESYNC: Duration = Duration::from_secs(60);
/// A job that was delivered more often becomes a dead letter: it kills its workers.
const MAX_ATTEMPTS: u64 = 5;
/// Before a job that cannot run here goes to another worker.
const RELEASE_DELAY: Duration = Duration::from_secs(2);
/// After its time limit a job has this long to stop before that is reported.
const STOP_GRACE: Duration = Duration::from_secs(30);
/// Jobs that wait at this worker should take this long, so that short jobs hide the network.
const PREFETCH_TIME: Duration = Duration::from_millis(20);
/// Waiting jobs for each thread, at most.
const MAX_PREFETCH: usize = 32;

/// A group whose jobs run here.
#[derive(Clone)]
pub(super) struct Accepted {
    kind: Arc<dyn AnyKind>,
    body: Arc<[u8]>,
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
    /// Beyond the grace after its time limit.
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
            && self.running.is_empty()
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

    // Groups.

    fn sync_groups(&mut self) {
        if self.is_syncing {
            return;
        }
        self.is_syncing = true;
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move {
            let groups = loop {
                match shared.transport.groups().await {
                    Ok(groups) => break groups,
                    Err(error) => {
                        shared.options.notice.say(&error.to_string());
                        tokio::time::sleep(jitter(RELEASE_DELAY)).await;
                    }
                }
            };
            let _ = shared.inputs.send(Input::Groups(groups));
        });
    }

    fn enter_groups(&mut self, groups: Vec<GroupRecord>) {
        self.is_syncing = false;
        let open: HashSet<String> = groups.iter().map(|record| record.name.clone()).collect();
        let closed: Vec<String> = self
            .groups
            .keys()
            .filter(|name| !open.contains(*name))
            .cloned()
            .collect();
        for name in closed {
            self.close(&name);
        }
        for record in groups {
            self.open(record);
        }
        self.unpark();
        // A group that is still unknown is closed.
        for held in std::mem::take(&mut self.parked) {
            if self.groups.contains_key(&held.delivery.address.group) {
                self.parked.push(held);
            } else {
                self.complete(Arc::new(held.delivery), Completion::Discard);
            }
        }
    }

    fn open(&mut self, record: GroupRecord) {
        let known = self.groups.get(&record.name);
        let is_settled = known.is_some_and(|known| {
            let may_change = matches!(
                known.state,
                GroupState::Declined {
                    may_change: true,
                    ..
                }
            );
            known.record.route == record.route && !may_change
        });
        if is_settled {
            return;
        }
        if known.is_none() {
            let group = Group {
                record: record.clone(),
                state: GroupState::Checking,
            };
            self.groups.insert(record.name.clone(), group);
        }
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move {
            let checked = check(&shared, &record).await;
            let _ = shared.inputs.send(Input::Checked(record, checked));
        });
    }

    fn enter_checked(&mut self, record: &GroupRecord, checked: Result<Accepted, String>) {
        let Some(group) = self.groups.get_mut(&record.name) else {
            return;
        };
        match checked {
            Ok(accepted) => {
                group.state = GroupState::Accepted(accepted);
                self.update_queues();
            }
            Err(reason) => self.decline(&record.name, &reason, true),
        }
        self.unpark();
    }

    fn close(&mut self, name: &str) {
        if self.groups.remove(name).is_none() {
            return;
        }
        self.stop_jobs(|delivery| delivery.address.group == name);
        for ready in &mut self.ready {
            ready.retain(|held| held.delivery.address.group != name);
        }
        self.update_queues();
    }

    fn decline(&mut self, name: &str, new_reason: &str, may_change: bool) {
        let Some(group) = self.groups.get_mut(name) else {
            return;
        };
        let is_new = match &group.state {
            GroupState::Declined { reason, .. } => reason != new_reason,
            _ => true,
        };
        group.state = GroupState::Declined {
            reason: new_reason.to_owned(),
            may_change,
        };
        if is_new {
            self.say(&format!("cannot run jobs of {name}: {new_reason}"));
        }
        self.update_queues();
    }

    /// Pulls from the queues of all groups that can be served.
    fn update_queues(&self) {
        let mut queues: Vec<Queue> = Vec::new();
        let mut declined: HashSet<Digest> = HashSet::new();
        for group in self.groups.values() {
            let route = group.record.route;
            match group.state {
                GroupState::Accepted(_) => {
                    let classes = group.record.classes.iter();
                    queues.extend(classes.map(|&class| Queue { class, route }));
                }
                GroupState::Declined { .. } => {
                    declined.insert(route);
                }
                GroupState::Checking => {}
            }
        }
        // Groups with the same needs share a queue: one that cannot run here spoils it.
        queues.retain(|queue| !declined.contains(&queue.route));
        queues.sort_unstable();
        queues.dedup();
        let changed = self.shared.queues.send_if_modified(|current| {
            let is_new = *current != queues;
            *current = queues;
            is_new
        });
        if changed {
            self.shared.cancel.notify_one();
        }
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

    // Jobs.

    fn deliver(&mut self, held: Held) {
        self.busy = Instant::now();
        if self.is_draining() {
            self.complete(Arc::new(held.delivery), Completion::Release(Duration::ZERO));
            return;
        }
        if held.delivery.attempt > MAX_ATTEMPTS {
            let reason = format!(
                "it was started {MAX_ATTEMPTS} times and has no result: its workers died or lost \
                 their connection"
            );
            self.complete(Arc::new(held.delivery), Completion::Dead(reason));
            return;
        }
        let group = self.groups.get(&held.delivery.address.group);
        match group.map(|group| &group.state) {
            Some(GroupState::Accepted(_)) => {
                let class = held.delivery.address.class;
                self.ready[place(class)].push_back(held);
                self.dispatch();
            }
            Some(GroupState::Declined { .. }) => {
                self.complete(Arc::new(held.delivery), Completion::Release(RELEASE_DELAY));
            }
            Some(GroupState::Checking) => self.parked.push(held),
            None => {
                self.parked.push(held);
                self.sync_groups();
            }
        }
    }

    fn unpark(&mut self) {
        for held in std::mem::take(&mut self.parked) {
            let group = self.groups.get(&held.delivery.address.group);
            let is_checked =
                group.is_some_and(|group| !matches!(group.state, GroupState::Checking));
            if is_checked {
                self.deliver(held);
            } else {
                self.parked.push(held);
            }
        }
    }

    /// Assigns ready jobs to free threads, urgent ones first.
    fn dispatch(&mut self) {
        while self.slots.iter().any(|slot| !slot.is_busy) {
            let next = self.ready.iter_mut().find_map(VecDeque::pop_front);
            let Some(held) = next else { return };
            self.assign(held);
        }
    }

    fn assign(&mut self, held: Held) {
        let address = &held.delivery.address;
        let accepted = match self.groups.get(&address.group).map(|group| &group.state) {
            Some(GroupState::Accepted(accepted)) => accepted.clone(),
            Some(_) => {
                self.complete(Arc::new(held.delivery), Completion::Release(RELEASE_DELAY));
                return;
            }
            None => {
                self.complete(Arc::new(held.delivery), Completion::Discard);
                return;
            }
        };
        let watch = match accepted.kind.watch(&held.delivery.body) {
            Ok(watch) => Arc::new(watch),
            Err(reason) => {
                let reason = format!("the job cannot be read: {reason}");
                self.complete(Arc::new(held.delivery), Completion::Dead(reason));
                return;
            }
        };
        let free = |slot: &Slot| !slot.is_busy;
        let warm = |slot: &Slot| free(slot) && slot.group == address.group;
        let slot = self.slots.iter().position(warm);
        let slot = slot.or_else(|| self.slots.iter().position(free));
        let slot = slot.expect("a thread is free when jobs are assigned");
        let job = self.next_job;
        self.next_job += 1;
        let assignment = Assignment {
            job,
            group: address.group.clone(),
            kind: Arc::clone(&accepted.kind),
            group_body: accepted.body,
            body: held.delivery.body.clone(),
            watch: Arc::clone(&watch),
        };
        self.slots[slot].is_busy = true;
        address.group.clone_into(&mut self.slots[slot].group);
        let sent = self.slots[slot].assignments.send(assignment);
        sent.expect("threads catch panics and end after their supervisor");
        self.running.insert(
            job,
            Running {
                delivery: Arc::new(held.delivery),
                watch,
                since: Instant::now(),
                limit: accepted.kind.time_limit(),
                slot,
                stopped: None,
                _permit: held.permit,
            },
        );
    }

    fn end(&mut self, job: u64, ended: Ended) {
        let Some(running) = self.running.remove(&job) else {
            return;
        };
        self.slots[running.slot].is_busy = false;
        self.busy = Instant::now();
        self.adapt_prefetch(ended.time);
        let group = running.delivery.address.group.clone();
        let completion = match (running.stopped, ended.result) {
            (Some(StopReason::Unwanted), _) => Completion::Discard,
            (Some(StopReason::TimeLimit | StopReason::Stuck), _) => {
                Completion::Dead(over_limit(running.limit))
            }
            (None, Ok(output)) => {
                self.shared.done.fetch_add(1, Ordering::Relaxed);
                Completion::Done(output)
            }
            (None, Err(Failure::Job(reason))) => {
                self.say(&format!("a job of {group} failed: {reason}"));
                Completion::Dead(reason)
            }
            (None, Err(Failure::Group(reason))) => {
                self.decline(&group, &reason, true);
                Completion::Release(RELEASE_DELAY)
            }
        };
        let delivery = Arc::clone(&running.delivery);
        drop(running);
        self.complete(delivery, completion);
        self.dispatch();
    }

    /// Hands a job over to the transport, however long that takes.
    fn complete(&mut self, delivery: Arc<Delivery>, completion: Completion) {
        let job = self.next_job;
        self.next_job += 1;
        self.completing.insert(job, Arc::clone(&delivery));
        let shared = Arc::clone(&self.shared);
        let record = self.groups.get(&delivery.address.group);
        let is_watched = record.is_some_and(|group| group.record.interactive);
        tokio::spawn(async move {
            let name = &shared.options.name;
            let result = shared.transport.complete(&delivery, name, completion).await;
            if is_watched {
                let address = &delivery.address;
                let event = Event::Finished(address.key);
                // Producers also look from time to time.
                let _ = shared.transport.notify(&address.group, event).await;
            }
            let _ = shared.inputs.send(Input::Completed { job, result });
        });
    }

    fn stop_jobs(&mut self, is_meant: impl Fn(&Delivery) -> bool) {
        for running in self.running.values_mut() {
            if is_meant(&running.delivery) {
                running.stopped = Some(StopReason::Unwanted);
                running.watch.stop.stop();
            }
        }
    }

    /// Lets short jobs wait here, so that the network is not waited for between them.
    fn adapt_prefetch(&mut self, time: Duration) {
        let before = self.job_time.unwrap_or(time.as_secs_f64());
        let mean = 0.9 * before + 0.1 * time.as_secs_f64();
        self.job_time = Some(mean);
        let each = (PREFETCH_TIME.as_secs_f64() / mean.max(1e-6)) as usize;
        let wanted = each.min(MAX_PREFETCH) * self.slots.len();
        if wanted > self.prefetch {
            self.shared.permits.add_permits(wanted - self.prefetch);
            self.prefetch = wanted;
        } else if wanted < self.prefetch {
            self.prefetch -= self.shared.permits.forget_permits(self.prefetch - wanted);
        }
    }

    fn drain(&mut self) {
        if self.shared.is_draining.swap(true, Ordering::Relaxed) {
            return;
        }
        self.shared.cancel.notify_one();
        let waiting = self.ready.iter_mut().flat_map(std::mem::take);
        let waiting: Vec<Held> = waiting.chain(std::mem::take(&mut self.parked)).collect();
        for held in waiting {
            self.complete(Arc::new(held.delivery), Completion::Release(Duration::ZERO));
        }
    }

    // Time.

    async fn tick(&mut self) {
        self.enforce_limits();
        let nothing = self.running.is_empty() && self.completing.is_empty();
        let idle = self.shared.options.idle;
        if nothing && idle.is_some_and(|idle| self.busy.elapsed() >= idle) {
            self.drain();
            return;
        }
        self.publish_progress().await;
        if self.ticks.is_multiple_of(REPORT_TICKS) {
            self.report().await;
        }
        self.ticks = self.ticks.wrapping_add(1);
    }

    fn enforce_limits(&mut self) {
        let mut messages = Vec::new();
        for running in self.running.values_mut() {
            let over = running.since.elapsed().checked_sub(running.limit);
            let address = &running.delivery.address;
            let named = || format!("job {} of {}", address.key.short(), address.group);
            match (over, running.stopped) {
                (Some(_), None) => {
                    running.stopped = Some(StopReason::TimeLimit);
                    running.watch.stop.stop();
                    messages.push(format!("{}: {}", named(), over_limit(running.limit)));
                }
                (Some(over), Some(StopReason::TimeLimit)) if over > STOP_GRACE => {
                    running.stopped = Some(StopReason::Stuck);
                    messages.push(format!(
                        "{} does not stop after its time limit; one thread of this worker is \
                         lost until it ends",
                        named()
                    ));
                }
                _ => {}
            }
        }
        for message in messages {
            self.say(&message);
        }
    }

    /// Publishes how far jobs are that someone watches.
    async fn publish_progress(&self) {
        for running in self.running.values() {
            let address = &running.delivery.address;
            let group = self.groups.get(&address.group);
            if group.is_some_and(|group| group.record.interactive) {
                let nodes = running.watch.progress().nodes;
                let event = Event::Progress(address.key, nodes);
                let _ = self.shared.transport.notify(&address.group, event).await;
            }
        }
    }

    /// Reports that the worker is alive and works on all jobs that it holds.
    async fn report(&self) {
        let transport = &self.shared.transport;
        let running = self.running.values().map(|running| &*running.delivery);
        let waiting = self.ready.iter().flatten().chain(&self.parked);
        let waiting = waiting.map(|held| &held.delivery);
        let completing = self.completing.values().map(|delivery| &**delivery);
        for delivery in running.chain(waiting).chain(completing) {
            // While the server is away, no other worker can take the job either.
            let _ = transport.extend(&delivery.receipt).await;
        }
        let _ = transport.announce(&self.record()).await;
    }

    fn record(&self) -> WorkerRecord {
        let options = &self.shared.options;
        let queues = self.shared.queues.borrow();
        let mut routes: Vec<Digest> = queues.iter().map(|queue| queue.route).collect();
        routes.sort_unstable();
        routes.dedup();
        let declined = self.groups.values().filter_map(|group| match &group.state {
            GroupState::Declined { reason, .. } => Some(Declined {
                group: group.record.name.clone(),
                reason: reason.clone(),
            }),
            _ => None,
        });
        let running = self.running.values();
        let running = running.map(|running| running.delivery.address.group.clone());
        WorkerRecord {
            name: options.name.clone(),
            version: options.version.clone(),
            threads: options.threads,
            done: self.shared.done.load(Ordering::Relaxed),
            started: self.started,
            routes,
            running: running.collect(),
            declined: declined.collect(),
            draining: self.is_draining(),
        }
    }
}

fn place(class: Class) -> usize {
    match class {
        Class::Page => 0,
        Class::Bulk => 1,
    }
}

fn over_limit(limit: Duration) -> String {
    format!("it exceeded its time limit of {} s", limit.as_secs())
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

/// Whether jobs of a group can be reproduced here.
async fn check(shared: &Arc<Shared>, record: &GroupRecord) -> Result<Accepted, String> {
    let body = shared.transport.group_body(record).await;
    let body: Arc<[u8]> = body.map_err(|error| error.to_string())?.into();
    let shared = Arc::clone(shared);
    let record = record.clone();
    // Digests of engine programs are computed from whole files.
    let checked = tokio::task::spawn_blocking(move || {
        let GroupRecord {
            kind, route, needs, ..
        } = &record;
        let kind = shared.kinds.accept(kind, *route, needs, &body)?;
        Ok(Accepted { kind, body })
    });
    checked
        .await
        .unwrap_or_else(|_| Err("the check of its requirements panicked".into()))
}
