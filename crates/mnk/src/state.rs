//! A position as incremental line counts.
//!
//! For every line the stones of each side, and for every side and stone count the set of lines that
//! are live (free of the opponent) with that count. Threat detection is then a lookup: lines one
//! short are fours, lines two short are threes. Placing or removing a stone updates only the lines
//! through its cell.

use std::sync::Arc;

use papan_rules::{Bits, Game as _, Grid, GridPosition, Player};

use crate::lines::{Cell, CellSet, Lines};

/// A position with make and unmake. Stones may be placed in any order and number, because
/// searches let a side pass.
#[derive(Clone, Debug)]
pub struct State {
    lines: Arc<Lines>,
    owner: Vec<Option<Player>>,
    empty: CellSet,
    /// Stones of each side on each line.
    counts: Vec<[u8; 2]>,
    /// Bit sets of live lines, one for each side and stone count.
    sets: Vec<u64>,
    /// Size of each of these sets.
    totals: Vec<u32>,
    /// Words per bit set.
    words: usize,
    /// Zobrist keys by cell and side.
    keys: Arc<[u64]>,
    hash: u64,
}

/// Mutable view of the line sets during an update.
struct LineSets<'a> {
    sets: &'a mut [u64],
    totals: &'a mut [u32],
    words: usize,
    kinds: usize,
}

impl<'a> LineSets<'a> {
    #[inline]
    fn new(sets: &'a mut [u64], totals: &'a mut [u32], words: usize, kinds: usize) -> Self {
        Self {
            sets,
            totals,
            words,
            kinds,
        }
    }

    #[inline]
    fn insert(&mut self, side: usize, count: usize, line: u32) {
        let kind = side * self.kinds + count;
        self.sets[kind * self.words + line as usize / 64] |= 1 << (line % 64);
        self.totals[kind] += 1;
    }

    #[inline]
    fn remove(&mut self, side: usize, count: usize, line: u32) {
        let kind = side * self.kinds + count;
        self.sets[kind * self.words + line as usize / 64] &= !(1 << (line % 64));
        self.totals[kind] -= 1;
    }
}

