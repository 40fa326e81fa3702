//! The board as the checker sees it: stones, and how far each line has come. Made anew
//! from the rules, so that a fault in the solver's own cannot hide itself.

use papan_rules::{Bits, Game as _, Grid, Player, Symmetric as _};

/// The attacker and the defender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Attacker,
    Defender,
}

pub(super) use Side::{Attacker, Defender};

pub(super) struct Stones<B> {
    pub(super) cells: usize,
    pub(super) length: usize,
    /// The cells of each line.
    pub(super) lines: Vec<B>,
    pub(super) through: Vec<Vec<u32>>,
    pub(super) symmetries: Vec<Vec<u16>>,
    /// What leads back.
    inverses: Vec<Vec<u16>>,
    pub(super) held: [B; 2],
    pub(super) empty: B,
    /// Stones of each side on each line.
    counts: Vec<[u16; 2]>,
    /// For each side, the lines free of the other by how many cells they lack, as bits:
    /// so many words for each number.
    lacking: [Vec<u64>; 2],
    words: usize,
    many: [Vec<u32>; 2],
}

impl<B: Bits> Stones<B> {
    pub(super) fn new(grid: &Grid<B>) -> Self {
        let (cells, length) = (grid.cells(), grid.length());
        let lines: Vec<B> = grid.winning_lines().to_vec();
        let mut through = vec![Vec::new(); cells];
        for (number, line) in lines.iter().enumerate() {
            for cell in line.cells() {
                through[cell].push(number as u32);
            }
        }
        let words = lines.len().div_ceil(64);
        let mut lacking = vec![0_u64; words * (length + 1)];
        for line in 0..lines.len() {
            lacking[words * length + line / 64] |= 1 << (line % 64);
        }
        let mut many = vec![0; length];
        many.push(lines.len() as u32);
        let image = |s: &papan_rules::Symmetry| (0..cells).map(|c| s.cell(c) as u16).collect();
        let symmetries: Vec<Vec<u16>> = grid.symmetries().iter().map(image).collect();
        let inverse = |images: &Vec<u16>| {
            let mut back = vec![0; cells];
            for (cell, &image) in images.iter().enumerate() {
                back[usize::from(image)] = cell as u16;
            }
            back
        };
        Self {
            cells,
            length,
            counts: vec![[0; 2]; lines.len()],
            lines,
            through,
            inverses: symmetries.iter().map(inverse).collect(),
            symmetries,
            held: [B::EMPTY; 2],
            empty: B::below(cells),
            lacking: [lacking.clone(), lacking],
            words,
            many: [many.clone(), many],
        }
    }

    /// The stones of a position, seen by this attacker.
    pub(super) fn set_up(
        grid: &Grid<B>,
        position: &papan_rules::GridPosition<B>,
        attacker: Player,
    ) -> Self {
        let mut stones = Self::new(grid);
        for cell in 0..stones.cells {
            if let Some(player) = grid.piece(position, cell) {
                let side = if player == attacker {
                    Attacker
                } else {
                    Defender
                };
                stones.put(cell, side);
            }
        }
        stones
    }

    fn shift(&mut self, line: u32, side: usize, from: Option<u16>, to: Option<u16>) {
        let (word, bit) = (line as usize / 64, 1_u64 << (line % 64));
        if let Some(from) = from {
            self.lacking[side][usize::from(from) * self.words + word] &= !bit;
            self.many[side][usize::from(from)] -= 1;
        }
        if let Some(to) = to {
            self.lacking[side][usize::from(to) * self.words + word] |= bit;
            self.many[side][usize::from(to)] += 1;
        }
    }

    pub(super) fn put(&mut self, cell: usize, side: Side) {
        let (me, other) = (side as usize, 1 - side as usize);
        self.held[me] = self.held[me] | B::single(cell);
        self.empty = self.empty.without(B::single(cell));
        for at in 0..self.through[cell].len() {
            let line = self.through[cell][at];
            let before = self.counts[line as usize];
            self.counts[line as usize][me] += 1;
            let length = self.length as u16;
            if before[other] == 0 {
                let lacked = length - before[me];
                self.shift(line, me, Some(lacked), Some(lacked - 1));
            }
            if before[me] == 0 {
                self.shift(line, other, Some(length - before[other]), None);
            }
        }
    }

    pub(super) fn take(&mut self, cell: usize, side: Side) {
        let (me, other) = (side as usize, 1 - side as usize);
        self.held[me] = self.held[me].without(B::single(cell));
        self.empty = self.empty | B::single(cell);
        for at in 0..self.through[cell].len() {
            let line = self.through[cell][at];
            self.counts[line as usize][me] -= 1;
            let after = self.counts[line as usize];
            let length = self.length as u16;
            if after[other] == 0 {
                let lacks = length - after[me];
                self.shift(line, me, Some(lacks - 1), Some(lacks));
            }
            if after[me] == 0 {
                self.shift(line, other, None, Some(length - after[other]));
            }
        }
    }

    /// The lines free of the other side that lack so many cells of this one's.
    pub(super) fn lines_lacking(&self, side: Side, lacking: usize) -> impl Iterator<Item = usize> {
        let words = if self.many[side as usize][lacking] == 0 {
            &[][..]
        } else {
            &self.lacking[side as usize][lacking * self.words..][..self.words]
        };
        let words = words.iter().enumerate();
        words.flat_map(|(at, &word)| word.cells().map(move |bit| at * 64 + bit))
    }

    pub(super) fn has_won(&self, side: Side) -> bool {
        self.many[side as usize][0] > 0
    }

    /// Whether a side has no stone on a line.
    pub(super) fn is_free_of(&self, line: usize, side: Side) -> bool {
        self.counts[line][side as usize] == 0
    }

    /// The empty cells of a line.
    pub(super) fn gaps(&self, line: usize) -> B {
        self.lines[line] & self.empty
    }

    /// The cells that complete a line of a side.
    pub(super) fn completing(&self, side: Side) -> B {
        self.lines_lacking(side, 1)
            .fold(B::EMPTY, |set, line| set | self.gaps(line))
    }

    /// The image of a set of cells.
    pub(super) fn image(&self, set: B, symmetry: usize) -> B {
        moved(set, &self.symmetries[symmetry])
    }

    /// What a symmetry leads back to, for each cell.
    pub(super) fn inverse(&self, symmetry: usize) -> &[u16] {
        &self.inverses[symmetry]
    }

    /// The set of cells whose image this is.
    pub(super) fn preimage(&self, set: B, symmetry: usize) -> B {
        moved(set, &self.inverses[symmetry])
    }
}

fn moved<B: Bits>(set: B, images: &[u16]) -> B {
    set.cells().fold(B::EMPTY, |image, cell| {
        image | B::single(usize::from(images[cell]))
    })
}
