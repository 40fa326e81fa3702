//! The threads that think. Their number is fixed, some of them think about
//! opponents' moves only, and addresses are served in turn: nobody's analysis keeps
//! another's game waiting, and one address has one move thought about at a time,
//! however many games it plays.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;

use crate::analysis::engine_cache::EngineCache;
use crate::http::rate_limit::network_of;

/// What a thread does for somebody.
type Work = Box<dyn FnOnce(&mut EngineCache) + Send>;

/// How urgent work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Priority {
    /// Somebody's opponent is to move.
    Move,
    /// Somebody would like to know something.
    AnalysisJob,
}

/// The pool is full, or the client has enough waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QueueFull;

/// How much may run and wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolLimits {
    /// Threads for everything.
    pub(crate) threads: usize,
    /// Threads for moves alone.
    pub(crate) for_moves: usize,
    /// Pieces of work that may wait, of all addresses together.
    pub(crate) waiting: usize,
    /// Pieces of work that may wait for one address.
    pub(crate) per_address: usize,
    /// What the seated players of all threads together may hold, in MiB.
    pub(crate) memory: usize,
}

/// Work of one kind, by address; addresses take turns.
#[derive(Default)]
struct Queue {
    addresses: VecDeque<(IpAddr, VecDeque<Work>)>,
    waiting: usize,
    /// Whose work is being done.
    running: Vec<IpAddr>,
}

impl Queue {
    fn push(&mut self, address: IpAddr, work: Work, limits: &PoolLimits) -> Result<(), QueueFull> {
        if self.waiting >= limits.waiting {
            return Err(QueueFull);
        }
        let mut own = self.addresses.iter_mut();
        match own.find(|(known, _)| *known == address) {
            Some((_, works)) if works.len() >= limits.per_address => return Err(QueueFull),
            Some((_, works)) => works.push_back(work),
            None => self.addresses.push_back((address, [work].into())),
        }
        self.waiting += 1;
        Ok(())
    }

    /// The next work of an address for which none is being done.
    fn pop(&mut self) -> Option<(IpAddr, Work)> {
        let running = &self.running;
        let mut waiting = self.addresses.iter();
        let place = waiting.position(|(address, _)| !running.contains(address))?;
        let (address, mut works) = self.addresses.remove(place)?;
        let work = works.pop_front()?;
        self.waiting -= 1;
        if !works.is_empty() {
            self.addresses.push_back((address, works));
        }
        self.running.push(address);
        Some((address, work))
    }

    fn done(&mut self, address: IpAddr) {
        if let Some(place) = self.running.iter().position(|known| *known == address) {
            self.running.swap_remove(place);
        }
    }
}

#[derive(Default)]
struct Queues {
    moves: Queue,
    studies: Queue,
    closed: bool,
}

impl Queues {
    fn of(&mut self, urgency: Priority) -> &mut Queue {
        match urgency {
            Priority::Move => &mut self.moves,
            Priority::AnalysisJob => &mut self.studies,
        }
    }

    fn pop(&mut self, moves_only: bool) -> Option<(Priority, IpAddr, Work)> {
        let kinds = [Priority::Move, Priority::AnalysisJob];
        let kinds = &kinds[..if moves_only { 1 } else { 2 }];
        kinds.iter().find_map(|kind| {
            let (address, work) = self.of(*kind).pop()?;
            Some((*kind, address, work))
        })
    }
}

struct Shared {
    queues: Mutex<Queues>,
    news: Condvar,
    limits: PoolLimits,
}

/// The threads and what waits for them.
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
            news: Condvar::new(),
            limits,
        });
        let count = limits.threads + limits.for_moves;
        let memory = limits.memory / count.max(1);
        let threads = (0..count)
            .map(|number| {
                let shared = Arc::clone(&shared);
                std::thread::Builder::new()
                    .name(format!("engine {number}"))
                    // Searches are recursive, and boards have up to 400 cells.
                    .stack_size(16 << 20)
                    .spawn(move || {
                        // Whoever asks for a page comes before whoever thinks.
                        crate::system::yield_to_others();
                        think(&shared, number < limits.for_moves, memory);
                    })
                    .expect("the system gives us a thread")
            })
            .collect();
        Self {
            shared,
            threads: Mutex::new(threads),
        }
    }

    /// Leaves work to the threads.
    ///
    /// # Errors
    /// When enough is waiting, of this client or of all.
    pub(crate) fn submit(
        &self,
        address: IpAddr,
        urgency: Priority,
        work: impl FnOnce(&mut EngineCache) + Send + 'static,
    ) -> Result<(), QueueFull> {
        let mut queues = self.shared.queues.lock().expect("no panic inside");
        if queues.closed {
            return Err(QueueFull);
        }
        let address = network_of(address);
        let limits = &self.shared.limits;
        queues.of(urgency).push(address, Box::new(work), limits)?;
        drop(queues);
        self.shared.news.notify_all();
        Ok(())
    }

    /// How many pieces of work wait: moves and studies.
    #[must_use]
    pub(crate) fn waiting(&self) -> [usize; 2] {
        let queues = self.shared.queues.lock().expect("no panic inside");
        [queues.moves.waiting, queues.studies.waiting]
    }

    /// Forgets what waits, and ends the threads once they have finished.
    pub(crate) fn close(&self) {
        let mut queues = self.shared.queues.lock().expect("no panic inside");
        *queues = Queues {
            closed: true,
            ..Queues::default()
        };
        drop(queues);
        self.shared.news.notify_all();
        let threads = std::mem::take(&mut *self.threads.lock().expect("no panic inside"));
        for thread in threads {
            // A thread that panicked has said so already.
            let _ = thread.join();
        }
    }
}

