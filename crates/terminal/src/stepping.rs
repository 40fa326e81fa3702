//! Stepping through the values of a form row: lists, and ranges of numbers.

use papan_catalog::{Parameter, ParameterKind};

/// Returns the choice `step` places after the current one, cyclically.
pub(crate) fn cycle<T>(choices: &[T], is_now: impl Fn(&T) -> bool, step: isize) -> &T {
    let last = choices.len() as isize;
    let next = match choices.iter().position(is_now) {
        Some(now) => now as isize + step,
        // A value typed by hand: start at the beginning of the list.
        None => 0,
    };
    &choices[next.rem_euclid(last) as usize]
}

/// Returns the next value of a parameter; `None` is its default.
pub(crate) fn stepped(parameter: &Parameter, now: Option<&str>, step: isize) -> Option<String> {
    match parameter.kind {
        ParameterKind::Choice(messages) => {
            let place = now.and_then(|now| messages.iter().position(|word| *word == now));
            let next = place.map_or(0, |place| place as isize + 1) + step;
            let next = next.rem_euclid(messages.len() as isize + 1);
            (next > 0).then(|| messages[next as usize - 1].to_owned())
        }
        ParameterKind::Number { min, max } => {
            let now: Option<u64> = now.and_then(|now| now.parse().ok());
            let next = match (now, step > 0) {
                (None, true) => min,
                (None, false) => return None,
                (Some(now), true) => larger(now, (min, max)).min(max),
                (Some(now), false) if now <= min => return None,
                (Some(now), false) => smaller(now, (min, max)).max(min),
            };
            Some(next.to_string())
        }
        ParameterKind::File => now.map(str::to_owned),
    }
}

/// Larger ranges are walked in steps of 1, 2, 5, 10, 20, 50 and so on.
const WIDE_RANGE: u64 = 1000;

/// Whether a range is walked one by one: a short one, or seeds, whose size has no meaning.
fn one_by_one((min, max): (u64, u64)) -> bool {
    max <= WIDE_RANGE || min == 0 && max == u64::MAX
}

fn larger(now: u64, range: (u64, u64)) -> u64 {
    if one_by_one(range) {
        return now.saturating_add(1);
    }
    let power = 10_u64.pow(now.max(1).ilog10());
    match now / power {
        0 | 1 => power.saturating_mul(2),
        2..5 => power.saturating_mul(5),
        _ => power.saturating_mul(10),
    }
}

fn smaller(now: u64, range: (u64, u64)) -> u64 {
    if one_by_one(range) {
        return now.saturating_sub(1);
    }
    let power = 10_u64.pow(now.max(1).ilog10());
    match (now / power, now % power) {
        (1, 0) => power / 2,
        (1, _) => power,
        (2, 0) => power,
        (2..5, _) | (5, 0) => 2 * power,
        _ => 5 * power,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_ranges_go_by_one_two_five_and_back() {
        let mut seen = vec![1];
        while seen.len() < 7 {
            seen.push(larger(seen[seen.len() - 1], (1, 1_000_000)));
        }
        assert_eq!(seen, [1, 2, 5, 10, 20, 50, 100]);
        for pair in seen.windows(2) {
            assert_eq!(smaller(pair[1], (1, 1_000_000)), pair[0]);
        }
        assert_eq!(larger(7, (1, 400)), 8);
        assert_eq!(larger(7, (0, u64::MAX)), 8);
        assert_eq!(larger(u64::MAX, (1, u64::MAX)), u64::MAX);
    }

    #[test]
    fn a_list_begins_again_after_something_typed() {
        assert_eq!(*cycle(&[1, 2, 3], |n| *n == 3, 1), 1);
        assert_eq!(*cycle(&[1, 2, 3], |n| *n == 9, 1), 1);
    }
}
