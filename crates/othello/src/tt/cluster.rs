//! Cluster of the transposition table: one cache line with three entries, guarded by a seqlock.
//!
//! Each entry stores the whole board, so there are no hash collisions to verify. A sequence number
//! beside the entries makes concurrent access consistent (a sequence lock; H. Boehm 2012, *Can
//! seqlocks get along with programming language memory models?*): a writer makes the number odd
//! before it writes and even afterwards; a reader that sees an odd number, or another number after
//! reading than before, discards the entry. A torn read would go unnoticed only if half a million
//! writes happened between two loads. `tests/table_model.rs` checks the interleavings with loom.
//! Compared with Hyatt's lockless XOR hashing, the boards stay readable and one word serves three
//! entries.
//!
//! The upper bits of the sequence number hold the epoch of the table in which the cluster was last
//! written. Clusters of an earlier epoch count as empty, so that clearing the table takes no time.

use crate::board::Board;
use crate::board::square::Square;
use crate::eval::score::SCORE_MAX;
use crate::search::selectivity::Selectivity;
use crate::tt::sync::{AtomicU32, AtomicU64, Ordering, fence};

/// Search result of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) score: i16,
    /// How the score relates to the true value.
    pub(crate) bound: Bound,
    /// The best move.
    pub(crate) mv: Square,
    /// Search depth in plies.
    pub(crate) depth: u8,
    pub(crate) selectivity: Selectivity,
}

/// How the score of a search relates to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The true value is not less (fail high).
    Lower = 1,
    /// The true value is not more (fail low).
    Upper = 2,
    /// The score is the true value.
    Exact = 3,
}

impl Bound {
    /// Classifies a score that was found with the window `alpha` to `beta`.
    #[inline(always)]
    pub(crate) const fn of(score: i32, alpha: i32, beta: i32) -> Self {
        if score <= alpha {
            Self::Upper
        } else if score >= beta {
            Self::Lower
        } else {
            Self::Exact
        }
    }
}

impl Entry {
    /// Returns the lower bound on the true value.
    #[inline(always)]
    pub(crate) fn lower(self) -> i32 {
        match self.bound {
            Bound::Upper => -SCORE_MAX,
            Bound::Lower | Bound::Exact => i32::from(self.score),
        }
    }

    /// Returns the upper bound on the true value.
    #[inline(always)]
    pub(crate) fn upper(self) -> i32 {
        match self.bound {
            Bound::Lower => SCORE_MAX,
            Bound::Upper | Bound::Exact => i32::from(self.score),
        }
    }

    fn pack(self, search: u32) -> u32 {
        (i32::from(self.score) + SCORE_MAX) as u32
            | (self.bound as u32) << 12
            | (self.mv.index() as u32) << 14
            | u32::from(self.depth & 63) << DEPTH_SHIFT
            | (self.selectivity as u32) << 26
            | search << SEARCH_SHIFT
    }

    fn unpack(word: u32) -> Self {
        Self {
            score: ((word & 0xfff) as i32 - SCORE_MAX) as i16,
            bound: match word >> 12 & 3 {
                1 => Bound::Lower,
                2 => Bound::Upper,
                _ => Bound::Exact,
            },
            mv: Square::of_low_bits(word >> 14),
            depth: (word >> DEPTH_SHIFT & 63) as u8,
            selectivity: Selectivity::from_low_bits(word >> 26),
        }
    }
}

/// Positions of the fields that decide which entry is replaced.
const DEPTH_SHIFT: u32 = 20;
const SEARCH_SHIFT: u32 = 31;

/// The time of a write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Generation {
    /// The epoch of the table, below [`EPOCHS`]; a new one begins when the table is cleared.
    pub(crate) epoch: u32,
    /// The parity of the search's number.
    pub(crate) search: u32,
}

/// Number of epochs that can be told apart. Zeroed memory belongs to epoch 0.
pub(crate) const EPOCHS: u32 = 1 << (32 - EPOCH_SHIFT);

