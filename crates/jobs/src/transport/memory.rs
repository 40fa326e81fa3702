//! Jobs within one process: the default, without a server.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::future::ready;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{Notify, mpsc};

use super::{
    Completion, Delivery, Event, Interest, Pull, Queue, RawResult, ReadResults, Receipt, Reply,
    Transport,
};
use crate::record::{DeadLetter, GroupCounts, GroupRecord, JobAddress, WorkerRecord};
use crate::{Digest, JobsError};

/// Events that one receiver may have unread.
const EVENT_CAPACITY: usize = 1024;

type JobId = (String, Digest);

#[derive(Default)]
struct State {
    groups: BTreeMap<String, (GroupRecord, Vec<u8>)>,
    waiting: HashMap<Queue, VecDeque<(JobAddress, Bytes)>>,
    /// Jobs that wait or run, with the number of times that they were delivered.
    open: HashMap<JobId, u64>,
    results: Vec<RawResult>,
    result_of: HashMap<JobId, usize>,
    dead: Vec<DeadLetter>,
    /// How many dead letters there have been.
    letters: u64,
    workers: BTreeMap<String, WorkerRecord>,
    receivers: Vec<(Interest, mpsc::Sender<Event>)>,
}

/// Jobs, results and workers of this process.
#[derive(Default)]
pub(crate) struct MemoryTransport {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Notified when jobs come.
    jobs: Notify,
    /// Notified when results come.
    results: Notify,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Each change is one statement or leaves the state consistent at every step.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn send(&mut self, group: &str, event: &Event) {
        self.receivers.retain(|(interest, sender)| {
            let is_wanted = match (interest, event) {
                (Interest::Worker(name), Event::Distrusted { worker, .. }) => name == worker,
                (Interest::Worker(_), event) => {
                    !matches!(event, Event::Progress(..) | Event::Finished(_))
                }
                (Interest::Group(name), Event::Progress(..) | Event::Finished(_)) => name == group,
                (Interest::Group(_), _) => false,
            };
            // A receiver that is full loses events, as over a network.
            !is_wanted
                || !matches!(
                    sender.try_send(event.clone()),
                    Err(mpsc::error::TrySendError::Closed(_))
                )
        });
    }

    fn take(&mut self, queues: &[Queue], limit: usize) -> Vec<Delivery> {
        let mut taken = Vec::new();
        for queue in queues {
            let waiting = self.waiting.entry(*queue).or_default();
            while taken.len() < limit
                && let Some((address, body)) = waiting.pop_front()
            {
                let Some(attempts) = self.open.get_mut(&(address.group.clone(), address.key))
                else {
                    continue;
                };
                *attempts += 1;
                taken.push(Delivery {
                    attempt: *attempts,
                    address,
                    body,
                    receipt: Receipt::None,
                });
            }
        }
        taken
    }

    fn queue(&mut self, address: &JobAddress, body: Bytes) {
        let queue = Queue {
            class: address.class,
            route: address.route,
        };
        let waiting = self.waiting.entry(queue).or_default();
        waiting.push_back((address.clone(), body));
    }

    fn withdraw(&mut self, group: &str, keys: Option<&[Digest]>) {
        let is_meant = |key: &Digest| keys.is_none_or(|keys| keys.contains(key));
        self.open
            .retain(|(other, key), _| other != group || !is_meant(key));
        for waiting in self.waiting.values_mut() {
            waiting.retain(|(address, _)| address.group != group || !is_meant(&address.key));
        }
    }
}

/// See [`Pull`].
struct MemoryPuller {
    shared: Arc<Shared>,
}

impl Pull for MemoryPuller {
    fn next<'a>(
        &'a mut self,
        queues: &'a [Queue],
        limit: usize,
        cancel: &'a Notify,
    ) -> Reply<'a, Vec<Delivery>> {
        Box::pin(async move {
            loop {
                let mut came = std::pin::pin!(self.shared.jobs.notified());
                // Registered before looking, so that no job is missed.
                came.as_mut().enable();
                let taken = self.shared.lock().take(queues, limit);
                if !taken.is_empty() {
                    return Ok(taken);
                }
                tokio::select! {
                    () = came => {}
                    () = cancel.notified() => return Ok(Vec::new()),
                }
            }
        })
    }
}

fn done<'a, T: Send + 'a>(value: T) -> Reply<'a, T> {
    Box::pin(ready(Ok(value)))
}

impl Transport for MemoryTransport {
    fn name(&self) -> &str {
        "this process"
    }

