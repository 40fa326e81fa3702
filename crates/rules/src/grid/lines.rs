//! Winning lines of a board, precomputed when the board is made.

use super::GridSize;
use crate::Bits;

/// Boards of up to this many cells tabulate all winning sets, in at most 8 KiB.
const SMALL: usize = 16;

/// Returns one bit for each set of cells: whether it contains a line. Empty for larger boards.
pub(super) fn winning_sets<B: Bits>(cells: usize, winning_lines: &[B]) -> Vec<u64> {
    if cells > SMALL {
        return Vec::new();
    }
    let mut sets = vec![0; (1_usize << cells).div_ceil(64)];
    for set in 0..1_usize << cells {
        let holds = |line: &B| line.cells().all(|cell| set >> cell & 1 != 0);
        if winning_lines.iter().any(holds) {
            sets[set / 64] |= 1 << (set % 64);
        }
    }
    sets
}

/// The winning lines of one direction as shifted bitboards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction<B> {
    /// Distance from a cell of a line to the next.
    stride: usize,
    /// The first cells of the lines.
    firsts: B,
}

impl<B: Bits> Direction<B> {
    /// Groups lines, given by their cells, by direction.
    pub(super) fn all(lines: &[Vec<usize>]) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for line in lines {
            let first = B::single(line.iter().copied().min().expect("a line has cells"));
            let stride = line.get(1).map_or(0, |&next| next.abs_diff(line[0]));
            match all.iter_mut().find(|known| known.stride == stride) {
                Some(known) => known.firsts = known.firsts | first,
                None => all.push(Self {
                    stride,
                    firsts: first,
                }),
            }
        }
        all
    }

    /// Returns the cells that complete a line of `length` of `mine`, and the cells of lines that
    /// are complete.
    #[inline]
    pub(super) fn lacking(&self, mine: B, length: usize) -> B {
        let mut found = B::EMPTY;
        self.walk(mine, length, 0, self.firsts, &mut found);
        found
    }

    /// Follows the lines whose first `at` cells are mine.
    fn walk(&self, mine: B, length: usize, at: usize, before: B, found: &mut B) -> B {
        if at == length {
            return self.firsts;
        }
        let here = mine.moved_down(at * self.stride);
        let after = self.walk(mine, length, at + 1, before & here, found);
        *found = *found | (before & after).moved_up(at * self.stride);
        after & here
    }
}

/// Returns the cells of every run of k along an axis or a diagonal.
pub(super) fn winning_lines(size: &GridSize) -> Vec<Vec<usize>> {
    let (sides, k) = (size.shape.sides(), size.length);
    if k == 1 {
        // For k = 1 a line is one cell, whatever its direction.
        return (0..size.cells()).map(|cell| vec![cell]).collect();
    }
    let mut lines = Vec::new();
    for direction in directions(sides.len()) {
        for cell in 0..size.cells() {
            let from = size.shape.coordinates(cell);
            let at = |step: usize| -> Option<usize> {
                let to: Option<Vec<usize>> = (0..sides.len())
                    .map(|i| {
                        from[i]
                            .checked_add_signed(direction[i] * step as isize)
                            .filter(|&at| at < sides[i])
                    })
                    .collect();
                to.map(|to| size.shape.cell(&to))
            };
            if let Some(line) = (0..k).map(at).collect() {
                lines.push(line);
            }
        }
    }
    lines
}

/// Returns every step to a neighbour, one of each opposite pair.
fn directions(dimensions: usize) -> Vec<Vec<isize>> {
    let all = 3_usize.pow(dimensions as u32);
    (0..all)
        .map(|code| {
            (0..dimensions)
                .map(|i| (code / 3_usize.pow(i as u32) % 3) as isize - 1)
                .collect::<Vec<isize>>()
        })
        .filter(|direction| direction.iter().find(|&&step| step != 0) == Some(&1))
        .collect()
}
