//! Split point: a node whose work is shared among threads.
//!
//! Data and synchronisation only; [`ybwc`](super::ybwc), [`abdada`](super::abdada) and
//! [`aspiration`](super::aspiration) say how the work is searched.

use crate::board::square::{Square, Squares};
use crate::eval::node::Node;
use crate::parallel::score_bracket::{CONCURRENT_WINDOWS, ScoreBracket};
use crate::search::best::Best;
use crate::search::selectivity::Selectivity;
use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// A node whose work is shared. Every thread below it reads `cut` at every node, so the fields that
/// change often are on cache lines of their own.
pub(crate) struct SplitPoint {
    parent: Option<Arc<Self>>,
    params: SplitParams,
    work: SplitWork,
    cut: AtomicBool,
    /// Whether the owner waits for its helpers and would take work from below.
    owner_waits: AtomicBool,
    progress: CachePadded<Progress>,
}

/// The search that is shared.
#[derive(Clone, Copy)]
pub(crate) struct SplitParams {
    pub(crate) node: Node,
    pub(crate) alpha: i32,
    pub(crate) depth: u32,
    pub(crate) selectivity: Selectivity,
    pub(crate) probcut_nesting: u8,
}

/// How the work of a [`SplitPoint`] is divided.
pub(crate) enum SplitWork {
    /// YBWC: each thread takes moves of a null-window node.
    Moves(Vec<Square>),
    /// ABDADA: `threads` threads search the whole node with the upper bound `beta`.
    Tree { beta: i32, threads: usize },
    /// Parallel aspiration: threads run null-window searches of the node at different bounds.
    Bounds(SharedBracket),
    /// Searched by its owner alone; exists to be cut off.
    Owner,
}

/// A score bracket together with the split points of its running searches.
pub(crate) type SharedBracket = Mutex<ScoreBracket<Arc<SplitPoint>>>;

/// The part of a [`SplitPoint`] that is written often.
struct Progress {
    /// Number of moves, or places, taken.
    taken: AtomicUsize,
    /// Threads at work besides the owner.
    helpers: AtomicUsize,
    owner_sleeps: AtomicBool,
    /// Wakes the owner.
    wakeup: Condvar,
    /// Number of split points published below this one while the owner waited.
    published_below: AtomicUsize,
    best: Mutex<Best>,
    /// Moves that were searched completely and did not exceed alpha.
    refuted: AtomicU64,
}

impl SplitPoint {
    pub(crate) const fn new(
        parent: Option<Arc<Self>>,
        params: SplitParams,
        work: SplitWork,
        best: Best,
    ) -> Self {
        Self {
            parent,
            params,
            work,
            cut: AtomicBool::new(false),
            owner_waits: AtomicBool::new(false),
            progress: CachePadded::new(Progress {
                taken: AtomicUsize::new(0),
                helpers: AtomicUsize::new(0),
                owner_sleeps: AtomicBool::new(false),
                wakeup: Condvar::new(),
                published_below: AtomicUsize::new(0),
                best: Mutex::new(best),
                refuted: AtomicU64::new(0),
            }),
        }
    }

    pub(crate) const fn parent(&self) -> Option<&Arc<Self>> {
        self.parent.as_ref()
    }

    pub(crate) const fn params(&self) -> &SplitParams {
        &self.params
    }

    pub(crate) const fn work(&self) -> &SplitWork {
        &self.work
    }

