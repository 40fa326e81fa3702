//! The board of five in a row: line classes of every empty cell for both players, incrementally.
//!
//! A stone changes the half windows of at most five cells on each side in each direction. Changes
//! are logged, so that taking a stone back reads the log instead of the lines.

use std::sync::Arc;

use papan_rules::{Bits as _, GomokuRule, Player, Wide};

use super::geometry::{DIRECTIONS, Geometry, LINES, Place};
use super::half::{EMPTY, HALVES, HALVES_TABLE, Halves, REACH};
use super::line_class::LineClass;
use super::tables::{MoveClass, Tables};
use super::weights::{Meaning, Values};
use crate::lines::Cell;

/// A position with make and unmake, last in, first out.
#[derive(Clone)]
pub(crate) struct Board {
    geometry: Arc<Geometry>,
    tables: Arc<Tables>,
    halves: &'static Halves,
    values: Arc<Values>,
    reach: usize,
    lines: [u64; DIRECTIONS * LINES],
    owner: Vec<Option<Player>>,
    empty: Wide,
    /// Line classes of both players in each direction.
    pairs: Vec<[u8; DIRECTIONS]>,
    /// The line classes of each player at each cell, four bits each.
    codes: [Vec<u16>; 2],
    sets: [[Wide; MoveClass::COUNT]; 2],
    counts: [[u16; MoveClass::COUNT]; 2],
    /// Values of the empty cells for each player, as the one to move and as the other.
    sums: [[i32; 2]; 2],
    near: Wide,
    hash: u64,
    stones: Vec<Stone>,
    log: Vec<Change>,
}

#[derive(Clone, Copy)]
struct Stone {
    cell: Cell,
    side: Player,
    log: u32,
    near: Wide,
}

#[derive(Clone, Copy)]
struct Change {
    cell: Cell,
    direction: u8,
    pair: u8,
}

/// Returns the Zobrist key of a stone, the same as in [`crate::State`].
fn zobrist(cell: Cell, side: Player) -> u64 {
    let index = u64::from(cell) * 2 + side.index() as u64;
    crate::state::splitmix64(index.wrapping_mul(0x1_0001))
}

impl Board {
    /// Creates an empty board.
    pub(crate) fn new(
        geometry: &Arc<Geometry>,
        tables: &Arc<Tables>,
        values: &Arc<Values>,
    ) -> Self {
        let cells = geometry.cells();
        let mut board = Self {
            geometry: Arc::clone(geometry),
            tables: Arc::clone(tables),
            halves: &HALVES_TABLE,
            values: Arc::clone(values),
            reach: match tables.rule() {
                GomokuRule::Freestyle => REACH - 1,
                _ => REACH,
            },
            lines: geometry.empty_lines,
            owner: vec![None; cells],
            empty: Wide::below(cells),
            pairs: vec![[0; DIRECTIONS]; cells],
            codes: [vec![0; cells], vec![0; cells]],
            sets: [[Wide::EMPTY; MoveClass::COUNT]; 2],
            counts: [[0; MoveClass::COUNT]; 2],
            sums: [[0; 2]; 2],
            near: Wide::EMPTY,
            hash: 0,
            stones: Vec::with_capacity(cells),
            log: Vec::with_capacity(cells * 16),
        };
        for cell in 0..cells as Cell {
            for direction in 0..DIRECTIONS {
                let Place { line, shift } = board.geometry.places[usize::from(cell)][direction];
                let pair = board.pair(board.lines[usize::from(line)], usize::from(shift));
                board.pairs[usize::from(cell)][direction] = pair;
                for (side, bits) in [pair & 15, pair >> 4].into_iter().enumerate() {
                    board.codes[side][usize::from(cell)] |= u16::from(bits) << (4 * direction);
                }
            }
            board.count(cell, 1);
        }
        board
    }

    /// Returns the line classes of both players at a place of a line.
    #[inline]
    fn pair(&self, line: u64, shift: usize) -> u8 {
        let window = line >> (shift - 2 * REACH);
        let before = self.halves.before[(window & 1023) as usize];
        let after = self.halves.after[(window >> (2 * REACH + 2) & 1023) as usize];
        self.tables.pairs[usize::from(before) * HALVES + usize::from(after)]
    }

