//! Half windows: the five cells on one side of a cell along a line, as one small number.
//!
//! Two half windows are all that a move of five in a row depends on in one direction. There are 364
//! of them, because everything behind the border is border.

use std::sync::LazyLock;

/// Cells on each side of a cell that matter: the fifth tells five from six.
pub(super) const REACH: usize = 5;
/// The number of half windows.
pub(super) const HALVES: usize = 364;
/// A half window that does not exist.
pub(super) const NONE: u16 = u16::MAX;

/// What a cell of a line holds, in two bits.
pub(super) const EMPTY: u8 = 0;
pub(super) const OWN: u8 = 1;
pub(super) const OTHER: u8 = 2;
pub(super) const BORDER: u8 = 3;

/// A half window, nearest cell first, seen by the player whose stones are [`OWN`].
pub(super) struct Half {
    /// Own stones next to the cell.
    pub(super) run: u8,
    /// What lies behind them; border if all five are own stones.
    pub(super) end: u8,
    /// Own stones.
    pub(super) stones: u8,
    /// The half window with a stone on each cell, [`NONE`] if it is not empty.
    pub(super) with_own: [u16; REACH],
    pub(super) with_other: [u16; REACH],
    /// The half window with the colours exchanged.
    pub(super) swapped: u16,
}

/// All half windows and their numbers.
pub(super) struct Halves {
    pub(super) all: Vec<Half>,
    /// Number by ten bits of a line, lowest bits nearest.
    pub(super) after: [u16; 1024],
    /// Number by ten bits of a line, highest bits nearest.
    pub(super) before: [u16; 1024],
}

pub(super) static HALVES_TABLE: LazyLock<Halves> = LazyLock::new(Halves::new);

/// Returns the number of a half window: those with the nearer border come first.
fn number(cells: [u8; REACH]) -> u16 {
    let length = cells.iter().position(|&c| c == BORDER).unwrap_or(REACH);
    let first = (3_u16.pow(length as u32) - 1) / 2;
    let digits = cells[..length].iter().rev();
    first + digits.fold(0, |code, &cell| code * 3 + u16::from(cell))
}

impl Halves {
    fn new() -> Self {
        let mut after = [0; 1024];
        let mut before = [0; 1024];
        let mut all: Vec<Option<Half>> = (0..HALVES).map(|_| None).collect();
        for code in 0..1024_usize {
            let mut cells: [u8; REACH] = std::array::from_fn(|at| (code >> (2 * at) & 3) as u8);
            // Behind the border is border.
            let border = cells.iter().position(|&c| c == BORDER).unwrap_or(REACH);
            cells[border..].fill(BORDER);
            after[code] = number(cells);
            let mirrored = (0..REACH).fold(0, |mirrored, at| mirrored << 2 | code >> (2 * at) & 3);
            before[mirrored] = after[code];
            all[usize::from(after[code])] = Some(Half::new(cells));
        }
        let all = all.into_iter().flatten().collect();
        Self { all, after, before }
    }
}

impl Half {
    fn new(cells: [u8; REACH]) -> Self {
        let run = cells.iter().take_while(|&&c| c == OWN).count();
        let with = |stone: u8| {
            std::array::from_fn(|at| {
                let mut cells = cells;
                if cells[at] != EMPTY {
                    return NONE;
                }
                cells[at] = stone;
                number(cells)
            })
        };
        Self {
            run: run as u8,
            end: cells.get(run).copied().unwrap_or(BORDER),
            stones: cells.iter().filter(|&&c| c == OWN).count() as u8,
            with_own: with(OWN),
            with_other: with(OTHER),
            swapped: number(cells.map(|cell| match cell {
                OWN => OTHER,
                OTHER => OWN,
                cell => cell,
            })),
        }
    }
}
