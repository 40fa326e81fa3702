//! Thread pool for searches, with fair queueing (round robin) over client addresses.
//!
//! The number of threads is fixed, and some of them run opponents' moves only, so that an
//! analysis never delays a game. An address has at most one job of each priority running,
//! however many games it plays.
//!
//! Reference: <https://en.wikipedia.org/wiki/Fair_queuing>

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::Arc;
use std::thread::JoinHandle;

use parking_lot::{Condvar, Mutex};

use crate::analysis::engine_cache::{EngineCache, idle_programs};
use crate::subnet::subnet;

/// A job of the pool.
type Job = Box<dyn FnOnce(&mut EngineCache) + Send>;

/// Priority of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Priority {
    /// An opponent's move.
    Move,
    /// Analysis request (low priority).
    Analysis,
}

/// Why a job cannot be queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueueFull {
    /// The queue is full, or closed.
    Total,
    /// The share of the client's address is full.
    Address,
}

/// Sizes of the pool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolLimits {
    /// Threads for all jobs.
    pub(crate) threads: usize,
    /// Threads for moves only.
    pub(crate) for_moves: usize,
    /// Maximum number of queued jobs of one priority.
    pub(crate) waiting: usize,
    /// Maximum number of queued jobs per address.
    pub(crate) per_address: usize,
    /// Memory of the engine caches of all threads, in MiB.
    pub(crate) memory_mib: usize,
}

/// Jobs of one priority by address; addresses take turns.
#[derive(Default)]
struct Queue {
    addresses: VecDeque<(IpAddr, VecDeque<Job>)>,
    waiting: usize,
    /// Addresses with a running job.
    running: Vec<IpAddr>,
}

impl Queue {
    fn push(&mut self, address: IpAddr, job: Job, limits: &PoolLimits) -> Result<(), QueueFull> {
        if self.waiting >= limits.waiting {
            return Err(QueueFull::Total);
        }
        match self
            .addresses
            .iter_mut()
            .find(|(known, _)| *known == address)
        {
            Some((_, jobs)) if jobs.len() >= limits.per_address => {
                return Err(QueueFull::Address);
            }
            Some((_, jobs)) => jobs.push_back(job),
            None => self.addresses.push_back((address, [job].into())),
        }
        self.waiting += 1;
        Ok(())
    }

    /// Returns the next job of an address that has none running.
    fn pop(&mut self) -> Option<(IpAddr, Job)> {
        let running = &self.running;
        let mut waiting = self.addresses.iter();
        let index = waiting.position(|(address, _)| !running.contains(address))?;
        let (address, mut jobs) = self.addresses.remove(index)?;
        let job = jobs.pop_front()?;
        self.waiting -= 1;
        if !jobs.is_empty() {
            self.addresses.push_back((address, jobs));
        }
        self.running.push(address);
        Some((address, job))
    }

    fn finish(&mut self, address: IpAddr) {
        if let Some(index) = self.running.iter().position(|known| *known == address) {
            self.running.swap_remove(index);
        }
    }
}

#[derive(Default)]
struct Queues {
    moves: Queue,
    analyses: Queue,
    closed: bool,
}

impl Queues {
    fn queue(&mut self, priority: Priority) -> &mut Queue {
        match priority {
            Priority::Move => &mut self.moves,
            Priority::Analysis => &mut self.analyses,
        }
    }

    fn pop(&mut self, moves_only: bool) -> Option<(Priority, IpAddr, Job)> {
        let priorities = [Priority::Move, Priority::Analysis];
        let priorities = &priorities[..if moves_only { 1 } else { 2 }];
        priorities.iter().find_map(|priority| {
            let (address, job) = self.queue(*priority).pop()?;
            Some((*priority, address, job))
        })
    }
}

struct Shared {
    queues: Mutex<Queues>,
    queued: Condvar,
    limits: PoolLimits,
}

/// The pool.
pub(crate) struct EnginePool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl EnginePool {
    /// Starts the threads.
    #[must_use]
    pub(crate) fn new(limits: PoolLimits) -> Self {
        let shared = Arc::new(Shared {
            queues: Mutex::default(),
            queued: Condvar::new(),
            limits,
        });
        let count = limits.threads + limits.for_moves;
        let memory_mib = limits.memory_mib / count.max(1);
        let programs = idle_programs();
        let threads = (0..count)
            .map(|number| {
                let shared = Arc::clone(&shared);
                let programs = Arc::clone(&programs);
                let cache = move || EngineCache::new(memory_mib).with_programs(&programs);
                std::thread::Builder::new()
                    .name(format!("engine {number}"))
                    // Searches are recursive, and boards have up to 400 cells.
                    .stack_size(16 << 20)
                    .spawn(move || {
                        papan_os::lower_thread_priority();
                        worker_loop(&shared, number < limits.for_moves, cache);
                    })
                    .expect("threads can be spawned at start-up")
            })
            .collect();
        Self {
            shared,
            threads: Mutex::new(threads),
        }
    }

