//! The moves of a node near the end, the most promising first, with what was found while they were
//! looked at.

use crate::square::{Square, Squares};

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
    turned: [u64; MOST],
    answered: [Squares; MOST],
    /// The greatest key. The first time it must not be read from the array, whose single keys would
    /// still be on their way to where a whole register is loaded from.
    top: i32,
}

impl<const MOST: usize> Choices<MOST> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            keys: [0; MOST],
            turned: [0; MOST],
            answered: [Squares::default(); MOST],
            top: 0,
        }
    }

    /// Adds a move at a place of its own; its promise is above zero.
    #[inline(always)]
    pub(crate) fn add(&mut self, at: usize, promise: i32, choice: Choice) {
        let key = promise << 10 | (choice.square.index() << 4 | at) as i32;
        self.top = self.top.max(key);
        self.keys[at % MOST] = key;
        self.turned[at % MOST] = choice.flips;
        self.answered[at % MOST] = choice.answers;
    }

    /// Takes the most promising move; there is one.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Choice {
        let at = self.top as usize % MOST;
        self.keys[at] = 0;
        Choice {
            square: Square::of_low_bits(self.top as u32 >> 4),
            flips: self.turned[at],
            answers: self.answered[at],
        }
    }

    /// Whether there is another move to take. Most nodes need only one or two, and the maximum of all
    /// keys costs a few vector instructions and no branch: sorting would cost more.
    #[inline(always)]
    pub(crate) fn has_more(&mut self) -> bool {
        self.top = self.keys.iter().fold(0, |top, &key| top.max(key));
        self.top != 0
    }
}
