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

pub(super) struct CheckerBoard<B> {
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
    /// CheckerBoard of each side on each line.
    counts: Vec<[u16; 2]>,
    /// For each side, the lines free of the other.
    free: [FreeLines; 2],
}

/// Lines free of one side, by how many cells of the other's they lack.
#[derive(Clone)]
struct FreeLines {
    /// Those that lack few, as bits: so many words for each number.
    bits: Vec<u64>,
    words: usize,
    /// How many lack so many.
    many: [u32; FEW + 1],
}

impl FreeLines {
    fn new(lines: usize, length: usize) -> Self {
        let words = lines.div_ceil(64);
        let mut bits = vec![0_u64; words * (FEW + 1)];
        for line in (0..lines).filter(|_| length <= FEW) {
            bits[words * length + line / 64] |= 1 << (line % 64);
        }
        let mut many = [0; FEW + 1];
        if length <= FEW {
            many[length] = lines as u32;
        }
        Self { bits, words, many }
    }

    #[inline]
    fn leave(&mut self, line: u32, lacks: u16) {
        let lacks = usize::from(lacks);
        if lacks <= FEW {
            self.bits[lacks * self.words + line as usize / 64] &= !(1 << (line % 64));
            self.many[lacks] -= 1;
        }
    }

    #[inline]
    fn enter(&mut self, line: u32, lacks: u16) {
        let lacks = usize::from(lacks);
        if lacks <= FEW {
            self.bits[lacks * self.words + line as usize / 64] |= 1 << (line % 64);
            self.many[lacks] += 1;
        }
    }
}

/// Lines that lack more cells than this are looked for when somebody asks for them.
const FEW: usize = 2;

impl<B: Bits> CheckerBoard<B> {
    pub(super) fn new(grid: &Grid<B>) -> Self {
        let (cells, length) = (grid.cells(), grid.length());
        let lines: Vec<B> = grid.winning_lines().to_vec();
        let mut through = vec![Vec::new(); cells];
        for (number, line) in lines.iter().enumerate() {
            for cell in line.cells() {
                through[cell].push(number as u32);
            }
        }
        let free = FreeLines::new(lines.len(), length);
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
            free: [free.clone(), free],
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

    pub(super) fn put(&mut self, cell: usize, side: Side) {
        let (me, other) = (side as usize, 1 - side as usize);
        self.held[me] = self.held[me] | B::single(cell);
        self.empty = self.empty.without(B::single(cell));
        let length = self.length as u16;
        for &line in &self.through[cell] {
            let counts = &mut self.counts[line as usize];
            let before = *counts;
            counts[me] += 1;
            if before[other] == 0 {
                let lacked = length - before[me];
                self.free[me].leave(line, lacked);
                self.free[me].enter(line, lacked - 1);
            }
            if before[me] == 0 {
                self.free[other].leave(line, length - before[other]);
            }
        }
    }

    pub(super) fn remove(&mut self, cell: usize, side: Side) {
        let (me, other) = (side as usize, 1 - side as usize);
        self.held[me] = self.held[me].without(B::single(cell));
        self.empty = self.empty | B::single(cell);
        let length = self.length as u16;
        for &line in &self.through[cell] {
            let counts = &mut self.counts[line as usize];
            counts[me] -= 1;
            let after = *counts;
            if after[other] == 0 {
                let lacks = length - after[me];
                self.free[me].leave(line, lacks - 1);
                self.free[me].enter(line, lacks);
            }
            if after[me] == 0 {
                self.free[other].enter(line, length - after[other]);
            }
        }
    }

    /// The lines free of the other side that lack so many cells of this one's.
    pub(super) fn lines_lacking(&self, side: Side, lacking: usize) -> impl Iterator<Item = usize> {
        let free = &self.free[side as usize];
        let words = match free.many.get(lacking) {
            Some(0) => 0,
            _ => free.words,
        };
        (0..words).flat_map(move |at| {
            let word = match lacking <= FEW {
                true => free.bits[lacking * free.words + at],
                false => self.counted(side, lacking, at),
            };
            word.cells().map(move |bit| at * 64 + bit)
        })
    }

    /// The lines of one word that lack so many cells.
    fn counted(&self, side: Side, lacking: usize, word: usize) -> u64 {
        let mut wanted = [0; 2];
        wanted[side as usize] = (self.length - lacking) as u16;
        let lines = self.counts[word * 64..].iter().take(64).enumerate();
        lines.fold(0, |set, (at, &counts)| {
            set | u64::from(counts == wanted) << at
        })
    }

    pub(super) fn has_won(&self, side: Side) -> bool {
        self.free[side as usize].many[0] > 0
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
