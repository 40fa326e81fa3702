//! Several threads at one tree: young brothers wait.
//!
//! When a node's first move has been searched and failed to cut, its brothers may be searched
//! by anyone. A thread that sees idle ones publishes the node as a [`Split`]; whoever is free
//! takes its next move. A thread whose own split is still being worked on by others helps only
//! below that split, so that it can return the moment the split is done.

use crate::midgame::Best;
use crate::node::Node;
use crate::square::{Square, Squares};
use crate::worker::Worker;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};

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

    fn has_work(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.moves.len() && !self.is_cut()
    }
}

/// The threads that search together.
#[derive(Default)]
pub(crate) struct Crew {
    idle: AtomicUsize,
    open: Mutex<Vec<Arc<Split>>>,
    wake: Condvar,
    dismissed: AtomicBool,
}

impl Crew {
    /// Whether somebody would take work.
    #[inline(always)]
    pub(crate) fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Sends the helpers home: the search is over.
    pub(crate) fn dismiss(&self) {
        let _open = self.open.lock().expect("no thread panics holding the list");
        self.dismissed.store(true, Ordering::Relaxed);
        self.wake.notify_all();
    }

    /// Waits for a split to work on: any, or one below `own` until nobody helps there.
    fn join(&self, own: Option<&Arc<Split>>) -> Option<Arc<Split>> {
        let mut open = self.open.lock().expect("no thread panics holding the list");
        self.idle.fetch_add(1, Ordering::Relaxed);
        let found = loop {
            match own {
                None if self.dismissed.load(Ordering::Relaxed) => break None,
                Some(own) if own.helpers.load(Ordering::Acquire) == 0 => break None,
                _ => {}
            }
            // The deepest work is the largest.
            let best = open
                .iter()
                .filter(|split| own.is_none_or(|own| split.is_below(own)) && split.has_work())
                .max_by_key(|split| split.depth);
            if let Some(split) = best {
                split.helpers.fetch_add(1, Ordering::Relaxed);
                break Some(split.clone());
            }
            open = self
                .wake
                .wait(open)
                .expect("no thread panics holding the list");
        };
        self.idle.fetch_sub(1, Ordering::Relaxed);
        found
    }

    fn leave(&self, split: &Split) {
        split.helpers.fetch_sub(1, Ordering::Release);
        // The lock orders this with the owner's test, so that it cannot sleep through it.
        let _open = self.open.lock().expect("no thread panics holding the list");
        self.wake.notify_all();
    }
}

impl Worker<'_> {
    /// Helps wherever there is work, until the crew is dismissed.
    pub(crate) fn help(&mut self) {
        let crew = &self.search().crew;
        while let Some(split) = crew.join(None) {
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
            cut: AtomicBool::new(false),
            best: Mutex::new(best),
            refuted: AtomicU64::new(0),
        });
        {
            let mut open = self
                .crew
                .open
                .lock()
                .expect("no thread panics holding the list");
            open.push(split.clone());
            self.crew.wake.notify_all();
        }
        self.split = Some(split.clone());
        self.work();
        let crew = &self.search().crew;
        {
            let mut open = crew.open.lock().expect("no thread panics holding the list");
            open.retain(|other| !Arc::ptr_eq(other, &split));
        }
        while let Some(below) = crew.join(Some(&split)) {
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
