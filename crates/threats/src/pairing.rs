//! Why an attacker cannot complete a window any more: pairs of cells, and weights.
//!
//! Whenever the attacker takes one cell of a pair, the defender takes the other, so
//! windows that hold a pair are safe. The others are weighed as if the attacker already
//! had every cell of every pair: a window that lacks e more cells weighs 1/2^e. While
//! all windows together, with those through any one cell counted twice, weigh less than
//! 1, the defender stops them all by always taking the heaviest cell (Erdős and
//! Selfridge 1973).

use papan_rules::Player;

use crate::state::State;
use crate::windows::Cell;

/// The weight of a window that the attacker has completed.
const WHOLE: u64 = 1 << 40;

fn weight(lacking: u32) -> u64 {
    WHOLE >> lacking.min(40)
}

/// Looks for pairs that stop an attacker who is to move.
#[derive(Debug, Default)]
pub(crate) struct Pairing {
    /// The attacker's live windows: their empty cells.
    windows: Vec<Vec<Cell>>,
    paired: Vec<bool>,
    pairs: Vec<(Cell, Cell)>,
    weights: Vec<u64>,
    steps: usize,
}

impl Pairing {
    /// Pairs such that the attacker, who is to move, never completes a window, if they
    /// are found within so many steps.
    pub(crate) fn find(
        &mut self,
        state: &State,
        attacker: Player,
        most_steps: usize,
    ) -> Option<Vec<(Cell, Cell)>> {
        self.windows.clear();
        for count in 0..state.length() {
            for window in state.with_count(attacker, count) {
                self.windows.push(state.gaps(window).collect());
            }
        }
        self.windows.sort_by_key(Vec::len);
        self.paired = vec![false; state.windows().cells()];
        self.weights = vec![0; state.windows().cells()];
        self.pairs.clear();
        self.steps = most_steps;
        let all: Vec<u16> = (0..self.windows.len() as u16).collect();
        self.search(&all).then(|| std::mem::take(&mut self.pairs))
    }

    /// Whether what the pairs leave over is light enough; otherwise the window that is
    /// hardest to stop.
    fn lightness(&mut self, open: &[u16]) -> Result<(), u16> {
        self.weights.fill(0);
        let (mut sum, mut hardest, mut fewest) = (0_u64, open.first().copied(), usize::MAX);
        for &window in open {
            let free = self.windows[usize::from(window)].iter();
            let free = free.filter(|&&cell| !self.paired[usize::from(cell)]);
            let count = free.clone().count();
            let own = weight(count as u32);
            sum = sum.saturating_add(own);
            for &cell in free {
                self.weights[usize::from(cell)] += own;
            }
            if count < fewest {
                (fewest, hardest) = (count, Some(window));
            }
        }
        let heaviest = self.weights.iter().copied().max().unwrap_or(0);
        if sum.saturating_add(heaviest) < WHOLE {
            return Ok(());
        }
        hardest.map_or(Ok(()), Err)
    }

    fn search(&mut self, open: &[u16]) -> bool {
        let hardest = match self.lightness(open) {
            Ok(()) => return true,
            Err(hardest) => hardest,
        };
        let cells: Vec<Cell> = self.windows[usize::from(hardest)]
            .iter()
            .copied()
            .filter(|&cell| !self.paired[usize::from(cell)])
            .collect();
        let mut choices = Vec::new();
        for (at, &a) in cells.iter().enumerate() {
            for &b in &cells[at + 1..] {
                let both = |w: &&u16| {
                    let window = &self.windows[usize::from(**w)];
                    window.contains(&a) && window.contains(&b)
                };
                let safe = open.iter().filter(both).count();
                let used = self.weights[usize::from(a)] + self.weights[usize::from(b)];
                choices.push((std::cmp::Reverse(safe), used, a, b));
            }
        }
        choices.sort_unstable();
        for (_, _, a, b) in choices {
            if self.steps == 0 {
                return false;
            }
            self.steps -= 1;
            let both = |w: &u16| {
                let window = &self.windows[usize::from(*w)];
                window.contains(&a) && window.contains(&b)
            };
            let left: Vec<u16> = open.iter().copied().filter(|w| !both(w)).collect();
            self.paired[usize::from(a)] = true;
            self.paired[usize::from(b)] = true;
            self.pairs.push((a, b));
            if self.search(&left) {
                return true;
            }
            self.pairs.pop();
            self.paired[usize::from(a)] = false;
            self.paired[usize::from(b)] = false;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::windows::Windows;
    use papan_rules::{Grid, Wide};
    use std::sync::Arc;

    fn empty_board(sides: &[usize], length: usize) -> State {
        let grid = Grid::<Wide>::new(sides, length).expect("a board");
        State::new(Arc::new(Windows::new(&grid)))
    }

    #[test]
    fn five_by_five_has_a_pairing_from_the_start_and_three_by_three_has_none() {
        // The 12 lines of 5x5:5 can be paired (Hales and Jewett 1963).
        let found = Pairing::default().find(&empty_board(&[5, 5], 5), Player::First, 100_000);
        let pairs = found.expect("a pairing");
        let mut cells: Vec<Cell> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), pairs.len() * 2, "pairs are disjoint");
        assert!(
            Pairing::default()
                .find(&empty_board(&[3, 3], 3), Player::First, 100_000)
                .is_none()
        );
    }
}