    /// Iterates over this split point and all above it.
    fn ancestors(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |split| split.parent.as_deref())
    }

    /// Returns whether this split point, or one above it, needs no further search.
    #[inline]
    pub(crate) fn is_cut(&self) -> bool {
        self.ancestors()
            .any(|split| split.cut.load(Ordering::Relaxed))
    }

    /// Ends the search below this split point.
    pub(crate) fn cut(&self) {
        self.cut.store(true, Ordering::Relaxed);
    }

    /// Takes the next move or place; returns its index.
    pub(crate) fn take_next(&self) -> usize {
        self.progress.taken.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn best(&self) -> MutexGuard<'_, Best> {
        let best = self.progress.best.lock();
        best.expect("no thread panics while it holds the best move")
    }

    /// Records that a move does not exceed alpha.
    pub(super) fn add_refuted(&self, square: Square) {
        let refuted = &self.progress.refuted;
        refuted.fetch_or(square.bit(), Ordering::Release);
    }

    pub(super) fn refuted(&self) -> Squares {
        Squares(self.progress.refuted.load(Ordering::Acquire))
    }

    /// Returns whether the owner of this split point, or of one above it, waits for work.
    pub(super) fn has_waiting_owner(&self) -> bool {
        self.ancestors()
            .any(|split| split.owner_waits.load(Ordering::Relaxed))
    }

    pub(super) fn is_below(&self, other: &Self) -> bool {
        self.ancestors().any(|split| std::ptr::eq(split, other))
    }

    pub(super) fn has_work(&self) -> bool {
        self.progress.taken.load(Ordering::Relaxed) < self.max_helpers() && !self.is_cut()
    }

    /// Returns how many threads can take part.
    pub(super) fn max_helpers(&self) -> usize {
        match &self.work {
            SplitWork::Moves(moves) => moves.len(),
            SplitWork::Tree { threads, .. } => *threads,
            SplitWork::Bounds(_) => CONCURRENT_WINDOWS,
            SplitWork::Owner => 0,
        }
    }
}

/// Waiting of the owner for its helpers. [`ThreadPool`](super::thread_pool::ThreadPool) calls these
/// under its lock where noted.
impl SplitPoint {
    pub(super) fn add_helper(&self) {
        self.progress.helpers.fetch_add(1, Ordering::SeqCst);
    }

    /// Removes a helper. Returns whether the owner sleeps and waits for this one.
    pub(super) fn remove_helper(&self) -> bool {
        let was_last = self.progress.helpers.fetch_sub(1, Ordering::SeqCst) == 1;
        was_last && self.progress.owner_sleeps.load(Ordering::SeqCst)
    }

    pub(super) fn has_helpers(&self) -> bool {
        self.progress.helpers.load(Ordering::SeqCst) != 0
    }

    pub(super) fn set_owner_waits(&self, waits: bool) {
        self.owner_waits.store(waits, Ordering::Relaxed);
    }

    pub(super) fn published_below(&self) -> &AtomicUsize {
        &self.progress.published_below
    }

    /// Puts the owner to sleep until a helper leaves or work is published below. Returns false at
    /// once when no helper is left. `guard` is the pool's lock.
    ///
    /// A leaving helper decrements the count and then reads `owner_sleeps`; the owner sets
    /// `owner_sleeps` and then reads the count. With sequentially consistent accesses at least one
    /// of them sees the other.
    pub(super) fn sleep<T>(&self, guard: MutexGuard<'_, T>) -> bool {
        let progress = &self.progress;
        progress.owner_sleeps.store(true, Ordering::SeqCst);
        let has_helpers = self.has_helpers();
        if has_helpers {
            drop((progress.wakeup.wait(guard)).expect("no thread panics while it holds the lock"));
        }
        progress.owner_sleeps.store(false, Ordering::Relaxed);
        has_helpers
    }

    /// Wakes the owner, under the pool's lock.
    pub(super) fn wake_owner(&self) {
        self.progress.wakeup.notify_one();
    }

    /// Tells the waiting owners of this split point and of those above it that there is work. Under
    /// the pool's lock, because an owner that starts to wait looks for work itself.
    pub(super) fn notify_owners(&self) {
        for split in self.ancestors() {
            if split.owner_waits.load(Ordering::Relaxed) {
                let progress = &split.progress;
                progress.published_below.fetch_add(1, Ordering::Relaxed);
                if progress.owner_sleeps.load(Ordering::Relaxed) {
                    progress.wakeup.notify_one();
                }
            }
        }
    }
}
