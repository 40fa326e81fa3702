//! Line-preserving permutations: the automorphisms of a board's lines.
//!
//! A permutation of the cells that maps lines to lines preserves every value, whether or not it is a
//! rotation or reflection. 4x4x4 has 192 of them, 48 of which are geometric; 4x4 and 5x5 with lines
//! as long as the side have 32 instead of 8. They are found by backtracking over the images of the
//! cells, compared by the number of lines that two cells share.
//!
//! The group can be as large as the factorials of the sides: on 5x4 with five in a row the rows and
//! the cells of each row are interchangeable, 24 · 120⁴ permutations. Beyond a limit only the
//! geometric symmetries are used; any subgroup is sound.
//!
//! Reference: R. Silver, *The group of automorphisms of the game of 3-dimensional ticktacktoe*,
//! American Mathematical Monthly 74, 1967.

use std::collections::HashSet;

use papan_rules::Bits as _;

use crate::lines::{Cell, CellSet, Lines};

/// Maximum number of permutations. A certificate lists at most 1,000 beyond the geometric symmetries.
const MAX_PERMUTATIONS: usize = 1_000;
/// Maximum number of images that the search tries, which bounds its time to a fraction of a second.
const MAX_TRIALS: u64 = 10_000_000;

/// Returns every permutation of the cells that maps lines to lines, the identity first; on boards
/// with more than 1,000 of them, the geometric symmetries.
#[must_use]
pub fn line_symmetries(lines: &Lines) -> Vec<Vec<Cell>> {
    let cells = lines.cells();
    let mut shared = vec![0_u8; cells * cells];
    for line in 0..lines.count() {
        for &a in lines.members(line) {
            for &b in lines.members(line) {
                let count = &mut shared[usize::from(a) * cells + usize::from(b)];
                *count = count.saturating_add(1);
            }
        }
    }
    let known: HashSet<CellSet> = (0..lines.count()).map(|line| lines.mask(line)).collect();
    let mut search = Backtracking {
        lines,
        shared,
        known,
        order: connected_order(lines),
        image: vec![None; cells],
        used: vec![false; cells],
        found: Vec::new(),
        trials: 0,
    };
    search.assign(0);
    let mut found = if search.is_over() {
        lines.symmetries().to_vec()
    } else {
        search.found
    };
    found.sort_unstable();
    found
}

/// An order in which every cell shares a line with an earlier one where possible, so that wrong
/// images are noticed early.
fn connected_order(lines: &Lines) -> Vec<usize> {
    let mut order = Vec::with_capacity(lines.cells());
    let mut seen = vec![false; lines.cells()];
    for start in 0..lines.cells() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut at = order.len();
        order.push(start);
        while at < order.len() {
            for &line in lines.through(order[at] as Cell) {
                for &cell in lines.members(line as usize) {
                    if !std::mem::replace(&mut seen[usize::from(cell)], true) {
                        order.push(usize::from(cell));
                    }
                }
            }
            at += 1;
        }
    }
    order
}

struct Backtracking<'a> {
    lines: &'a Lines,
    /// Number of lines that two cells share; for a cell with itself, the lines through it.
    shared: Vec<u8>,
    known: HashSet<CellSet>,
    order: Vec<usize>,
    image: Vec<Option<Cell>>,
    used: Vec<bool>,
    found: Vec<Vec<Cell>>,
    /// Images tried so far.
    trials: u64,
}

impl Backtracking<'_> {
    /// Returns whether the group is too large.
    fn is_over(&self) -> bool {
        self.found.len() > MAX_PERMUTATIONS || self.trials > MAX_TRIALS
    }

    fn assign(&mut self, at: usize) {
        let cells = self.lines.cells();
        let Some(&cell) = self.order.get(at) else {
            let images = self
                .image
                .iter()
                .map(|image| image.expect("every cell has an image"));
            self.found.push(images.collect());
            return;
        };
        for target in 0..cells {
            if self.is_over() {
                return;
            }
            self.trials += 1;
            if self.used[target] || !self.fits(at, cell, target) {
                continue;
            }
            self.used[target] = true;
            self.image[cell] = Some(target as Cell);
            if self.complete_lines_are_lines(cell) {
                self.assign(at + 1);
            }
            self.image[cell] = None;
            self.used[target] = false;
        }
    }

    fn fits(&self, at: usize, cell: usize, target: usize) -> bool {
        let cells = self.lines.cells();
        let count = |a: usize, b: usize| self.shared[a * cells + b];
        count(cell, cell) == count(target, target)
            && self.order[..at].iter().all(|&other| {
                let image = self.image[other].expect("earlier cells have images");
                count(cell, other) == count(target, usize::from(image))
            })
    }

    fn complete_lines_are_lines(&self, cell: usize) -> bool {
        self.lines.through(cell as Cell).iter().all(|&line| {
            let mut image = CellSet::EMPTY;
            for &member in self.lines.members(line as usize) {
                match self.image[usize::from(member)] {
                    Some(target) => image = image | CellSet::single(usize::from(target)),
                    None => return true,
                }
            }
            self.known.contains(&image)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::{Grid, Wide};

    fn order(sides: &[usize], length: usize) -> usize {
        let grid = Grid::<Wide>::new(sides, length).expect("a board");
        let lines = Lines::new(&grid);
        let found = line_symmetries(&lines);
        // Every geometric symmetry is one of them.
        for geometric in lines.symmetries() {
            assert!(found.contains(geometric), "{sides:?}");
        }
        found.len()
    }

    #[test]
    fn boards_have_their_published_numbers_of_symmetries() {
        assert_eq!(order(&[3, 3], 3), 8);
        assert_eq!(order(&[4, 4], 4), 32);
        assert_eq!(order(&[5, 5], 5), 32);
        assert_eq!(order(&[3, 3, 3], 3), 48);
        assert_eq!(order(&[4, 4, 4], 4), 192);
        assert_eq!(order(&[5, 7], 4), 4);
        assert_eq!(order(&[15, 15], 5), 8);
        assert_eq!(order(&[3, 3, 3, 3], 3), 384);
    }

    #[test]
    fn boards_with_too_many_permutations_keep_their_geometric_symmetries() {
        // Lines along one axis only: 24 · 120⁴, 6 · 120³ and 2 · 720³ · 6 permutations.
        assert_eq!(order(&[4, 5], 5), 4);
        assert_eq!(order(&[3, 5], 5), 4);
        assert_eq!(order(&[3, 6], 6), 4);
        assert_eq!(order(&[11, 11], 11), 8);
    }
}
