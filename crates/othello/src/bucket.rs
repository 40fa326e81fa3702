//! One cache line of the hash table: three positions, each stored whole, with their bounds.
//!
//! Beside them stands a sequence number. A writer makes the number odd before it writes and even
//! after; a reader that finds its position but sees an odd number, or another number after reading
//! than before, has seen nothing. A torn read therefore never passes for an entry, unless half a
//! million writes fit between two reads; `tests/table_model.rs` walks through the interleavings.
//!
//! The upper bits of the number say in which life of the table the bucket was written: what comes
//! from an earlier one is not there, so that forgetting everything takes no time.

use crate::board::Board;
use crate::square::Square;
use crate::sync::{AtomicU32, AtomicU64, Ordering, fence};

/// What is known of a position: bounds at a depth and a confidence, and a good move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The score is at least this.
    pub(crate) lower: i8,
    /// The score is at most this.
    pub(crate) upper: i8,
    /// The best move found.
    pub(crate) mv: Square,
    /// How many plies were searched.
    pub(crate) depth: u8,
    /// At which step of selectivity.
    pub(crate) selectivity: u8,
}

impl Entry {
    fn pack(self, search: u32) -> u32 {
        (i32::from(self.lower) + 64) as u32
            | ((i32::from(self.upper) + 64) as u32) << 8
            | (self.mv.index() as u32) << 16
            | u32::from(self.depth & 63) << 22
            | u32::from(self.selectivity & 7) << 28
            | search << 31
    }

    fn unpack(word: u32) -> Self {
        Self {
            lower: ((word & 255) as i32 - 64) as i8,
            upper: ((word >> 8 & 255) as i32 - 64) as i8,
            mv: Square::of_low_bits(word >> 16),
            depth: (word >> 22 & 63) as u8,
            selectivity: (word >> 28 & 7) as u8,
        }
    }
}

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
                    let lower = entry.lower.max(known.lower);
                    let upper = entry.upper.min(known.upper);
                    // Two selective searches may contradict each other: trust the newer.
                    if lower <= upper {
                        (entry.lower, entry.upper) = (lower, upper);
                    }
                } else if (known.depth, known.selectivity) > (entry.depth, entry.selectivity) {
                    return;
                }
                self.words[way].store(entry.pack(search), Ordering::Relaxed);
                return;
            }
            // Older searches go first, then shallow entries.
            let value = word >> 22 & 63 | u32::from(word >> 31 == search & 1) << 6;
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
