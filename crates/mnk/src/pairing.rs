//! Pairing strategies with an Erdős–Selfridge potential for the lines without a pair.
//!
//! When the attacker takes one cell of a pair, the defender takes the other, so a line that
//! contains a pair is never completed. The remaining lines are weighed as if the attacker already
//! had every paired cell: a line that lacks e more cells weighs 2^-e. If the total weight, with the
//! lines through any one cell counted twice, is less than 1, the defender stops them all by always
//! taking the heaviest cell.
//!
//! References: A. W. Hales and R. I. Jewett, *Regularity and Positional Games*, 1963; P. Erdős and
//! J. L. Selfridge, *On a Combinatorial Game*, 1973; J. Beck, *Combinatorial Games: Tic-Tac-Toe
//! Theory*, 2008.

use std::cmp::Reverse;

use papan_rules::{Bits, Player};

use crate::lines::{Cell, CellSet};
use crate::state::State;

/// Fixed-point one: the weight of a completed line.
const WEIGHT_ONE: u64 = 1 << 40;

fn weight(lacking: u32) -> u64 {
    WEIGHT_ONE >> lacking.min(40)
}

/// Search for a pairing strategy against an attacker to move.
#[derive(Debug, Default)]
pub(crate) struct Pairing {
    /// Used for up to 64 live cells, so that a set of cells is one word.
    small: PairSearch<u64>,
    large: PairSearch<CellSet>,
    /// The empty cells of the attacker's live lines, numbered by their index.
    cells: Vec<Cell>,
    /// The number of each cell.
    numbers: Vec<usize>,
}

impl Pairing {
    /// Returns disjoint pairs with which the defender stops every line of the attacker, who is to
    /// move, if they are found within `max_steps`.
    pub(crate) fn find(
        &mut self,
        state: &State,
        attacker: Player,
        max_steps: usize,
    ) -> Option<Vec<(Cell, Cell)>> {
        self.cells.clear();
        self.numbers.resize(state.lines().cells(), 0);
        for cell in state.cells_on(attacker, 0).cells() {
            self.numbers[cell] = self.cells.len();
            self.cells.push(cell as Cell);
        }
        let found = if self.cells.len() <= 64 {
            let (pairs, numbers) = (&mut self.small, &self.numbers);
            pairs.find(state, attacker, numbers, self.cells.len(), max_steps)
        } else {
            let (pairs, numbers) = (&mut self.large, &self.numbers);
            pairs.find(state, attacker, numbers, self.cells.len(), max_steps)
        };
        let cells = &self.cells;
        let named = |&(a, b): &(u16, u16)| (cells[usize::from(a)], cells[usize::from(b)]);
        found.map(|pairs| pairs.iter().map(named).collect())
    }
}

/// Backtracking search over pairs, on numbered cells.
#[derive(Debug, Default)]
struct PairSearch<B> {
    /// The empty cells of each live line.
    lines: Vec<B>,
    /// Stack of lines without a pair, one frame per step.
    open: Vec<u16>,
    /// Stack of pairs to try, one frame per step.
    candidates: Vec<CandidatePair>,
    paired: B,
    pairs: Vec<(u16, u16)>,
    weights: Vec<u64>,
    steps: usize,
}

/// A pair to try, ordered best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct CandidatePair {
    /// Open lines that contain the pair.
    covered: Reverse<u32>,
    /// Weight of the two cells, which no other pair can use.
    cost: u64,
    a: u16,
    b: u16,
}

impl<B: Bits> PairSearch<B> {
    fn find(
        &mut self,
        state: &State,
        attacker: Player,
        numbers: &[usize],
        cells: usize,
        max_steps: usize,
    ) -> Option<&[(u16, u16)]> {
        self.lines.clear();
        // Lines that lack the fewest cells first.
        for count in (0..state.length()).rev() {
            for line in state.lines_with(attacker, count) {
                let gaps = state.gaps(line).map(|cell| numbers[usize::from(cell)]);
                self.lines
                    .push(gaps.fold(B::EMPTY, |set, number| set | B::single(number)));
            }
        }
        self.paired = B::EMPTY;
        self.weights.clear();
        self.weights.resize(cells, 0);
        self.pairs.clear();
        self.candidates.clear();
        self.steps = max_steps;
        self.open.clear();
        self.open.extend(0..self.lines.len() as u16);
        self.search(0).then_some(&self.pairs)
    }

    /// Returns `None` if the open lines weigh little enough to need no more pairs, else the open
    /// line that lacks the fewest cells.
    fn most_urgent_line(&mut self, from: usize) -> Option<u16> {
        self.weights.fill(0);
        let (mut sum, mut hardest, mut fewest) = (0_u64, None, u32::MAX);
        for &line in &self.open[from..] {
            let free = self.lines[usize::from(line)].without(self.paired);
            let count = free.count();
            let own = weight(count);
            sum = sum.saturating_add(own);
            for cell in free.cells() {
                self.weights[cell] += own;
            }
            if count < fewest {
                (fewest, hardest) = (count, Some(line));
            }
        }
        let heaviest = self.weights.iter().copied().max().unwrap_or(0);
        if sum.saturating_add(heaviest) < WEIGHT_ONE {
            return None;
        }
        hardest
    }

    /// Finds pairs for the lines of the frame of `open` that starts at `from`.
    fn search(&mut self, from: usize) -> bool {
        let Some(hardest) = self.most_urgent_line(from) else {
            return true;
        };
        let (end, first) = (self.open.len(), self.candidates.len());
        let cells = self.lines[usize::from(hardest)].without(self.paired);
        for a in cells.cells() {
            for b in cells.cells().filter(|&b| b > a) {
                let both = B::single(a) | B::single(b);
                let lines = self.open[from..].iter();
                let covered = lines.filter(|&&w| self.lines[usize::from(w)].covers(both));
                self.candidates.push(CandidatePair {
                    covered: Reverse(covered.count() as u32),
                    cost: self.weights[a] + self.weights[b],
                    a: a as u16,
                    b: b as u16,
                });
            }
        }
        self.candidates[first..].sort_unstable();
        let mut found = false;
        for at in first..self.candidates.len() {
            if self.steps == 0 {
                break;
            }
            self.steps -= 1;
            let CandidatePair { a, b, .. } = self.candidates[at];
            let both = B::single(usize::from(a)) | B::single(usize::from(b));
            for at in from..end {
                let line = self.open[at];
                if !self.lines[usize::from(line)].covers(both) {
                    self.open.push(line);
                }
            }
            self.paired = self.paired | both;
            self.pairs.push((a, b));
            found = self.search(end);
            self.open.truncate(end);
            if found {
                break;
            }
            self.pairs.pop();
            self.paired = self.paired.without(both);
        }
        self.candidates.truncate(first);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Lines;
    use papan_rules::{Grid, Wide};
    use std::sync::Arc;

    fn empty_board(sides: &[usize], length: usize) -> State {
        let grid = Grid::<Wide>::new(sides, length).expect("a board");
        State::new(Arc::new(Lines::new(&grid)))
    }

    #[test]
    fn the_empty_5x5_board_has_a_pairing_and_3x3_has_none() {
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
