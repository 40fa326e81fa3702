//! Loom model of the transposition table's seqlock: the source of `tt/cluster.rs` with loom's atomics.

mod board {
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) struct Board(pub(crate) u64, pub(crate) u64);

    impl Board {
        pub(crate) const fn me(self) -> u64 {
            self.0
        }

        pub(crate) const fn opp(self) -> u64 {
            self.1
        }
    }

    pub(crate) mod square {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) struct Square(u8);

        impl Square {
            pub(crate) const fn of_low_bits(bits: u32) -> Self {
                Self(bits as u8 & 63)
            }

            pub(crate) const fn index(self) -> usize {
                self.0 as usize
            }
        }
    }
}

mod eval {
    pub(crate) mod score {
        pub(crate) const SCORE_MAX: i32 = 1024;
    }
}

#[allow(dead_code, reason = "the model needs only the encoding")]
#[path = "../src/search/selectivity.rs"]
mod selectivity;

mod search {
    pub(crate) use crate::selectivity;
}

mod tt {
    pub(crate) mod sync {
        pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
    }
}

#[path = "../src/tt/cluster.rs"]
mod cluster;

use board::Board;
use cluster::{Bound, Cluster, EPOCHS, Entry, Generation};
use loom::sync::Arc;
use selectivity::Selectivity;

const A: Board = Board(0b01, 0b10);
const B: Board = Board(0b01, 0b100);

const GENERATION: Generation = Generation {
    epoch: EPOCHS - 1,
    search: 0,
};

const fn entry(score: i16, depth: u8) -> Entry {
    Entry {
        score,
        bound: Bound::of(score as i32, -100, 100),
        mv: board::square::Square::of_low_bits(3),
        depth,
        selectivity: Selectivity::Exact,
    }
}

fn model(check: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(check);
}

#[test]
fn a_reader_gets_a_consistent_entry_of_its_board_or_none() {
    model(|| {
        let cluster = Arc::new(Cluster::default());
        cluster.store(A, entry(10, 8), GENERATION);
        let writer = {
            let cluster = cluster.clone();
            // The new entry is deeper, so it replaces the old one in the same slot.
            loom::thread::spawn(move || cluster.store(A, entry(-20, 9), GENERATION))
        };
        let seen = cluster.probe(A, GENERATION.epoch);
        assert!(
            [None, Some(entry(10, 8)), Some(entry(-20, 9))].contains(&seen),
            "torn: {seen:?}"
        );
        writer.join().expect("the writer does not panic");
        assert_eq!(cluster.probe(B, GENERATION.epoch), None);
    });
}

#[test]
fn two_writers_never_mix_their_entries() {
    model(|| {
        let cluster = Arc::new(Cluster::default());
        let writer = {
            let cluster = cluster.clone();
            loom::thread::spawn(move || cluster.store(A, entry(10, 8), GENERATION))
        };
        cluster.store(B, entry(-20, 9), GENERATION);
        writer.join().expect("the writer does not panic");
        // A writer that meets another gives up; nothing else may happen.
        assert!([None, Some(entry(10, 8))].contains(&cluster.probe(A, GENERATION.epoch)));
        assert!([None, Some(entry(-20, 9))].contains(&cluster.probe(B, GENERATION.epoch)));
        assert!(
            cluster.probe(A, GENERATION.epoch).is_some()
                || cluster.probe(B, GENERATION.epoch).is_some()
        );
    });
}
