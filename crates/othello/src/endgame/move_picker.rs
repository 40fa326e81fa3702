//! Move selection in the endgame solver: scored moves in arrays that a vector maximum can scan.
#![allow(unsafe_code)]

use crate::board::square::{Square, Squares};
use std::mem::{MaybeUninit, take};

/// A move with the results of scoring it.
#[derive(Clone, Copy)]
pub(super) struct ScoredMove {
    pub(super) square: Square,
    pub(super) flips: u64,
    /// The opponent's legal moves after it.
    pub(super) replies: Squares,
}

/// Hands out at most `CAPACITY` moves, best first; `CAPACITY` is a power of two up to 16.
pub(super) struct MovePicker<const CAPACITY: usize> {
    /// Each key holds the score, the square, and its own index in the lowest four bits; 0 is no
    /// move.
    keys: [i32; CAPACITY],
    /// Payload for each key. Left uninitialised: zeroing costs several 64-byte stores per node.
    flips: [MaybeUninit<u64>; CAPACITY],
    replies: [MaybeUninit<Squares>; CAPACITY],
    /// The greatest key, or 0 if unknown. Kept outside the array for the first move: a vector load
    /// right after the scalar stores would stall (failed store forwarding).
    top: i32,
}

impl<const CAPACITY: usize> MovePicker<CAPACITY> {
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self {
            keys: [0; CAPACITY],
            flips: [const { MaybeUninit::uninit() }; CAPACITY],
            replies: [const { MaybeUninit::uninit() }; CAPACITY],
            top: 0,
        }
    }

    /// Adds a move with a positive score at index `at`, which must not be in use.
    #[inline(always)]
    pub(super) fn add(&mut self, at: usize, score: i32, mv: ScoredMove) {
        let at = at % CAPACITY;
        let key = score << 10 | (mv.square.index() << 4 | at) as i32;
        self.top = self.top.max(key);
        self.keys[at] = key;
        self.flips[at].write(mv.flips);
        self.replies[at].write(mv.replies);
    }

    /// Returns the best move that is left. Most nodes need only one or two moves, and the maximum
    /// of all keys takes a few vector instructions without branches: sorting costs more.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<ScoredMove> {
        if self.top == 0 {
            self.top = self.keys.iter().fold(0, |top, &key| top.max(key));
            if self.top == 0 {
                return None;
            }
        }
        let top = take(&mut self.top);
        let at = top as usize % CAPACITY;
        self.keys[at] = 0;
        // SAFETY: a key other than 0 was made by `add`, which wrote the payload at the index that
        // the key holds.
        let (flips, replies) =
            unsafe { (self.flips[at].assume_init(), self.replies[at].assume_init()) };
        Some(ScoredMove {
            square: Square::of_low_bits(top as u32 >> 4),
            flips,
            replies,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_best_first_with_their_payload() {
        let mut picker = MovePicker::<8>::new();
        assert!(picker.next().is_none());
        let scores = [5, 9, 1, 7, 2, 8, 3, 6];
        for (at, score) in scores.into_iter().enumerate() {
            let mv = ScoredMove {
                square: Square::of_low_bits(63 - at as u32),
                flips: score as u64,
                replies: Squares(!(score as u64)),
            };
            picker.add(at, score, mv);
        }
        for score in [9, 8, 7, 6, 5, 3, 2, 1] {
            let mv = picker.next().expect("a move is left");
            let at = scores.iter().position(|&other| other == score);
            assert_eq!(Some(63 - mv.square.index()), at);
            assert_eq!(
                (mv.flips, mv.replies.bits()),
                (score as u64, !(score as u64))
            );
        }
        assert!(picker.next().is_none());
    }
}
