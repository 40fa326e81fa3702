//! The moves of a node near the end, the most promising first, with what was found while they were
//! looked at.
#![allow(unsafe_code)]

use crate::board::square::{Square, Squares};
use std::mem::{MaybeUninit, take};

/// A move, the discs it turns and the answers to it.
#[derive(Clone, Copy)]
pub(crate) struct Choice {
    pub(crate) square: Square,
    pub(crate) flips: u64,
    pub(crate) answers: Squares,
}

/// At most `MOST` moves, a power of two up to 16.
pub(crate) struct Choices<const MOST: usize> {
    /// Each key holds its place in the lowest four bits and its square above; 0 is no move.
    keys: [i32; MOST],
    /// What belongs to each key. They are not cleared: that would cost each node several of the widest stores.
    turned: [MaybeUninit<u64>; MOST],
    answered: [MaybeUninit<Squares>; MOST],
    /// The greatest key, or 0 where it has to be looked for. The first time it must not be read from the array, whose
    /// single keys would still be on their way to where a whole register is loaded from.
    top: i32,
}

impl<const MOST: usize> Choices<MOST> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self {
            keys: [0; MOST],
            turned: [const { MaybeUninit::uninit() }; MOST],
            answered: [const { MaybeUninit::uninit() }; MOST],
            top: 0,
        }
    }

    /// Adds a move at a place of its own; its promise is above zero.
    #[inline(always)]
    pub(crate) fn add(&mut self, at: usize, promise: i32, choice: Choice) {
        let at = at % MOST;
        let key = promise << 10 | (choice.square.index() << 4 | at) as i32;
        self.top = self.top.max(key);
        self.keys[at] = key;
        self.turned[at].write(choice.flips);
        self.answered[at].write(choice.answers);
    }

    /// Takes the most promising move that is left. Most nodes need only one or two, and the maximum of all
    /// keys costs a few vector instructions and no branch: sorting would cost more.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Option<Choice> {
        if self.top == 0 {
            self.top = self.keys.iter().fold(0, |top, &key| top.max(key));
            if self.top == 0 {
                return None;
            }
        }
        let top = take(&mut self.top);
        let at = top as usize % MOST;
        self.keys[at] = 0;
        // SAFETY: a key other than 0 was made by `add`, which wrote what belongs to it at the place that it holds.
        let (flips, answers) = unsafe {
            (
                self.turned[at].assume_init(),
                self.answered[at].assume_init(),
            )
        };
        Some(Choice {
            square: Square::of_low_bits(top as u32 >> 4),
            flips,
            answers,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_promising_comes_first_with_what_belongs_to_it() {
        let mut choices = Choices::<8>::new();
        assert!(choices.take().is_none());
        for (at, promise) in [5, 9, 1, 7, 2, 8, 3, 6].into_iter().enumerate() {
            let (flips, answers) = (promise as u64, Squares(!(promise as u64)));
            let square = Square::of_low_bits(63 - at as u32);
            choices.add(
                at,
                promise,
                Choice {
                    square,
                    flips,
                    answers,
                },
            );
        }
        for (promise, at) in [
            (9, 1),
            (8, 5),
            (7, 3),
            (6, 7),
            (5, 0),
            (3, 6),
            (2, 4),
            (1, 2),
        ] {
            let choice = choices.take().expect("one is left");
            assert_eq!((choice.square.index(), choice.flips), (63 - at, promise));
            assert_eq!(choice.answers.bits(), !promise);
        }
        assert!(choices.take().is_none());
    }
}
