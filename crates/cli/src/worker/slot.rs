//! One thread of a worker: claims and executes jobs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use papan_store::{Claimed, Finish, Undertaking};
use papan_strategies::Watch;

use super::{LEASE, LOOK, Worker, batches, leaves, self_play, studies};
use crate::output::status;

/// The job kinds of a worker.
const KINDS: [&str; 4] = [batches::KIND, leaves::KIND, self_play::KIND, studies::KIND];

/// One thread of a worker.
pub(super) struct Slot<'a> {
    worker: &'a Worker,
    /// A job claimed while another group was running.
    next: Option<Claimed>,
    /// The running job.
    now: Option<Claimed>,
}

impl<'a> Slot<'a> {
    pub(super) fn new(worker: &'a Worker) -> Self {
        Self {
            worker,
            next: None,
            now: None,
        }
    }

    /// Runs until the worker ends.
    pub(super) fn work(mut self) {
        while let Some(job) = self.claim() {
            let undertaking = self.undertaking(&job);
            self.now = Some(job);
            let Some(undertaking) = undertaking else {
                // The worker is ending.
                self.finish(&Finish::PutBack);
                continue;
            };
            if undertaking.needs != self.worker.version {
                let (needs, here) = (&undertaking.needs, &self.worker.version);
                self.refuse(&format!("it needs {needs}; this is {here}"));
                continue;
            }
            let worked = catch_unwind(AssertUnwindSafe(|| self.dispatch(&undertaking)));
            match worked {
                Ok(Ok(())) => {}
                Ok(Err(why)) => self.refuse(&why),
                Err(panic) => self.finish(&Finish::Failed(said(&*panic))),
            }
        }
    }

    /// Executes the claimed job and further jobs of its group.
    fn dispatch(&mut self, undertaking: &Undertaking) -> Result<(), String> {
        match undertaking.kind.as_str() {
            batches::KIND => batches::play(self, undertaking),
            leaves::KIND => leaves::solve(self, undertaking),
            self_play::KIND => self_play::play(self, undertaking),
            studies::KIND => studies::answer(self, undertaking),
            other => Err(format!("this papan does no `{other}`")),
        }
    }

    /// Claims the next job of any group; `None` when the worker ends.
    fn claim(&mut self) -> Option<Claimed> {
        if let Some(job) = self.next.take() {
            return Some(job);
        }
        let worker = self.worker;
        while !worker.is_over() {
            // Subscribe before polling, so that no notification is missed.
            let bell = worker.bell.notified();
            let claimed = worker.line.ask(async |queue: papan_store::Queue| {
                queue.claim(&worker.name, &KINDS, LEASE).await
            });
            match claimed {
                Ok(Some(job)) => {
                    let mut running = worker.running.lock().expect("no panic inside");
                    running.insert(job.id, Arc::default());
                    *worker.busy.lock().expect("no panic inside") = Instant::now();
                    return Some(job);
                }
                Ok(None) => worker.line.wait(LOOK, bell),
                Err(error) => {
                    status(error);
                    worker.line.wait(LOOK, std::future::pending());
                }
            }
        }
        None
    }

    /// Claims the next job of this group; one of another group is kept for later.
    pub(super) fn next_of(&mut self, undertaking: &str) -> Option<&Claimed> {
        if self.now.is_none() {
            let job = self.claim()?;
            if job.undertaking != undertaking {
                self.next = Some(job);
                return None;
            }
            self.now = Some(job);
        }
        self.now.as_ref()
    }

    fn undertaking(&self, job: &Claimed) -> Option<Undertaking> {
        let line = &self.worker.line;
        let found =
            line.ask(async |queue: papan_store::Queue| queue.undertaking(&job.undertaking).await);
        found.ok().flatten()
    }

    /// Publishes the progress of the running job.
    pub(super) fn show(&self, watch: &Arc<Watch>) {
        if let Some(job) = &self.now {
            let mut running = self.worker.running.lock().expect("no panic inside");
            running.insert(job.id, Arc::clone(watch));
        }
    }

    /// Finishes the running job.
    pub(super) fn finish(&mut self, finish: &Finish) {
        let Some(job) = self.now.take() else { return };
        let worker = self.worker;
        let finished = worker
            .line
            .ask(async |queue: papan_store::Queue| queue.finish(&job, &worker.name, finish).await);
        if let Err(error) = finished {
            status(format_args!("job {}: {error}", job.id));
        } else if matches!(finish, Finish::Done(_)) {
            worker.done.fetch_add(1, Ordering::Relaxed);
        }
        let mut running = worker.running.lock().expect("no panic inside");
        running.remove(&job.id);
        *worker.busy.lock().expect("no panic inside") = Instant::now();
    }

    /// Declines the group with a reason, and leaves it to other workers.
    fn refuse(&mut self, why: &str) {
        let Some(job) = &self.now else { return };
        let (worker, undertaking) = (self.worker, job.undertaking.clone());
        status(format_args!("{undertaking} is refused: {why}"));
        let refused = worker.line.ask(async |queue: papan_store::Queue| {
            queue.refuse(&undertaking, &worker.name, why).await
        });
        if let Err(error) = refused {
            status(error);
        }
        self.finish(&Finish::PutBack);
    }
}

/// Returns the message of a panic.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or(panic.downcast_ref::<&str>().copied());
    format!("it broke: {}", text.unwrap_or("nobody knows why"))
}
