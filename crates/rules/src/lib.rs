//! Rules of two-player board games of perfect information.
//!
//! A [`Game`] is a value: `Grid::new(&[4, 4, 4], 4)` holds the winning lines of that board, and its
//! positions stay small plain data. There are three families, [`Grid`] (m,n,k-games in one to four
//! dimensions), [`Gomoku`] (five in a row under the rules of clubs) and [`Othello`], and the parts that all games share: moves, players, outcomes, lines
//! of play, notation, records and perft.
//!
//! ```
//! use papan_rules::{Game, Line, Outcome, Player, tictactoe};
//!
//! let game = tictactoe();
//! let line = Line::parse(&game, "5 1 3 7 4 6 2 8 9")?;
//! assert_eq!(game.outcome(line.position()), Some(Outcome::Draw));
//!
//! // A game ends at its winning move.
//! let line = Line::parse(&game, "1 4 2 5 3")?;
//! assert_eq!(game.outcome(line.position()), Some(Outcome::Win(Player::First)));
//! # Ok::<(), papan_rules::LineError>(())
//! ```

mod bits;
pub mod conformance;
pub mod fnv;
mod game;
mod game_info;
mod gomoku;
mod grid;
mod line;
mod moves;
mod notation;
mod othello;
mod perft;
mod player;
mod playout;
mod position_text;
mod properties;
mod record;
mod sanitize;
mod split_mix;
mod swap;
mod symmetry;
mod wide_product;

pub use bits::{Bits, CellMoves, Cells, Wide};
pub use game::{Forbidden, Game, IllegalMove};
pub use game_info::{GameInfo, Pieces};
pub use gomoku::{Gomoku, GomokuError, GomokuPosition, GomokuRule};
pub use grid::{
    Grid, GridError, GridPosition, GridSize, MAX_CELLS, MAX_DIMENSIONS, stored_game_name, tictactoe,
};
pub use line::{Line, LineError, LineErrorCause};
pub use moves::Move;
pub use notation::{Notation, NotationError, column_name};
pub use othello::{Othello, OthelloError, OthelloPosition};
pub use perft::{perft, perft_with};
pub use player::{Outcome, Player};
pub use playout::play_out;
pub use position_text::{PositionError, parse_cells};
pub use properties::{Properties, ScoreUnit};
pub use record::{Comment, Record, RecordError, RecordProblem, RecordResult};
pub use sanitize::{sanitize, sanitize_lines};
pub use split_mix::SplitMix;
pub use swap::{SwapAction, SwapChoice, SwapError, SwapOpening, SwapRule, SwapStep};
pub use symmetry::{Shape, Symmetric, Symmetry};
pub use wide_product::WideProduct;
