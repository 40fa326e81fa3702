//! The strategy that scores moves for `computer`, by game.

use papan_mnk::{GridEngine, GridEngineOptions, SearchMode};
use papan_othello::book::BookPlayer;
use papan_othello::{EngineStrategy, SmallEngine};
use papan_rules::{Bits, GameInfo, Gomoku, Grid, Othello, Symmetric};
use papan_strategies::{Mcts, Perfect, Strategy};

use super::levels::{self, is_solved};
use super::{Computer, Judge};
use crate::BoardInfo;
use crate::strategy_info::{Arguments, Built, Unplayable};
use crate::user_book;
use crate::weights_file::{WeightsFile, require_weights};

/// Hash tables of opponents are small: they are emptied before every move.
const SMALL_HASH_MIB: usize = 1;
const HASH_MIB: usize = 16;

/// At a grid: the engine's plain search, and the engine; exact values where it is solved.
pub(crate) fn at_grid<B: Bits>(grid: &Grid<B>, arguments: &Arguments) -> Built<Grid<B>> {
    let board = BoardInfo::of(grid);
    let level = levels::on_grid(&board, arguments);
    let judge = if is_solved(&board) && level.noise == 0 {
        exact()
    } else {
        grid_judge(grid)?
    };
    Ok(Box::new(Computer::new(level, judge, arguments)))
}

/// At gomoku and renju: the engine's plain search, and the engine.
pub(crate) fn at_gomoku(game: &Gomoku, arguments: &Arguments) -> Built<Gomoku> {
    WeightsFile::Gomoku.require()?;
    let level = levels::on_grid(&BoardInfo::of(game), arguments);
    let engine = |hash_mib, mode| GridEngine::at_gomoku(game, options(hash_mib, mode));
    let judge = Judge {
        weigher: Box::new(engine(SMALL_HASH_MIB, SearchMode::Plain)),
        best: Box::new(engine(HASH_MIB, SearchMode::Full)),
        unit: "value",
        may_remember: false,
    };
    Ok(Box::new(Computer::new(level, judge, arguments)))
}

fn options(hash_mib: usize, mode: SearchMode) -> GridEngineOptions {
    GridEngineOptions {
        hash_mib,
        mode,
        ..GridEngineOptions::default()
    }
}

fn grid_judge<B: Bits>(grid: &Grid<B>) -> Result<Judge<Grid<B>>, Unplayable> {
    require_weights(grid)?;
    let engine = |hash_mib, mode| GridEngine::new(grid, options(hash_mib, mode));
    Ok(Judge {
        weigher: Box::new(engine(SMALL_HASH_MIB, SearchMode::Plain)),
        best: Box::new(engine(HASH_MIB, SearchMode::Full)),
        unit: "value",
        may_remember: false,
    })
}

/// At Othello: the engine of its board, which weighs every move when asked for reasons; with
/// its book where it gives all that it has.
pub(crate) fn at_othello(game: &Othello, arguments: &Arguments) -> Built<Othello> {
    let level = levels::at_othello(game.side(), arguments);
    let engine = |hash_mib| -> Built<Othello> {
        let options = papan_othello::Options {
            threads: 1,
            hash_mib,
        };
        if game.side() < 8 {
            return Ok(Box::new(SmallEngine::new(game, &options)?));
        }
        let engine = EngineStrategy::new(&options)?;
        Ok(if level.patient {
            Box::new(BookPlayer::new(user_book::with_bundled()?, engine))
        } else {
            Box::new(engine)
        })
    };
    let judge = Judge {
        weigher: engine(SMALL_HASH_MIB)?,
        best: engine(HASH_MIB)?,
        unit: "discs",
        may_remember: false,
    };
    Ok(Box::new(Computer::new(level, judge, arguments)))
}

/// At any other game: exact values where it is solved, else games played by chance.
pub(crate) fn at_any_game<G: GameInfo + Symmetric>(game: &G, arguments: &Arguments) -> Built<G> {
    let board = BoardInfo::of(game);
    let level = levels::at_any_game(&board, arguments);
    let judge = if is_solved(&board) {
        exact()
    } else {
        by_chance()
    };
    Ok(Box::new(Computer::new(level, judge, arguments)))
}

/// Exact values; any of the best moves will do.
fn exact<G: Symmetric>() -> Judge<G> {
    let perfect = || -> Box<dyn Strategy<G>> { Box::new(Perfect::default()) };
    Judge {
        weigher: perfect(),
        best: perfect(),
        unit: "value",
        may_remember: true,
    }
}

fn by_chance<G: GameInfo + Symmetric>() -> Judge<G> {
    let sampling = || -> Box<dyn Strategy<G>> {
        Box::new(Mcts {
            playouts: None,
            seed: None,
        })
    };
    Judge {
        weigher: sampling(),
        best: sampling(),
        unit: "visits",
        may_remember: true,
    }
}
