//! Lockless transposition table, shared by all search threads.
//!
//! Each slot is two words, the packed entry and `key ^ entry`, so that a torn write fails the key
//! comparison. Four slots share an address; the shallowest entry of the oldest search is replaced.
//!
//! Reference: R. M. Hyatt and T. Mann, *A Lock-less Transposition-Table Implementation for Parallel
//! Search Chess Engines*, ICGA Journal 25(1), 2002.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use papan_rules::WideProduct;

use crate::lines::Cell;

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) cell: Cell,
    pub(crate) score: i16,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    /// Whether a VCF search of the position found none.
    pub(crate) no_vcf: bool,
}

/// How a score relates to the value of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Exact,
    Lower,
    Upper,
}

/// Bits of the generation in an entry.
const GENERATIONS: u8 = 32;

impl Entry {
    fn pack(self, generation: u8) -> u64 {
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        u64::from(self.cell)
            | u64::from(self.score as u16) << 16
            | u64::from(self.depth) << 32
            | bound << 40
            | u64::from(self.no_vcf) << 42
            | u64::from(generation) << 43
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
            no_vcf: word >> 42 & 1 != 0,
        })
    }
}

/// Slots of a bucket.
const BUCKET: usize = 4;
/// An entry of an earlier search counts as this much shallower per search.
const AGE: i32 = 4;

#[derive(Debug)]
pub(crate) struct TranspositionTable {
    buckets: Vec<[[AtomicU64; 2]; BUCKET]>,
    /// The number of the search, modulo [`GENERATIONS`].
    generation: AtomicU8,
}

impl TranspositionTable {
    /// Creates a table of this many MiB, at least one.
    pub(crate) fn new(mib: usize) -> Self {
        let count = (mib.max(1) << 20) / (16 * BUCKET);
        let slot = || [AtomicU64::new(0), AtomicU64::new(0)];
        let buckets = (0..count).map(|_| std::array::from_fn(|_| slot()));
        Self {
            buckets: buckets.collect(),
            generation: AtomicU8::new(0),
        }
    }

    fn bucket(&self, key: u64) -> &[[AtomicU64; 2]; BUCKET] {
        let index = WideProduct::new(key, self.buckets.len() as u64).high;
        &self.buckets[index as usize]
    }

    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|[check, word]| {
            let word = word.load(Ordering::Relaxed);
            (check.load(Ordering::Relaxed) ^ word == key).then(|| Entry::unpack(word))?
        })
    }

    /// Stores a result in the slot of the same position, else in that of the shallowest and oldest.
    pub(crate) fn store(&self, key: u64, entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let value = |word: u64| {
            let age = (GENERATIONS + generation - (word >> 43) as u8 % GENERATIONS) % GENERATIONS;
            match Entry::unpack(word) {
                Some(entry) => i32::from(entry.depth) - AGE * i32::from(age),
                None => i32::MIN,
            }
        };
        let mut victim = (i32::MAX, 0);
        let bucket = self.bucket(key);
        for (at, [check, word]) in bucket.iter().enumerate() {
            let word = word.load(Ordering::Relaxed);
            if check.load(Ordering::Relaxed) ^ word == key {
                victim = (i32::MIN, at);
                break;
            }
            let value = value(word);
            if value < victim.0 {
                victim = (value, at);
            }
        }
        let [check, word] = &bucket[victim.1];
        let packed = entry.pack(generation);
        check.store(key ^ packed, Ordering::Relaxed);
        word.store(packed, Ordering::Relaxed);
    }

    /// Begins a search: what earlier ones have stored is replaced first.
    pub(crate) fn begin_search(&self) {
        let generation = self.generation.load(Ordering::Relaxed);
        self.generation
            .store((generation + 1) % GENERATIONS, Ordering::Relaxed);
    }

    pub(crate) fn clear(&self) {
        self.generation.store(0, Ordering::Relaxed);
        for [check, word] in self.buckets.as_flattened() {
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
            no_vcf: true,
        };
        table.store(0xdead_beef_dead_beef, entry);
        assert_eq!(table.probe(0xdead_beef_dead_beef), Some(entry));
        assert_eq!(table.probe(0xdead_beef_dead_bee0), None);
        table.clear();
        assert_eq!(table.probe(0xdead_beef_dead_beef), None);
    }
}
