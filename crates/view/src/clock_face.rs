//! Clock face: remaining time as the line-based board shows it.

use std::time::Duration;

/// Formats a time as `4:59`, rounded up to whole seconds.
pub(crate) fn format_time(time: Duration) -> String {
    let seconds = time.as_millis().div_ceil(1000);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_started_second_is_shown_in_full() {
        assert_eq!(format_time(Duration::from_millis(299_001)), "5:00");
        assert_eq!(format_time(Duration::from_secs(299)), "4:59");
    }
}
