//! What a position is worth before its end is seen.
//!
//! The search asks an [`Evaluation`] for the score of a `Node` and knows nothing else of it:
//! another form takes this one's place here and in the weights file, and nowhere else.

use crate::board::Board;
use crate::features::{
    KINDS, Lanes, SLOT_OFFSETS, SLOTS, TABLE, folding, for_each_slot, slot_kind,
};
use crate::network::{self, Network, PLIES, Ply, Row};
use crate::node::Node;
use crate::pages::Large;
use crate::score::DISC;
use crate::selectivity::{Margins, ProbCut};
use crate::square::Square;
use crate::weights::Weights;
use std::sync::{Arc, LazyLock};

/// The tables: stage 0 is the start of the game, the last one its end.
pub const STAGES: usize = 30;

/// How many patterns of the board are read.
pub const PATTERNS: usize = SLOTS;

/// Evaluations are counted in this fraction of a disc.
pub const UNIT: i32 = 128;

/// Every number that a slot can hold stays inside the tables when so many entries follow them.
const SLACK: usize = 1 << 16;

/// A trained evaluation: one table of pattern weights for every two plies of the game, an offset
/// for each number of empty squares, a network that corrects their sum, and what multi-ProbCut
/// knows of them.
pub struct Evaluation {
    tables: Large<i16>,
    offsets: [i16; PLIES],
    network: Option<Network>,
    probcut: ProbCut,
    pub(crate) margins: Margins,
}

static SHIPPED: LazyLock<Arc<Evaluation>> = LazyLock::new(|| {
    let evaluation = Weights::shipped().evaluation();
    Arc::new(evaluation.expect("the weights that come with papan fit together"))
});

impl Evaluation {
    /// The one that comes with papan, unpacked at the first call.
    pub fn shipped() -> Arc<Self> {
        SHIPPED.clone()
    }

    /// One that knows nothing: every position is even.
    pub fn blank() -> Self {
        let (_, count) = shared_weights();
        Self::new(&vec![vec![0; count]; STAGES], ProbCut::FIRST)
    }

    /// From one value per shared weight and stage, in units of a 128th of a disc.
    ///
    /// # Panics
    /// When there are not as many stages and values as there should be.
    pub fn new(values: &[Vec<i16>], probcut: ProbCut) -> Self {
        let (shared, count) = shared_weights();
        assert!(values.len() == STAGES && values.iter().all(|stage| stage.len() == count));
        let tables = Large::new(STAGES * TABLE + SLACK, 0, |tables| {
            for (table, stage) in tables.chunks_mut(TABLE).zip(values) {
                for (weight, &at) in table.iter_mut().zip(shared) {
                    *weight = stage[at as usize];
                }
            }
        });
        Self {
            tables,
            offsets: [0; PLIES],
            network: None,
            probcut,
            margins: Margins::new(&probcut),
        }
    }

    /// The same with something added for each number of empty squares, in units of a 128th of a
    /// disc.
    #[must_use]
    pub const fn with_offsets(mut self, offsets: [i16; PLIES]) -> Self {
        self.offsets = offsets;
        self
    }

    /// The same with a network beside the tables: a row per shared weight, and a ply for each
    /// number of empty squares. `None` when they are not as many as there should be, or too
    /// large.
    #[must_use]
    pub fn with_network(mut self, rows: &[Row], plies: &[Ply]) -> Option<Self> {
        let (shared, _) = shared_weights();
        self.network = Some(Network::new(shared, rows, plies)?);
        Some(self)
    }

    /// The same with other constants for multi-ProbCut.
    #[must_use]
    pub fn with_probcut(mut self, probcut: ProbCut) -> Self {
        self.probcut = probcut;
        self.margins = Margins::new(&probcut);
        self
    }

    /// What multi-ProbCut knows of it.
    pub const fn probcut(&self) -> ProbCut {
        self.probcut
    }

    /// The expected final difference, from the mover's side, in units of a 128th of a disc.
    #[inline(always)]
    pub(crate) fn score(&self, node: &Node) -> i32 {
        self.told(&node.features.mine, node.board)
    }

    /// The same after a move on `square` that turns `flips`, from the next mover's side, by the
    /// tables alone: enough for the order of moves.
    #[inline(always)]
    pub(crate) fn rough_after(&self, node: &Node, square: Square, flips: u64) -> i32 {
        let mine = node.features.mine_after(square, flips);
        self.sum(&mine, node.empties() - 1)
    }

    /// The score after a move, from the next mover's side: exact if it lies between
    /// `low` and `high`, else a bound that does not. The network is asked only where its most
    /// could bring the tables' score in between.
    #[inline(always)]
    pub(crate) fn bounded_after(
        &self,
        node: &Node,
        square: Square,
        flips: u64,
        low: i32,
        high: i32,
    ) -> i32 {
        let mine = node.features.mine_after(square, flips);
        self.bounded_of(
            &mine,
            || node.board.after(square, flips),
            node.empties() - 1,
            low,
            high,
        )
    }

