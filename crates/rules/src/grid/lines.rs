//! The winning lines of a board, worked out once when the board is made.

use super::GridSize;
use crate::Bits;

/// Boards of up to so many cells know all their winning sets, in at most 8 KiB.
const SMALL: usize = 16;

/// Whether each set of cells holds a line; nothing for boards that are not small.
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

/// The winning lines of one direction, all at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction<B> {
    /// From a cell of a line to the next.
    stride: usize,
    /// The first cells of the lines.
    firsts: B,
}

impl<B: Bits> Direction<B> {
    /// The directions of lines that are given by their cells.
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

    /// The cells of which each is all that its line of `length` lacks among `mine`, and those of
    /// lines that lack nothing.
    #[inline]
    pub(super) fn lacking(&self, mine: B, length: usize) -> B {
        let mut found = B::EMPTY;
        self.walk(mine, length, 0, self.firsts, &mut found);
        found
    }

    /// From the lines whose first `at` cells are mine, those whose other cells are.
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

/// The cells of every run of k along an axis or a diagonal.
pub(super) fn winning_lines(size: &GridSize) -> Vec<Vec<usize>> {
    let (sides, k) = (size.shape.sides(), size.length);
    if k == 1 {
        // One cell is a line in itself, in whichever direction it is read.
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

/// Every step to a neighbour, one of each opposite pair.
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
