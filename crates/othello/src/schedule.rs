//! The order of deepening: shallow first, then to the end of the game with growing confidence.

use crate::selectivity::{EXACT, PERCENT};

/// One iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) depth: u32,
    pub(crate) selectivity: u8,
}

/// The iterations for a position with `empties` empty squares, up to `limit` plies and, on the
/// way to the end, up to `percent` of confidence; the first of them comes in any case.
pub(crate) fn schedule(empties: u32, limit: Option<u32>, percent: Option<u8>) -> Vec<Step> {
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
    for depth in 1..=horizon {
        steps.push(Step {
            depth,
            selectivity: if depth < 8 { EXACT } else { 0 },
        });
    }
    if limit >= empties {
        let growing: &[u8] = if empties < 16 {
            &[EXACT]
        } else {
            &[0, 1, EXACT]
        };
        let most = percent.unwrap_or(100);
        let wanted = growing
            .iter()
            .filter(|&&selectivity| PERCENT[usize::from(selectivity)] <= most);
        steps.extend(wanted.map(|&selectivity| Step {
            depth: empties,
            selectivity,
        }));
    }
    steps
}