/// SplitMix64 finaliser; gives the same Zobrist keys in every run.
pub(crate) fn splitmix64(index: u64) -> u64 {
    let mut x = index.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl State {
    /// Returns the empty board.
    #[must_use]
    pub fn new(lines: Arc<Lines>) -> Self {
        let words = lines.count().div_ceil(64).max(1);
        let kinds = lines.length() + 1;
        let mut sets = vec![0_u64; 2 * kinds * words];
        let mut totals = vec![0; 2 * kinds];
        for side in 0..2 {
            for line in 0..lines.count() {
                sets[side * kinds * words + line / 64] |= 1 << (line % 64);
            }
            totals[side * kinds] = lines.count() as u32;
        }
        let keys = (0..2 * lines.cells() as u64).map(|i| splitmix64(i.wrapping_mul(0x1_0001)));
        Self {
            owner: vec![None; lines.cells()],
            empty: CellSet::below(lines.cells()),
            counts: vec![[0; 2]; lines.count()],
            sets,
            totals,
            words,
            keys: keys.collect(),
            hash: 0,
            lines,
        }
    }

    /// Returns the state of a position.
    #[must_use]
    pub fn from_position<B: Bits>(
        lines: &Arc<Lines>,
        grid: &Grid<B>,
        position: &GridPosition<B>,
    ) -> Self {
        let mut state = Self::new(Arc::clone(lines));
        for cell in 0..grid.cells() {
            if let Some(player) = grid.piece(position, cell) {
                state.put(cell as Cell, player);
            }
        }
        state
    }

    /// Returns the lines of the board.
    #[inline]
    #[must_use]
    pub fn lines(&self) -> &Arc<Lines> {
        &self.lines
    }

    /// Returns k, the number of cells in a line.
    #[inline]
    #[must_use]
    pub fn length(&self) -> usize {
        self.lines.length()
    }

    /// Returns the owner of the stone on a cell.
    #[inline]
    #[must_use]
    pub fn owner(&self, cell: Cell) -> Option<Player> {
        self.owner[usize::from(cell)]
    }

    /// Returns the empty cells.
    #[inline]
    #[must_use]
    pub fn empty(&self) -> CellSet {
        self.empty
    }

    /// Returns the Zobrist hash of the stones, without the side to move.
    #[inline]
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Returns the Zobrist key of a stone.
    #[inline]
    pub(crate) fn key(&self, cell: Cell, side: Player) -> u64 {
        self.keys[usize::from(cell) * 2 + side.index()]
    }

    #[inline]
    fn kind(&self, side: Player, count: usize) -> usize {
        side.index() * (self.lines.length() + 1) + count
    }

    /// Returns the number of live lines of a side with `count` of its stones.
    #[inline]
    #[must_use]
    pub fn line_count(&self, side: Player, count: usize) -> u32 {
        self.totals[self.kind(side, count)]
    }

    /// Returns whether a side has completed a line.
    #[inline]
    #[must_use]
    pub fn has_won(&self, side: Player) -> bool {
        self.line_count(side, self.length()) > 0
    }

    /// Returns the stones of each side on a line.
    #[inline]
    #[must_use]
    pub fn counts(&self, line: usize) -> [u8; 2] {
        self.counts[line]
    }

    /// Returns the cells that a side holds.
    #[must_use]
    pub fn stones(&self, side: Player) -> CellSet {
        let cells = 0..self.lines.cells();
        cells
            .filter(|&cell| self.owner[cell] == Some(side))
            .fold(CellSet::EMPTY, |set, cell| set | CellSet::single(cell))
    }

    /// Returns the stones of each side on all lines, and the owners of all cells.
    pub(crate) fn counts_and_owners(&self) -> (&[[u8; 2]], &[Option<Player>]) {
        (&self.counts, &self.owner)
    }

    /// Places a stone on an empty cell.
    #[inline]
    pub fn put(&mut self, cell: Cell, side: Player) {
        debug_assert!(self.owner(cell).is_none(), "cell {cell} is taken");
        self.owner[usize::from(cell)] = Some(side);
        self.empty = self.empty.without(CellSet::single(usize::from(cell)));
        self.hash ^= self.keys[usize::from(cell) * 2 + side.index()];
        let (me, other) = (side.index(), side.other().index());
        let Self {
            lines,
            counts,
            sets,
            ..
        } = self;
        let mut sets = LineSets::new(sets, &mut self.totals, self.words, lines.length() + 1);
        for &line in lines.through(cell) {
            let counts = &mut counts[line as usize];
            let (own, others) = (usize::from(counts[me]), usize::from(counts[other]));
            counts[me] += 1;
            if others == 0 {
                sets.remove(me, own, line);
                sets.insert(me, own + 1, line);
            }
            if own == 0 {
                sets.remove(other, others, line);
            }
        }
    }

    /// Removes a stone.
    #[inline]
    pub fn remove(&mut self, cell: Cell, side: Player) {
        debug_assert_eq!(self.owner(cell), Some(side), "cell {cell}");
        self.owner[usize::from(cell)] = None;
        self.empty = self.empty | CellSet::single(usize::from(cell));
        self.hash ^= self.keys[usize::from(cell) * 2 + side.index()];
        let (me, other) = (side.index(), side.other().index());
        let Self {
            lines,
            counts,
            sets,
            ..
        } = self;
        let mut sets = LineSets::new(sets, &mut self.totals, self.words, lines.length() + 1);
        for &line in lines.through(cell) {
            let counts = &mut counts[line as usize];
            counts[me] -= 1;
            let (own, others) = (usize::from(counts[me]), usize::from(counts[other]));
            if others == 0 {
                sets.remove(me, own + 1, line);
                sets.insert(me, own, line);
            }
            if own == 0 {
                sets.insert(other, others, line);
            }
        }
    }

    /// Returns the live lines of a side with `count` of its stones.
    #[inline]
    pub fn lines_with(&self, side: Player, count: usize) -> impl Iterator<Item = usize> + '_ {
        let kind = self.kind(side, count);
        let words = if self.totals[kind] == 0 {
            &[]
        } else {
            &self.sets[kind * self.words..][..self.words]
        };
        words.iter().enumerate().flat_map(|(at, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                (left != 0).then(|| {
                    let bit = left.trailing_zeros() as usize;
                    left &= left - 1;
                    at * 64 + bit
                })
            })
        })
    }

    /// Returns the empty cells of a line.
    #[inline]
    pub fn gaps(&self, line: usize) -> impl Iterator<Item = Cell> + '_ {
        let members = self.lines.members(line).iter().copied();
        members.filter(|&cell| self.owner(cell).is_none())
    }

    /// Returns an empty cell that completes a line of a side.
    #[inline]
    #[must_use]
    pub fn completing(&self, side: Player) -> Option<Cell> {
        let line = self.lines_with(side, self.length() - 1).next()?;
        self.gaps(line).next()
    }

    /// Returns the empty cells that complete a line of a side.
    #[inline]
    #[must_use]
    pub fn completing_cells(&self, side: Player) -> CellSet {
        self.lines_with(side, self.length() - 1)
            .filter_map(|line| self.gaps(line).next())
            .fold(CellSet::EMPTY, |set, cell| {
                set | CellSet::single(usize::from(cell))
            })
    }

    /// Returns the empty cells on live lines of a side with at least `at_least` of its stones.
    #[must_use]
    pub fn cells_on(&self, side: Player, at_least: usize) -> CellSet {
        let mut cells = CellSet::EMPTY;
        for count in at_least..self.length() {
            for line in self.lines_with(side, count) {
                cells = cells | self.lines.mask(line);
            }
        }
        cells & self.empty
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::Grid;

    /// The live lines with `count` stones, recounted from the stones.
    fn recount(state: &State, side: Player, count: usize) -> Vec<usize> {
        (0..state.lines().count())
            .filter(|&line| {
                let owners = state.lines().members(line).iter();
                let owners: Vec<_> = owners.map(|&cell| state.owner(cell)).collect();
                let own = owners.iter().filter(|&&o| o == Some(side)).count();
                own == count && !owners.contains(&Some(side.other()))
            })
            .collect()
    }

    #[test]
    fn line_sets_match_a_recount_and_unmake_restores_them() {
        for (sides, length) in [(&[15, 15][..], 5), (&[4, 4, 4], 4), (&[3, 4, 2, 3], 3)] {
            let grid = Grid::<papan_rules::Wide>::new(sides, length).expect("a board");
            let mut state = State::new(Arc::new(Lines::new(&grid)));
            let fresh = state.clone();
            let cells = state.lines().cells() as u64;
            let mut played = Vec::new();
            for step in 0..40 {
                let cell = (splitmix64(step) % cells) as Cell;
                if state.owner(cell).is_some() {
                    continue;
                }
                let side = Player::BOTH[(step % 2) as usize];
                state.put(cell, side);
                played.push((cell, side));
                for side in Player::BOTH {
                    for count in 0..=length {
                        let incremental: Vec<usize> = state.lines_with(side, count).collect();
                        assert_eq!(incremental, recount(&state, side, count), "{sides:?}");
                        assert_eq!(incremental.len() as u32, state.line_count(side, count));
                    }
                }
            }
            for (cell, side) in played.into_iter().rev() {
                state.remove(cell, side);
            }
            assert_eq!(state.sets, fresh.sets);
            assert_eq!(state.hash, fresh.hash);
            assert_eq!(state.counts, fresh.counts);
        }
    }
}
