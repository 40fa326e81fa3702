//! Several threads at one tree: young brothers wait. So positions are solved; for searches of so
//! many plies see [`crate::parallel::abdada`] and [`crate::parallel::aspiration`].
//!
//! When a node's first move has been searched and failed to cut, its brothers may be searched
//! by anyone. A thread that sees somebody wait publishes the node as a [`Split`], a large one in any case
//! ([`crate::parallel::split_policy`]); whoever is free takes the next move of the largest. A thread whose own split is still being worked on by others helps only
//! below that split, so that it can return the moment the split is done. Each waits where only
//! those call who have something for it: a call to everybody would have all of them queue for one
//! lock at every node.

use crate::board::square::{Square, Squares};
use crate::eval::node::Node;
use crate::parallel::abdada::Taken;
use crate::parallel::aspiration::{Bracket, TESTS};
use crate::search::node_type::Kind;
use crate::search::nws::Best;
use crate::search::worker::Searcher;
use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// A node whose remaining moves are shared. Every thread below it looks at it at every node, so
/// that what is written often lies in lines of memory of its own.
pub(crate) struct Split {
    parent: Option<Arc<Self>>,
    pub(crate) node: Node,
    pub(crate) alpha: i32,
    pub(crate) depth: u32,
    selectivity: u8,
    probing: u8,
    what: What,
    cut: AtomicBool,
    /// Whether the owner waits for those who help it.
    waited_for: AtomicBool,
    work: CachePadded<Work>,
}

/// What is to be done at a [`Split`].
pub(crate) enum What {
    /// One thread takes one of these moves of a null-window node.
    Moves(Vec<Square>),
    /// So many threads search the whole node, up to an upper bound.
    Tree { beta: i32, threads: usize },
    /// Several threads test bounds of the node's score.
    Bounds(Arc<Bracket>),
    /// One thread is at it and calls nobody: it stands there to be cut.
    Nothing,
}

/// How far a [`Split`] has come.
struct Work {
    next: AtomicUsize,
    /// How many threads besides the owner are at work here.
    helpers: AtomicUsize,
    /// Whether the owner sleeps while it waits for them, and where.
    owner_sleeps: AtomicBool,
    owner: Condvar,
    /// How many splits were published below this one.
    calls: AtomicUsize,
    best: Mutex<Best>,
    /// The moves that were searched to the end and did not beat `alpha`.
    refuted: AtomicU64,
}

/// What sharing a node's moves found.
pub(crate) struct Shared {
    /// The best score and its move.
    pub(crate) best: Best,
    /// The moves that did not beat `alpha`.
    pub(crate) refuted: Squares,
}

impl Split {
    /// Whether this node, or one above it, needs no further search.
    pub(crate) fn is_cut(&self) -> bool {
        let mut at = Some(self);
        while let Some(split) = at {
            if split.cut.load(Ordering::Relaxed) {
                return true;
            }
            at = split.parent.as_deref();
        }
        false
    }

    fn is_below(&self, other: &Self) -> bool {
        let mut at = Some(self);
        while let Some(split) = at {
            if std::ptr::eq(split, other) {
                return true;
            }
            at = split.parent.as_deref();
        }
        false
    }

    /// Whether the owner of this node, or of one above it, would take work from below.
    fn is_waited_for(&self) -> bool {
        let mut at = Some(self);
        while let Some(split) = at {
            if split.waited_for.load(Ordering::Relaxed) {
                return true;
            }
            at = split.parent.as_deref();
        }
        false
    }

    /// Tells those of the owners of this node and of those above it who wait that there is work.
    /// Under the lock: an owner who begins to wait looks for work itself.
    fn call_owners(&self) {
        let mut at = Some(self);
        while let Some(split) = at {
            if split.waited_for.load(Ordering::Relaxed) {
                split.work.calls.fetch_add(1, Ordering::Relaxed);
                split.wake_owner();
            }
            at = split.parent.as_deref();
        }
    }

    fn wake_owner(&self) {
        if self.work.owner_sleeps.load(Ordering::Relaxed) {
            self.work.owner.notify_one();
        }
    }

    /// How many threads came here, or took a move, before.
    pub(crate) fn enter(&self) -> usize {
        self.work.next.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn best(&self) -> MutexGuard<'_, Best> {
        let best = self.work.best.lock();
        best.expect("no thread panics holding the best move")
    }

    /// No further search is needed here.
    pub(crate) fn cut(&self) {
        self.cut.store(true, Ordering::Relaxed);
    }

    fn has_work(&self) -> bool {
        self.work.next.load(Ordering::Relaxed) < self.places() && !self.is_cut()
    }

    /// How many threads could take part.
    fn places(&self) -> usize {
        match &self.what {
            What::Moves(moves) => moves.len(),
            What::Tree { threads, .. } => *threads,
            What::Bounds(_) => TESTS,
            What::Nothing => 0,
        }
    }
}

/// A split that has been published. Its depth stands beside it, so that whoever looks for work
/// need not fetch those that it will not take.
struct Open {
    depth: u32,
    split: Arc<Split>,
}

