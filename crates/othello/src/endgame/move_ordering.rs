//! How promising a move is near the end, from what is cheap to see.
//!
//! A good move leaves the opponent few answers, and fewer still later on. The weights were tuned
//! on the number of nodes that positions of tournament games with 17, 18 and 20 empty squares take.

use crate::board::Board;
use crate::board::geometry::{CORNERS, alone, beside};
use crate::board::mobility::frontier;
use crate::board::square::Square;

/// What counts, in 32nds of an answer of the opponent.
pub(crate) struct Promise {
    /// Against it: an answer in a corner, besides being an answer.
    corner_answer: i32,
    /// Against it: an empty square that touches the mover's discs. With few squares the others say as
    /// much without it.
    frontier: i32,
    /// For it: a disc that is turned.
    turned: i32,
    /// For it: the square itself, by what [`Places`] say of it.
    squares: [[i8; 64]; 8],
}

/// The weights for 6 to 8 empty squares.
static FEW: Promise = Promise {
    corner_answer: 16,
    frontier: 0,
    turned: 1,
    squares: squares(24, [12, 7, 3], [0, 0], [8, 8], [-8, 0]),
};

/// The weights for 9 empty squares, 10 and 11, 12 and more.
static MANY: [Promise; 3] = [
    Promise {
        corner_answer: 19,
        frontier: 3,
        turned: 0,
        squares: squares(20, [7, 6, 4], [-1, -1], [8, 8], [-5, 0]),
    },
    Promise {
        corner_answer: 32,
        frontier: 5,
        turned: -2,
        squares: squares(24, [6, 2, 0], [-12, -7], [8, 12], [-11, -8]),
    },
    Promise {
        corner_answer: 34,
        frontier: 4,
        turned: -3,
        squares: squares(32, [0, -3, 0], [-24, -12], [12, 16], [-15, -16]),
    },
];

/// The empty squares of a position of which more is known than where they lie.
pub(crate) struct Places {
    /// In a quadrant with an odd number of empty squares.
    odd: u64,
    /// Beside no other empty square.
    alone: u64,
    /// Beside an empty corner.
    open: u64,
}

impl Places {
    /// Those of a position; `odd` is known already.
    #[inline(always)]
    pub(crate) const fn new(empty: u64, odd: u64) -> Self {
        Self {
            odd,
            alone: alone(empty),
            open: beside(empty & CORNERS),
        }
    }

    /// Which of the eight kinds a square is of.
    #[inline(always)]
    fn kind(&self, square: Square) -> usize {
        let is_in = |set: u64| (set >> square.index()) as usize & 1;
        is_in(self.odd) | is_in(self.alone) << 1 | is_in(self.open) << 2
    }
}

/// The weights of the squares of each kind: of the corner, of the other squares of its edge from the
/// corner on, of the square diagonal to it and the next ones beside that, nothing for the squares
/// within; and what is added in an odd quadrant and to a square that is alone, and beside an empty
/// corner on the edge and diagonally.
const fn squares(
    corner: i8,
    edge: [i8; 3],
    beside: [i8; 2],
    [odd, alone]: [i8; 2],
    open: [i8; 2],
) -> [[i8; 64]; 8] {
    let mut all = [[0; 64]; 8];
    let mut kind = 0;
    while kind < 8 {
        let mut added = 0;
        if kind & 1 != 0 {
            added += odd;
        }
        if kind & 2 != 0 {
            added += alone;
        }
        let mut square = 0;
        while square < 64 {
            let (x, y) = (square & 7, square >> 3);
            let x = if x < 4 { x } else { 7 - x };
            let y = if y < 4 { y } else { 7 - y };
            let (near, far) = if x < y { (x, y) } else { (y, x) };
            let is_open = (kind & 4 != 0) as i8;
            all[kind][square] = added
                + match (near, far) {
                    (0, 0) => corner,
                    (0, 1) => edge[0] + is_open * open[0],
                    (0, _) => edge[far - 1],
                    (1, 1) => beside[0] + is_open * open[1],
                    (1, 2) => beside[1],
                    _ => 0,
                };
            square += 1;
        }
        kind += 1;
    }
    all
}

impl Promise {
    /// The weights for 6 to 8 empty squares. The compiler knows them, and needs no multiplication.
    #[inline(always)]
    pub(crate) fn few() -> &'static Self {
        &FEW
    }

    /// The weights for 9 and more empty squares.
    #[inline(always)]
    pub(crate) fn many(empties: u32) -> &'static Self {
        &MANY[(empties.clamp(9, 13) - 8) as usize / 2]
    }

    /// The promise of a move: higher is better, and above zero.
    #[inline(always)]
    pub(crate) fn of(&self, square: Square, flips: u64, answers: u64, places: &Places) -> i32 {
        let count = |set: u64| set.count_ones() as i32;
        4096 - 32 * count(answers) - self.corner_answer * count(answers & CORNERS)
            + self.turned * count(flips)
            + i32::from(self.squares[places.kind(square)][square.index()])
    }

    /// What speaks against a move for the squares that it leaves beside the mover's discs.
    #[inline(always)]
    pub(crate) fn against(&self, child: Board) -> i32 {
        self.frontier * frontier(child.me(), child.opp()).count_ones() as i32
    }
}
