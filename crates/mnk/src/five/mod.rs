//! Five in a row on flat boards, by the rule: freestyle, standard, renju, caro.
//!
//! | module | concept |
//! |---|---|
//! | `half`, `line_class`, `tables` | threats that a stone makes in one direction and in all four |
//! | `board` | these classes for every empty cell, incrementally |
//! | `renju` | forbidden points |
//! | `vcf` | continuous fours |
//! | `weights` | evaluation and move ordering |
//! | `move_picker`, `search`, `root`, `pruning`, `defence` | principal variation search |
//! | `training`, `weights_file` | what training reads and writes |
//! | `plain` | the search of weaker opponents |

mod board;
mod defence;
mod geometry;
mod half;
mod line_class;
mod move_picker;
mod plain;
mod pruning;
mod renju;
mod root;
mod search;
mod tables;
mod training;
mod vcf;
mod weights;
mod weights_file;

use std::sync::Arc;

use papan_rules::{Bits, Gomoku, GomokuRule, Grid, Player};

use self::geometry::Geometry;
use self::tables::Tables;
pub use self::training::TrainingBoard;
use self::weights::Values;
pub use self::weights::{GomokuTable, GomokuWeights};
pub use self::weights_file::GomokuWeightsError;
use crate::lines::Cell;
use crate::state::State;

pub(crate) use self::board::Board;
pub(crate) use self::move_picker::move_score;
pub(crate) use self::search::Search;
pub(crate) use self::tables::MoveClass;

/// What all positions of a board of five in a row share.
#[derive(Clone)]
pub(crate) struct FiveInARow {
    empty: Board,
}

impl FiveInARow {
    fn new(rows: usize, columns: usize, rule: GomokuRule) -> Self {
        let tables = Tables::of(rule);
        let geometry = Arc::new(Geometry::new(rows, columns));
        Self {
            empty: Board::new(
                &geometry,
                &tables,
                &Arc::new(Values::new(&tables, &GomokuWeights::current())),
            ),
        }
    }

    /// Returns the board of a grid, if it is flat and five in a row fits into it.
    pub(crate) fn of_grid<B: Bits>(grid: &Grid<B>) -> Option<Self> {
        let sides = papan_rules::GameInfo::shape(grid).sides();
        GomokuWeights::are_for(sides, grid.length())
            .then(|| Self::new(sides[0], sides[1], GomokuRule::Freestyle))
    }

    /// Returns the board of a game of gomoku.
    pub(crate) fn of_gomoku(game: &Gomoku) -> Self {
        Self::new(game.side(), game.side(), game.rule())
    }

    pub(crate) fn rule(&self) -> GomokuRule {
        self.empty.rule()
    }

    /// Returns the board with the stones of a position.
    pub(crate) fn board(&self, state: &State) -> Board {
        let mut board = self.empty.clone();
        for cell in 0..state.lines().cells() as Cell {
            if let Some(player) = state.owner(cell) {
                board.put(cell, player);
            }
        }
        board
    }
}

/// Returns the replies to the fours of an attacker that may stop them.
pub(crate) fn replies(board: &Board, attacker: Player) -> papan_rules::Wide {
    if board.count_of(attacker, MoveClass::Five) > 1 && board.rule() != GomokuRule::Caro {
        return board.cells(attacker, MoveClass::Five);
    }
    vcf::replies_to_four(board, attacker)
}
