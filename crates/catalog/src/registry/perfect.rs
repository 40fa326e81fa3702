//! Perfect play: solved boards and bundled proofs.

use papan_mnk::{GridEngine, GridEngineOptions};
use papan_rules::{Bits, Gomoku, Grid, Symmetric};
use papan_strategies::Perfect;

use crate::BoardInfo;
use crate::bundled_certificates::BundledCertificate;
use crate::families::every_game;
use crate::strategy_info::{Arguments, Built, StrategyInfo, Unplayable};
use crate::weights_file::{WeightsFile, require_weights};

pub(super) const PERFECT: StrategyInfo = StrategyInfo {
    name: "perfect",
    summary: "plays perfectly on boards small enough to solve, and from bundled proofs on others",
    document: None,
    parameters: &[],
    fits: |board, _, _| is_solvable("perfect", board),
    builders: {
        let mut builders = every_game!(perfect);
        builders.grid = Some(perfect_on_grid);
        builders.wide_grid = Some(perfect_on_grid);
        builders.gomoku = Some(perfect_at_gomoku);
        builders
    },
};

/// Maximum number of empty cells that `perfect` solves in a few seconds.
const SOLVABLE: usize = 20;
/// The same for games with flipping pieces, where winning lines do not help pruning.
const SOLVABLE_TURNING: usize = 12;
/// With three in a row and room for it both ways, the first player wins quickly.
const SOLVABLE_THREES: usize = 64;

/// How many cells may be empty where `perfect` is to solve a position.
pub(crate) fn most_solvable(board: &BoardInfo) -> usize {
    let wide_sides = board.sides.iter().filter(|side| **side >= 3).count();
    match board.winning_length {
        Some(1..=3) if wide_sides >= 2 => SOLVABLE_THREES,
        _ if board.fills_up => SOLVABLE,
        _ => SOLVABLE_TURNING,
    }
}

/// Checks whether a board is solved in a few seconds, or has a proof for the player.
fn is_solvable(strategy: &'static str, board: &BoardInfo) -> Result<(), Unplayable> {
    if board.empty <= most_solvable(board) {
        return Ok(());
    }
    let label = board.label();
    let bundled = board.certificate();
    let proved = bundled.map_or(&[][..], BundledCertificate::players);
    match board.seat {
        _ if bundled.is_some_and(|certificate| certificate.bytes().is_none()) => {
            Err(Unplayable::NoCertificate {
                strategy,
                board: label,
                file: bundled.map_or("", |certificate| certificate.file_name),
            })
        }
        _ if proved.is_empty() => Err(Unplayable::TooLarge {
            strategy,
            board: label,
        }),
        Some(player) if !proved.contains(&player) => Err(Unplayable::OtherSeat {
            strategy,
            board: label,
            player,
        }),
        _ => Ok(()),
    }
}

/// Exact values where the board is solved while one waits, else the proof that there is; the
/// engine where that does not reach.
fn perfect_on_grid<B: Bits>(grid: &Grid<B>, arguments: &Arguments) -> Built<Grid<B>> {
    let board = BoardInfo::of(grid);
    if board.empty <= most_solvable(&board) {
        return perfect(grid, arguments);
    }
    Ok(Box::new(knowing(grid, GridEngineOptions::default())?))
}

/// The proof of the board: no board of gomoku is small enough for exact search.
fn perfect_at_gomoku(game: &Gomoku, _: &Arguments) -> Built<Gomoku> {
    Ok(Box::new(knowing_at_gomoku(
        game,
        GridEngineOptions::default(),
    )?))
}

/// Returns the engine with the proofs of the board.
pub(super) fn knowing<B: Bits>(
    grid: &Grid<B>,
    options: GridEngineOptions,
) -> Result<GridEngine, Unplayable> {
    require_weights(grid)?;
    Ok(with_proofs_of(
        &BoardInfo::of(grid),
        GridEngine::new(grid, options),
    ))
}

/// Returns the engine of gomoku and renju with the proofs of the board, which exist for freestyle.
pub(super) fn knowing_at_gomoku(
    game: &Gomoku,
    options: GridEngineOptions,
) -> Result<GridEngine, Unplayable> {
    WeightsFile::Gomoku.require()?;
    Ok(with_proofs_of(
        &BoardInfo::of(game),
        GridEngine::at_gomoku(game, options),
    ))
}

fn with_proofs_of(board: &BoardInfo, engine: GridEngine) -> GridEngine {
    match board.certificate() {
        Some(certificate) => engine.with_proofs(certificate.lookup(&board.sides)),
        None => engine,
    }
}

fn perfect<G: Symmetric>(_: &G, _: &Arguments) -> Built<G> {
    Ok(Box::new(Perfect::default()))
}
