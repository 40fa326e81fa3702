//! Titles of time controls, such as `5 min + 3 s` and `3 days a move`.

use papan_strategies::TimeControl;
use papan_view::Messages;

/// Returns the title of a time control.
#[must_use]
pub fn clock_title(words: Messages, control: TimeControl) -> String {
    let seconds = control.base.as_secs();
    if control.is_per_move() && seconds.is_multiple_of(DAY) {
        return words.with(
            "web-clock-days",
            [("days", ((seconds / DAY) as i64).into())],
        );
    }
    if seconds == 0 || control.base.subsec_nanos() > 0 {
        return control.to_string();
    }
    let unit = |count: u64, key: &str| match count {
        0 => None,
        _ => Some(words.with(key, [("count", count.to_string().into())])),
    };
    let base = [
        unit(seconds / 3600, "web-clock-hours"),
        unit(seconds / 60 % 60, "web-clock-minutes"),
        unit(seconds % 60, "web-clock-seconds"),
    ];
    let base = base.into_iter().flatten().collect::<Vec<_>>().join(" ");
    match unit(control.increment.as_secs(), "web-clock-seconds") {
        Some(increment) => format!("{base} + {increment}"),
        None => base,
    }
}

/// Returns the title that players of timed games use, minutes and seconds, if it has one: `5+3`.
#[must_use]
pub fn short_clock(control: TimeControl) -> Option<String> {
    let (base, increment) = (control.base.as_secs(), control.increment.as_secs());
    let whole = base.is_multiple_of(60) && base > 0 && !control.is_per_move();
    whole.then(|| format!("{}+{increment}", base / 60))
}

/// Seconds of a day.
const DAY: u64 = 24 * 3600;

#[cfg(test)]
mod tests {
    use super::*;
    use papan_view::Language;

    #[test]
    fn clocks_have_titles_that_need_no_explanation() {
        let words = Messages::new(Language::English);
        for (text, title, short) in [
            ("1m", "1 min", Some("1+0")),
            ("5m+3s", "5 min + 3 s", Some("5+3")),
            ("1h", "1 h", Some("60+0")),
            ("90s+2s", "1 min 30 s + 2 s", None),
            ("10s", "10 s", None),
            ("1d+1d", "1 day a move", None),
            ("3d+3d", "3 days a move", None),
        ] {
            let control = text.parse().unwrap();
            assert_eq!(clock_title(words, control), title);
            assert_eq!(short_clock(control).as_deref(), short);
        }
    }
}
