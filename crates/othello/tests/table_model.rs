//! The hash table's bucket under every interleaving that loom finds: the very source of the
//! crate, with loom's atomics in the place of the standard library's.

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

mod tt {
    pub(crate) mod sync {
        pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
    }
}

#[path = "../src/tt/cluster.rs"]
mod cluster;

use board::Board;
use cluster::{Age, Bound, Bucket, Entry, LIVES};
use loom::sync::Arc;

const A: Board = Board(0b01, 0b10);
const B: Board = Board(0b01, 0b100);

const AGE: Age = Age {
    life: LIVES - 1,
    search: 0,
};

const fn entry(score: i16, depth: u8) -> Entry {
    Entry {
        score,
        bound: Bound::of(score as i32, -100, 100),
        mv: board::square::Square::of_low_bits(3),
        depth,
        selectivity: 2,
    }
}

fn model(check: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(check);
}

#[test]
fn a_reader_sees_a_whole_entry_of_its_own_board_or_none() {
    model(|| {
        let bucket = Arc::new(Bucket::default());
        bucket.store(A, entry(10, 8), AGE);
        let writer = {
            let bucket = bucket.clone();
            // The new entry is deeper, so it takes the place of the old one in the same slot.
            loom::thread::spawn(move || bucket.store(A, entry(-20, 9), AGE))
        };
        let seen = bucket.probe(A, AGE.life);
        assert!(
            [None, Some(entry(10, 8)), Some(entry(-20, 9))].contains(&seen),
            "torn: {seen:?}"
        );
        writer.join().expect("the writer does not panic");
        assert_eq!(bucket.probe(B, AGE.life), None);
    });
}

#[test]
fn two_writers_never_mix_their_entries() {
    model(|| {
        let bucket = Arc::new(Bucket::default());
        let writer = {
            let bucket = bucket.clone();
            loom::thread::spawn(move || bucket.store(A, entry(10, 8), AGE))
        };
        bucket.store(B, entry(-20, 9), AGE);
        writer.join().expect("the writer does not panic");
        // A writer that met another may have given up; nothing else may have happened.
        assert!([None, Some(entry(10, 8))].contains(&bucket.probe(A, AGE.life)));
        assert!([None, Some(entry(-20, 9))].contains(&bucket.probe(B, AGE.life)));
        assert!(bucket.probe(A, AGE.life).is_some() || bucket.probe(B, AGE.life).is_some());
    });
}
