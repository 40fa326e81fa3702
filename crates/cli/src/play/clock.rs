//! Clocks: time for the whole game, and what every move adds to it.

use std::time::Duration;

use papan_rules::Player;
use papan_strategies::TimeControl;

/// Two running clocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clocks {
    left: [Duration; 2],
    increment: Duration,
}

impl Clocks {
    pub(crate) fn new(control: TimeControl) -> Self {
        Self {
            left: [control.base; 2],
            increment: control.increment,
        }
    }

    /// What a player has left.
    pub(crate) fn left(&self, player: Player) -> Duration {
        self.left[player.index()]
    }

    /// As a strategy's limits have it.
    pub(crate) fn limit(&self, player: Player) -> (Duration, Duration) {
        (self.left(player), self.increment)
    }

    /// Charges time used; `false` when it was more than there was.
    pub(crate) fn charge(&mut self, player: Player, used: Duration) -> bool {
        let left = &mut self.left[player.index()];
        match left.checked_sub(used) {
            Some(rest) => *left = rest,
            None => *left = Duration::ZERO,
        }
        !left.is_zero()
    }

    /// Adds the increment after a move.
    pub(crate) fn reward(&mut self, player: Player) {
        self.left[player.index()] += self.increment;
    }
}

/// A time as clocks show it, `4:59`.
pub(crate) fn shown(time: Duration) -> String {
    let seconds = time.as_millis().div_ceil(1000);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_who_uses_more_than_is_left_has_lost() {
        let mut clocks = Clocks::new("10s+1s".parse().unwrap());
        assert!(clocks.charge(Player::First, Duration::from_secs(9)));
        clocks.reward(Player::First);
        assert_eq!(clocks.left(Player::First), Duration::from_secs(2));
        assert!(!clocks.charge(Player::First, Duration::from_secs(2)));
        assert_eq!(clocks.left(Player::Second), Duration::from_secs(10));
        assert_eq!(shown(Duration::from_millis(299_001)), "5:00");
    }
}