    /// Queues a job.
    ///
    /// # Errors
    /// If the queue, or the client's share of it, is full.
    pub(crate) fn submit(
        &self,
        address: IpAddr,
        priority: Priority,
        job: impl FnOnce(&mut EngineCache) + Send + 'static,
    ) -> Result<(), QueueFull> {
        let mut queues = self.shared.queues.lock();
        if queues.closed {
            return Err(QueueFull::Total);
        }
        let address = subnet(address);
        let limits = &self.shared.limits;
        queues
            .queue(priority)
            .push(address, Box::new(job), limits)?;
        drop(queues);
        self.shared.queued.notify_all();
        Ok(())
    }

    /// Returns the number of queued moves and analyses.
    #[must_use]
    pub(crate) fn waiting(&self) -> [usize; 2] {
        let queues = self.shared.queues.lock();
        [queues.moves.waiting, queues.analyses.waiting]
    }

    /// Drops queued jobs and joins the threads once they have finished.
    pub(crate) fn close(&self) {
        let mut queues = self.shared.queues.lock();
        *queues = Queues {
            closed: true,
            ..Queues::default()
        };
        drop(queues);
        self.shared.queued.notify_all();
        let threads = std::mem::take(&mut *self.threads.lock());
        for thread in threads {
            // A panic was logged by the panic hook.
            let _ = thread.join();
        }
    }
}

fn worker_loop(shared: &Shared, moves_only: bool, new_cache: impl Fn() -> EngineCache) {
    let mut engines = new_cache();
    loop {
        let mut queues = shared.queues.lock();
        let (priority, address, job) = loop {
            if queues.closed {
                return;
            }
            match queues.pop(moves_only) {
                Some(next) => break next,
                None => shared.queued.wait(&mut queues),
            }
        };
        drop(queues);
        // A panic in a strategy must not end the thread. The engine may be inconsistent, so
        // the cache is dropped.
        let guarded = std::panic::AssertUnwindSafe(|| job(&mut engines));
        if std::panic::catch_unwind(guarded).is_err() {
            tracing::error!("a strategy panicked");
            engines = new_cache();
        }
        let mut queues = shared.queues.lock();
        queues.queue(priority).finish(address);
        drop(queues);
        // Jobs that waited for this address are now available to any thread.
        shared.queued.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    const LIMITS: PoolLimits = PoolLimits {
        threads: 1,
        for_moves: 2,
        waiting: 100,
        per_address: 3,
        memory_mib: 8,
    };
    const ANN: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1));
    const BOB: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 2));

    #[test]
    fn an_address_has_a_share_of_the_queue_and_addresses_take_turns() {
        let mut queue = Queue::default();
        let (sender, receiver) = mpsc::channel();
        let job = |name: &'static str| -> Job {
            let sender = sender.clone();
            Box::new(move |_| sender.send(name).unwrap())
        };
        for name in ["a1", "a2", "a3"] {
            queue.push(ANN, job(name), &LIMITS).unwrap();
        }
        assert_eq!(queue.push(ANN, job("a4"), &LIMITS), Err(QueueFull::Address));
        queue.push(BOB, job("b1"), &LIMITS).unwrap();
        let mut engines = EngineCache::new(0);
        while let Some((address, job)) = queue.pop() {
            job(&mut engines);
            queue.finish(address);
        }
        drop(sender);
        let order: Vec<&str> = (0..4).map(|_| receiver.recv().unwrap()).collect();
        assert_eq!(order, ["a1", "b1", "a2", "a3"]);
    }

    #[test]
    fn an_address_has_one_job_running_at_a_time() {
        let mut queue = Queue::default();
        for address in [ANN, ANN, BOB] {
            queue.push(address, Box::new(|_| ()), &LIMITS).unwrap();
        }
        let taken = [queue.pop(), queue.pop(), queue.pop()];
        let addresses = taken.map(|taken| taken.map(|(address, _)| address));
        assert_eq!(addresses, [Some(ANN), Some(BOB), None]);
        queue.finish(ANN);
        assert_eq!(queue.pop().map(|(address, _)| address), Some(ANN));
    }

    #[test]
    fn a_move_waits_neither_for_analyses_nor_for_moves_of_another_address() {
        let pool = EnginePool::new(LIMITS);
        let (hold, held) = mpsc::channel::<()>();
        let held = Arc::new(Mutex::new(held));
        let (sender, receiver) = mpsc::channel();
        let submit = |address, priority, job: Job| pool.submit(address, priority, job).unwrap();
        submit(ANN, Priority::Analysis, Box::new(|_| panic!("as planned")));
        for priority in [Priority::Analysis, Priority::Move, Priority::Move] {
            let held = Arc::clone(&held);
            let wait = move |_: &mut EngineCache| {
                let _ = held.lock().recv();
            };
            submit(ANN, priority, Box::new(wait));
        }
        submit(
            BOB,
            Priority::Move,
            Box::new(move |_| sender.send(()).unwrap()),
        );
        receiver
            .recv_timeout(std::time::Duration::from_secs(10))
            .unwrap();
        drop(hold);
        pool.close();
        assert_eq!(
            pool.submit(ANN, Priority::Move, |_| ()),
            Err(QueueFull::Total)
        );
    }
}
