//! Several threads at one tree: young brothers wait.
//!
//! When a node's first move has been searched and failed to cut, its brothers may be searched
//! by anyone. A thread that sees somebody wait publishes the node as a [`Split`]; whoever is free
//! takes its next move. A thread whose own split is still being worked on by others helps only
//! below that split, so that it can return the moment the split is done. Each waits where only
//! those call who have something for it: a call to everybody would have all of them queue for one
//! lock at every node.

use crate::midgame::Best;
use crate::node::Node;
use crate::searcher::Searcher;
use crate::square::{Square, Squares};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// A node whose remaining moves are shared.
pub(crate) struct Split {
    parent: Option<Arc<Self>>,
    node: Node,
    alpha: i32,
    depth: u32,
    selectivity: u8,
    probing: u8,
    moves: Vec<Square>,
    next: AtomicUsize,
    /// How many threads besides the owner are at work here.
    helpers: AtomicUsize,
    /// Whether the owner waits for them, whether it sleeps meanwhile, and where it does.
    waited_for: AtomicBool,
    owner_sleeps: AtomicBool,
    owner: Condvar,
    /// How many splits were published below this one.
    calls: AtomicUsize,
    cut: AtomicBool,
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

    /// Tells the owners of this node and of those above it that there is work.
    fn call_owners(&self) {
        let mut at = Some(self);
        while let Some(split) = at {
            split.calls.fetch_add(1, Ordering::Relaxed);
            split.wake_owner();
            at = split.parent.as_deref();
        }
    }

    fn wake_owner(&self) {
        if self.owner_sleeps.load(Ordering::Relaxed) {
            self.owner.notify_one();
        }
    }

    fn has_work(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.moves.len() && !self.is_cut()
    }
}

/// The threads that search together.
#[derive(Default)]
pub(crate) struct Crew {
    /// How many threads have no split of their own and wait for one; those of them who sleep.
    free: AtomicUsize,
    asleep: AtomicUsize,
    open: Mutex<Vec<Arc<Split>>>,
    work: Condvar,
    /// How many splits were published.
    calls: AtomicUsize,
    dismissed: AtomicBool,
    /// How often a thread that waits looks up before it goes to sleep.
    patience: u32,
}

/// Some microseconds: less than it takes to be woken.
const PATIENCE: u32 = 1000;

impl Crew {
    /// A crew of threads that have a core each, or not: then those that wait go to sleep at once.
    pub(crate) fn new(enough_cores: bool) -> Self {
        Self {
            patience: if enough_cores { PATIENCE } else { 0 },
            ..Self::default()
        }
    }

    fn open(&self) -> MutexGuard<'_, Vec<Arc<Split>>> {
        self.open.lock().expect("no thread panics holding the list")
    }

    /// Sends the helpers home: the search is over.
    pub(crate) fn dismiss(&self) {
        let _open = self.open();
        self.dismissed.store(true, Ordering::Relaxed);
        self.work.notify_all();
    }

    /// Publishes a node and calls as many as could take a move of it.
    fn publish(&self, split: &Arc<Split>) {
        let mut open = self.open();
        open.push(split.clone());
        self.calls.fetch_add(1, Ordering::Relaxed);
        let asleep = self.asleep.load(Ordering::Relaxed);
        let awake = self.free.load(Ordering::Relaxed).saturating_sub(asleep);
        let wanted = split.moves.len().saturating_sub(awake).min(asleep);
        for _ in 0..wanted {
            self.work.notify_one();
        }
        split.call_owners();
    }

    /// Looks up for a while; whether it was called.
    fn is_called(&self, called: impl Fn() -> bool) -> bool {
        (0..self.patience).any(|_| {
            std::hint::spin_loop();
            called()
        })
    }

    /// Waits for any work; `None` when the search is over.
    fn join_any(&self) -> Option<Arc<Split>> {
        self.free.fetch_add(1, Ordering::Relaxed);
        let mut open = self.open();
        let found = loop {
            if self.dismissed.load(Ordering::Relaxed) {
                break None;
            }
            if let Some(split) = largest(&open, |_| true) {
                break Some(split);
            }
            let heard = self.calls.load(Ordering::Relaxed);
            let called = || {
                self.calls.load(Ordering::Relaxed) != heard
                    || self.dismissed.load(Ordering::Relaxed)
            };
            drop(open);
            self.is_called(called);
            open = self.open();
            // Calls come under the lock: none is missed between this test and the sleep.
            if !called() {
                self.asleep.fetch_add(1, Ordering::Relaxed);
                open = (self.work.wait(open)).expect("no thread panics holding the list");
                self.asleep.fetch_sub(1, Ordering::Relaxed);
            }
        };
        self.free.fetch_sub(1, Ordering::Relaxed);
        found
    }

    /// Waits for work below `own`; `None` when nobody helps there any more.
    fn join_below(&self, own: &Split) -> Option<Arc<Split>> {
        let mut open = self.open();
        own.waited_for.store(true, Ordering::Relaxed);
        let found = loop {
            if own.helpers.load(Ordering::Acquire) == 0 {
                break None;
            }
            if let Some(split) = largest(&open, |split| split.is_below(own)) {
                break Some(split);
            }
            let heard = own.calls.load(Ordering::Relaxed);
            let called = || {
                own.calls.load(Ordering::Relaxed) != heard
                    || own.helpers.load(Ordering::Relaxed) == 0
            };
            drop(open);
            self.is_called(called);
            open = self.open();
            if !called() {
                own.owner_sleeps.store(true, Ordering::Relaxed);
                open = (own.owner.wait(open)).expect("no thread panics holding the list");
                own.owner_sleeps.store(false, Ordering::Relaxed);
            }
        };
        own.waited_for.store(false, Ordering::Relaxed);
        found
    }

    fn leave(&self, split: &Split) {
        // The lock orders this with the owner's test, so that it cannot sleep through it.
        let _open = self.open();
        if split.helpers.fetch_sub(1, Ordering::Release) == 1 {
            split.wake_owner();
        }
    }
}

