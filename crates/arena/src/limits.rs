//! How far a player may go for a move, as text.

use std::fmt::Write;
use std::time::Duration;

use papan_strategies::Limits;

/// A limit that is not written as one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// A time that cannot be read.
    #[error(
        "`{0}` is no time; write 100ms or 2s for each move, 60s+0.5s for a clock with an increment"
    )]
    Time(String),
    /// A number that cannot be read.
    #[error("`{0}` is not a whole number above 0")]
    Number(String),
    /// A key that is none.
    #[error("`{0}` is no limit; write time=, nodes= or depth=")]
    Key(String),
}

/// Reads a duration: `100ms`, `2s`, `1.5s`, `3m`; a bare number is seconds.
///
/// # Errors
/// When the text is none.
pub fn parse_duration(text: &str) -> Result<Duration, LimitError> {
    let wrong = || LimitError::Time(text.into());
    let text = text.trim();
    let digits = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let number: f64 = text[..digits].parse().map_err(|_| wrong())?;
    let scale = match &text[digits..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        _ => return Err(wrong()),
    };
    Duration::try_from_secs_f64(number * scale).map_err(|_| wrong())
}

/// Writes a duration as [`parse_duration`] reads it.
#[must_use]
pub fn format_duration(time: Duration) -> String {
    let millis = time.as_secs_f64() * 1000.0;
    if time >= Duration::from_secs(1) {
        format!("{}s", time.as_secs_f64())
    } else {
        format!("{millis}ms")
    }
}

/// Sets one limit, `time`, `nodes` or `depth`.
///
/// # Errors
/// When the key or the value is wrong.
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
        "time" => match value.split_once('+') {
            Some((clock, increment)) => {
                limits.clock = Some((parse_duration(clock)?, parse_duration(increment)?));
            }
            None => limits.time = Some(parse_duration(value)?),
        },
        _ => return Err(LimitError::Key(key.into())),
    }
    let no_time = limits.time.is_some_and(|time| time.is_zero())
        || limits.clock.is_some_and(|(clock, _)| clock.is_zero());
    if no_time {
        return Err(LimitError::Time(value.into()));
    }
    Ok(())
}

/// Reads limits that stand behind a player: `nodes=1000 time=50ms`.
///
/// # Errors
/// When a key or a value is wrong.
pub fn parse(text: &str) -> Result<Limits, LimitError> {
    let mut limits = Limits::default();
    for part in text.split([' ', ';']).filter(|part| !part.is_empty()) {
        let wrong = || LimitError::Key(part.into());
        let (key, value) = part.split_once('=').ok_or_else(wrong)?;
        set(&mut limits, key, value)?;
    }
    Ok(limits)
}

/// Writes limits as [`parse`] reads them; nothing for none.
#[must_use]
pub fn format(limits: &Limits) -> String {
    let mut text = String::new();
    let mut put = |key: &str, value: String| {
        let space = if text.is_empty() { "" } else { " " };
        write!(text, "{space}{key}={value}").expect("writing to a string never fails");
    };
    if let Some(time) = limits.time {
        put("time", format_duration(time));
    }
    if let Some((clock, increment)) = limits.clock {
        let clock = format_duration(clock);
        put("time", format!("{clock}+{}", format_duration(increment)));
    }
    if let Some(nodes) = limits.nodes {
        put("nodes", nodes.to_string());
    }
    if let Some(depth) = limits.depth {
        put("depth", depth.to_string());
    }
    text
}

/// A player's own limits, and the tournament's where it has none of that kind.
#[must_use]
pub fn with_defaults(own: &Limits, defaults: &Limits) -> Limits {
    let own_time = own.time.is_some() || own.clock.is_some();
    Limits {
        depth: own.depth.or(defaults.depth),
        nodes: own.nodes.or(defaults.nodes),
        time: if own_time { own.time } else { defaults.time },
        clock: if own_time { own.clock } else { defaults.clock },
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
        assert_eq!(parse_duration("3m"), Ok(Duration::from_secs(180)));
        assert_eq!(parse_duration("0.25"), Ok(Duration::from_millis(250)));
    }

    #[test]
    fn wrong_limits_are_named() {
        let error = |text| parse(text).unwrap_err();
        assert_eq!(error("time=x"), LimitError::Time("x".into()));
        assert_eq!(error("time=0s"), LimitError::Time("0s".into()));
        assert_eq!(error("time=1e400s"), LimitError::Time("1e400s".into()));
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
