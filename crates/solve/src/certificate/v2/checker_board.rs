//! The board of the checker: stones and incremental line counts.
//!
//! Built from the rules alone, independent of [`papan_mnk::State`], so that an error in the
//! solver's board cannot hide itself.

use papan_rules::{Bits, Game as _, Grid, Player, Symmetric as _};

/// The sides of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Attacker,
    Defender,
}

pub(super) use Side::{Attacker, Defender};

/// A position as the checker sees it.
pub(super) struct CheckerBoard<B> {
    pub(super) cells: usize,
    pub(super) length: usize,
    /// The cells of each line.
    pub(super) lines: Vec<B>,
    /// The lines through each cell.
    pub(super) through: Vec<Vec<u32>>,
    /// The geometric symmetries, and the inverse of each.
    geometric: Vec<Symmetry>,
    /// The permutations that a proof lists. Symmetries are composed when they are used: all of them
    /// would take 400 MB on the largest board with the most permutations.
    listed: Vec<Symmetry>,
    /// The stones of the attacker and of the defender.
    pub(super) held: [B; 2],
    pub(super) empty: B,
    /// Stones of each side on each line.
    counts: Vec<[u16; 2]>,
    /// The live lines of each side.
    live: [LiveLines; 2],
}

/// A permutation of the cells.
struct Symmetry {
    images: Vec<u16>,
    preimages: Vec<u16>,
}

impl Symmetry {
    fn new(images: Vec<u16>) -> Self {
        Self {
            preimages: inverted(&images),
            images,
        }
    }
}

/// Live lines of one side, by how many cells they lack.
#[derive(Clone)]
struct LiveLines {
    /// Bit set of the lines that lack 0, 1, … [`MAX_TRACKED`] cells.
    bits: Vec<u64>,
    /// Words per bit set.
    words: usize,
    /// Size of each bit set.
    counts: [u32; MAX_TRACKED + 1],
}

impl LiveLines {
    fn new(lines: usize, length: usize) -> Self {
        let words = lines.div_ceil(64);
        let mut bits = vec![0_u64; words * (MAX_TRACKED + 1)];
        for line in (0..lines).filter(|_| length <= MAX_TRACKED) {
            bits[words * length + line / 64] |= 1 << (line % 64);
        }
        let mut counts = [0; MAX_TRACKED + 1];
        if length <= MAX_TRACKED {
            counts[length] = lines as u32;
        }
        Self {
            bits,
            words,
            counts,
        }
    }

    #[inline]
    fn remove(&mut self, line: u32, lacks: u16) {
        let lacks = usize::from(lacks);
        if lacks <= MAX_TRACKED {
            self.bits[lacks * self.words + line as usize / 64] &= !(1 << (line % 64));
            self.counts[lacks] -= 1;
        }
    }

    #[inline]
    fn insert(&mut self, line: u32, lacks: u16) {
        let lacks = usize::from(lacks);
        if lacks <= MAX_TRACKED {
            self.bits[lacks * self.words + line as usize / 64] |= 1 << (line % 64);
            self.counts[lacks] += 1;
        }
    }
}

