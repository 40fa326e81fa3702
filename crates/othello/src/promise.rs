//! How promising a move is near the end, from what is cheap to see.
//!
//! A good move leaves the opponent few answers, and fewer still later on. The weights were tuned
//! on the number of nodes that positions of tournament games with 18 and 20 empty squares take.

use crate::board::Board;
use crate::geometry::CORNERS;
use crate::mobility::frontier;
use crate::square::Square;

/// What counts, in 32nds of an answer of the opponent.
pub(crate) struct Promise {
    /// Against it: an answer in a corner, besides being an answer.
    corner_answer: i32,
    /// Against it: an empty square that touches the mover's discs.
    frontier: i32,
    /// For it: a quadrant with an odd number of empty squares.
    odd: i32,
    /// For it: a disc that is turned.
    turned: i32,
    /// For it: the square itself.
    squares: [i8; 64],
}

/// The weights for 6 and 7 empty squares, 8 and 9, 10 and 11, 12 and more.
static PROMISES: [Promise; 4] = [
    Promise {
        corner_answer: 16,
        frontier: 4,
        odd: 12,
        turned: 2,
        squares: symmetric(24, [12, 7, 7], [0, 0]),
    },
    Promise {
        corner_answer: 19,
        frontier: 4,
        odd: 8,
        turned: 0,
        squares: symmetric(24, [7, 4, 4], [-9, -7]),
    },
    Promise {
        corner_answer: 32,
        frontier: 4,
        odd: 8,
        turned: -2,
        squares: symmetric(24, [0, 0, 0], [-16, -7]),
    },
    Promise {
        corner_answer: 42,
        frontier: 5,
        odd: 12,
        turned: -3,
        squares: symmetric(24, [0, -3, 0], [-32, -3]),
    },
];

/// The corner, the other squares of its edge from the corner on, the square diagonal to it and
/// the next ones beside that; nothing for the squares within.
const fn symmetric(corner: i8, edge: [i8; 3], beside: [i8; 2]) -> [i8; 64] {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (x, y) = (square & 7, square >> 3);
        let x = if x < 4 { x } else { 7 - x };
        let y = if y < 4 { y } else { 7 - y };
        let (near, far) = if x < y { (x, y) } else { (y, x) };
        all[square] = match (near, far) {
            (0, 0) => corner,
            (0, _) => edge[far - 1],
            (1, 1 | 2) => beside[far - 1],
            _ => 0,
        };
        square += 1;
    }
    all
}

impl Promise {
    /// The weights for a number of empty squares.
    #[inline(always)]
    pub(crate) fn with(empties: u32) -> &'static Self {
        &PROMISES[(empties.clamp(6, 13) - 6) as usize / 2]
    }

    /// The promise of a move: higher is better, and above zero.
    #[inline(always)]
    pub(crate) fn of(
        &self,
        square: Square,
        flips: u64,
        child: Board,
        answers: u64,
        odd: u64,
    ) -> i32 {
        let count = |set: u64| set.count_ones() as i32;
        4096 - 32 * count(answers)
            - self.corner_answer * count(answers & CORNERS)
            - self.frontier * count(frontier(child.me(), child.opp()))
            + self.turned * count(flips)
            + self.odd * (odd >> square.index() & 1) as i32
            + i32::from(self.squares[square.index()])
    }
}
