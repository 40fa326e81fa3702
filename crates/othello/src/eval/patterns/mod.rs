//! Pattern features, as in LOGISTELLO: 58 instances of 14 shapes that cover the board.
//!
//! A pattern instance is read as a number in base three: 0 empty, 1 the mover's disc, 2 the
//! opponent's. Instances that are images of each other under the board's symmetries have the same
//! *shape* and share one table. The indices are updated incrementally: adding the vectors of the
//! flipped squares costs far less than reading all instances again (as in Edax).
//!
//! Weights are also shared *within* a shape: a configuration and its mirror image have one weight
//! ([`shared_weights`]).
//!
//! Reference: M. Buro 1998, *From simple features to sophisticated evaluation functions*.
// Indices of several arrays move in step; one index for all of them says so.
#![allow(clippy::needless_range_loop)]

use crate::board::Board;
use crate::board::square::Square;
use std::ops::Range;
use std::sync::LazyLock;

#[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
mod portable;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use portable::{after, mine_after};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128::{after, mine_after};

/// Number of game stages; each has its own tables. Stage 0 is the start of the game.
pub const STAGES: usize = 30;

/// Number of pattern instances.
pub const PATTERNS: usize = INSTANCES.len;

/// Pattern instances, rounded up to full vector registers.
pub(crate) const LANES: usize = 64;

/// The squares of each shape, in one of its orientations.
pub(crate) const SHAPES: [&[u8]; 14] = [
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

/// Entries of all shapes' tables together, for one stage of the game.
pub(crate) const TABLE_SIZE: usize = shape_offsets()[SHAPES.len()];

/// Start of each shape's table within a stage.
pub(crate) const SHAPE_OFFSETS: [usize; SHAPES.len() + 1] = shape_offsets();

const INSTANCES: InstanceList = instances();

/// Start of each instance's table within a stage.
pub(crate) const INSTANCE_OFFSETS: [u32; LANES] = instance_offsets();

/// For each square, the change of every instance's index by a disc of the mover.
static VECTORS: [Indices; 64] = vectors();

/// Repeats a block for every instance, with its number and the start of its table as constants. The
/// compiler would not unroll a loop over the instances, which costs twice the instructions.
macro_rules! for_each_instance {
    ($instance:ident, $offset:ident, $body:block) => {
        $crate::eval::patterns::for_each_instance!(@each $instance $offset $body
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29
            30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56
            57)
    };
    (@each $instance:ident $offset:ident $body:block $($number:literal)*) => {
        $({
            const $instance: usize = $number;
            const $offset: usize = $crate::eval::patterns::INSTANCE_OFFSETS[$number] as usize;
            $body
        })*
    };
}
pub(crate) use for_each_instance;

const _: () = assert!(PATTERNS == 58, "`for_each_instance` names every instance");

/// A shape in one place of the board.
#[derive(Clone, Copy)]
pub(crate) struct Instance {
    pub(crate) shape: usize,
    pub(crate) len: usize,
    pub(crate) squares: [u8; 10],
}

/// All instances; entries from `len` on are unused.
struct InstanceList {
    list: [Instance; LANES],
    len: usize,
}

/// One base-3 index per pattern instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub(crate) struct Indices(pub(crate) [u16; LANES]);

/// The pattern indices of a board from both points of view: in `mine` the mover's discs have digit
/// 1 and the opponent's 2, in `theirs` the other way round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Features {
    pub(crate) mine: Indices,
    theirs: Indices,
}

impl Features {
    /// Computes the indices from scratch.
    pub(crate) fn new(board: Board) -> Self {
        let mut features = Self {
            mine: Indices([0; LANES]),
            theirs: Indices([0; LANES]),
        };
        for square in Square::all() {
            let bit = square.bit();
            let (m, t) = (
                u16::from(board.me() & bit != 0),
                u16::from(board.opp() & bit != 0),
            );
            for instance in 0..LANES {
                let weight = VECTORS[square.index()].0[instance];
                features.mine.0[instance] += weight * (m + 2 * t);
                features.theirs.0[instance] += weight * (t + 2 * m);
            }
        }
        features
    }

    /// Returns the indices after a move on `square` that flips `flips`, for the next mover.
    #[inline(always)]
    pub(crate) fn after(&self, square: Square, flips: u64) -> Self {
        after(self, square, flips)
    }

    /// Returns only the `mine` part of [`after`](Self::after): enough to evaluate a leaf.
    #[inline(always)]
    pub(crate) fn mine_after(&self, square: Square, flips: u64) -> Indices {
        mine_after(self, square, flips)
    }

    /// Returns the indices after a pass.
    #[inline(always)]
    pub(crate) fn passed(&self) -> Self {
        Self {
            mine: self.theirs,
            theirs: self.mine,
        }
    }
}

const fn power(exponent: usize) -> usize {
    3usize.pow(exponent as u32)
}

const fn shape_offsets() -> [usize; SHAPES.len() + 1] {
    let mut offsets = [0; SHAPES.len() + 1];
    let mut shape = 0;
    while shape < SHAPES.len() {
        offsets[shape + 1] = offsets[shape] + power(SHAPES[shape].len());
        shape += 1;
    }
    offsets
}

/// Returns the image of a square under one of the eight symmetries.
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