/// Joins the deepest of the splits that are wanted, which has the most work.
fn largest(open: &[Arc<Split>], wanted: impl Fn(&Split) -> bool) -> Option<Arc<Split>> {
    let best = open
        .iter()
        .filter(|split| wanted(split) && split.has_work())
        .max_by_key(|split| split.depth)?;
    best.helpers.fetch_add(1, Ordering::Relaxed);
    Some(best.clone())
}

impl Searcher<'_> {
    /// Whether somebody would take a move of a node that this thread shares.
    #[inline(always)]
    pub(crate) fn has_company(&self) -> bool {
        self.crew.free.load(Ordering::Relaxed) > 0
            || self
                .split
                .as_ref()
                .is_some_and(|split| split.is_waited_for())
    }

    /// Helps wherever there is work, until the crew is dismissed.
    pub(crate) fn help(&mut self) {
        let crew = &self.search().crew;
        while let Some(split) = crew.join_any() {
            self.assist(split);
            self.report_nodes();
        }
    }

    /// Works at somebody else's split.
    fn assist(&mut self, split: Arc<Split>) {
        let saved = (self.split.take(), self.selectivity, self.probing);
        (self.selectivity, self.probing) = (split.selectivity, split.probing);
        self.split = Some(split);
        self.work();
        let split = self.split.take().expect("work leaves the split in place");
        (self.split, self.selectivity, self.probing) = saved;
        self.crew.leave(&split);
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
        let split = Arc::new(Split {
            parent: self.split.take(),
            node: *node,
            alpha,
            depth,
            selectivity: self.selectivity,
            probing: self.probing,
            moves,
            next: AtomicUsize::new(0),
            helpers: AtomicUsize::new(0),
            waited_for: AtomicBool::new(false),
            owner_sleeps: AtomicBool::new(false),
            owner: Condvar::new(),
            calls: AtomicUsize::new(0),
            cut: AtomicBool::new(false),
            best: Mutex::new(best),
            refuted: AtomicU64::new(0),
        });
        let crew = &self.search().crew;
        crew.publish(&split);
        self.split = Some(split.clone());
        self.work();
        crew.open().retain(|other| !Arc::ptr_eq(other, &split));
        while let Some(below) = crew.join_below(&split) {
            self.assist(below);
        }
        self.split.clone_from(&split.parent);
        let best = *split
            .best
            .lock()
            .expect("no thread panics holding the best move");
        Shared {
            best,
            refuted: Squares(split.refuted.load(Ordering::Acquire)),
        }
    }

    /// Takes moves of the current split until none is left or one cuts.
    fn work(&mut self) {
        let split = self.split.clone().expect("called with a split");
        loop {
            let at = split.next.fetch_add(1, Ordering::Relaxed);
            if at >= split.moves.len() || self.stopped() {
                return;
            }
            let square = split.moves[at];
            let score = self.nws_child(&split.node, square, split.alpha, split.depth);
            if self.stopped() {
                return;
            }
            let mut best = split
                .best
                .lock()
                .expect("no thread panics holding the best move");
            if score > best.0 {
                *best = (score, Some(square));
            }
            if score > split.alpha {
                split.cut.store(true, Ordering::Relaxed);
                return;
            }
            split.refuted.fetch_or(square.bit(), Ordering::Release);
        }
    }
}