/// The threads that search together.
#[derive(Default)]
pub(crate) struct Crew {
    /// How many threads have no split of their own and wait for one. Every thread looks at it.
    free: CachePadded<AtomicUsize>,
    /// Those of them who sleep.
    asleep: AtomicUsize,
    open: Mutex<Vec<Open>>,
    work: Condvar,
    /// How many splits were published.
    calls: AtomicUsize,
    dismissed: AtomicBool,
    /// How often a thread that waits looks up before it goes to sleep.
    patience: u32,
    /// How many threads can run at a time.
    pub(crate) at_once: usize,
    /// The moves that threads are at who search one tree together; none where there is one thread.
    pub(crate) taken: Option<Taken>,
}

/// Some microseconds: less than it takes to be woken.
const PATIENCE: u32 = 1000;

impl Crew {
    /// A crew of so many threads. Where not all have a core, those that wait go to sleep at once.
    pub(crate) fn new(threads: usize, cores: usize) -> Self {
        Self {
            patience: if threads <= cores { PATIENCE } else { 0 },
            at_once: threads.min(cores),
            taken: (threads > 1).then(Taken::default),
            ..Self::default()
        }
    }

    fn open(&self) -> MutexGuard<'_, Vec<Open>> {
        self.open.lock().expect("no thread panics holding the list")
    }

    /// Sends the helpers home: the search is over.
    pub(crate) fn dismiss(&self) {
        let _open = self.open();
        self.dismissed.store(true, Ordering::Relaxed);
        self.work.notify_all();
    }

    /// Publishes a node and calls as many as could take a move of it.
    pub(crate) fn publish(&self, split: &Arc<Split>) {
        let mut open = self.open();
        open.push(Open {
            depth: split.depth,
            split: split.clone(),
        });
        self.calls.fetch_add(1, Ordering::Relaxed);
        let asleep = self.asleep.load(Ordering::Relaxed);
        let awake = self.free.load(Ordering::Relaxed).saturating_sub(asleep);
        let wanted = split.places().saturating_sub(awake).min(asleep);
        for _ in 0..wanted {
            self.work.notify_one();
        }
        split.call_owners();
    }

    /// Nobody joins this split any more.
    pub(crate) fn withdraw(&self, split: &Arc<Split>) {
        self.open()
            .retain(|other| !Arc::ptr_eq(&other.split, split));
    }

    /// Looks for work whenever there is a new call, again and again for a while. The lock is taken
    /// only where it is free: all are called at once, and a queue of them would keep those waiting
    /// who have work.
    fn look_up(
        &self,
        is_over: impl Fn() -> bool,
        calls: &AtomicUsize,
        wanted: impl Fn(&Split) -> bool,
    ) -> Option<Arc<Split>> {
        let mut heard = None;
        for _ in 0..=self.patience {
            if is_over() {
                return None;
            }
            let now = Some(calls.load(Ordering::Relaxed));
            if now != heard
                && let Ok(open) = self.open.try_lock()
            {
                heard = now;
                if let Some(split) = largest(&open, &wanted) {
                    return Some(split);
                }
            }
            std::hint::spin_loop();
        }
        None
    }

    /// Waits for any work; `None` when the search is over.
    fn join_any(&self) -> Option<Arc<Split>> {
        let is_over = || self.dismissed.load(Ordering::Relaxed);
        self.free.fetch_add(1, Ordering::Relaxed);
        let found = loop {
            if let Some(split) = self.look_up(is_over, &self.calls, |_| true) {
                break Some(split);
            }
            // Calls come under the lock: none is missed between these tests and the sleep.
            let open = self.open();
            if is_over() {
                break None;
            }
            if let Some(split) = largest(&open, |_| true) {
                break Some(split);
            }
            self.asleep.fetch_add(1, Ordering::Relaxed);
            drop((self.work.wait(open)).expect("no thread panics holding the list"));
            self.asleep.fetch_sub(1, Ordering::Relaxed);
        };
        self.free.fetch_sub(1, Ordering::Relaxed);
        found
    }

    /// Waits for work below `own`; `None` when nobody helps there any more.
    fn join_below(&self, own: &Split) -> Option<Arc<Split>> {
        let work = &own.work;
        let is_done = || work.helpers.load(Ordering::SeqCst) == 0;
        let is_below = |split: &Split| split.is_below(own);
        own.waited_for.store(true, Ordering::Relaxed);
        let found = loop {
            if let Some(split) = self.look_up(is_done, &work.calls, is_below) {
                break Some(split);
            }
            let open = self.open();
            if let Some(split) = largest(&open, is_below) {
                break Some(split);
            }
            // Whoever leaves looks at this after it has left, and this looks who is left after it
            // is known: one of the two sees the other.
            work.owner_sleeps.store(true, Ordering::SeqCst);
            let done = is_done();
            if !done {
                drop((work.owner.wait(open)).expect("no thread panics holding the list"));
            }
            work.owner_sleeps.store(false, Ordering::Relaxed);
            if done {
                break None;
            }
        };
        own.waited_for.store(false, Ordering::Relaxed);
        found
    }

    fn leave(&self, split: &Split) {
        let last = split.work.helpers.fetch_sub(1, Ordering::SeqCst) == 1;
        if last && split.work.owner_sleeps.load(Ordering::SeqCst) {
            // Under the lock the owner is asleep, not on its way there.
            let _open = self.open();
            split.work.owner.notify_one();
        }
    }
}

