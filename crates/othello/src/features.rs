//! What the evaluation looks at: 58 small regions of the board.
//!
//! Each region (a *slot*) is read as a number in base three: 0 empty, 1 the mover's disc, 2 the
//! opponent's. Regions that are images of each other under the board's symmetries share one
//! table (a *kind*). The numbers are kept up to date move by move: adding the vectors of the
//! turned squares costs far less than reading all regions again.
// Lanes of several arrays move in step; one index for all of them says so.
#![allow(clippy::needless_range_loop)]

use crate::board::Board;
use crate::square::{Square, Squares};

/// Slots, rounded up to full vector registers.
pub(crate) const LANES: usize = 64;

/// The squares of each kind, in one of its places on the board.
pub(crate) const KINDS: [&[u8]; 14] = [
    // The corner's 3x3 block.
    &[0, 1, 2, 8, 9, 10, 16, 17, 18],
    // An edge with the two X-squares.
    &[0, 1, 2, 3, 4, 5, 6, 7, 9, 14],
    // The corner's 2x5 block.
    &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12],
    // The corner's triangle.
    &[0, 1, 2, 3, 8, 9, 10, 16, 17, 24],
    // An edge's ends and middle, with the four squares under the middle.
    &[0, 2, 3, 4, 5, 7, 10, 11, 12, 13],
    // The diagonal from the corner with its neighbours.
    &[0, 9, 18, 27, 1, 10, 19, 8, 17, 26],
    // Second, third and fourth line.
    &[8, 9, 10, 11, 12, 13, 14, 15],
    &[16, 17, 18, 19, 20, 21, 22, 23],
    &[24, 25, 26, 27, 28, 29, 30, 31],
    // Diagonals of eight to four squares.
    &[0, 9, 18, 27, 36, 45, 54, 63],
    &[1, 10, 19, 28, 37, 46, 55],
    &[2, 11, 20, 29, 38, 47],
    &[3, 12, 21, 30, 39],
    &[4, 13, 22, 31],
];

/// How many slots there are.
pub(crate) const SLOTS: usize = SLOT_LIST.1;

/// The entries of all kinds' tables together, for one stage of the game.
pub(crate) const TABLE: usize = kind_offsets()[KINDS.len()];

/// Where each kind's table begins.
pub(crate) const KIND_OFFSETS: [usize; KINDS.len() + 1] = kind_offsets();

const SLOT_LIST: ([Slot; LANES], usize) = slots();

/// Where each slot's kind begins in the table of a stage.
pub(crate) const SLOT_OFFSETS: [u32; LANES] = slot_offsets();

/// What a disc of the mover on a square adds to each slot.
static VECTORS: [Lanes; 64] = vectors();

/// Repeats a piece of code for every slot, its number and the beginning of its kind's table
/// being constants: the compiler would keep a loop, which costs twice the instructions.
macro_rules! for_each_slot {
    ($slot:ident, $offset:ident, $body:block) => {
        $crate::features::for_each_slot!(@each $slot $offset $body
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29
            30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56
            57)
    };
    (@each $slot:ident $offset:ident $body:block $($number:literal)*) => {
        $({
            const $slot: usize = $number;
            const $offset: usize = $crate::features::SLOT_OFFSETS[$number] as usize;
            $body
        })*
    };
}
pub(crate) use for_each_slot;

const _: () = assert!(SLOTS == 58, "`for_each_slot` names every slot");

/// One place of a kind on the board.
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) kind: usize,
    pub(crate) len: usize,
    pub(crate) squares: [u8; 10],
}

/// One number per slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub(crate) struct Lanes(pub(crate) [u16; LANES]);

/// The board as slots, once from each side: `mine` counts the mover's discs once and the
/// opponent's twice, `theirs` the other way round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Features {
    pub(crate) mine: Lanes,
    theirs: Lanes,
}

impl Features {
    /// Read from the board.
    pub(crate) fn new(board: Board) -> Self {
        let mut features = Self {
            mine: Lanes([0; LANES]),
            theirs: Lanes([0; LANES]),
        };
        for square in Square::all() {
            let bit = square.bit();
            let (m, t) = (
                u16::from(board.me() & bit != 0),
                u16::from(board.opp() & bit != 0),
            );
            for slot in 0..LANES {
                let weight = VECTORS[square.index()].0[slot];
                features.mine.0[slot] += weight * (m + 2 * t);
                features.theirs.0[slot] += weight * (t + 2 * m);
            }
        }
        features
    }

    /// After a move on `square` that turns `flips`, from the next mover's side.
    #[inline(always)]
    pub(crate) fn after(&self, square: Square, flips: u64) -> Self {
        let turned = turned(flips);
        let placed = &VECTORS[square.index()].0;
        let mut next = *self;
        // A turned disc counted twice for its old owner's opponent and now counts once, and so
        // on: both sums move by the same vector, in opposite directions.
        for slot in 0..LANES {
            next.mine.0[slot] = self.theirs.0[slot]
                .wrapping_add(turned.0[slot])
                .wrapping_add(placed[slot])
                .wrapping_add(placed[slot]);
            next.theirs.0[slot] = self.mine.0[slot]
                .wrapping_sub(turned.0[slot])
                .wrapping_add(placed[slot]);
        }
        next
    }

    /// Only the next mover's side of `after`: enough to evaluate, not to go on from.
    #[inline(always)]
    pub(crate) fn mine_after(&self, square: Square, flips: u64) -> Lanes {
        let turned = turned(flips);
        let placed = &VECTORS[square.index()].0;
        let mut mine = self.theirs;
        for slot in 0..LANES {
            mine.0[slot] = mine.0[slot]
                .wrapping_add(turned.0[slot])
                .wrapping_add(placed[slot])
                .wrapping_add(placed[slot]);
        }
        mine
    }