    /// Adds a cell to the sums over all empty cells, or subtracts it.
    fn count(&mut self, cell: Cell, sign: i32) {
        for side in 0..2 {
            let Meaning { class, values } =
                self.values.of(side, self.codes[side][usize::from(cell)]);
            self.sums[side][0] += sign * i32::from(values[0]);
            self.sums[side][1] += sign * i32::from(values[1]);
            self.sets[side][class as usize].toggle(usize::from(cell));
            let count = &mut self.counts[side][class as usize];
            *count = count.wrapping_add_signed(sign as i16);
        }
    }

    #[inline]
    fn set_code(&mut self, side: usize, cell: Cell, code: u16) {
        let old = std::mem::replace(&mut self.codes[side][usize::from(cell)], code);
        let (before, after) = (self.values.of(side, old), self.values.of(side, code));
        let sums = &mut self.sums[side];
        sums[0] += i32::from(after.values[0]) - i32::from(before.values[0]);
        sums[1] += i32::from(after.values[1]) - i32::from(before.values[1]);
        if before.class != after.class {
            let (before, after) = (before.class as usize, after.class as usize);
            self.sets[side][before].toggle(usize::from(cell));
            self.sets[side][after].toggle(usize::from(cell));
            self.counts[side][before] -= 1;
            self.counts[side][after] += 1;
        }
    }

    #[inline]
    fn set_pair(&mut self, cell: Cell, direction: usize, pair: u8) -> u8 {
        let old = std::mem::replace(&mut self.pairs[usize::from(cell)][direction], pair);
        let changed = old ^ pair;
        let flip = |bits: u8| u16::from(bits) << (4 * direction);
        if changed & 15 != 0 {
            let code = self.codes[0][usize::from(cell)] ^ flip(changed & 15);
            self.set_code(0, cell, code);
        }
        if changed >> 4 != 0 {
            let code = self.codes[1][usize::from(cell)] ^ flip(changed >> 4);
            self.set_code(1, cell, code);
        }
        old
    }

    /// Places a stone on an empty cell.
    pub(crate) fn put(&mut self, cell: Cell, side: Player) {
        let at = usize::from(cell);
        debug_assert!(self.owner[at].is_none(), "cell {cell} is taken");
        self.stones.push(Stone {
            cell,
            side,
            log: self.log.len() as u32,
            near: self.near,
        });
        self.count(cell, -1);
        self.owner[at] = Some(side);
        self.empty.toggle(at);
        self.hash ^= zobrist(cell, side);
        self.near = self.near | self.geometry.near[at];
        let reach = self.reach as isize;
        for direction in 0..DIRECTIONS {
            let Place { line, shift } = self.geometry.places[at][direction];
            let (line, shift) = (usize::from(line), usize::from(shift));
            self.lines[line] |= (side.index() as u64 + 1) << shift;
            let code = self.lines[line];
            let step = self.geometry.steps[direction];
            for offset in -reach..=reach {
                let shift = shift as isize + 2 * offset;
                if code >> shift & 3 != u64::from(EMPTY) {
                    continue;
                }
                let there = (cell as isize + step * offset) as Cell;
                let pair = self.pair(code, shift as usize);
                if pair != self.pairs[usize::from(there)][direction] {
                    let pair = self.set_pair(there, direction, pair);
                    self.log.push(Change {
                        cell: there,
                        direction: direction as u8,
                        pair,
                    });
                }
            }
        }
    }

    /// Takes the last stone back.
    pub(crate) fn undo(&mut self) {
        let Some(stone) = self.stones.pop() else {
            return;
        };
        while self.log.len() > stone.log as usize {
            if let Some(change) = self.log.pop() {
                self.set_pair(change.cell, usize::from(change.direction), change.pair);
            }
        }
        let at = usize::from(stone.cell);
        for direction in 0..DIRECTIONS {
            let Place { line, shift } = self.geometry.places[at][direction];
            self.lines[usize::from(line)] &= !(3 << shift);
        }
        self.near = stone.near;
        self.owner[at] = None;
        self.empty.toggle(at);
        self.hash ^= zobrist(stone.cell, stone.side);
        self.count(stone.cell, 1);
    }