/// Joins the deepest of the splits that are wanted, which has the most work.
fn largest(open: &[Open], wanted: impl Fn(&Split) -> bool) -> Option<Arc<Split>> {
    let mut best: Option<&Open> = None;
    for entry in open.iter().rev() {
        let deeper = best.is_none_or(|best| entry.depth > best.depth);
        if deeper && wanted(&entry.split) && entry.split.has_work() {
            best = Some(entry);
        }
    }
    let best = &best?.split;
    best.work.helpers.fetch_add(1, Ordering::SeqCst);
    Some(best.clone())
}

impl Searcher<'_> {
    /// Whether somebody would take a move of a node that this thread shares.
    #[inline(always)]
    pub(crate) fn has_company(&self) -> bool {
        self.free_threads() > 0
            || self
                .split
                .as_ref()
                .is_some_and(|split| split.is_waited_for())
    }

    /// How many threads have nothing to do.
    pub(crate) fn free_threads(&self) -> usize {
        self.crew.free.load(Ordering::Relaxed)
    }

    /// Helps wherever there is work, until the crew is dismissed.
    pub(crate) fn help(&mut self) {
        let crew = &self.search().crew;
        while let Some(split) = crew.join_any() {
            self.assist(&split);
            self.report_nodes();
        }
    }

    /// Works at somebody else's split.
    fn assist(&mut self, split: &Arc<Split>) {
        let saved = (self.split.take(), self.selectivity, self.probing);
        (self.selectivity, self.probing) = (split.selectivity, split.probing);
        self.split = Some(split.clone());
        match &split.what {
            What::Moves(moves) => self.work(split, moves),
            What::Tree { beta, .. } => self.search_tree(split, *beta, split.enter()),
            What::Bounds(bracket) => {
                if split.enter() < TESTS {
                    self.test_bounds(split, bracket);
                }
            }
            What::Nothing => {}
        }
        (self.split, self.selectivity, self.probing) = saved;
        self.crew.leave(split);
    }

    /// A split below the one that this thread works under.
    pub(crate) fn new_split(
        &mut self,
        node: &Node,
        alpha: i32,
        depth: u32,
        what: What,
        best: Best,
    ) -> Arc<Split> {
        Arc::new(Split {
            parent: self.split.take(),
            node: *node,
            alpha,
            depth,
            selectivity: self.selectivity,
            probing: self.probing,
            what,
            cut: AtomicBool::new(false),
            waited_for: AtomicBool::new(false),
            work: CachePadded::new(Work {
                next: AtomicUsize::new(0),
                helpers: AtomicUsize::new(0),
                owner_sleeps: AtomicBool::new(false),
                owner: Condvar::new(),
                calls: AtomicUsize::new(0),
                best: Mutex::new(best),
                refuted: AtomicU64::new(0),
            }),
        })
    }

    /// Shares the remaining `moves` of a null-window node and returns the best score and move,
    /// starting from those known so far.
    pub(crate) fn share(
        &mut self,
        node: &Node,
        alpha: i32,
        depth: u32,
        moves: Vec<Square>,
        best: Best,
    ) -> Shared {
        let split = self.new_split(node, alpha, depth, What::Moves(moves), best);
        let crew = &self.search().crew;
        crew.publish(&split);
        self.split = Some(split.clone());
        if let What::Moves(moves) = &split.what {
            self.work(&split, moves);
        }
        self.wait_below(&split);
        Shared {
            best: *split.best(),
            refuted: Squares(split.work.refuted.load(Ordering::Acquire)),
        }
    }

    /// Waits until nobody is at a split of this thread's own any more, and helps below it meanwhile.
    pub(crate) fn wait_below(&mut self, split: &Arc<Split>) {
        let crew = &self.search().crew;
        crew.withdraw(split);
        while let Some(below) = crew.join_below(split) {
            self.assist(&below);
        }
        self.split.clone_from(&split.parent);
    }

    /// Takes moves of the current split until none is left or one cuts.
    fn work(&mut self, split: &Split, moves: &[Square]) {
        loop {
            let at = split.enter();
            if at >= moves.len() || self.stopped() {
                return;
            }
            let square = moves[at];
            let score = self.nws_child(&split.node, square, split.alpha, split.depth, Kind::Cut);
            if self.stopped() {
                return;
            }
            let mut best = split.best();
            if score > best.0 {
                *best = (score, Some(square));
            }
            if score > split.alpha {
                split.cut();
                return;
            }
            split.work.refuted.fetch_or(square.bit(), Ordering::Release);
        }
    }
}
