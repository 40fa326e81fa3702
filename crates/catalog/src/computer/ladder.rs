//! How well each level plays on which board. The numbers are measured: each level scores
//! 60 to 80 % against the one below, until both play perfectly (`docs/strategies.md`).

use std::ops::RangeInclusive;

use crate::Facts;
use crate::recipe::Arguments;
use crate::recipes::most_solvable;

/// Every level.
pub const LEVELS: RangeInclusive<u64> = 0..=10;
/// The level of whoever has not chosen one.
pub const USUAL_LEVEL: u64 = 3;

/// How well somebody plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rung {
    /// Plies that it looks ahead, in hundredths: with 150, one in half of the positions and
    /// two in the others. Without, as far as the nodes reach.
    sight: Option<u32>,
    /// How far its judgement of a move is off (the standard deviation), in hundredths of what
    /// the judge counts; 0 for the judge's best move.
    pub(super) slack: u32,
    /// Nodes for each move.
    pub(super) nodes: Option<u64>,
    /// For how many plies, and by how much, it errs at least, so that games differ.
    variety: (usize, u32),
    /// Whether it takes all that a limit allows; its nodes are for where there is none.
    pub(super) patient: bool,
}

impl Rung {
    /// How far it sees this time; `random` decides about the last ply.
    pub(super) fn sight_at(&self, random: u64) -> Option<u32> {
        let sight = self.sight?;
        let further = random % 100 < u64::from(sight % 100);
        Some(sight / 100 + u32::from(further))
    }

    /// How far its judgement is off so early or late in the game.
    pub(super) fn slack_at(&self, ply: usize) -> i64 {
        let (plies, least) = self.variety;
        let least = if ply < plies { least } else { 0 };
        i64::from(self.slack.max(least))
    }
}

/// Sees so far and errs by so much.
const fn sees(sight: u32, slack: u32, variety: (usize, u32)) -> Rung {
    Rung {
        sight: Some(sight),
        slack,
        nodes: Some(100_000),
        variety,
        patient: false,
    }
}

/// Plays as well as so many nodes allow.
const fn nodes(nodes: u64, variety: (usize, u32)) -> Rung {
    Rung {
        sight: None,
        slack: 0,
        nodes: Some(nodes),
        variety,
        patient: false,
    }
}

/// All that there is; with as many nodes as take about a second where nothing limits it.
const fn all(usual: u64, variety: (usize, u32)) -> Rung {
    Rung {
        patient: true,
        ..nodes(usual, variety)
    }
}

/// Boards that are solved: exact values at the top, any of equal moves.
const SOLVED_VARIETY: (usize, u32) = (usize::MAX, 1);
const SOLVED: [Rung; 11] = [
    sees(20, 3_000, SOLVED_VARIETY),
    sees(60, 2_000, SOLVED_VARIETY),
    sees(100, 1_500, SOLVED_VARIETY),
    sees(180, 1_000, SOLVED_VARIETY),
    sees(300, 500, SOLVED_VARIETY),
    all(u64::MAX, SOLVED_VARIETY),
    all(u64::MAX, SOLVED_VARIETY),
    all(u64::MAX, SOLVED_VARIETY),
    all(u64::MAX, SOLVED_VARIETY),
    all(u64::MAX, SOLVED_VARIETY),
    all(u64::MAX, SOLVED_VARIETY),
];

const GRID_VARIETY: (usize, u32) = (3, 400);
const SMALL_GRID: [Rung; 11] = [
    sees(20, 8_000, GRID_VARIETY),
    sees(60, 6_000, GRID_VARIETY),
    sees(100, 4_000, GRID_VARIETY),
    sees(100, 2_000, GRID_VARIETY),
    sees(150, 1_000, GRID_VARIETY),
    sees(200, 500, GRID_VARIETY),
    nodes(300, GRID_VARIETY),
    nodes(1_000, GRID_VARIETY),
    nodes(5_000, GRID_VARIETY),
    nodes(30_000, GRID_VARIETY),
    all(400_000, GRID_VARIETY),
];

const OTHELLO_VARIETY: (usize, u32) = (8, 60);
const OTHELLO: [Rung; 11] = [
    sees(100, 1_200, OTHELLO_VARIETY),
    sees(100, 700, OTHELLO_VARIETY),
    sees(100, 400, OTHELLO_VARIETY),
    sees(200, 300, OTHELLO_VARIETY),
    sees(300, 200, OTHELLO_VARIETY),
    sees(400, 100, OTHELLO_VARIETY),
    sees(500, 50, OTHELLO_VARIETY),
    nodes(4_000, OTHELLO_VARIETY),
    nodes(20_000, OTHELLO_VARIETY),
    nodes(200_000, OTHELLO_VARIETY),
    all(10_000_000, OTHELLO_VARIETY),
];

const SMALL_OTHELLO: [Rung; 11] = OTHELLO;

/// Where nothing is known of a game but its rules: games played by chance.
const ANY: [Rung; 11] = [
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
pub(super) fn on_grid(facts: &Facts, arguments: &Arguments) -> Rung {
    let ladder = match is_solved(facts) {
        true => &SOLVED,
        false => &SMALL_GRID,
    };
    at(ladder, arguments)
}

/// How well a level plays Othello.
pub(super) fn at_othello(side: usize, arguments: &Arguments) -> Rung {
    let ladder = match side {
        8 => &OTHELLO,
        _ => &SMALL_OTHELLO,
    };
    at(ladder, arguments)
}

/// How well a level plays any other game.
pub(super) fn at_any_game(facts: &Facts, arguments: &Arguments) -> Rung {
    let ladder = match is_solved(facts) {
        true => &SOLVED,
        false => &ANY,
    };
    at(ladder, arguments)
}

/// The rung of a level, changed as the arguments say.
fn at(ladder: &[Rung; 11], arguments: &Arguments) -> Rung {
    let level = arguments.number("level").unwrap_or(USUAL_LEVEL);
    let mut rung = ladder[level.min(*LEVELS.end()) as usize];
    if let Some(nodes) = arguments.number("nodes") {
        (rung.nodes, rung.sight, rung.slack) = (Some(nodes), None, 0);
    }
    if let Some(sight) = arguments.number("sight") {
        rung.sight = Some(sight as u32);
    }
    if let Some(slack) = arguments.number("slack") {
        rung.slack = slack as u32;
    }
    rung
}

/// Whether the exact values of a board are found while one waits.
pub(super) fn is_solved(facts: &Facts) -> bool {
    facts.empty <= most_solvable(facts)
}
