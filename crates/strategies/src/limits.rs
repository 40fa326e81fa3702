//! Search limits of one move: depth, nodes, time, memory.

use std::time::Duration;

/// Limits of one move. Without a limit a strategy uses as much as it needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Nodes to look at.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// Time left for the rest of the game, and the increment after each move.
    pub clock: Option<(Duration, Duration)>,
    /// Memory in MiB for tables, besides a transposition table of a given size.
    pub memory: Option<usize>,
}

impl Limits {
    /// Returns the capacity for entries of a size, given the default in bytes.
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
