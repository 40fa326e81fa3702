//! Searches: minimax and alpha-beta, Monte Carlo tree search, random moves.

use papan_rules::Game;
use papan_strategies::{AlphaBeta, AlphaBetaAsPrinted, Limits, Mcts, Minimax, Prefer, Random};

use super::{SEED, any_board};
use crate::BoardInfo;
use crate::families::every_game;
use crate::strategy_info::{Arguments, Built, Parameter, ParameterKind, StrategyInfo, Unplayable};

const DEPTH: Parameter = Parameter {
    name: "depth",
    kind: ParameterKind::Number { min: 1, max: 400 },
    default: "to the end of the game",
    summary: "plies to look ahead",
};
const PREFER: Parameter = Parameter {
    name: "prefer",
    kind: ParameterKind::Choice(&["first", "shortest"]),
    default: "first",
    summary: "among moves of equal value: the first, or the one that wins sooner or loses later",
};

pub(super) const MINIMAX: StrategyInfo = StrategyInfo {
    name: "minimax",
    summary: "searches every game to the end and picks the move with the best worst case",
    document: Some("002"),
    parameters: &[DEPTH, PREFER],
    fits: |board, arguments, limits| within_depth("minimax", 10, board, arguments, limits),
    builders: every_game!(minimax),
};

pub(super) const ALPHABETA: StrategyInfo = StrategyInfo {
    name: "alphabeta",
    summary: "plays the same moves as minimax, but skips branches that cannot matter",
    document: Some("002"),
    parameters: &[
        DEPTH,
        PREFER,
        Parameter {
            name: "pseudo-code",
            kind: ParameterKind::Choice(&["corrected", "as-printed"]),
            default: "corrected",
            summary: "the document's pseudo-code as it is meant, or line by line as printed",
        },
    ],
    fits: |board, arguments, limits| within_depth("alphabeta", 12, board, arguments, limits),
    builders: every_game!(alphabeta),
};

pub(super) const RANDOM: StrategyInfo = StrategyInfo {
    name: "random",
    summary: "plays a random legal move",
    document: None,
    parameters: &[SEED],
    fits: any_board,
    builders: every_game!(random),
};

pub(super) const MCTS: StrategyInfo = StrategyInfo {
    name: "mcts",
    summary: "plays many random games and follows the moves that win most often (UCT)",
    document: None,
    parameters: &[
        Parameter {
            name: "playouts",
            kind: ParameterKind::Number {
                min: 1,
                max: 100_000_000,
            },
            default: "1000, or as many as the time limit allows",
            summary: "random games per move",
        },
        SEED,
    ],
    fits: any_board,
    builders: every_game!(mcts),
};

/// A search that has a depth or other limits, or can do without: the whole of a
/// board with more cells than `most_cells` would take too long.
fn within_depth(
    strategy: &'static str,
    most_cells: usize,
    board: &BoardInfo,
    arguments: &Arguments,
    limits: &Limits,
) -> Result<(), Unplayable> {
    let limited = arguments.number("depth").is_some() || *limits != Limits::default();
    if limited || board.cells <= most_cells {
        return Ok(());
    }
    Err(Unplayable::NeedsDepth {
        strategy,
        board: board.label(),
    })
}

pub(super) fn depth(arguments: &Arguments) -> Option<u32> {
    arguments.number("depth").map(|depth| depth as u32)
}

pub(crate) fn prefer(arguments: &Arguments) -> Prefer {
    match arguments.word("prefer") {
        Some("shortest") => Prefer::Shortest,
        _ => Prefer::First,
    }
}

fn minimax<G: Game>(_: &G, arguments: &Arguments) -> Built<G> {
    Ok(Box::new(Minimax {
        depth: depth(arguments),
        prefer: prefer(arguments),
    }))
}

fn alphabeta<G: Game>(_: &G, arguments: &Arguments) -> Built<G> {
    let depth = depth(arguments);
    if arguments.word("pseudo-code") == Some("as-printed") {
        return Ok(Box::new(AlphaBetaAsPrinted { depth }));
    }
    Ok(Box::new(AlphaBeta {
        depth,
        prefer: prefer(arguments),
    }))
}

fn random<G: Game>(_: &G, arguments: &Arguments) -> Built<G> {
    Ok(Box::new(Random {
        seed: arguments.number("seed"),
    }))
}

fn mcts<G: Game>(_: &G, arguments: &Arguments) -> Built<G> {
    let playouts = arguments.number("playouts").map(|playouts| playouts as u32);
    Ok(Box::new(Mcts {
        playouts,
        seed: arguments.number("seed"),
    }))
}
