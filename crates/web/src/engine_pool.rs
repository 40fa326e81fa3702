//! The threads that think. Their number is fixed, one of them thinks about
//! opponents' moves only, and visitors are served in turn, so that nobody's
//! analysis keeps another's game waiting.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;

use crate::seated_players::SeatedPlayers;

/// What a thread does for somebody.
type Work = Box<dyn FnOnce(&mut SeatedPlayers) + Send>;

/// How urgent work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// Somebody's opponent is to move.
    Move,
    /// Somebody would like to know something.
    Study,
}

/// The pool is full, or the visitor has enough waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PoolFull;

/// How much may wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolLimits {
    /// Threads; one more is added for moves alone.
    pub threads: usize,
    /// Pieces of work that may wait, of all visitors together.
    pub waiting: usize,
    /// Pieces of work that may wait for one visitor.
    pub per_visitor: usize,
}

/// Work of one kind, by visitor; visitors take turns.
#[derive(Default)]
struct Queue {
    visitors: VecDeque<(String, VecDeque<Work>)>,
    waiting: usize,
}

impl Queue {
    fn push(&mut self, visitor: &str, work: Work, limits: &PoolLimits) -> Result<(), PoolFull> {
        if self.waiting >= limits.waiting {
            return Err(PoolFull);
        }
        match self.visitors.iter_mut().find(|(name, _)| name == visitor) {
            Some((_, works)) if works.len() >= limits.per_visitor => return Err(PoolFull),
            Some((_, works)) => works.push_back(work),
            None => self.visitors.push_back((visitor.into(), [work].into())),
        }
        self.waiting += 1;
        Ok(())
    }

    fn pop(&mut self) -> Option<Work> {
        let (visitor, mut works) = self.visitors.pop_front()?;
        let work = works.pop_front()?;
        self.waiting -= 1;
        if !works.is_empty() {
            self.visitors.push_back((visitor, works));
        }
        Some(work)
    }
}

#[derive(Default)]
struct Queues {
    moves: Queue,
    studies: Queue,
    closed: bool,
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
        let threads = (0..=limits.threads)
            .map(|number| {
                let shared = Arc::clone(&shared);
                std::thread::Builder::new()
                    .name(format!("engine {number}"))
                    // Searches are recursive, and boards have up to 400 cells.
                    .stack_size(16 << 20)
                    .spawn(move || think(&shared, number == 0))
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
    /// When enough is waiting, of this visitor or of all.
    pub(crate) fn submit(
        &self,
        visitor: &str,
        urgency: Urgency,
        work: impl FnOnce(&mut SeatedPlayers) + Send + 'static,
    ) -> Result<(), PoolFull> {
        let mut queues = self.shared.queues.lock().expect("no panic inside");
        if queues.closed {
            return Err(PoolFull);
        }
        let queue = match urgency {
            Urgency::Move => &mut queues.moves,
            Urgency::Study => &mut queues.studies,
        };
        queue.push(visitor, Box::new(work), &self.shared.limits)?;
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

fn think(shared: &Shared, moves_only: bool) {
    let mut seats = SeatedPlayers::default();
    loop {
        let mut queues = shared.queues.lock().expect("no panic inside");
        let work = loop {
            if queues.closed {
                return;
            }
            let work = match queues.moves.pop() {
                None if !moves_only => queues.studies.pop(),
                work => work,
            };
            match work {
                Some(work) => break work,
                None => queues = shared.news.wait(queues).expect("no panic inside"),
            }
        };
        drop(queues);
        // A strategy that panics must not take the thread with it. Its seat may
        // be half changed, so none is kept.
        let guarded = std::panic::AssertUnwindSafe(|| work(&mut seats));
        if std::panic::catch_unwind(guarded).is_err() {
            tracing::error!("a strategy panicked");
            seats = SeatedPlayers::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    const LIMITS: PoolLimits = PoolLimits {
        threads: 1,
        waiting: 100,
        per_visitor: 3,
    };

    #[test]
    fn a_visitor_has_a_limit_of_their_own_and_visitors_take_turns() {
        let mut queue = Queue::default();
        let (told, heard) = mpsc::channel();
        let work = |name: &'static str| -> Work {
            let told = told.clone();
            Box::new(move |_| told.send(name).unwrap())
        };
        for name in ["a1", "a2", "a3"] {
            queue.push("a", work(name), &LIMITS).unwrap();
        }
        assert_eq!(queue.push("a", work("a4"), &LIMITS), Err(PoolFull));
        queue.push("b", work("b1"), &LIMITS).unwrap();
        let mut seats = SeatedPlayers::default();
        while let Some(work) = queue.pop() {
            work(&mut seats);
        }
        drop(told);
        let order: Vec<&str> = (0..4).map(|_| heard.recv().unwrap()).collect();
        assert_eq!(order, ["a1", "b1", "a2", "a3"]);
    }

    #[test]
    fn a_move_does_not_wait_for_studies_and_a_panic_ends_nothing() {
        let pool = EnginePool::new(LIMITS);
        let (hold, held) = mpsc::channel::<()>();
        let (told, heard) = mpsc::channel();
        pool.submit("a", Urgency::Study, |_| panic!("as planned"))
            .unwrap();
        pool.submit("a", Urgency::Study, move |_| {
            let _ = held.recv();
        })
        .unwrap();
        pool.submit("b", Urgency::Move, move |_| told.send(()).unwrap())
            .unwrap();
        heard
            .recv_timeout(std::time::Duration::from_secs(10))
            .unwrap();
        drop(hold);
        pool.close();
        assert_eq!(pool.submit("a", Urgency::Move, |_| ()), Err(PoolFull));
    }
}