    /// The score: exact if it lies between `low` and `high`, else a bound that does not.
    #[inline(always)]
    pub(crate) fn bounded(&self, node: &Node, low: i32, high: i32) -> i32 {
        self.bounded_of(
            &node.features.mine,
            || node.board,
            node.empties(),
            low,
            high,
        )
    }

    #[inline(always)]
    fn bounded_of(
        &self,
        mine: &Lanes,
        board: impl Fn() -> Board,
        empties: u32,
        low: i32,
        high: i32,
    ) -> i32 {
        let sum = self.sum(mine, empties);
        let Some(network) = &self.network else {
            return to_score(sum);
        };
        let most = to_score(sum + network::MOST);
        if most <= low {
            return most;
        }
        let least = to_score(sum - network::MOST);
        if least >= high {
            return least;
        }
        to_score(sum + network.score(mine, board()))
    }

    #[inline(always)]
    fn told(&self, mine: &Lanes, board: Board) -> i32 {
        let sum = self.sum(mine, board.empties());
        match &self.network {
            None => sum,
            Some(network) => sum + network.score(mine, board),
        }
    }

    /// The expected final difference in discs, from the mover's side.
    pub fn estimate(&self, board: Board) -> f32 {
        self.score(&Node::new(board)) as f32 / UNIT as f32
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    fn sum(&self, mine: &Lanes, empties: u32) -> i32 {
        let begin = stage(empties) * TABLE;
        let table = &self.tables[begin..begin + TABLE + SLACK];
        let mut sum = i32::from(self.offsets[empties as usize]);
        for_each_slot!(SLOT, OFFSET, {
            let at = OFFSET + usize::from(mine.0[SLOT]);
            // SAFETY: a slot's table begins below `TABLE`, its number is a `u16`, and the slice
            // has `TABLE` and 65,536 entries.
            sum += i32::from(unsafe { *table.get_unchecked(at) });
        });
        sum
    }
}

/// Rounded to what the search has, and short of a sure win.
#[inline(always)]
pub(crate) fn to_score(sum: i32) -> i32 {
    const FINE: i32 = UNIT / DISC;
    ((sum + FINE / 2) >> FINE.trailing_zeros()).clamp(-62 * DISC, 62 * DISC)
}

/// The table for a number of empty squares.
#[inline(always)]
pub const fn stage(empties: u32) -> usize {
    let stage = (60u32.saturating_sub(empties) / 2) as usize;
    if stage < STAGES { stage } else { STAGES - 1 }
}

static SHARED: LazyLock<(Vec<u32>, usize)> = LazyLock::new(share_weights);

/// For every entry of a stage's table, the number of the weight it shares with its mirror
/// image; and how many different weights there are.
pub fn shared_weights() -> (&'static [u32], usize) {
    (&SHARED.0, SHARED.1)
}

fn share_weights() -> (Vec<u32>, usize) {
    let mut shared = Vec::with_capacity(TABLE);
    let mut count = 0;
    for kind in 0..KINDS.len() {
        let begin = shared.len();
        for (index, folded) in folding(kind).into_iter().enumerate() {
            if folded as usize == index {
                shared.push(count);
                count += 1;
            } else {
                shared.push(shared[begin + folded as usize]);
            }
        }
    }
    (shared, count as usize)
}

/// For each slot, the shared weights that it can read: from the first up to, not including, the
/// last.
pub fn shared_ranges() -> Vec<(usize, usize)> {
    let mut begins = vec![0];
    for kind in 0..KINDS.len() {
        let different = (0..)
            .zip(folding(kind))
            .filter(|(index, folded)| index == folded);
        begins.push(begins[kind] + different.count());
    }
    (0..SLOTS)
        .map(|slot| (begins[slot_kind(slot)], begins[slot_kind(slot) + 1]))
        .collect()
}

/// The entries of a stage's table that a position reads, one per slot.
pub fn entries(board: Board) -> [u32; PATTERNS] {
    let mine = Node::new(board).features.mine;
    std::array::from_fn(|slot| SLOT_OFFSETS[slot] + u32::from(mine.0[slot]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_weights_prefer_the_corner_and_know_no_left_from_right() {
        let evaluation = Evaluation::shipped();
        let board = crate::testing::random_position(1, 30);
        let estimate = evaluation.estimate(board);
        for symmetry in 1..8 {
            assert_eq!(evaluation.estimate(board.transformed(symmetry)), estimate);
        }
        let corners = crate::geometry::CORNERS;
        let mine = Board::try_new(board.me() | corners, board.opp() & !corners);
        assert!(evaluation.estimate(mine.expect("no square is in both sets")) > estimate);
    }

    #[test]
    fn the_entries_of_a_position_add_up_to_its_score() {
        let (shared, count) = shared_weights();
        let values: Vec<i16> = (0..count).map(|at| (at % 1000) as i16 - 500).collect();
        let evaluation = Evaluation::new(&vec![values.clone(); STAGES], ProbCut::FIRST);
        for seed in 0..20 {
            let board = crate::testing::random_position(seed, 20);
            let sum: i32 = entries(board)
                .iter()
                .map(|&at| i32::from(values[shared[at as usize] as usize]))
                .sum();
            assert_eq!(evaluation.score(&Node::new(board)), sum);
        }
    }
}
