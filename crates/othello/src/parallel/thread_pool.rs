//! Thread pool: idle threads, and the list of split points that they can join.
//!
//! An idle thread joins the deepest open split point, which has the most work. A thread whose own
//! split point still has helpers only joins split points below its own (the *helpful master*
//! concept), so that it can return as soon as its own is finished. Owners and idle threads wait on
//! different condition variables: waking all threads at every split would make them queue for one
//! lock.

use crate::parallel::currently_searching::CurrentlySearching;
use crate::parallel::split_point::SplitPoint;
use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// Iterations of the spin loop before a waiting thread sleeps: some microseconds, less than a
/// wakeup takes.
const SPIN_LIMIT: u32 = 1000;

/// From this many threads on, depth-limited searches use parallel aspiration.
const MIN_PARALLEL_ASPIRATION_THREADS: usize = 8;

/// A published split point. Its depth is stored beside it, so that a thread that looks for work
/// touches only the split points it may join.
struct OpenSplit {
    depth: u32,
    split: Arc<SplitPoint>,
}

/// The threads of a search.
#[derive(Default)]
pub(crate) struct ThreadPool {
    /// Threads that wait for any split point. Read by every thread.
    idle: CachePadded<AtomicUsize>,
    /// How many of the idle threads sleep.
    sleeping: AtomicUsize,
    open: Mutex<Vec<OpenSplit>>,
    /// Wakes idle threads.
    wakeup: Condvar,
    /// Number of split points published so far.
    published: AtomicUsize,
    stopped: AtomicBool,
    spin_limit: u32,
    concurrency: usize,
    currently_searching: Option<CurrentlySearching>,
}

impl ThreadPool {
    /// Creates a pool. If there are more threads than cores, waiting threads sleep at once.
    pub(crate) fn new(threads: usize, cores: usize) -> Self {
        Self {
            spin_limit: if threads <= cores { SPIN_LIMIT } else { 0 },
            concurrency: threads.min(cores),
            currently_searching: (threads > 1).then(CurrentlySearching::default),
            ..Self::default()
        }
    }

    /// Returns the number of threads that can run at the same time.
    #[inline(always)]
    pub(crate) const fn concurrency(&self) -> usize {
        self.concurrency
    }

    /// Returns whether depth-limited searches use parallel aspiration.
    #[inline(always)]
    pub(crate) const fn uses_parallel_aspiration(&self) -> bool {
        self.concurrency >= MIN_PARALLEL_ASPIRATION_THREADS
    }

    /// Returns the number of threads that wait for work.
    #[inline(always)]
    pub(super) fn idle_threads(&self) -> usize {
        self.idle.load(Ordering::Relaxed)
    }

    /// Returns the ABDADA table; `None` with one thread.
    pub(crate) const fn currently_searching(&self) -> Option<&CurrentlySearching> {
        self.currently_searching.as_ref()
    }

    fn open(&self) -> MutexGuard<'_, Vec<OpenSplit>> {
        let open = self.open.lock();
        open.expect("no thread panics while it holds the list")
    }

    /// Ends the idle loops of all threads.
    pub(super) fn stop(&self) {
        let _open = self.open();
        self.stopped.store(true, Ordering::Relaxed);
        self.wakeup.notify_all();
    }

    /// Publishes a split point and wakes as many threads as can take part.
    pub(super) fn publish(&self, split: &Arc<SplitPoint>) {
        let mut open = self.open();
        open.push(OpenSplit {
            depth: split.params().depth,
            split: split.clone(),
        });
        self.published.fetch_add(1, Ordering::Relaxed);
        let sleeping = self.sleeping.load(Ordering::Relaxed);
        let spinning = self.idle_threads().saturating_sub(sleeping);
        let to_wake = split.max_helpers().saturating_sub(spinning).min(sleeping);
        for _ in 0..to_wake {
            self.wakeup.notify_one();
        }
        split.notify_owners();
    }

    /// Removes a split point from the list; no further thread can join it.
    pub(super) fn withdraw(&self, split: &Arc<SplitPoint>) {
        self.open()
            .retain(|other| !Arc::ptr_eq(&other.split, split));
    }

    /// Waits for any split point and joins it. Returns `None` when the search is over.
    pub(super) fn wait_for_work(&self) -> Option<Arc<SplitPoint>> {
        let is_over = || self.stopped.load(Ordering::Relaxed);
        self.idle.fetch_add(1, Ordering::Relaxed);
        let found = loop {
            if let Some(split) = self.spin_for_work(is_over, &self.published, |_| true) {
                break Some(split);
            }
            // Split points are published under the lock, so none is missed between these tests and
            // the sleep.
            let open = self.open();
            if is_over() {
                break None;
            }
            if let Some(split) = join_deepest(&open, |_| true) {
                break Some(split);
            }
            self.sleeping.fetch_add(1, Ordering::Relaxed);
            drop((self.wakeup.wait(open)).expect("no thread panics while it holds the list"));
            self.sleeping.fetch_sub(1, Ordering::Relaxed);
        };
        self.idle.fetch_sub(1, Ordering::Relaxed);
        found
    }

    /// Waits for a split point below `own` and joins it. Returns `None` when `own` has no helpers
    /// left.
    pub(super) fn wait_for_work_below(&self, own: &SplitPoint) -> Option<Arc<SplitPoint>> {
        let is_done = || !own.has_helpers();
        let is_below = |split: &SplitPoint| split.is_below(own);
        own.set_owner_waits(true);
        let found = loop {
            if let Some(split) = self.spin_for_work(is_done, own.published_below(), is_below) {
                break Some(split);
            }
            let open = self.open();
            if let Some(split) = join_deepest(&open, is_below) {
                break Some(split);
            }
            if !own.sleep(open) {
                break None;
            }
        };
        own.set_owner_waits(false);
        found
    }

    /// Spins for a while and looks for work whenever `published` changes. Only tries the lock: all
    /// waiting threads see the change at once, and a queue of them would delay threads with work.
    fn spin_for_work(
        &self,
        is_over: impl Fn() -> bool,
        published: &AtomicUsize,
        is_wanted: impl Fn(&SplitPoint) -> bool,
    ) -> Option<Arc<SplitPoint>> {
        let mut seen = None;
        for _ in 0..=self.spin_limit {
            if is_over() {
                return None;
            }
            let now = Some(published.load(Ordering::Relaxed));
            if now != seen
                && let Ok(open) = self.open.try_lock()
            {
                seen = now;
                if let Some(split) = join_deepest(&open, &is_wanted) {
                    return Some(split);
                }
            }
            std::hint::spin_loop();
        }
        None
    }

    /// Leaves a split point that was joined.
    pub(crate) fn leave(&self, split: &SplitPoint) {
        if split.remove_helper() {
            // With the lock held, the owner is asleep and not on its way there.
            let _open = self.open();
            split.wake_owner();
        }
    }
}

/// Joins the deepest wanted split point that has work.
fn join_deepest(
    open: &[OpenSplit],
    is_wanted: impl Fn(&SplitPoint) -> bool,
) -> Option<Arc<SplitPoint>> {
    let mut deepest: Option<&OpenSplit> = None;
    for entry in open.iter().rev() {
        let is_deeper = deepest.is_none_or(|deepest| entry.depth > deepest.depth);
        if is_deeper && is_wanted(&entry.split) && entry.split.has_work() {
            deepest = Some(entry);
        }
    }
    let split = &deepest?.split;
    split.add_helper();
    Some(split.clone())
}