fn think(shared: &Shared, moves_only: bool, memory: usize) {
    let mut players = EngineCache::new(memory);
    loop {
        let mut queues = shared.queues.lock().expect("no panic inside");
        let (urgency, address, work) = loop {
            if queues.closed {
                return;
            }
            match queues.pop(moves_only) {
                Some(next) => break next,
                None => queues = shared.news.wait(queues).expect("no panic inside"),
            }
        };
        drop(queues);
        // A strategy that panics must not take the thread with it. Its seat may
        // be half changed, so none is kept.
        let guarded = std::panic::AssertUnwindSafe(|| work(&mut players));
        if std::panic::catch_unwind(guarded).is_err() {
            tracing::error!("a strategy panicked");
            players = EngineCache::new(memory);
        }
        let mut queues = shared.queues.lock().expect("no panic inside");
        queues.of(urgency).done(address);
        drop(queues);
        // What waited for this address may be taken by any thread.
        shared.news.notify_all();
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
        memory: 8,
    };
    const ANN: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1));
    const BOB: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 2));

    #[test]
    fn an_address_has_a_limit_of_its_own_and_addresses_take_turns() {
        let mut queue = Queue::default();
        let (told, heard) = mpsc::channel();
        let work = |name: &'static str| -> Work {
            let told = told.clone();
            Box::new(move |_| told.send(name).unwrap())
        };
        for name in ["a1", "a2", "a3"] {
            queue.push(ANN, work(name), &LIMITS).unwrap();
        }
        assert_eq!(queue.push(ANN, work("a4"), &LIMITS), Err(QueueFull));
        queue.push(BOB, work("b1"), &LIMITS).unwrap();
        let mut players = EngineCache::new(0);
        while let Some((address, work)) = queue.pop() {
            work(&mut players);
            queue.done(address);
        }
        drop(told);
        let order: Vec<&str> = (0..4).map(|_| heard.recv().unwrap()).collect();
        assert_eq!(order, ["a1", "b1", "a2", "a3"]);
    }

    #[test]
    fn one_address_has_one_piece_of_work_done_at_a_time() {
        let mut queue = Queue::default();
        for address in [ANN, ANN, BOB] {
            queue.push(address, Box::new(|_| ()), &LIMITS).unwrap();
        }
        let taken = [queue.pop(), queue.pop(), queue.pop()];
        let whose = taken.map(|taken| taken.map(|(address, _)| address));
        assert_eq!(whose, [Some(ANN), Some(BOB), None]);
        queue.done(ANN);
        assert_eq!(queue.pop().map(|(address, _)| address), Some(ANN));
    }

    #[test]
    fn a_move_waits_neither_for_studies_nor_for_moves_of_another_address() {
        let pool = EnginePool::new(LIMITS);
        let (hold, held) = mpsc::channel::<()>();
        let held = Arc::new(Mutex::new(held));
        let (told, heard) = mpsc::channel();
        let submit = |address, urgency, work: Work| pool.submit(address, urgency, work).unwrap();
        submit(
            ANN,
            Priority::AnalysisJob,
            Box::new(|_| panic!("as planned")),
        );
        for urgency in [Priority::AnalysisJob, Priority::Move, Priority::Move] {
            let held = Arc::clone(&held);
            let wait = move |_: &mut EngineCache| {
                let _ = held.lock().unwrap().recv();
            };
            submit(ANN, urgency, Box::new(wait));
        }
        submit(
            BOB,
            Priority::Move,
            Box::new(move |_| told.send(()).unwrap()),
        );
        heard
            .recv_timeout(std::time::Duration::from_secs(10))
            .unwrap();
        drop(hold);
        pool.close();
        assert_eq!(pool.submit(ANN, Priority::Move, |_| ()), Err(QueueFull));
    }
}
