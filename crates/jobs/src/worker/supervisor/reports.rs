//! Periodic work: time limits, progress, and signs of life.

use super::{GroupState, REPORT_TICKS, StopReason, Supervisor, over_limit};
use crate::Digest;
use crate::kind::stop_grace;
use crate::record::{Declined, RunningJob, WorkerRecord};
use crate::transport::{Completion, Event};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Jobs that run for less than this time are not reported as in progress: the next report is soon
/// enough before the server would deliver them again.
const YOUNG: Duration = Duration::from_secs(3);

impl Supervisor {
    pub(super) async fn tick(&mut self) {
        self.enforce_limits();
        let nothing = !self.has_live_jobs() && self.completing.is_empty();
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

    pub(super) fn enforce_limits(&mut self) {
        let mut messages = Vec::new();
        let mut dead = Vec::new();
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
                (Some(over), Some(StopReason::TimeLimit)) if over > stop_grace(running.limit) => {
                    running.stopped = Some(StopReason::Stuck);
                    messages.push(format!(
                        "{} does not stop after its time limit; one thread of this worker is \
                         lost until it ends",
                        named()
                    ));
                    let reason = format!("{} and did not stop", over_limit(running.limit));
                    dead.push((Arc::clone(&running.delivery), reason));
                }
                _ => {}
            }
        }
        for message in messages {
            self.say(&message);
        }
        let is_new = !dead.is_empty();
        for (delivery, reason) in dead {
            self.complete(delivery, Completion::Dead(reason));
        }
        if is_new && self.running.len() == self.slots.len() && !self.has_live_jobs() {
            self.say("all threads of this worker are lost; it ends");
            self.drain();
        }
    }

    /// Whether a job runs that may still have a result.
    pub(super) fn has_live_jobs(&self) -> bool {
        let mut running = self.running.values();
        running.any(|running| running.stopped != Some(StopReason::Stuck))
    }

    /// Publishes how far jobs are that someone watches.
    pub(super) async fn publish_progress(&self) {
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
    pub(super) async fn report(&self) {
        let transport = &self.shared.transport;
        // A job that was just delivered need not be reported yet.
        let running = self.running.values();
        let running = running.filter(|running| {
            running.since.elapsed() > YOUNG && running.stopped != Some(StopReason::Stuck)
        });
        let running = running.map(|running| &*running.delivery);
        let waiting = self.ready.iter().flatten().chain(&self.parked);
        let waiting = waiting.map(|held| &held.delivery);
        let completing = self.completing.values().map(|delivery| &**delivery);
        for delivery in running.chain(waiting).chain(completing) {
            // While the server is away, no other worker can take the job either.
            let _ = transport.extend(&delivery.receipt).await;
        }
        let _ = transport.announce(&self.record()).await;
    }

    pub(super) fn record(&self) -> WorkerRecord {
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
        let running = running.filter(|running| running.stopped != Some(StopReason::Stuck));
        let running = running.map(|running| RunningJob {
            group: running.delivery.address.group.clone(),
            key: running.delivery.address.key,
        });
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
