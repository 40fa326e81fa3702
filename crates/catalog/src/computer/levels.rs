//! Levels of `computer`: search depth, noise and variety by board. The numbers are measured: each
//! level scores 60 to 80 % against the one below, until both play perfectly (`docs/strategies.md`).

use std::ops::RangeInclusive;

use crate::BoardInfo;
use crate::registry::most_solvable;
use crate::strategy_info::Arguments;

/// Every level.
pub const LEVELS: RangeInclusive<u64> = 0..=10;
/// The default level.
pub const DEFAULT_LEVEL: u64 = 3;

/// A level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    /// Plies that it looks ahead, in hundredths: with 150, one in half of the positions and
    /// two in the others. Without, as far as the nodes reach.
    depth: Option<u32>,
    /// How far its judgement of a move is off (the standard deviation), in hundredths of what
    /// the judge counts; 0 for the judge's best move.
    pub(super) noise: u32,
    /// Nodes for each move.
    pub(super) nodes: Option<u64>,
    /// For how many plies, and by how much, it errs at least, so that games differ.
    variety: (usize, u32),
    /// Whether it uses everything that a limit allows; `nodes` applies without a limit.
    pub(super) patient: bool,
}

impl Level {
    /// How far it sees this time; `random` decides about the last ply.
    pub(super) fn depth_at(&self, random: u64) -> Option<u32> {
        let depth = self.depth?;
        let further = random % 100 < u64::from(depth % 100);
        Some(depth / 100 + u32::from(further))
    }

    /// How far its judgement is off so early or late in the game.
    pub(super) fn noise_at(&self, ply: usize) -> i64 {
        let (plies, least) = self.variety;
        let least = if ply < plies { least } else { 0 };
        i64::from(self.noise.max(least))
    }
}

/// Creates a level of this depth and noise.
const fn sees(depth: u32, noise: u32, variety: (usize, u32)) -> Level {
    Level {
        depth: Some(depth),
        noise,
        nodes: Some(100_000),
        variety,
        patient: false,
    }
}

/// Creates a level limited by nodes.
const fn nodes(nodes: u64, variety: (usize, u32)) -> Level {
    Level {
        depth: None,
        noise: 0,
        nodes: Some(nodes),
        variety,
        patient: false,
    }
}

/// All that there is; with as many nodes as take about a second where nothing limits it.
const fn all(usual: u64, variety: (usize, u32)) -> Level {
    Level {
        patient: true,
        ..nodes(usual, variety)
    }
}

/// Any of the moves that are equally good.
const ANY_OF_EQUALS: (usize, u32) = (usize::MAX, 1);

/// Boards that are solved: exact values from level 4 on.
const SOLVED: [Level; 11] = [
    sees(0, 100_000, ANY_OF_EQUALS),
    sees(100, 30_000, ANY_OF_EQUALS),
    sees(170, 16_000, ANY_OF_EQUALS),
    sees(260, 12_000, ANY_OF_EQUALS),
    all(u64::MAX, ANY_OF_EQUALS),
    all(u64::MAX, ANY_OF_EQUALS),
    all(u64::MAX, ANY_OF_EQUALS),
    all(u64::MAX, ANY_OF_EQUALS),
    all(u64::MAX, ANY_OF_EQUALS),
    all(u64::MAX, ANY_OF_EQUALS),
    all(u64::MAX, ANY_OF_EQUALS),
];

const GRID_VARIETY: (usize, u32) = (3, 400);

/// Flat boards of up to a hundred cells, measured on 7x7:5.
const SMALL_GRID: [Level; 11] = [
    sees(121, 17_200, GRID_VARIETY),
    sees(184, 12_000, GRID_VARIETY),
    sees(241, 8_000, GRID_VARIETY),
    sees(288, 5_400, GRID_VARIETY),
    sees(356, 2_500, GRID_VARIETY),
    nodes(6_000, GRID_VARIETY),
    nodes(12_000, GRID_VARIETY),
    nodes(20_000, GRID_VARIETY),
    nodes(40_000, GRID_VARIETY),
    nodes(100_000, GRID_VARIETY),
    all(400_000, GRID_VARIETY),
];

