//! What a search is asked.

use papan_strategies::Budget;
use std::time::Duration;

/// What a search is to find, and what it may use for it. As it stands by default it solves the
/// position, however long that takes.
#[derive(Clone, Debug, Default)]
pub struct SearchLimits {
    /// Plies; a depth of all empty squares solves the position.
    pub depth: Option<u32>,
    /// How sure a search to the end, or the last step of one with a depth, should become, in percent,
    /// as reports count it: a lower number ends the deepening before that.
    pub percent: Option<u8>,
    /// Positions visited. On one thread the same limit gives the same answer every time.
    pub nodes: Option<u64>,
    /// The time of the decision, which runs since it was begun.
    pub budget: Budget,
    /// Whether every legal move gets a score of its own.
    pub every_move: bool,
    /// Whether only win, draw or loss is asked for where the position is solved.
    pub outcome_only: bool,
}

/// How many moves a game's time is shared among, this one and those to come, where `left` is what
/// the clock shows.
pub(crate) fn moves_to_go(empties: u32, left: Option<Duration>) -> u32 {
    // Half the squares before the end is solved are ours; solving it takes as long as two moves.
    let planned = empties.saturating_sub(solved_from(left)) / 2 + 2;
    // Where it cannot be solved after all, there must be time for the moves to come.
    planned.max(empties / 5).min(30)
}

/// From how many empty squares on the rest of the game should be solved in an eighth of the time
/// that is left: sixteen squares take about ten milliseconds, and each more takes seven quarters
/// of the time.
fn solved_from(left: Option<Duration>) -> u32 {
    let most = left.unwrap_or_default() / 8;
    let (mut squares, mut takes) = (16, Duration::from_millis(10));
    while squares < 30 && takes <= most {
        squares += 1;
        takes = takes / 4 * 7;
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_time_reaches_further_from_the_end() {
        let from = |seconds| solved_from(Some(Duration::from_millis(seconds)));
        assert_eq!((from(0), solved_from(None)), (16, 16));
        // 16 squares in 10 ms, 20 in 94 ms, 24 in 0.88 s, 28 in 8.25 s.
        assert_eq!((from(100), from(1_000), from(60_000)), (17, 21, 28));
        assert_eq!(from(86_400_000), 30);
        assert_eq!(moves_to_go(60, Some(Duration::from_secs(60))), 18);
        assert_eq!(moves_to_go(10, Some(Duration::from_secs(60))), 2);
    }
}
