//! Registry of strategies: the list, with an entry for each. The entries are grouped by kind.

mod engines;
mod perfect;
mod rules;
mod search;

#[cfg(test)]
use papan_rules::Game;
use papan_strategies::Limits;

use crate::BoardInfo;
use crate::computer::{self, LEVELS, at_any_game};
use crate::families::{Builders, every_game};
#[cfg(test)]
use crate::page_examples::last::Last;
#[cfg(test)]
use crate::strategy_info::Built;
use crate::strategy_info::{Arguments, Parameter, ParameterKind, StrategyInfo, Unplayable};

pub(crate) use perfect::most_solvable;
pub(crate) use rules::transition_table;
pub(crate) use search::prefer;

/// Builders for a strategy that thinks in winning lines.
macro_rules! grids {
    ($build:ident) => {
        Builders {
            grid: Some($build),
            wide_grid: Some($build),
            ..Builders::NONE
        }
    };
}

use grids;

/// A strategy that plays every board of its games.
fn any_board(_: &BoardInfo, _: &Arguments, _: &Limits) -> Result<(), Unplayable> {
    Ok(())
}

const SEED: Parameter = Parameter {
    name: "seed",
    kind: ParameterKind::Number {
        min: 0,
        max: u64::MAX,
    },
    default: "the game's seed",
    summary: "seed for random choices",
};

const COMPUTER: StrategyInfo = StrategyInfo {
    name: "computer",
    summary: "plays at a chosen level, from a complete beginner to full strength",
    document: None,
    parameters: &[
        Parameter {
            name: "level",
            kind: ParameterKind::Number {
                min: *LEVELS.start(),
                max: *LEVELS.end(),
            },
            default: "3",
            summary: "playing strength",
        },
        SEED,
    ],
    fits: any_board,
    builders: {
        let mut builders = every_game!(at_any_game);
        builders.grid = Some(computer::at_grid);
        builders.wide_grid = Some(computer::at_grid);
        builders.gomoku = Some(computer::at_gomoku);
        builders.othello = Some(computer::at_othello);
        builders
    },
};

/// Every strategy, in the order in which they are listed.
pub static STRATEGIES: &[StrategyInfo] = &[
    COMPUTER,
    rules::AUTOMATON,
    search::MINIMAX,
    search::ALPHABETA,
    rules::BRANCH_AND_BOUND,
    rules::EXPERT,
    rules::GREEDY,
    rules::GREEDY_POINTS,
    search::RANDOM,
    search::MCTS,
    perfect::PERFECT,
    rules::LOOKUP,
    engines::ENGINE,
    #[cfg(test)]
    StrategyInfo {
        name: "last",
        summary: "plays the last cell",
        document: None,
        parameters: &[],
        fits: any_board,
        builders: every_game!(last),
    },
];

/// The entry of every strategy from outside. It is not listed, and no text names it.
pub(crate) static GUEST_INFO: StrategyInfo = StrategyInfo {
    name: "program",
    summary: "asks another program",
    document: None,
    parameters: &[],
    fits: any_board,
    builders: Builders::NONE,
};

/// The recipe of this name.
#[must_use]
pub fn strategy_info(name: &str) -> Option<&'static StrategyInfo> {
    STRATEGIES.iter().find(|info| info.name == name)
}

#[cfg(test)]
fn last<G: Game>(_: &G, _: &Arguments) -> Built<G> {
    Ok(Box::new(Last))
}
