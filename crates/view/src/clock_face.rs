//! Clock face: the remaining time of a player as boards show it.

use std::time::Duration;

/// Formats a time as `4:59`, rounded up to whole seconds.
#[must_use]
pub fn clock_face(time: Duration) -> String {
    let seconds = time.as_millis().div_ceil(1000);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_started_second_is_shown_in_full() {
        assert_eq!(clock_face(Duration::from_millis(299_001)), "5:00");
        assert_eq!(clock_face(Duration::from_secs(299)), "4:59");
    }
}
