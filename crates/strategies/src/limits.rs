//! How far a strategy may go for one move.

use std::time::Duration;

/// How far a strategy may go for one move. Without a limit it takes what it needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Nodes to look at.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// Time left for the rest of the game, and what every move adds to it once it
    /// has been made.
    pub clock: Option<(Duration, Duration)>,
    /// Mebibytes that what it remembers may take, beside a hash table of a given
    /// size.
    pub memory: Option<usize>,
}

impl Limits {
    /// How many things of a size may be remembered, where so many bytes are usual.
    #[must_use]
    pub fn room_for(&self, size: usize, usual_bytes: usize) -> usize {
        let given = self
            .memory
            .map_or(usize::MAX, |mib| mib.saturating_mul(1 << 20));
        usual_bytes.min(given) / size.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_what_is_usual_and_for_no_more_than_is_given() {
        let given = |memory| Limits {
            memory,
            ..Limits::default()
        };
        assert_eq!(given(None).room_for(16, 1 << 24), 1 << 20);
        assert_eq!(given(Some(1)).room_for(16, 1 << 24), 1 << 16);
        assert_eq!(given(Some(usize::MAX)).room_for(16, 1 << 24), 1 << 20);
    }
}
