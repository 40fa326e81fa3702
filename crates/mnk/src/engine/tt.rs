//! Lockless transposition table, shared by all search threads.
//!
//! Each slot is two words, the packed entry and `key ^ entry`, so that a torn write fails the key
//! comparison.
//!
//! Reference: R. M. Hyatt and T. Mann, *A Lock-less Transposition-Table Implementation for Parallel
//! Search Chess Engines*, ICGA Journal 25(1), 2002.

use std::sync::atomic::{AtomicU64, Ordering};

use papan_rules::WideProduct;

use crate::lines::Cell;

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) cell: Cell,
    pub(crate) score: i16,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
}

/// How a score relates to the value of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Exact,
    Lower,
    Upper,
}

impl Entry {
    fn pack(self) -> u64 {
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        u64::from(self.cell)
            | u64::from(self.score as u16) << 16
            | u64::from(self.depth) << 32
            | bound << 40
    }

    fn unpack(word: u64) -> Option<Self> {
        let bound = match word >> 40 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        Some(Self {
            cell: word as u16,
            score: (word >> 16) as u16 as i16,
            depth: (word >> 32) as u8,
            bound,
        })
    }
}

#[derive(Debug)]
pub(crate) struct TranspositionTable {
    slots: Vec<[AtomicU64; 2]>,
}

impl TranspositionTable {
    /// Creates a table of this many MiB, at least one.
    pub(crate) fn new(mib: usize) -> Self {
        let count = (mib.max(1) << 20) / 16;
        let slots = (0..count).map(|_| [AtomicU64::new(0), AtomicU64::new(0)]);
        Self {
            slots: slots.collect(),
        }
    }

    fn slot(&self, key: u64) -> &[AtomicU64; 2] {
        let index = WideProduct::new(key, self.slots.len() as u64).high;
        &self.slots[index as usize]
    }

    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let [check, word] = self.slot(key);
        let word = word.load(Ordering::Relaxed);
        (check.load(Ordering::Relaxed) ^ word == key).then(|| Entry::unpack(word))?
    }

    pub(crate) fn store(&self, key: u64, entry: Entry) {
        let [check, word] = self.slot(key);
        let packed = entry.pack();
        check.store(key ^ packed, Ordering::Relaxed);
        word.store(packed, Ordering::Relaxed);
    }

    pub(crate) fn clear(&self) {
        for [check, word] in &self.slots {
            check.store(0, Ordering::Relaxed);
            word.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_entries_are_found_under_their_key_only() {
        let table = TranspositionTable::new(1);
        let entry = Entry {
            cell: 399,
            score: -29_999,
            depth: 200,
            bound: Bound::Upper,
        };
        table.store(0xdead_beef_dead_beef, entry);
        assert_eq!(table.probe(0xdead_beef_dead_beef), Some(entry));
        assert_eq!(table.probe(0xdead_beef_dead_bee0), None);
        table.clear();
        assert_eq!(table.probe(0xdead_beef_dead_beef), None);
    }
}
