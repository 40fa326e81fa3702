//! The order of deepening: shallow first, then to the end of the game with growing confidence.

use crate::search::probcut::{EXACT, PERCENT, SURER};

/// Up to this depth every ply is a step: they take no time.
const EVERY_PLY: u32 = 4;

/// Steps of fewer plies guess nothing.
const GUESSED: u32 = 8;

/// From this many empty squares on a second selective pass saves more than it takes.
const SECOND_PASS: u32 = 23;

/// One iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) depth: u32,
    pub(crate) selectivity: u8,
}

/// The iterations for a position with `empties` empty squares, up to `limit` plies and, in the last
/// of them and on the way to the end, up to `percent` of confidence; the first of each comes in any
/// case. Where there are `many` threads and a depth is asked for, the last step that guesses nothing is left out, which
/// one of them would search alone, and the surer last step, in which they test bounds, takes the place of the one before.
pub(crate) fn schedule(
    empties: u32,
    limit: Option<u32>,
    percent: Option<u8>,
    many: bool,
) -> Vec<Step> {
    let limit = limit.unwrap_or(60).max(1);
    let mut steps = Vec::new();
    if empties <= 10 && limit >= empties {
        return vec![Step {
            depth: empties,
            selectivity: EXACT,
        }];
    }
    // Searching to the end costs little more than searching fourteen plies short of it.
    let horizon = if limit < empties {
        limit
    } else {
        empties.saturating_sub(14).max(2)
    };
    // Steps of two plies find each other's scores and moves nearly as well as steps of one, for three
    // fifths of the nodes.
    let wanted = |depth: &u32| *depth <= EVERY_PLY || (horizon - depth).is_multiple_of(2);
    let is_asked = limit < empties;
    let is_left_out = |depth: &u32| {
        many && is_asked && (GUESSED - 2..GUESSED).contains(depth) && *depth < horizon
    };
    for depth in (1..=horizon).filter(|depth| wanted(depth) && !is_left_out(depth)) {
        steps.push(Step {
            depth,
            selectivity: if depth < GUESSED { EXACT } else { 0 },
        });
    }
    let growing: &[u8] = if is_asked {
        // Nobody is in a hurry who asks for a depth: the last step is taken again, surer.
        if limit < GUESSED { &[] } else { &[SURER] }
    } else if empties < 16 {
        &[EXACT]
    } else if empties < SECOND_PASS {
        &[0, EXACT]
    } else {
        &[0, SURER, EXACT]
    };
    let most = percent.unwrap_or(100);
    let wanted = growing
        .iter()
        .filter(|&&selectivity| PERCENT[usize::from(selectivity)] <= most);
    let surer = wanted.map(|&selectivity| Step {
        depth: limit.min(empties),
        selectivity,
    });
    let mut surer = surer.peekable();
    if many && is_asked && surer.peek().is_some() {
        steps.pop();
    }
    steps.extend(surer);
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depths(empties: u32, limit: Option<u32>) -> Vec<u32> {
        let steps = schedule(empties, limit, None, false);
        steps.iter().map(|step| step.depth).collect()
    }

    #[test]
    fn steps_of_two_plies_end_at_the_depth_that_is_asked_for() {
        assert_eq!(depths(40, Some(9)), [1, 2, 3, 4, 5, 7, 9, 9]);
        assert_eq!(depths(40, Some(10)), [1, 2, 3, 4, 6, 8, 10, 10]);
        assert_eq!(depths(40, Some(7)), [1, 2, 3, 4, 5, 7]);
        assert_eq!(depths(40, Some(3)), [1, 2, 3]);
        assert_eq!(depths(20, None), [1, 2, 3, 4, 6, 20, 20]);
        assert_eq!(depths(23, None)[6..], [9, 23, 23, 23]);
        assert_eq!(depths(9, Some(20)), [9]);
    }

    #[test]
    fn the_last_step_of_a_depth_that_is_asked_for_is_surer() {
        let sure = |percent| {
            schedule(40, Some(12), percent, false)
                .last()
                .map(|step| step.selectivity)
        };
        assert_eq!(sure(None), Some(SURER));
        assert_eq!(sure(Some(88)), Some(SURER));
        assert_eq!(sure(Some(76)), Some(0));
    }

    #[test]
    fn many_threads_take_fewer_steps() {
        let steps = |depth, percent| {
            let steps = schedule(40, Some(depth), percent, true);
            let told = steps.iter().map(|step| (step.depth, step.selectivity));
            told.skip(4).collect::<Vec<_>>()
        };
        assert_eq!(steps(10, None), [(8, 0), (10, SURER)]);
        assert_eq!(steps(10, Some(76)), [(8, 0), (10, 0)]);
        assert_eq!(steps(9, None), [(5, EXACT), (9, SURER)]);
        assert_eq!(steps(7, None), [(5, EXACT), (7, EXACT)]);
        assert_eq!(steps(6, None), [(6, EXACT)]);
    }
}
