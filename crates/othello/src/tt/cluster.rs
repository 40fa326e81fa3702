//! One cache line of the hash table: three positions, each stored whole, with what is known of them.
//!
//! Beside them stands a sequence number. A writer makes the number odd before it writes and even
//! after; a reader that finds its position but sees an odd number, or another number after reading
//! than before, has seen nothing. A torn read therefore never passes for an entry, unless half a
//! million writes fit between two reads; `tests/table_model.rs` walks through the interleavings.
//!
//! The upper bits of the number say in which life of the table the bucket was written: what comes
//! from an earlier one is not there, so that forgetting everything takes no time.

use crate::board::Board;
use crate::board::square::Square;
use crate::eval::score::SCORE_MAX;
use crate::tt::sync::{AtomicU32, AtomicU64, Ordering, fence};

/// What is known of a position: a score at a depth and a confidence, and a good move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// A score.
    pub(crate) score: i16,
    /// What it says of the true one.
    pub(crate) bound: Bound,
    /// The best move found.
    pub(crate) mv: Square,
    /// How many plies were searched.
    pub(crate) depth: u8,
    /// At which step of selectivity.
    pub(crate) selectivity: u8,
}

/// What the score that a search finds says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The true one is not less.
    Lower = 1,
    /// The true one is not more.
    Upper = 2,
    /// It is the true one.
    Exact = 3,
}

impl Bound {
    /// What a score says that was found between `alpha` and `beta`.
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
    /// The true score is at least this.
    #[inline(always)]
    pub(crate) fn lower(self) -> i32 {
        match self.bound {
            Bound::Upper => -SCORE_MAX,
            Bound::Lower | Bound::Exact => i32::from(self.score),
        }
    }

    /// The true score is at most this.
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
            | u32::from(self.depth & 63) << DEPTH
            | u32::from(self.selectivity & 3) << 26
            | search << SEARCH
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
            depth: (word >> DEPTH & 63) as u8,
            selectivity: (word >> 26 & 3) as u8,
        }
    }
}

/// The places of what decides which entry gives way.
const DEPTH: u32 = 20;
const SEARCH: u32 = 31;

/// When something is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Age {
    /// The life of the table, below [`LIVES`].
    pub(crate) life: u32,
    /// Whether the number of the search is odd.
    pub(crate) search: u32,
}

/// How many lives can be told apart; the table begins with zeroes in the first.
pub(crate) const LIVES: u32 = 1 << (32 - LIFE);

/// The place of the life in a sequence number.
const LIFE: u32 = 20;

const WAYS: usize = 3;

/// One cache line.
#[repr(align(64))]
#[derive(Default)]
pub(crate) struct Bucket {
    boards: [AtomicU64; 2 * WAYS],
    words: [AtomicU32; WAYS],
    sequence: AtomicU32,
}

impl Bucket {
    /// What the bucket holds on the position, if a consistent reading was possible.
    #[inline]
    pub(crate) fn probe(&self, board: Board, life: u32) -> Option<Entry> {
        let before = self.sequence.load(Ordering::Acquire);
        if before >> LIFE != life {
            return None;
        }
        for way in 0..WAYS {
            if self.boards[2 * way].load(Ordering::Relaxed) == board.me()
                && self.boards[2 * way + 1].load(Ordering::Relaxed) == board.opp()
            {
                let word = self.words[way].load(Ordering::Relaxed);
                fence(Ordering::Acquire);
                let after = self.sequence.load(Ordering::Relaxed);
                return (before == after && before & 1 == 0).then(|| Entry::unpack(word));
            }
        }
        None
    }

    /// Keeps the entry, unless another thread is writing here or the same position stands here
    /// already, searched more deeply. Another position gives way, the least useful one.
    #[inline]
    pub(crate) fn store(&self, board: Board, entry: Entry, age: Age) {
        let sequence = self.sequence.load(Ordering::Relaxed);
        if sequence & 1 != 0
            || self
                .sequence
                .compare_exchange(sequence, sequence | 1, Ordering::Acquire, Ordering::Relaxed)
                .is_err()
        {
            // Another thread is writing: losing an entry costs time, never truth.
            return;
        }
        fence(Ordering::Release);
        if sequence >> LIFE != age.life {
            self.empty();
        }
        self.replace(board, entry, age.search);
        let count = sequence.wrapping_add(2) & ((1 << LIFE) - 1);
        self.sequence
            .store(age.life << LIFE | count, Ordering::Release);
    }

    /// No position is without discs.
    fn empty(&self) {
        for half in &self.boards {
            half.store(0, Ordering::Relaxed);
        }
        for word in &self.words {
            word.store(0, Ordering::Relaxed);
        }
    }

    fn replace(&self, board: Board, mut entry: Entry, search: u32) {
        let mut victim = 0;
        let mut worst = u32::MAX;
        for way in 0..WAYS {
            let word = self.words[way].load(Ordering::Relaxed);
            if self.boards[2 * way].load(Ordering::Relaxed) == board.me()
                && self.boards[2 * way + 1].load(Ordering::Relaxed) == board.opp()
            {
                let known = Entry::unpack(word);
                if (known.depth, known.selectivity) == (entry.depth, entry.selectivity) {
                    // Two bounds that meet are the score. Otherwise the newer stands alone: both are hardly ever asked for,
                    // and two selective searches may contradict each other.
                    let lower = entry.lower().max(known.lower());
                    if lower == entry.upper().min(known.upper()) {
                        (entry.score, entry.bound) = (lower as i16, Bound::Exact);
                    }
                } else if (known.depth, known.selectivity) > (entry.depth, entry.selectivity) {
                    return;
                }
                self.words[way].store(entry.pack(search), Ordering::Relaxed);
                return;
            }
            // Older searches go first, then shallow entries.
            let value = word >> DEPTH & 63 | u32::from(word >> SEARCH == search & 1) << 6;
            if value < worst {
                worst = value;
                victim = way;
            }
        }
        self.boards[2 * victim].store(board.me(), Ordering::Relaxed);
        self.boards[2 * victim + 1].store(board.opp(), Ordering::Relaxed);
        self.words[victim].store(entry.pack(search), Ordering::Relaxed);
    }
}
