//! Why an attacker cannot complete a line any more: pairs of cells, and weights.
//!
//! Whenever the attacker takes one cell of a pair, the defender takes the other, so
//! lines that hold a pair are safe. The others are weighed as if the attacker already
//! had every cell of every pair: a line that lacks e more cells weighs 1/2^e. While
//! all lines together, with those through any one cell counted twice, weigh less than
//! 1, the defender stops them all by always taking the heaviest cell (Erdős and
//! Selfridge 1973).

use std::cmp::Reverse;

use papan_rules::{Bits, Player};

use crate::lines::{Cell, CellSet};
use crate::state::State;

/// The weight of a line that the attacker has completed.
const WHOLE: u64 = 1 << 40;

fn weight(lacking: u32) -> u64 {
    WHOLE >> lacking.min(40)
}

/// Looks for pairs that stop an attacker who is to move.
#[derive(Debug, Default)]
pub(crate) struct Pairing {
    /// Where up to 64 cells matter, a set of them is one word.
    small: Pairs<u64>,
    large: Pairs<CellSet>,
    /// The empty cells of the attacker's live lines, in order: a cell's place here is
    /// its number below.
    cells: Vec<Cell>,
    numbers: Vec<usize>,
}

impl Pairing {
    /// Pairs such that the attacker, who is to move, never completes a line, if they
    /// are found within so many steps.
    pub(crate) fn find(
        &mut self,
        state: &State,
        attacker: Player,
        most_steps: usize,
    ) -> Option<Vec<(Cell, Cell)>> {
        self.cells.clear();
        self.numbers.resize(state.lines().cells(), 0);
        for cell in state.cells_on(attacker, 0).cells() {
            self.numbers[cell] = self.cells.len();
            self.cells.push(cell as Cell);
        }
        let found = if self.cells.len() <= 64 {
            let (pairs, numbers) = (&mut self.small, &self.numbers);
            pairs.find(state, attacker, numbers, self.cells.len(), most_steps)
        } else {
            let (pairs, numbers) = (&mut self.large, &self.numbers);
            pairs.find(state, attacker, numbers, self.cells.len(), most_steps)
        };
        let cells = &self.cells;
        let named = |&(a, b): &(u16, u16)| (cells[usize::from(a)], cells[usize::from(b)]);
        found.map(|pairs| pairs.iter().map(named).collect())
    }
}

/// The search, on numbered cells.
#[derive(Debug, Default)]
struct Pairs<B> {
    /// The empty cells of each live line.
    lines: Vec<B>,
    /// Lines that hold no pair yet: each step's on top of those of the step before.
    open: Vec<u16>,
    /// Pairs to try, in the same way.
    choices: Vec<Choice>,
    paired: B,
    pairs: Vec<(u16, u16)>,
    weights: Vec<u64>,
    steps: usize,
}

/// How many lines a pair makes safe, what else it takes out of the game, and its cells.
type Choice = (Reverse<u32>, u64, u16, u16);

impl<B: Bits> Pairs<B> {
    fn find(
        &mut self,
        state: &State,
        attacker: Player,
        numbers: &[usize],
        cells: usize,
        most_steps: usize,
    ) -> Option<&[(u16, u16)]> {
        self.lines.clear();
        // The fullest first.
        for count in (0..state.length()).rev() {
            for line in state.with_count(attacker, count) {
                let gaps = state.gaps(line).map(|cell| numbers[usize::from(cell)]);
                let gaps = gaps.fold(B::EMPTY, |set, number| set | B::single(number));
                self.lines.push(gaps);
            }
        }
        self.paired = B::EMPTY;
        self.weights.clear();
        self.weights.resize(cells, 0);
        self.pairs.clear();
        self.choices.clear();
        self.steps = most_steps;
        self.open.clear();
        self.open.extend(0..self.lines.len() as u16);
        self.search(0).then_some(&self.pairs)
    }

    /// Whether what the pairs leave over is light enough; otherwise the line that is
    /// hardest to stop.
    fn lightness(&mut self, from: usize) -> Result<(), u16> {
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
        if sum.saturating_add(heaviest) < WHOLE {
            return Ok(());
        }
        hardest.map_or(Ok(()), Err)
    }

    /// Finds pairs for the lines from this place of `open` on.
    fn search(&mut self, from: usize) -> bool {
        let hardest = match self.lightness(from) {
            Ok(()) => return true,
            Err(hardest) => hardest,
        };
        let (end, first) = (self.open.len(), self.choices.len());
        let cells = self.lines[usize::from(hardest)].without(self.paired);
        for a in cells.cells() {
            for b in cells.cells().filter(|&b| b > a) {
                let both = B::single(a) | B::single(b);
                let lines = self.open[from..].iter();
                let safe = lines.filter(|&&w| self.lines[usize::from(w)].covers(both));
                let used = self.weights[a] + self.weights[b];
                let choice = (Reverse(safe.count() as u32), used, a as u16, b as u16);
                self.choices.push(choice);
            }
        }
        self.choices[first..].sort_unstable();
        let mut found = false;
        for at in first..self.choices.len() {
            if self.steps == 0 {
                break;
            }
            self.steps -= 1;
            let (_, _, a, b) = self.choices[at];
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
        self.choices.truncate(first);
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
