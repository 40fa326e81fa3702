//! Iteration schedule of iterative deepening: growing depth, then growing confidence.

use crate::search::selectivity::Selectivity;

/// Up to this depth there is an iteration for every ply: they take no time.
const MAX_SINGLE_STEP_DEPTH: u32 = 4;

/// Shallower iterations are searched without forward pruning.
const MIN_SELECTIVE_DEPTH: u32 = 8;

/// From this many empty squares on, a second selective pass to the end saves more than it costs.
const MIN_SECOND_PASS_EMPTIES: u32 = 23;

/// Up to this many empty squares the position is solved at once.
const MAX_DIRECT_SOLVE_EMPTIES: u32 = 10;

/// Depth and selectivity of one iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Iteration {
    pub(crate) depth: u32,
    pub(crate) selectivity: Selectivity,
}

/// Returns the iterations for a position with `empties` empty squares.
///
/// `depth` limits the plies, `confidence` the confidence of the last iterations; the first of them
/// is always searched. With `parallel_aspiration` a depth-limited search skips two iterations: the
/// last one without pruning, which only one thread could search, and the first of the two at full
/// depth, because the other is searched in parallel anyway.
pub(crate) fn schedule(
    empties: u32,
    depth: Option<u32>,
    confidence: Option<u8>,
    parallel_aspiration: bool,
) -> Vec<Iteration> {
    let limit = depth.unwrap_or(60).max(1);
    if empties <= MAX_DIRECT_SOLVE_EMPTIES && limit >= empties {
        return vec![Iteration {
            depth: empties,
            selectivity: Selectivity::Exact,
        }];
    }
    let is_depth_limited = limit < empties;
    let skips_iterations = is_depth_limited && parallel_aspiration;
    // Searching to the end costs little more than searching fourteen plies short of it.
    let horizon = if is_depth_limited {
        limit
    } else {
        empties.saturating_sub(14).max(2)
    };
    // Steps of two plies predict scores and moves nearly as well as single steps, for three fifths
    // of the nodes.
    let is_step =
        |depth: u32| depth <= MAX_SINGLE_STEP_DEPTH || (horizon - depth).is_multiple_of(2);
    let is_skipped = |depth: u32| {
        skips_iterations
            && (MIN_SELECTIVE_DEPTH - 2..MIN_SELECTIVE_DEPTH).contains(&depth)
            && depth < horizon
    };
    let mut iterations: Vec<Iteration> = (1..=horizon)
        .filter(|&depth| is_step(depth) && !is_skipped(depth))
        .map(|depth| Iteration {
            depth,
            selectivity: if depth < MIN_SELECTIVE_DEPTH {
                Selectivity::Exact
            } else {
                Selectivity::Low
            },
        })
        .collect();
    let last_levels: &[Selectivity] = if is_depth_limited {
        // Repeat the last iteration at higher confidence.
        if limit < MIN_SELECTIVE_DEPTH {
            &[]
        } else {
            &[Selectivity::High]
        }
    } else if empties < 16 {
        &[Selectivity::Exact]
    } else if empties < MIN_SECOND_PASS_EMPTIES {
        &[Selectivity::Low, Selectivity::Exact]
    } else {
        &[Selectivity::Low, Selectivity::High, Selectivity::Exact]
    };
    let max_confidence = confidence.unwrap_or(100);
    let mut last_iterations = last_levels
        .iter()
        .filter(|selectivity| selectivity.confidence() <= max_confidence)
        .map(|&selectivity| Iteration {
            depth: limit.min(empties),
            selectivity,
        })
        .peekable();
    if skips_iterations && last_iterations.peek().is_some() {
        iterations.pop();
    }
    iterations.extend(last_iterations);
    iterations
}

#[cfg(test)]
mod tests {
    use super::*;
    use Selectivity::{Exact, High, Low};

    fn depths(empties: u32, limit: Option<u32>) -> Vec<u32> {
        let iterations = schedule(empties, limit, None, false);
        iterations.iter().map(|iteration| iteration.depth).collect()
    }

    #[test]
    fn steps_of_two_plies_end_at_the_depth_limit() {
        assert_eq!(depths(40, Some(9)), [1, 2, 3, 4, 5, 7, 9, 9]);
        assert_eq!(depths(40, Some(10)), [1, 2, 3, 4, 6, 8, 10, 10]);
        assert_eq!(depths(40, Some(7)), [1, 2, 3, 4, 5, 7]);
        assert_eq!(depths(40, Some(3)), [1, 2, 3]);
        assert_eq!(depths(20, None), [1, 2, 3, 4, 6, 20, 20]);
        assert_eq!(depths(23, None)[6..], [9, 23, 23, 23]);
        assert_eq!(depths(9, Some(20)), [9]);
    }

    #[test]
    fn a_depth_limited_search_ends_with_high_confidence() {
        let last = |confidence| {
            let iterations = schedule(40, Some(12), confidence, false);
            iterations.last().map(|iteration| iteration.selectivity)
        };
        assert_eq!(last(None), Some(High));
        assert_eq!(last(Some(88)), Some(High));
        assert_eq!(last(Some(76)), Some(Low));
    }

    #[test]
    fn parallel_aspiration_skips_iterations() {
        let after_depth_4 = |depth, confidence| {
            let iterations = schedule(40, Some(depth), confidence, true);
            let pairs = iterations.iter().map(|it| (it.depth, it.selectivity));
            pairs.skip(4).collect::<Vec<_>>()
        };
        assert_eq!(after_depth_4(10, None), [(8, Low), (10, High)]);
        assert_eq!(after_depth_4(10, Some(76)), [(8, Low), (10, Low)]);
        assert_eq!(after_depth_4(9, None), [(5, Exact), (9, High)]);
        assert_eq!(after_depth_4(7, None), [(5, Exact), (7, Exact)]);
        assert_eq!(after_depth_4(6, None), [(6, Exact)]);
    }
}
