//! Move ordering in the endgame solver: fastest first, from features that are cheap to compute.
//!
//! Moves that leave the opponent few replies (mobility) lead to small subtrees and come first, with
//! corrections for corners, frontier, quadrant parity and the square itself. The weights were tuned
//! on the number of nodes of tournament positions with 17, 18 and 20 empty squares.

use crate::board::Board;
use crate::board::geometry::{CORNERS, isolated, neighbours};
use crate::board::mobility::frontier;
use crate::board::square::Square;

/// Weights of the ordering score, in 1/32 of an opponent's reply.
pub(super) struct OrderingWeights {
    /// Penalty for a reply in a corner, in addition to that for a reply.
    corner_reply: i32,
    /// Penalty for an empty square next to the mover's discs. At few empties it adds nothing to the
    /// other features.
    frontier: i32,
    /// Bonus for a flipped disc.
    flip: i32,
    /// Bonus for the square, by its class.
    squares: [[i8; 64]; 8],
}

/// Weights for 6 to 8 empty squares.
static FEW: OrderingWeights = OrderingWeights {
    corner_reply: 16,
    frontier: 0,
    flip: 1,
    squares: square_table(&SquareWeights {
        corner: 24,
        edge: [12, 7, 3],
        x_square: 0,
        inner_edge: 0,
        odd: 8,
        isolated: 8,
        open_c_square: -8,
        open_x_square: 0,
    }),
};

/// Weights for 9, for 10 and 11, and for 12 and more empty squares.
static MANY: [OrderingWeights; 3] = [
    OrderingWeights {
        corner_reply: 19,
        frontier: 3,
        flip: 0,
        squares: square_table(&SquareWeights {
            corner: 20,
            edge: [7, 6, 4],
            x_square: -1,
            inner_edge: -1,
            odd: 8,
            isolated: 8,
            open_c_square: -5,
            open_x_square: 0,
        }),
    },
    OrderingWeights {
        corner_reply: 32,
        frontier: 5,
        flip: -2,
        squares: square_table(&SquareWeights {
            corner: 24,
            edge: [6, 2, 0],
            x_square: -12,
            inner_edge: -7,
            odd: 8,
            isolated: 12,
            open_c_square: -11,
            open_x_square: -8,
        }),
    },
    OrderingWeights {
        corner_reply: 34,
        frontier: 4,
        flip: -3,
        squares: square_table(&SquareWeights {
            corner: 32,
            edge: [0, -3, 0],
            x_square: -24,
            inner_edge: -12,
            odd: 12,
            isolated: 16,
            open_c_square: -15,
            open_x_square: -16,
        }),
    },
];

/// Classes of empty squares, as bit sets.
pub(super) struct SquareClasses {
    /// In a quadrant with an odd number of empty squares.
    odd: u64,
    /// Next to no other empty square.
    isolated: u64,
    /// Next to an empty corner.
    open: u64,
}

impl SquareClasses {
    /// Classifies the squares of a position whose `odd` quadrants are known.
    #[inline(always)]
    pub(super) const fn new(empty: u64, odd: u64) -> Self {
        Self {
            odd,
            isolated: isolated(empty),
            open: neighbours(empty & CORNERS),
        }
    }

    /// Returns the class of a square, one of eight.
    #[inline(always)]
    fn class(&self, square: Square) -> usize {
        let contains = |set: u64| (set >> square.index()) as usize & 1;
        contains(self.odd) | contains(self.isolated) << 1 | contains(self.open) << 2
    }
}

/// The bonus of a square by its place and class.
struct SquareWeights {
    corner: i8,
    /// C-square, A-square and B-square: the edge from the corner to the middle.
    edge: [i8; 3],
    /// Diagonally next to a corner.
    x_square: i8,
    /// Between the X-square and the middle, in the second line.
    inner_edge: i8,
    /// Added in an odd quadrant.
    odd: i8,
    /// Added to an isolated square.
    isolated: i8,
    /// Added to a C-square next to an empty corner.
    open_c_square: i8,
    /// Added to an X-square next to an empty corner.
    open_x_square: i8,
}

/// Tabulates the bonus of every square for every class.
const fn square_table(weights: &SquareWeights) -> [[i8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut class = 0;
    while class < 8 {
        let mut base = 0;
        if class & 1 != 0 {
            base += weights.odd;
        }
        if class & 2 != 0 {
            base += weights.isolated;
        }
        let is_open = class & 4 != 0;
        let mut square = 0;
        while square < 64 {
            let x = distance_from_edge(square & 7);
            let y = distance_from_edge(square >> 3);
            let (near, far) = if x < y { (x, y) } else { (y, x) };
            table[class][square] = base
                + match (near, far) {
                    (0, 0) => weights.corner,
                    (0, 1) if is_open => weights.edge[0] + weights.open_c_square,
                    (0, _) => weights.edge[far - 1],
                    (1, 1) if is_open => weights.x_square + weights.open_x_square,
                    (1, 1) => weights.x_square,
                    (1, 2) => weights.inner_edge,
                    _ => 0,
                };
            square += 1;
        }
        class += 1;
    }
    table
}

const fn distance_from_edge(coordinate: usize) -> usize {
    if coordinate < 4 {
        coordinate
    } else {
        7 - coordinate
    }
}

impl OrderingWeights {
    /// Returns the weights for 6 to 8 empty squares. They are constants for the compiler, which
    /// needs no multiplications.
    #[inline(always)]
    pub(super) fn few() -> &'static Self {
        &FEW
    }

    /// Returns the weights for 9 and more empty squares.
    #[inline(always)]
    pub(super) fn many(empties: u32) -> &'static Self {
        &MANY[(empties.clamp(9, 13) - 8) as usize / 2]
    }

    /// Returns the ordering score of a move: positive, higher is better.
    #[inline(always)]
    pub(super) fn score(
        &self,
        square: Square,
        flips: u64,
        replies: u64,
        classes: &SquareClasses,
    ) -> i32 {
        let count = |set: u64| set.count_ones() as i32;
        4096 - 32 * count(replies) - self.corner_reply * count(replies & CORNERS)
            + self.flip * count(flips)
            + i32::from(self.squares[classes.class(square)][square.index()])
    }

    /// Returns the penalty for the empty squares that a move leaves next to the mover's discs.
    #[inline(always)]
    pub(super) fn frontier_penalty(&self, child: Board) -> i32 {
        self.frontier * frontier(child.me(), child.opp()).count_ones() as i32
    }
}
