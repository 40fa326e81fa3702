//! Proof and disproof numbers (Allis et al. 1994), and the table of a depth-first proof-number search.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Proof and disproof numbers saturate here.
pub(super) const INFINITE: u32 = 1 << 30;

/// Keys are hashes already.
#[derive(Default)]
pub(super) struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("only u64 keys are hashed")
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// Positions by their canonical hash.
pub(super) type ProofTable<B> = HashMap<u64, Entry<B>, BuildHasherDefault<IdentityHasher>>;

/// Proof numbers of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl Numbers {
    pub(super) const PROVED: Self = Self {
        proof: 0,
        disproof: INFINITE,
    };
    pub(super) const LOST: Self = Self {
        proof: INFINITE,
        disproof: 0,
    };
    pub(super) const UNSEEN: Self = Self {
        proof: 1,
        disproof: 1,
    };
}

/// An entry of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<B> {
    pub(super) numbers: Numbers,
    /// Survivors of a node of the defender, in the canonical orientation.
    pub(super) survivors: B,
}

/// A child of a node during one visit.
pub(super) struct Child {
    pub(super) cell: usize,
    pub(super) key: u64,
    pub(super) numbers: Numbers,
}

/// Returns the numbers of a node of the attacker, who chooses.
pub(super) fn or_numbers(children: &[Child]) -> Numbers {
    let proof = children.iter().map(|child| child.numbers.proof).min();
    let disproof = children.iter().fold(0_u32, |sum, child| {
        sum.saturating_add(child.numbers.disproof)
    });
    Numbers {
        proof: proof.unwrap_or(INFINITE).min(INFINITE),
        disproof: disproof.min(INFINITE),
    }
}

/// Returns the numbers of a node of the defender, all of whose replies count.
pub(super) fn and_numbers(children: &[Child]) -> Numbers {
    let proof = children
        .iter()
        .fold(0_u32, |sum, child| sum.saturating_add(child.numbers.proof));
    let disproof = children.iter().map(|child| child.numbers.disproof).min();
    Numbers {
        proof: proof.min(INFINITE),
        disproof: disproof.unwrap_or(INFINITE).min(INFINITE),
    }
}

/// Returns the child with the least number and the least number among the others.
pub(super) fn two_least(children: &[Child], number: impl Fn(Numbers) -> u32) -> (usize, u32) {
    let (mut best, mut least, mut second) = (0, u32::MAX, INFINITE);
    for (at, child) in children.iter().enumerate() {
        let value = number(child.numbers);
        if value < least {
            second = least.min(INFINITE);
            (best, least) = (at, value);
        } else {
            second = second.min(value);
        }
    }
    (best, second)
}