    fn open_group<'a>(&'a self, record: &'a GroupRecord, body: &'a [u8]) -> Reply<'a, ()> {
        let mut state = self.shared.lock();
        let entry = (record.clone(), body.to_vec());
        state.groups.insert(record.name.clone(), entry);
        state.send(&record.name, &Event::Opened(record.clone()));
        done(())
    }

    fn groups(&self) -> Reply<'_, Vec<GroupRecord>> {
        let state = self.shared.lock();
        let groups = state.groups.values().map(|(record, _)| record.clone());
        done(groups.collect())
    }

    fn is_open<'a>(&'a self, group: &'a str) -> Reply<'a, bool> {
        done(self.shared.lock().groups.contains_key(group))
    }

    fn prepare(&self) -> Reply<'_, ()> {
        done(())
    }

    fn group_body<'a>(&'a self, record: &'a GroupRecord) -> Reply<'a, Vec<u8>> {
        let state = self.shared.lock();
        let found = state.groups.get(&record.name);
        let body = found.map(|(_, body)| body.clone());
        let body = body.ok_or_else(|| JobsError::Malformed {
            what: format!("group {}", record.name),
            reason: "it is closed".into(),
        });
        Box::pin(ready(body))
    }

    fn close_group<'a>(&'a self, record: &'a GroupRecord) -> Reply<'a, ()> {
        let mut state = self.shared.lock();
        let name = &record.name;
        state.groups.remove(name);
        state.withdraw(name, None);
        state.dead.retain(|letter| letter.group() != name);
        state.result_of.retain(|(group, _), _| group != name);
        for result in &mut state.results {
            if result.group == *name {
                // Readers go by position, so the place stays.
                result.job = Bytes::new();
                result.output = Bytes::new();
            }
        }
        state.send(name, &Event::Closed(name.clone()));
        done(())
    }

    fn submit<'a>(&'a self, address: &'a JobAddress, body: Bytes) -> Reply<'a, ()> {
        let mut state = self.shared.lock();
        let id = (address.group.clone(), address.key);
        if let std::collections::hash_map::Entry::Vacant(entry) = state.open.entry(id) {
            entry.insert(0);
            state.queue(address, body);
        }
        drop(state);
        self.shared.jobs.notify_waiters();
        done(())
    }

    fn submit_once<'a>(&'a self, address: &'a JobAddress, body: Bytes) -> Reply<'a, ()> {
        let id = (address.group.clone(), address.key);
        let is_done = self.shared.lock().result_of.contains_key(&id);
        if is_done {
            return done(());
        }
        self.submit(address, body)
    }

    fn taken<'a>(&'a self, addresses: &'a [JobAddress]) -> Reply<'a, Vec<bool>> {
        let state = self.shared.lock();
        let taken = addresses.iter().map(|address| {
            let attempts = state.open.get(&(address.group.clone(), address.key));
            attempts.is_some_and(|attempts| *attempts > 0)
        });
        done(taken.collect())
    }

    fn withdraw<'a>(
        &'a self,
        record: &'a GroupRecord,
        keys: Option<&'a [Digest]>,
    ) -> Reply<'a, ()> {
        let mut state = self.shared.lock();
        state.withdraw(&record.name, keys);
        if let Some(keys) = keys {
            let event = Event::Withdrawn(record.name.clone(), keys.to_vec());
            state.send(&record.name, &event);
        }
        done(())
    }

    fn results(&self, group: &str) -> Box<dyn ReadResults> {
        Box::new(MemoryResults {
            shared: Arc::clone(&self.shared),
            group: group.to_owned(),
            next: 0,
        })
    }

    fn result<'a>(&'a self, group: &'a str, key: Digest) -> Reply<'a, Option<RawResult>> {
        let state = self.shared.lock();
        let index = state.result_of.get(&(group.to_owned(), key));
        done(index.map(|&index| state.results[index].clone()))
    }

    fn reject<'a>(&'a self, result: &'a RawResult) -> Reply<'a, ()> {
        let mut state = self.shared.lock();
        state.result_of.remove(&(result.group.clone(), result.key));
        done(())
    }

    fn puller(&self) -> Box<dyn Pull> {
        Box::new(MemoryPuller {
            shared: Arc::clone(&self.shared),
        })
    }

    fn extend<'a>(&'a self, _receipt: &'a Receipt) -> Reply<'a, ()> {
        done(())
    }

    fn complete<'a>(
        &'a self,
        delivery: &'a Delivery,
        worker: &'a str,
        completion: Completion,
    ) -> Reply<'a, ()> {
        let mut state = self.shared.lock();
        let address = &delivery.address;
        let id = (address.group.clone(), address.key);
        let was_open = state.open.contains_key(&id);
        match completion {
            Completion::Done(output) => {
                state.open.remove(&id);
                if was_open && !state.result_of.contains_key(&id) {
                    let sequence = state.results.len() as u64 + 1;
                    state.results.push(RawResult {
                        group: address.group.clone(),
                        key: address.key,
                        sequence,
                        worker: worker.to_owned(),
                        job: delivery.body.clone(),
                        output: output.into(),
                    });
                    state.result_of.insert(id, sequence as usize - 1);
                }
            }
            Completion::Dead(reason) => {
                state.open.remove(&id);
                state.letters += 1;
                let sequence = state.letters;
                state.dead.retain(|letter| letter.address != *address);
                state.dead.push(DeadLetter {
                    sequence,
                    address: address.clone(),
                    reason,
                    worker: worker.to_owned(),
                    body: delivery.body.to_vec(),
                });
            }
            Completion::Release(_) => {
                if was_open {
                    state.queue(address, delivery.body.clone());
                }
            }
            Completion::Discard => {
                state.open.remove(&id);
            }
        }
        state.send(&address.group, &Event::Finished(address.key));
        drop(state);
        self.shared.jobs.notify_waiters();
        self.shared.results.notify_waiters();
        done(())
    }

    fn announce<'a>(&'a self, record: &'a WorkerRecord) -> Reply<'a, ()> {
        let mut state = self.shared.lock();
        state.workers.insert(record.name.clone(), record.clone());
        done(())
    }

    fn retire<'a>(&'a self, worker: &'a str) -> Reply<'a, ()> {
        self.shared.lock().workers.remove(worker);
        done(())
    }

    fn workers(&self) -> Reply<'_, Vec<WorkerRecord>> {
        done(self.shared.lock().workers.values().cloned().collect())
    }

    fn events(&self, interest: Interest) -> Reply<'_, mpsc::Receiver<Event>> {
        let (sender, receiver) = mpsc::channel(EVENT_CAPACITY);
        self.shared.lock().receivers.push((interest, sender));
        done(receiver)
    }

    fn notify<'a>(&'a self, group: &'a str, event: Event) -> Reply<'a, ()> {
        self.shared.lock().send(group, &event);
        done(())
    }

    fn dead_letters<'a>(&'a self, group: Option<&'a str>) -> Reply<'a, Vec<DeadLetter>> {
        let state = self.shared.lock();
        let dead = state.dead.iter();
        let dead = dead.filter(|letter| group.is_none_or(|group| letter.group() == group));
        done(dead.cloned().collect())
    }

    fn dead_letter<'a>(&'a self, group: &'a str, key: Digest) -> Reply<'a, Option<DeadLetter>> {
        let state = self.shared.lock();
        let mut dead = state.dead.iter();
        let found = dead.find(|letter| letter.group() == group && letter.key() == key);
        done(found.cloned())
    }

    fn drop_dead_letter<'a>(&'a self, letter: &'a DeadLetter) -> Reply<'a, ()> {
        let mut state = self.shared.lock();
        state.dead.retain(|other| other.sequence != letter.sequence);
        done(())
    }

    fn counts<'a>(&'a self, group: &'a str) -> Reply<'a, GroupCounts> {
        let state = self.shared.lock();
        let of_group = |(name, _): &&JobId| name == group;
        done(GroupCounts {
            queued: state.open.keys().filter(of_group).count() as u64,
            done: state.result_of.keys().filter(of_group).count() as u64,
            dead: state
                .dead
                .iter()
                .filter(|letter| letter.group() == group)
                .count() as u64,
        })
    }
}

struct MemoryResults {
    shared: Arc<Shared>,
    group: String,
    next: usize,
}

impl MemoryResults {
    fn new_results(&mut self) -> Vec<RawResult> {
        let state = self.shared.lock();
        let new = state.results[self.next..].iter().enumerate();
        let new = new.filter(|(offset, result)| {
            let id = (result.group.clone(), result.key);
            // A result that was rejected or closed is not in the index any more.
            result.group == self.group && state.result_of.get(&id) == Some(&(self.next + offset))
        });
        let new: Vec<RawResult> = new.map(|(_, result)| result.clone()).collect();
        self.next = state.results.len();
        new
    }
}

impl ReadResults for MemoryResults {
    fn next(&mut self, wait: Duration) -> Reply<'_, Vec<RawResult>> {
        Box::pin(async move {
            let deadline = tokio::time::Instant::now() + wait;
            let shared = Arc::clone(&self.shared);
            loop {
                let mut came = std::pin::pin!(shared.results.notified());
                came.as_mut().enable();
                let new = self.new_results();
                if !new.is_empty() {
                    return Ok(new);
                }
                if tokio::time::timeout_at(deadline, came).await.is_err() {
                    return Ok(Vec::new());
                }
            }
        })
    }
}