    pub(crate) fn geometry(&self) -> &Arc<Geometry> {
        &self.geometry
    }

    pub(crate) fn rule(&self) -> GomokuRule {
        self.tables.rule()
    }

    pub(crate) fn values(&self) -> &Arc<Values> {
        &self.values
    }

    pub(crate) fn empty(&self) -> Wide {
        self.empty
    }

    pub(crate) fn owner(&self, cell: Cell) -> Option<Player> {
        self.owner[usize::from(cell)]
    }

    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }

    /// Returns the empty cells near stones.
    pub(crate) fn near(&self) -> Wide {
        self.near & self.empty
    }

    /// Returns the cell of the last stone.
    pub(crate) fn last(&self) -> Option<Cell> {
        self.stones.last().map(|stone| stone.cell)
    }

    /// Returns the empty cells where a player's stone is of a class.
    #[inline]
    pub(crate) fn cells(&self, side: Player, class: MoveClass) -> Wide {
        self.sets[side.index()][class as usize]
    }

    #[inline]
    pub(crate) fn count_of(&self, side: Player, class: MoveClass) -> u16 {
        self.counts[side.index()][class as usize]
    }

    /// Returns the move class of a player's stone on an empty cell.
    #[inline]
    pub(crate) fn class(&self, side: Player, cell: Cell) -> MoveClass {
        self.values.of(side.index(), self.code(side, cell)).class
    }

    /// Returns the line classes of a player's stone on an empty cell, four bits each.
    #[inline]
    pub(crate) fn code(&self, side: Player, cell: Cell) -> u16 {
        self.codes[side.index()][usize::from(cell)]
    }

    /// Returns the line class of a player's stone on an empty cell in a direction.
    #[inline]
    pub(crate) fn line_class(&self, side: Player, cell: Cell, direction: usize) -> LineClass {
        LineClass::from_bits((self.code(side, cell) >> (4 * direction)) as u8)
    }

    /// Returns the static value for the player to move.
    #[inline]
    pub(crate) fn value(&self, side: Player) -> i32 {
        let sums = self.sums[side.index()][0] - self.sums[side.other().index()][1];
        sums + self.values.threats(side.index(), self.threats(side))
    }

    /// Returns which threats both players can make, as a number below
    /// `tables::THREATS`; those of `side` are in the low bits.
    #[inline]
    pub(crate) fn threats(&self, side: Player) -> usize {
        let kinds = |player: Player| {
            let counts = &self.counts[player.index()];
            let has = |class: MoveClass| usize::from(counts[class as usize] > 0);
            has(MoveClass::OpenThree)
                | has(MoveClass::DoubleThree) << 1
                | has(MoveClass::Four) << 2
                | has(MoveClass::FourThree) << 3
        };
        kinds(side) | kinds(side.other()) << 4
    }

    /// Returns the cells where a player's stone makes a four, except straight and double fours.
    pub(crate) fn fours(&self, side: Player) -> Wide {
        self.cells(side, MoveClass::Four)
            | self.cells(side, MoveClass::FourThree)
            | self.cells(side, MoveClass::DoubtfulFour)
    }

    /// Returns the sum of four-making classes: whether the player can make a four at all.
    #[inline]
    pub(crate) fn has_four(&self, side: Player) -> bool {
        let counts = &self.counts[side.index()];
        counts[MoveClass::Four as usize]
            + counts[MoveClass::FourThree as usize]
            + counts[MoveClass::OpenFour as usize]
            + counts[MoveClass::DoubtfulFour as usize]
            > 0
    }

    /// Returns the cell at an offset from another in a direction, if it is on the board.
    pub(crate) fn at(&self, cell: Cell, direction: usize, offset: isize) -> Option<Cell> {
        let Place { line, shift } = self.geometry.places[usize::from(cell)][direction];
        let there = isize::from(shift) + 2 * offset;
        let on_board =
            self.geometry.empty_lines[usize::from(line)] >> there & 3 == u64::from(EMPTY);
        on_board.then(|| (cell as isize + self.geometry.steps[direction] * offset) as Cell)
    }

    /// Returns the cells of a line within reach of a cell where a player's stone is a four there:
    /// those that stop a straight four.
    pub(crate) fn fours_near(&self, side: Player, cell: Cell, direction: usize) -> Wide {
        let mut cells = Wide::EMPTY;
        for offset in -(REACH as isize)..=REACH as isize {
            if let Some(there) = self.at(cell, direction, offset)
                && self.owner(there).is_none()
                && self.line_class(side, there, direction).is_four()
            {
                cells = cells | Wide::single(usize::from(there));
            }
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::super::FiveInARow;
    use super::*;
    use papan_rules::{Game as _, Gomoku, GomokuPosition, Notation as _, SplitMix};

    fn position(game: &Gomoku, board: &Board, turn: Player) -> Option<GomokuPosition> {
        let cells: Vec<Option<Player>> = (0..game.cells())
            .map(|cell| board.owner(cell as Cell))
            .collect();
        let pos = game.position(&cells, turn).ok()?;
        game.outcome(&pos).is_none().then_some(pos)
    }

    #[test]
    fn fives_and_forbidden_points_are_those_of_the_rules() {
        let mut random = SplitMix::new(3);
        let (mut fives, mut forbidden) = (0, 0);
        for rule in GomokuRule::ALL {
            for side in [5, 7, 15, 20] {
                let game = Gomoku::new(side, rule).expect("a board");
                let empty = FiveInARow::of_gomoku(&game);
                for _ in 0..1500 {
                    let mut board = empty.empty.clone();
                    let stones = 6 + random.below((side * side * 2 / 3).min(44));
                    let middle = side / 2;
                    let mut at = 0;
                    while at < stones {
                        let near = |random: &mut SplitMix| {
                            (middle + random.below(11)).saturating_sub(5).min(side - 1)
                        };
                        let cell = (near(&mut random) * side + near(&mut random)) as Cell;
                        if board.owner(cell).is_none() {
                            board.put(cell, Player::BOTH[at % 2]);
                            at += 1;
                        }
                    }
                    for turn in Player::BOTH {
                        let Some(pos) = position(&game, &board, turn) else {
                            continue;
                        };
                        for player in Player::BOTH {
                            let ours = board.cells(player, MoveClass::Five);
                            assert_eq!(ours, game.completing_cells(&pos, player), "{rule:?}");
                            fives += ours.count();
                        }
                        for cell in board.empty().cells() {
                            let by_rules = game.forbidden(&pos, cell).is_some();
                            assert_eq!(
                                board.is_forbidden(turn, cell as Cell),
                                by_rules,
                                "{rule:?} {cell} {pos:?}"
                            );
                            forbidden += u32::from(by_rules);
                        }
                    }
                }
            }
        }
        assert!(fives > 1000 && forbidden > 1000, "{fives} {forbidden}");
    }

    #[test]
    fn undo_restores_everything() {
        let game = Gomoku::new(15, GomokuRule::Renju).expect("a board");
        let mut board = FiveInARow::of_gomoku(&game).empty;
        let fresh = board.clone();
        let mut random = SplitMix::new(9);
        for _ in 0..60 {
            let cell = random.below(225) as Cell;
            if board.owner(cell).is_none() {
                board.put(cell, Player::BOTH[random.below(2)]);
            }
        }
        let mut again = fresh.clone();
        for stone in board.stones.clone() {
            again.put(stone.cell, stone.side);
        }
        assert_eq!(board.sums, again.sums);
        while board.last().is_some() {
            board.undo();
        }
        assert_eq!(board.codes, fresh.codes);
        assert_eq!(board.pairs, fresh.pairs);
        assert_eq!(board.sums, fresh.sums);
        assert_eq!(board.sets, fresh.sets);
        assert_eq!(board.counts, fresh.counts);
        assert_eq!(board.lines, fresh.lines);
        assert_eq!((board.hash, board.near), (fresh.hash, fresh.near));
    }
}