/// Lists all instances: the different images of every shape under the eight symmetries.
const fn instances() -> InstanceList {
    let mut list = [Instance {
        shape: 0,
        len: 0,
        squares: [0; 10],
    }; LANES];
    let mut masks = [0u64; LANES];
    let mut count = 0;
    let mut shape = 0;
    while shape < SHAPES.len() {
        let mut symmetry = 0;
        while symmetry < 8 {
            let mut instance = Instance {
                shape,
                len: SHAPES[shape].len(),
                squares: [0; 10],
            };
            let mut mask = 0;
            let mut at = 0;
            while at < instance.len {
                instance.squares[at] = image(SHAPES[shape][at], symmetry);
                mask |= 1 << instance.squares[at];
                at += 1;
            }
            let mut seen = false;
            let mut other = 0;
            while other < count {
                seen |= list[other].shape == shape && masks[other] == mask;
                other += 1;
            }
            if !seen {
                list[count] = instance;
                masks[count] = mask;
                count += 1;
            }
            symmetry += 1;
        }
        shape += 1;
    }
    InstanceList { list, len: count }
}

/// Returns the shape of an instance.
pub(crate) const fn instance_shape(instance: usize) -> usize {
    INSTANCES.list[instance].shape
}

const fn instance_offsets() -> [u32; LANES] {
    let mut offsets = [0; LANES];
    let mut instance = 0;
    while instance < PATTERNS {
        offsets[instance] = SHAPE_OFFSETS[INSTANCES.list[instance].shape] as u32;
        instance += 1;
    }
    offsets
}

const fn vectors() -> [Indices; 64] {
    let mut all = [Indices([0; LANES]); 64];
    let mut instance = 0;
    while instance < PATTERNS {
        let place = INSTANCES.list[instance];
        let mut at = 0;
        while at < place.len {
            all[place.squares[at] as usize].0[instance] = power(at) as u16;
            at += 1;
        }
        instance += 1;
    }
    all
}

/// Returns, for every entry of a shape's table, the lowest entry that a symmetry of the shape maps
/// it to. The two share one weight.
pub(crate) fn canonical_entries(shape: usize) -> Vec<u32> {
    let squares = SHAPES[shape];
    let mut orders: Vec<Vec<usize>> = Vec::new();
    for symmetry in 1..8 {
        let order: Option<Vec<usize>> = squares
            .iter()
            .map(|&s| squares.iter().position(|&t| t == image(s, symmetry)))
            .collect();
        orders.extend(order);
    }
    let mut canonical: Vec<u32> = (0..power(squares.len()) as u32).collect();
    for order in orders {
        for index in 0..canonical.len() {
            let (mut rest, mut mapped) = (index, 0);
            for &place in &order {
                mapped += rest % 3 * power(place);
                rest /= 3;
            }
            canonical[index] = canonical[index].min(mapped as u32);
        }
    }
    canonical
}

/// Returns the stage of a position with `empties` empty squares: two plies per stage.
#[inline(always)]
pub const fn stage(empties: u32) -> usize {
    let stage = (60u32.saturating_sub(empties) / 2) as usize;
    if stage < STAGES { stage } else { STAGES - 1 }
}

/// Which entries of a stage's table share a weight because they are mirror images.
pub struct SharedWeights {
    /// For every entry of a stage's table, the number of its weight.
    pub index: Vec<u32>,
    /// Number of different weights.
    pub count: usize,
}

/// Returns the mapping from table entries to shared weights.
pub fn shared_weights() -> &'static SharedWeights {
    static SHARED: LazyLock<SharedWeights> = LazyLock::new(|| {
        let mut index = Vec::with_capacity(TABLE_SIZE);
        let mut count = 0;
        for shape in 0..SHAPES.len() {
            let start = index.len();
            for (entry, canonical) in canonical_entries(shape).into_iter().enumerate() {
                if canonical as usize == entry {
                    index.push(count);
                    count += 1;
                } else {
                    index.push(index[start + canonical as usize]);
                }
            }
        }
        SharedWeights {
            index,
            count: count as usize,
        }
    });
    &SHARED
}

/// Returns, for each pattern instance, the shared weights that it can read.
pub fn shared_weight_ranges() -> Vec<Range<usize>> {
    let mut starts = vec![0];
    for shape in 0..SHAPES.len() {
        let different = (0..)
            .zip(canonical_entries(shape))
            .filter(|(entry, canonical)| entry == canonical);
        starts.push(starts[shape] + different.count());
    }
    (0..PATTERNS)
        .map(|instance| {
            let shape = instance_shape(instance);
            starts[shape]..starts[shape + 1]
        })
        .collect()
}

/// Returns the entries of a stage's table that a position reads, one per pattern instance.
pub fn table_indices(board: Board) -> [u32; PATTERNS] {
    let mine = Features::new(board).mine;
    std::array::from_fn(|instance| INSTANCE_OFFSETS[instance] + u32::from(mine.0[instance]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_position;
    use papan_rules::SplitMix;

    #[test]
    fn incrementally_updated_indices_equal_those_computed_from_the_board() {
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
                let portable = portable::after(&features, square, flips);
                assert_eq!(mine, portable::mine_after(&features, square, flips));
                features = features.after(square, flips);
                assert_eq!(features, portable);
                board = board.after(square, flips);
                assert_eq!(features.mine, mine);
                assert_eq!(features, Features::new(board));
                assert_eq!(features.passed(), Features::new(board.passed()));
            }
        }
    }

    #[test]
    fn symmetric_boards_read_the_same_canonical_entries() {
        let foldings: Vec<_> = (0..SHAPES.len()).map(canonical_entries).collect();
        let entries = |board| {
            let features = Features::new(board);
            let mut list: Vec<_> = (0..PATTERNS)
                .map(|instance| {
                    let shape = INSTANCES.list[instance].shape;
                    (
                        shape,
                        foldings[shape][usize::from(features.mine.0[instance])],
                    )
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