/// Lines that lack at most this many cells are tracked; others are counted on demand.
const MAX_TRACKED: usize = 2;

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
        let live = LiveLines::new(lines.len(), length);
        let image = |s: &papan_rules::Symmetry| (0..cells).map(|c| s.cell(c) as u16).collect();
        let symmetries: Vec<Vec<u16>> = grid.symmetries().iter().map(image).collect();
        Self {
            cells,
            length,
            counts: vec![[0; 2]; lines.len()],
            lines,
            through,
            geometric: symmetries.into_iter().map(Symmetry::new).collect(),
            listed: Vec::new(),
            held: [B::EMPTY; 2],
            empty: B::below(cells),
            live: [live.clone(), live],
        }
    }

    /// Sets up a position, seen by this attacker.
    pub(super) fn set_up(
        grid: &Grid<B>,
        position: &papan_rules::GridPosition<B>,
        attacker: Player,
    ) -> Self {
        let mut board = Self::new(grid);
        for cell in 0..board.cells {
            if let Some(player) = grid.piece(position, cell) {
                let side = if player == attacker {
                    Attacker
                } else {
                    Defender
                };
                board.put(cell, side);
            }
        }
        board
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
                self.live[me].remove(line, lacked);
                self.live[me].insert(line, lacked - 1);
            }
            if before[me] == 0 {
                self.live[other].remove(line, length - before[other]);
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
                self.live[me].remove(line, lacks - 1);
                self.live[me].insert(line, lacks);
            }
            if after[me] == 0 {
                self.live[other].insert(line, length - after[other]);
            }
        }
    }

    /// Returns the live lines of a side that lack exactly `lacking` cells.
    pub(super) fn lines_lacking(&self, side: Side, lacking: usize) -> impl Iterator<Item = usize> {
        let live = &self.live[side as usize];
        let words = match live.counts.get(lacking) {
            Some(0) => 0,
            _ => live.words,
        };
        (0..words).flat_map(move |at| {
            let word = if lacking <= MAX_TRACKED {
                live.bits[lacking * live.words + at]
            } else {
                self.count_lines(side, lacking, at)
            };
            word.cells().map(move |bit| at * 64 + bit)
        })
    }

    /// Returns the lines of one word that lack `lacking` cells.
    fn count_lines(&self, side: Side, lacking: usize, word: usize) -> u64 {
        let mut wanted = [0; 2];
        wanted[side as usize] = (self.length - lacking) as u16;
        let lines = self.counts[word * 64..].iter().take(64).enumerate();
        lines.fold(0, |set, (at, &counts)| {
            set | u64::from(counts == wanted) << at
        })
    }

    pub(super) fn has_won(&self, side: Side) -> bool {
        self.live[side as usize].counts[0] > 0
    }

    /// Returns the empty cells of a line.
    pub(super) fn gaps(&self, line: usize) -> B {
        self.lines[line] & self.empty
    }

    /// Returns the cells that complete a line of a side.
    pub(super) fn completing(&self, side: Side) -> B {
        self.lines_lacking(side, 1)
            .fold(B::EMPTY, |set, line| set | self.gaps(line))
    }

    /// Returns the image of a set of cells.
    pub(super) fn image(&self, set: B, symmetry: usize) -> B {
        let (listed, geometric) = self.parts(symmetry);
        let set = listed.map_or(set, |listed| map_cells(set, &listed.images));
        map_cells(set, &geometric.images)
    }

    /// Returns whether the proof of a node holds here, seen through a symmetry: the attacker has all
    /// its stones here, and the defender has no stone here that is missing there.
    pub(super) fn is_covered_by(&self, [attackers, defenders]: [B; 2], symmetry: usize) -> bool {
        let [own_attackers, own_defenders] = self.held.map(|set| self.image(set, symmetry));
        own_attackers.covers(attackers) && defenders.covers(own_defenders)
    }

    /// Returns whether a permutation of the cells maps every line to a line.
    pub(super) fn maps_lines_to_lines(&self, images: &[u16]) -> bool {
        let lines: std::collections::HashSet<B> = self.lines.iter().copied().collect();
        let mut all = self.lines.iter();
        all.all(|&line| lines.contains(&map_cells(line, images)))
    }

    /// Adds permutations to the symmetries: with g symmetries before, number g·j + i becomes the
    /// permutation j, then the symmetry i. Permutation 0 is the identity.
    pub(super) fn add_permutations(&mut self, permutations: Vec<Vec<u16>>) {
        self.listed
            .extend(permutations.into_iter().map(Symmetry::new));
    }

    /// Returns the listed permutations.
    pub(super) fn listed(&self) -> Vec<Vec<u16>> {
        let listed = self.listed.iter();
        listed.map(|symmetry| symmetry.images.clone()).collect()
    }

    /// Returns the number of symmetries.
    pub(super) fn symmetries(&self) -> usize {
        self.geometric.len() * (self.listed.len() + 1)
    }

    /// Returns the listed permutation, unless it is the identity, and the geometric symmetry that a
    /// symmetry is composed of.
    fn parts(&self, symmetry: usize) -> (Option<&Symmetry>, &Symmetry) {
        let (listed, geometric) = (
            symmetry / self.geometric.len(),
            symmetry % self.geometric.len(),
        );
        let listed = listed.checked_sub(1).map(|number| &self.listed[number]);
        (listed, &self.geometric[geometric])
    }

    /// Returns the inverse of a symmetry.
    pub(super) fn inverse(&self, symmetry: usize) -> Vec<u16> {
        let (listed, geometric) = self.parts(symmetry);
        let Some(listed) = listed else {
            return geometric.preimages.clone();
        };
        let cells = geometric.preimages.iter();
        cells
            .map(|&cell| listed.preimages[usize::from(cell)])
            .collect()
    }

    /// Returns the preimage of a set of cells.
    pub(super) fn preimage(&self, set: B, symmetry: usize) -> B {
        let (listed, geometric) = self.parts(symmetry);
        let set = map_cells(set, &geometric.preimages);
        listed.map_or(set, |listed| map_cells(set, &listed.preimages))
    }
}

fn inverted(images: &[u16]) -> Vec<u16> {
    let mut back = vec![0; images.len()];
    for (cell, &image) in images.iter().enumerate() {
        back[usize::from(image)] = cell as u16;
    }
    back
}

fn map_cells<B: Bits>(set: B, images: &[u16]) -> B {
    set.cells().fold(B::EMPTY, |image, cell| {
        image | B::single(usize::from(images[cell]))
    })
}