/// Position of the epoch in a sequence number.
const EPOCH_SHIFT: u32 = 20;

const SLOTS: usize = 3;

/// One cache line of the table.
#[repr(align(64))]
#[derive(Default)]
pub(crate) struct Cluster {
    boards: [AtomicU64; 2 * SLOTS],
    words: [AtomicU32; SLOTS],
    sequence: AtomicU32,
}

impl Cluster {
    /// Returns the entry of a board, if there is one and it was read consistently.
    #[inline]
    pub(crate) fn probe(&self, board: Board, epoch: u32) -> Option<Entry> {
        let before = self.sequence.load(Ordering::Acquire);
        if before >> EPOCH_SHIFT != epoch {
            return None;
        }
        for slot in 0..SLOTS {
            if self.boards[2 * slot].load(Ordering::Relaxed) == board.me()
                && self.boards[2 * slot + 1].load(Ordering::Relaxed) == board.opp()
            {
                let word = self.words[slot].load(Ordering::Relaxed);
                fence(Ordering::Acquire);
                let after = self.sequence.load(Ordering::Relaxed);
                return (before == after && before & 1 == 0).then(|| Entry::unpack(word));
            }
        }
        None
    }

    /// Stores an entry, unless another thread is writing to this cluster or the cluster holds a
    /// deeper entry of the same board. Another board's entry is replaced by age and depth.
    #[inline]
    pub(crate) fn store(&self, board: Board, entry: Entry, generation: Generation) {
        let sequence = self.sequence.load(Ordering::Relaxed);
        if sequence & 1 != 0
            || self
                .sequence
                .compare_exchange(sequence, sequence | 1, Ordering::Acquire, Ordering::Relaxed)
                .is_err()
        {
            // Another thread is writing. A lost entry costs time, not correctness.
            return;
        }
        fence(Ordering::Release);
        if sequence >> EPOCH_SHIFT != generation.epoch {
            self.clear();
        }
        self.replace(board, entry, generation.search);
        let count = sequence.wrapping_add(2) & ((1 << EPOCH_SHIFT) - 1);
        self.sequence
            .store(generation.epoch << EPOCH_SHIFT | count, Ordering::Release);
    }

    /// Empties all slots; a board without discs never occurs.
    fn clear(&self) {
        for half in &self.boards {
            half.store(0, Ordering::Relaxed);
        }
        for word in &self.words {
            word.store(0, Ordering::Relaxed);
        }
    }

    fn replace(&self, board: Board, mut entry: Entry, search: u32) {
        let mut victim = 0;
        let mut lowest = u32::MAX;
        for slot in 0..SLOTS {
            let word = self.words[slot].load(Ordering::Relaxed);
            if self.boards[2 * slot].load(Ordering::Relaxed) == board.me()
                && self.boards[2 * slot + 1].load(Ordering::Relaxed) == board.opp()
            {
                let old = Entry::unpack(word);
                if (old.depth, old.selectivity) == (entry.depth, entry.selectivity) {
                    // Two bounds that meet give the exact value. Otherwise the newer one is kept:
                    // both are rarely needed, and selective searches may contradict each other.
                    let lower = entry.lower().max(old.lower());
                    if lower == entry.upper().min(old.upper()) {
                        (entry.score, entry.bound) = (lower as i16, Bound::Exact);
                    }
                } else if (old.depth, old.selectivity) > (entry.depth, entry.selectivity) {
                    return;
                }
                self.words[slot].store(entry.pack(search), Ordering::Relaxed);
                return;
            }
            // Entries of older searches are replaced first, then shallow ones.
            let value =
                word >> DEPTH_SHIFT & 63 | u32::from(word >> SEARCH_SHIFT == search & 1) << 6;
            if value < lowest {
                lowest = value;
                victim = slot;
            }
        }
        self.boards[2 * victim].store(board.me(), Ordering::Relaxed);
        self.boards[2 * victim + 1].store(board.opp(), Ordering::Relaxed);
        self.words[victim].store(entry.pack(search), Ordering::Relaxed);
    }
}