/// Boards of more than two dimensions, measured on 4x4x4.
const CUBE: [Level; 11] = [
    sees(113, 18_000, GRID_VARIETY),
    sees(168, 13_200, GRID_VARIETY),
    sees(217, 9_600, GRID_VARIETY),
    sees(275, 6_200, GRID_VARIETY),
    sees(334, 3_500, GRID_VARIETY),
    sees(378, 1_930, GRID_VARIETY),
    sees(405, 900, GRID_VARIETY),
    nodes(1_000, GRID_VARIETY),
    nodes(4_300, GRID_VARIETY),
    nodes(19_000, GRID_VARIETY),
    all(400_000, GRID_VARIETY),
];

/// Larger flat boards, measured on 15x15:5.
const LARGE_GRID: [Level; 11] = [
    sees(90, 20_000, GRID_VARIETY),
    sees(150, 14_800, GRID_VARIETY),
    sees(226, 9_250, GRID_VARIETY),
    sees(276, 6_100, GRID_VARIETY),
    sees(310, 4_450, GRID_VARIETY),
    sees(350, 2_900, GRID_VARIETY),
    nodes(120, GRID_VARIETY),
    nodes(550, GRID_VARIETY),
    nodes(2_500, GRID_VARIETY),
    nodes(14_000, GRID_VARIETY),
    all(300_000, GRID_VARIETY),
];

const OTHELLO_VARIETY: (usize, u32) = (8, 60);

/// Othello on 8x8.
const OTHELLO: [Level; 11] = [
    sees(300, 1_300, OTHELLO_VARIETY),
    sees(395, 960, OTHELLO_VARIETY),
    sees(453, 723, OTHELLO_VARIETY),
    sees(505, 540, OTHELLO_VARIETY),
    sees(546, 413, OTHELLO_VARIETY),
    sees(586, 299, OTHELLO_VARIETY),
    nodes(14_000, OTHELLO_VARIETY),
    nodes(60_000, OTHELLO_VARIETY),
    nodes(200_000, OTHELLO_VARIETY),
    nodes(800_000, OTHELLO_VARIETY),
    all(10_000_000, OTHELLO_VARIETY),
];

/// Othello on fewer squares, measured on 6x6.
const SMALL_OTHELLO: [Level; 11] = [
    sees(104, 4_400, OTHELLO_VARIETY),
    sees(324, 1_370, OTHELLO_VARIETY),
    sees(385, 800, OTHELLO_VARIETY),
    sees(430, 520, OTHELLO_VARIETY),
    sees(470, 300, OTHELLO_VARIETY),
    sees(515, 130, OTHELLO_VARIETY),
    nodes(1_400, OTHELLO_VARIETY),
    nodes(5_700, OTHELLO_VARIETY),
    nodes(30_000, OTHELLO_VARIETY),
    nodes(500_000, OTHELLO_VARIETY),
    all(10_000_000, OTHELLO_VARIETY),
];

/// Where nothing is known of a game but its rules: games played by chance.
const ANY: [Level; 11] = [
    nodes(1, (0, 0)),
    nodes(3, (0, 0)),
    nodes(8, (0, 0)),
    nodes(20, (0, 0)),
    nodes(60, (0, 0)),
    nodes(150, (0, 0)),
    nodes(400, (0, 0)),
    nodes(1_000, (0, 0)),
    nodes(3_000, (0, 0)),
    nodes(10_000, (0, 0)),
    all(50_000, (0, 0)),
];

/// How well a level plays on a grid.
pub(super) fn on_grid(board: &BoardInfo, arguments: &Arguments) -> Level {
    let levels = match board.sides.len() {
        _ if is_solved(board) => &SOLVED,
        3.. => &CUBE,
        _ if board.cells <= 100 => &SMALL_GRID,
        _ => &LARGE_GRID,
    };
    at(levels, arguments)
}

/// How well a level plays Othello.
pub(super) fn at_othello(side: usize, arguments: &Arguments) -> Level {
    let levels = match side {
        8 => &OTHELLO,
        _ => &SMALL_OTHELLO,
    };
    at(levels, arguments)
}

/// How well a level plays any other game.
pub(super) fn at_any_game(board: &BoardInfo, arguments: &Arguments) -> Level {
    let levels = if is_solved(board) { &SOLVED } else { &ANY };
    at(levels, arguments)
}

fn at(levels: &[Level; 11], arguments: &Arguments) -> Level {
    let level = arguments.number("level").unwrap_or(DEFAULT_LEVEL);
    levels[level.min(*LEVELS.end()) as usize]
}

/// Whether the exact values of a board are found while one waits.
pub(super) fn is_solved(board: &BoardInfo) -> bool {
    board.empty <= most_solvable(board)
}