    /// After a pass.
    #[inline(always)]
    pub(crate) fn passed(&self) -> Self {
        Self {
            mine: self.theirs,
            theirs: self.mine,
        }
    }
}

#[inline(always)]
fn turned(flips: u64) -> Lanes {
    let mut sum = Lanes([0; LANES]);
    for square in Squares(flips) {
        for slot in 0..LANES {
            sum.0[slot] = sum.0[slot].wrapping_add(VECTORS[square.index()].0[slot]);
        }
    }
    sum
}

const fn power(exponent: usize) -> usize {
    3usize.pow(exponent as u32)
}

const fn kind_offsets() -> [usize; KINDS.len() + 1] {
    let mut offsets = [0; KINDS.len() + 1];
    let mut kind = 0;
    while kind < KINDS.len() {
        offsets[kind + 1] = offsets[kind] + power(KINDS[kind].len());
        kind += 1;
    }
    offsets
}

/// A square under one of the eight symmetries.
pub(crate) const fn image(square: u8, symmetry: u8) -> u8 {
    let (mut x, mut y) = (square & 7, square >> 3);
    if symmetry & 1 != 0 {
        x = 7 - x;
    }
    if symmetry & 2 != 0 {
        y = 7 - y;
    }
    if symmetry & 4 != 0 {
        x * 8 + y
    } else {
        y * 8 + x
    }
}

const fn slots() -> ([Slot; LANES], usize) {
    let mut list = [Slot {
        kind: 0,
        len: 0,
        squares: [0; 10],
    }; LANES];
    let mut masks = [0u64; LANES];
    let mut count = 0;
    let mut kind = 0;
    while kind < KINDS.len() {
        let mut symmetry = 0;
        while symmetry < 8 {
            let mut slot = Slot {
                kind,
                len: KINDS[kind].len(),
                squares: [0; 10],
            };
            let mut mask = 0;
            let mut at = 0;
            while at < slot.len {
                slot.squares[at] = image(KINDS[kind][at], symmetry);
                mask |= 1 << slot.squares[at];
                at += 1;
            }
            let mut seen = false;
            let mut other = 0;
            while other < count {
                seen |= list[other].kind == kind && masks[other] == mask;
                other += 1;
            }
            if !seen {
                list[count] = slot;
                masks[count] = mask;
                count += 1;
            }
            symmetry += 1;
        }
        kind += 1;
    }
    (list, count)
}

/// The kind of a slot.
pub(crate) const fn slot_kind(slot: usize) -> usize {
    SLOT_LIST.0[slot].kind
}

const fn slot_offsets() -> [u32; LANES] {
    let mut offsets = [0; LANES];
    let mut slot = 0;
    while slot < SLOTS {
        offsets[slot] = KIND_OFFSETS[SLOT_LIST.0[slot].kind] as u32;
        slot += 1;
    }
    offsets
}

const fn vectors() -> [Lanes; 64] {
    let mut all = [Lanes([0; LANES]); 64];
    let mut slot = 0;
    while slot < SLOTS {
        let place = SLOT_LIST.0[slot];
        let mut at = 0;
        while at < place.len {
            all[place.squares[at] as usize].0[slot] = power(at) as u16;
            at += 1;
        }
        slot += 1;
    }
    all
}

/// For every entry of a kind's table, the lowest entry that a symmetry of the region turns it
/// into: the two share one weight.
pub(crate) fn folding(kind: usize) -> Vec<u32> {
    let squares = KINDS[kind];
    let mut orders: Vec<Vec<usize>> = Vec::new();
    for symmetry in 1..8 {
        let order: Option<Vec<usize>> = squares
            .iter()
            .map(|&s| squares.iter().position(|&t| t == image(s, symmetry)))
            .collect();
        orders.extend(order);
    }
    let mut folded: Vec<u32> = (0..power(squares.len()) as u32).collect();
    for order in orders {
        for index in 0..folded.len() {
            let (mut rest, mut turned) = (index, 0);
            for &place in &order {
                turned += rest % 3 * power(place);
                rest /= 3;
            }
            folded[index] = folded[index].min(turned as u32);
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_position;
    use papan_rules::SplitMix;

    #[test]
    fn slots_updated_move_by_move_are_those_read_from_the_board() {
        let mut random = SplitMix::new(7);
        for _ in 0..50 {
            let mut board = random_position(random.next(), 40);
            let mut features = Features::new(board);
            while !board.moves().is_empty() {
                let mut moves = board.moves();
                let nth = random.next() as u32 % moves.len();
                let square = moves.nth(nth as usize).expect("nth is below the count");
                let flips = board.flips(square);
                let mine = features.mine_after(square, flips);
                features = features.after(square, flips);
                board = board.after(square, flips);
                assert_eq!(features.mine, mine);
                assert_eq!(features, Features::new(board));
                assert_eq!(features.passed(), Features::new(board.passed()));
            }
        }
    }

    #[test]
    fn symmetric_boards_read_the_same_folded_entries() {
        let foldings: Vec<_> = (0..KINDS.len()).map(folding).collect();
        let entries = |board| {
            let features = Features::new(board);
            let mut list: Vec<_> = (0..SLOTS)
                .map(|slot| {
                    let kind = SLOT_LIST.0[slot].kind;
                    (kind, foldings[kind][usize::from(features.mine.0[slot])])
                })
                .collect();
            list.sort_unstable();
            list
        };
        let board = random_position(3, 30);
        for symmetry in 1..8 {
            assert_eq!(entries(board), entries(board.transformed(symmetry)));
        }
    }
}
