//! Clocks: time for the whole game, and what every move adds to it.

use std::str::FromStr;
use std::time::Duration;

use papan_rules::Player;

/// What `--clock` takes: `5m`, `90s`, `5m+3s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClockSetting {
    time: Duration,
    increment: Duration,
}

impl ClockSetting {
    /// As a strategy's limits have it at the start.
    pub(crate) fn limit(self) -> (Duration, Duration) {
        (self.time, self.increment)
    }
}

impl FromStr for ClockSetting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (time, increment) = match text.split_once('+') {
            Some((time, increment)) => (duration(time)?, duration(increment)?),
            None => (duration(text)?, Duration::ZERO),
        };
        if time.is_zero() {
            return Err("a clock needs some time to start with".into());
        }
        Ok(Self { time, increment })
    }
}

/// Reads `1h`, `5m`, `30s`, `500ms` or several of them together, `1m30s`; a bare
/// number is seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a time; write 5m, 30s, 1m30s or 5m+3s");
    let mut rest = text.trim();
    let mut total = Duration::ZERO;
    if rest.is_empty() {
        return Err(wrong());
    }
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: u64 = rest[..digits].parse().map_err(|_| wrong())?;
        rest = &rest[digits..];
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let milliseconds = match &rest[..letters] {
            "h" => 3_600_000,
            "m" => 60_000,
            "s" | "" => 1000,
            "ms" => 1,
            _ => return Err(wrong()),
        };
        rest = &rest[letters..];
        let part = number.checked_mul(milliseconds).ok_or_else(wrong)?;
        total = total
            .checked_add(Duration::from_millis(part))
            .ok_or_else(wrong)?;
    }
    Ok(total)
}

/// Two running clocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clocks {
    left: [Duration; 2],
    increment: Duration,
}

impl Clocks {
    pub(crate) fn new(setting: ClockSetting) -> Self {
        Self {
            left: [setting.time; 2],
            increment: setting.increment,
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
    fn clocks_are_read_as_people_write_them() {
        let clock = |text: &str| text.parse::<ClockSetting>();
        let is = |time: u64, increment: u64| {
            Ok(ClockSetting {
                time: Duration::from_secs(time),
                increment: Duration::from_secs(increment),
            })
        };
        assert_eq!(clock("5m+3s"), is(300, 3));
        assert_eq!(clock("1m30s"), is(90, 0));
        assert_eq!(clock("45"), is(45, 0));
        for wrong in ["", "m", "5x", "0s", "5m+", "99999999999999999999h", "-1s"] {
            assert!(clock(wrong).is_err(), "{wrong}");
        }
        assert_eq!(shown(Duration::from_millis(299_001)), "5:00");
    }
}
