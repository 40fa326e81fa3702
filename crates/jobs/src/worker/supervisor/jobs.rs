//! Jobs of a worker: from their delivery to a thread, and back to the transport.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::{
    GroupState, Held, LEFT_DELAY, MAX_ATTEMPTS, MAX_FAILED, MAX_LEFT_ATTEMPTS, MAX_PREFETCH,
    PREFETCH_TIME, RELEASE_DELAY, Running, Slot, StopReason, Supervisor, over_limit,
};
use crate::Class;
use crate::transport::{Completion, Delivery, Event};
use crate::worker::Input;
use crate::worker::thread::{Assignment, Ended, Failure};

impl Supervisor {
    pub(super) fn deliver(&mut self, held: Held) {
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
        let address = &held.delivery.address;
        let has_failed = self.failed.contains(&(address.group.clone(), address.key));
        if has_failed && held.delivery.attempt <= MAX_LEFT_ATTEMPTS {
            self.complete(Arc::new(held.delivery), Completion::Release(LEFT_DELAY));
            return;
        }
        let group = self.groups.get(&address.group);
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

    pub(super) fn unpark(&mut self) {
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
    pub(super) fn dispatch(&mut self) {
        while self.slots.iter().any(|slot| !slot.is_busy) {
            let next = self.ready.iter_mut().find_map(VecDeque::pop_front);
            let Some(held) = next else { return };
            self.assign(held);
        }
    }

    pub(super) fn assign(&mut self, held: Held) {
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
                limit: accepted.limit,
                slot,
                stopped: None,
                _permit: held.permit,
            },
        );
    }

    pub(super) fn end(&mut self, job: u64, ended: Ended) {
        let Some(running) = self.running.remove(&job) else {
            return;
        };
        self.slots[running.slot].is_busy = false;
        self.busy = Instant::now();
        self.adapt_prefetch(ended.time);
        let group = running.delivery.address.group.clone();
        let completion = match (running.stopped, ended.result) {
            (Some(StopReason::Stuck), _) => {
                drop(running);
                self.dispatch();
                return;
            }
            (Some(StopReason::Unwanted), _) => Completion::Discard,
            (Some(StopReason::TimeLimit), _) => {
                self.remember_failure(&running.delivery);
                Completion::Dead(over_limit(running.limit))
            }
            (None, Ok(output)) => {
                let done = self.shared.done.fetch_add(1, Ordering::Relaxed) + 1;
                if self
                    .shared
                    .options
                    .max_jobs
                    .is_some_and(|most| done >= most)
                {
                    self.drain();
                }
                Completion::Done(output)
            }
            (None, Err(Failure::Job(reason))) => {
                self.say(&format!("a job of {group} failed: {reason}"));
                self.remember_failure(&running.delivery);
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

    /// Another worker should have this job, should it be delivered again.
    fn remember_failure(&mut self, delivery: &Delivery) {
        if self.failed.len() >= MAX_FAILED {
            self.failed.clear();
        }
        let address = &delivery.address;
        self.failed.insert((address.group.clone(), address.key));
    }

    /// Hands a job over to the transport, however long that takes.
    pub(super) fn complete(&mut self, delivery: Arc<Delivery>, completion: Completion) {
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

    pub(super) fn stop_jobs(&mut self, is_meant: impl Fn(&Delivery) -> bool) {
        for running in self.running.values_mut() {
            if is_meant(&running.delivery) {
                running.stopped = Some(StopReason::Unwanted);
                running.watch.stop.stop();
            }
        }
    }

    /// Lets short jobs wait here, so that the network is not waited for between them.
    pub(super) fn adapt_prefetch(&mut self, time: Duration) {
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

    pub(super) fn drain(&mut self) {
        if self.shared.is_draining.swap(true, Ordering::Relaxed) {
            return;
        }
        self.shared.cancel.notify_one();
        // A puller that waits for a thread would wait for one that is lost.
        self.shared.permits.close();
        let waiting = self.ready.iter_mut().flat_map(std::mem::take);
        let waiting: Vec<Held> = waiting.chain(std::mem::take(&mut self.parked)).collect();
        for held in waiting {
            self.complete(Arc::new(held.delivery), Completion::Release(Duration::ZERO));
        }
    }
}

fn place(class: Class) -> usize {
    match class {
        Class::Page => 0,
        Class::Bulk => 1,
    }
}
