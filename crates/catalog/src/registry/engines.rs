//! The engines of Othello and of k in a row.

use papan_mnk::GridEngineOptions;
use papan_othello::book::BookPlayer;
use papan_othello::{EngineError, EngineStrategy, SmallEngine};
use papan_rules::{Bits, Gomoku, Grid, Othello};
use papan_strategies::available_mib;

use super::perfect::{knowing, knowing_at_gomoku};
use super::search::depth;
use super::{any_board, grids};
use crate::families::Builders;
use crate::strategy_info::{Arguments, Built, Parameter, ParameterKind, StrategyInfo};
use crate::user_book;

pub(super) const ENGINE: StrategyInfo = StrategyInfo {
    name: "engine",
    summary: "full-strength search: trained patterns and exact endgames in Othello, threat search and proofs for k in a row",
    document: None,
    parameters: &[
        Parameter {
            name: "depth",
            kind: ParameterKind::Number { min: 1, max: 60 },
            default: "as deep as the other limits allow",
            summary: "plies to look ahead",
        },
        Parameter {
            name: "nodes",
            kind: ParameterKind::Number {
                min: 1,
                max: u64::MAX,
            },
            default: "1000000, or 200000 for k in a row, if there is no other limit",
            summary: "nodes to search per move",
        },
        Parameter {
            name: "threads",
            kind: ParameterKind::Number { min: 1, max: 256 },
            default: "1",
            summary: "search threads",
        },
        Parameter {
            name: "hash",
            kind: ParameterKind::Number {
                min: 1,
                max: 1 << 20,
            },
            default: "64",
            summary: "size of the hash table in MiB",
        },
        Parameter {
            name: "book",
            kind: ParameterKind::Choice(&["on", "off"]),
            default: "on for Othello with a time limit",
            summary: "whether to use the opening book",
        },
    ],
    fits: any_board,
    builders: Builders {
        othello: Some(engine),
        gomoku: Some(gomoku_engine),
        ..grids!(grid_engine)
    },
};

fn engine(game: &Othello, arguments: &Arguments) -> Built<Othello> {
    let options = papan_othello::Options {
        threads: arguments.number("threads").unwrap_or(1) as usize,
        hash_mib: arguments
            .number("hash")
            .map_or(papan_othello::Options::DEFAULT_HASH_MIB, |mib| mib as usize),
    };
    let (depth, nodes) = (depth(arguments), arguments.number("nodes"));
    if game.side() < 8 {
        let engine = SmallEngine::new(game, &options)?;
        return Ok(Box::new(engine.with_limits(depth, nodes)));
    }
    let engine = EngineStrategy::new(&options)?.with_limits(depth, nodes);
    Ok(match arguments.word("book") {
        Some("off") => Box::new(engine),
        _ => Box::new(BookPlayer::new(user_book::with_bundled()?, engine)),
    })
}

fn grid_engine<B: Bits>(grid: &Grid<B>, arguments: &Arguments) -> Built<Grid<B>> {
    Ok(Box::new(knowing(grid, grid_options(arguments)?)?))
}

fn gomoku_engine(game: &Gomoku, arguments: &Arguments) -> Built<Gomoku> {
    Ok(Box::new(knowing_at_gomoku(game, grid_options(arguments)?)?))
}

fn grid_options(arguments: &Arguments) -> Result<GridEngineOptions, EngineError> {
    let hash_mib = arguments.number("hash").unwrap_or(64) as usize;
    let largest = available_mib();
    if hash_mib > largest {
        return Err(EngineError::HashTooLarge {
            asked: hash_mib,
            largest,
        });
    }
    Ok(GridEngineOptions {
        depth: depth(arguments),
        nodes: arguments.number("nodes"),
        threads: arguments.number("threads").unwrap_or(1) as usize,
        hash_mib,
        ..GridEngineOptions::default()
    })
}
