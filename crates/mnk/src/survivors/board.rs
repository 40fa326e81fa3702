//! Lines of a board as bit sets of one width.

use papan_rules::Bits;

use crate::lines::{Cell, Lines};

/// The lines of a board, as sets of `B`.
#[derive(Debug)]
pub(crate) struct LineBoard<B> {
    pub(crate) length: u32,
    masks: Vec<B>,
    /// The lines through each cell.
    through: Vec<Vec<B>>,
    pub(crate) all: B,
}

/// Converts a set between widths.
pub(crate) fn convert<A: Bits, B: Bits>(set: A) -> B {
    set.cells()
        .fold(B::EMPTY, |out, cell| out | B::single(cell))
}

impl<B: Bits> LineBoard<B> {
    pub(crate) fn new(lines: &Lines) -> Self {
        let masks: Vec<B> = (0..lines.count())
            .map(|line| convert(lines.mask(line)))
            .collect();
        let through = (0..lines.cells())
            .map(|cell| {
                let through = lines.through(cell as Cell).iter();
                through.map(|&line| masks[line as usize]).collect()
            })
            .collect();
        Self {
            length: lines.length() as u32,
            masks,
            through,
            all: B::below(lines.cells()),
        }
    }

    /// Returns the lines through a cell.
    #[inline]
    pub(crate) fn through(&self, cell: usize) -> &[B] {
        &self.through[cell]
    }

    /// Returns the cells that complete a line of `mine`.
    pub(crate) fn completing(&self, mine: B, theirs: B) -> B {
        Self::completing_among(&self.masks, self.length, mine, theirs)
    }

    /// Returns the cells that complete a line of `mine` through a cell.
    #[inline]
    pub(crate) fn completing_through(&self, cell: usize, mine: B, theirs: B) -> B {
        Self::completing_among(&self.through[cell], self.length, mine, theirs)
    }

    #[inline]
    fn completing_among(masks: &[B], length: u32, mine: B, theirs: B) -> B {
        masks.iter().fold(B::EMPTY, |found, &mask| {
            if !mask.meets(theirs) && (mask & mine).count() + 1 == length {
                found | mask.without(mine)
            } else {
                found
            }
        })
    }

    /// Returns the lines of `mine` that are two cells short, as pairs of cells.
    pub(crate) fn pairs(&self, mine: B, theirs: B, out: &mut Vec<Pair<B>>) {
        out.clear();
        for &mask in &self.masks {
            self.push_pair(mask, mine, theirs, out);
        }
    }

    /// Adds the line's two empty cells if it is a live line two cells short.
    #[inline]
    pub(crate) fn push_pair(&self, mask: B, mine: B, theirs: B, out: &mut Vec<Pair<B>>) {
        if !mask.meets(theirs) && (mask & mine).count() + 2 == self.length {
            let cells = mask.without(mine);
            // Overlapping lines may lack the same two cells.
            if !out.iter().any(|pair| pair.0 == cells) {
                out.push(Pair(cells));
            }
        }
    }
}

/// The two empty cells of a live line that is two cells short.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<B>(pub(crate) B);
