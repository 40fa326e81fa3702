//! The notation in which a player types moves, so that answers use the same one.

use papan_catalog::AnyGame;
use papan_rules::{Move, Pieces};

/// A notation of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoveNotation {
    /// That of the game: `5`, `d3`.
    #[default]
    Usual,
    /// Row and column as digits, `34` for d3, as in document 001.
    RowColumn,
}

impl MoveNotation {
    /// Returns the notation of a move that a player typed; `None` if the text shows none.
    #[must_use]
    pub fn of(game: &AnyGame, text: &str) -> Option<Self> {
        if game.pieces() != Pieces::Discs {
            return None;
        }
        match text.trim().as_bytes() {
            [b'0'..=b'9', b'0'..=b'9'] => Some(Self::RowColumn),
            [b'a'..=b'z' | b'A'..=b'Z', b'0'..=b'9', ..] => Some(Self::Usual),
            _ => None,
        }
    }

    /// Formats a move.
    #[must_use]
    pub fn format(self, game: &AnyGame, mv: Move) -> String {
        match (self, mv.cell(), game.shape().sides()) {
            (Self::RowColumn, Some(cell), &[_, columns]) if game.pieces() == Pieces::Discs => {
                format!("{}{}", cell / columns + 1, cell % columns + 1)
            }
            _ => game.show_move(mv),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_is_read_as_it_is_written_in_either_notation() {
        let game: AnyGame = "othello".parse().unwrap();
        for cell in 0..game.cells() {
            for notation in [MoveNotation::Usual, MoveNotation::RowColumn] {
                let text = notation.format(&game, Move::on(cell));
                assert_eq!(game.parse_move(&text), Ok(Move::on(cell)), "{text}");
                assert_eq!(MoveNotation::of(&game, &text), Some(notation), "{text}");
            }
        }
        assert_eq!(MoveNotation::of(&game, "pass"), None);
        let large: AnyGame = "tictactoe:5x5".parse().unwrap();
        assert_eq!(MoveNotation::of(&large, "12"), None);
        assert_eq!(MoveNotation::RowColumn.format(&large, Move::on(6)), "7");
    }
}
