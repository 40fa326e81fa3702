//! Search limits as text: `time=60s+0.5s nodes=1000 depth=8`.
//!
//! The same three limits as `go movetime`, `go nodes` and `go depth` of UCI, and `tc=`,
//! `nodes=` and `depth=` of fastchess. `time=BASE+INCREMENT` is a Fischer clock.

use std::fmt::Write;

use papan_strategies::{Limits, TimeControl, TimeError, format_time, parse_time};

/// A limit that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// The time cannot be parsed, or is zero.
    #[error(transparent)]
    Time(#[from] TimeError),
    /// The number cannot be parsed, or is zero.
    #[error("`{0}` is not a positive integer")]
    Number(String),
    /// There is no such limit.
    #[error("unknown limit `{0}`; expected time=, nodes= or depth=")]
    Key(String),
}

/// Sets one limit: `time`, `nodes` or `depth`.
///
/// # Errors
/// When the key or the value is invalid.
pub fn set(limits: &mut Limits, key: &str, value: &str) -> Result<(), LimitError> {
    let number = || {
        let number = value.parse::<u64>().ok().filter(|&n| n > 0);
        number.ok_or_else(|| LimitError::Number(value.into()))
    };
    match key {
        "nodes" => limits.nodes = Some(number()?),
        "depth" => {
            let depth = number()?.try_into();
            limits.depth = Some(depth.map_err(|_| LimitError::Number(value.into()))?);
        }
        "time" if value.contains('+') => {
            let control: TimeControl = value.parse()?;
            limits.clock = Some((control.base, control.increment));
        }
        "time" => match parse_time(value)? {
            time if time.is_zero() => return Err(TimeError::Nothing(value.into()).into()),
            time => limits.time = Some(time),
        },
        _ => return Err(LimitError::Key(key.into())),
    }
    Ok(())
}

/// Parses limits separated by spaces or semicolons: `nodes=1000 time=50ms`.
///
/// # Errors
/// When a key or a value is invalid.
pub fn parse(text: &str) -> Result<Limits, LimitError> {
    let mut limits = Limits::default();
    for part in text.split([' ', ';']).filter(|part| !part.is_empty()) {
        let wrong = || LimitError::Key(part.into());
        let (key, value) = part.split_once('=').ok_or_else(wrong)?;
        set(&mut limits, key, value)?;
    }
    Ok(limits)
}

/// Formats limits so that [`parse`] reads them; empty for no limits.
#[must_use]
pub fn format(limits: &Limits) -> String {
    let mut text = String::new();
    let mut put = |key: &str, value: String| {
        let space = if text.is_empty() { "" } else { " " };
        write!(text, "{space}{key}={value}").expect("writing to a string never fails");
    };
    if let Some(time) = limits.time {
        put("time", format_time(time));
    }
    if let Some((clock, increment)) = limits.clock {
        let clock = format_time(clock);
        put("time", format!("{clock}+{}", format_time(increment)));
    }
    if let Some(nodes) = limits.nodes {
        put("nodes", nodes.to_string());
    }
    if let Some(depth) = limits.depth {
        put("depth", depth.to_string());
    }
    text
}

/// Completes a player's own limits with the tournament's defaults. A time limit of either
/// kind replaces both kinds.
#[must_use]
pub fn with_defaults(own: &Limits, defaults: &Limits) -> Limits {
    let own_time = own.time.is_some() || own.clock.is_some();
    Limits {
        depth: own.depth.or(defaults.depth),
        nodes: own.nodes.or(defaults.nodes),
        time: if own_time { own.time } else { defaults.time },
        clock: if own_time { own.clock } else { defaults.clock },
        memory: own.memory.or(defaults.memory),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_they_were_written() {
        for text in [
            "",
            "time=100ms",
            "time=2s",
            "time=60s+0.5ms",
            "time=1.5s nodes=1000 depth=4",
        ] {
            assert_eq!(format(&parse(text).unwrap()), text);
        }
    }

    #[test]
    fn wrong_limits_are_named() {
        let error = |text: &str| parse(text).unwrap_err();
        let unreadable = |text: &str| LimitError::Time(TimeError::Unreadable(text.into()));
        assert_eq!(error("time=x"), unreadable("x"));
        assert_eq!(error("time=1e400s"), unreadable("1e400s"));
        for nothing in ["0s", "0s+1s"] {
            let expected = LimitError::Time(TimeError::Nothing(nothing.into()));
            assert_eq!(error(&format!("time={nothing}")), expected);
        }
        assert_eq!(error("nodes=0"), LimitError::Number("0".into()));
        assert_eq!(error("nodes=-3"), LimitError::Number("-3".into()));
        assert_eq!(error("speed=1"), LimitError::Key("speed".into()));
        assert_eq!(error("fast"), LimitError::Key("fast".into()));
    }

    #[test]
    fn a_players_own_time_replaces_the_tournaments() {
        let defaults = parse("time=1s nodes=10").unwrap();
        let own = parse("time=60s+1s depth=3").unwrap();
        let both = with_defaults(&own, &defaults);
        assert_eq!(format(&both), "time=60s+1s nodes=10 depth=3");
    }
}
