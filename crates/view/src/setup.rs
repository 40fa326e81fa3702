//! Board setup: a position that need not be legal, as in a board editor (shakmaty's `Setup`).

use std::fmt;

use papan_catalog::{AnyGame, AnyLine};
use papan_rules::{Move, Player, PositionError, parse_cells};

use crate::{BoardView, CellView, Marks};

/// A position that is being set up. Its `Display` is the text form of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The piece on each cell.
    pub cells: Vec<Option<Player>>,
    /// The side to move.
    pub turn: Player,
}

impl Setup {
    /// Returns the position at the end of a line of play.
    #[must_use]
    pub fn of(line: &dyn AnyLine) -> Self {
        let marks = Marks::of(line);
        // The editor shows pieces as they are written.
        let written = |player: Player| match marks {
            Marks::XO => player,
            Marks::OX => player.other(),
        };
        let cells = (0..line.game().cells()).map(|cell| line.piece(cell).map(written));
        Self {
            cells: cells.collect(),
            turn: written(line.turn()),
        }
    }

    /// Parses a position, legal or not.
    ///
    /// # Errors
    /// When the number of cells is wrong or the side to move is missing.
    pub fn parse(game: &AnyGame, text: &str) -> Result<Self, PositionError> {
        let (cells, turn) = parse_cells(text, game.cells())?;
        Ok(Self { cells, turn })
    }

    /// Returns a line of play that starts here.
    ///
    /// # Errors
    /// When the position is not legal.
    pub fn line(&self, game: &AnyGame) -> Result<Box<dyn AnyLine>, PositionError> {
        game.line_from(&self.to_string())
    }

    /// Corrects the side to move where the number of pieces determines it.
    pub fn correct_turn(&mut self, game: &AnyGame) {
        if let Err(PositionError::Turn { right }) = self.line(game) {
            self.turn = right;
        }
    }

    /// Returns the board without legal moves and results.
    #[must_use]
    pub fn view(&self, game: &AnyGame) -> BoardView {
        let count = |player| {
            self.cells
                .iter()
                .filter(|cell| **cell == Some(player))
                .count()
        };
        let cells = self.cells.iter().enumerate().map(|(cell, piece)| CellView {
            name: game.show_move(Move::on(cell)),
            written: game.format_move(Move::on(cell)),
            piece: *piece,
            ..CellView::default()
        });
        BoardView {
            game: game.name(),
            sides: game.shape().sides().to_vec(),
            pieces: game.pieces(),
            marks: Marks::XO,
            properties: game.properties(),
            names_squares: game.names_squares(),
            cells: cells.collect(),
            turn: self.turn,
            counts: Player::BOTH.map(count),
            outcome: None,
            passed: false,
        }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |piece: Option<Player>| match piece {
            Some(Player::First) => 'X',
            Some(Player::Second) => 'O',
            None => '-',
        };
        let cells: String = self.cells.iter().map(|&piece| letter(piece)).collect();
        write!(f, "{cells} {}", letter(Some(self.turn)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_setup_is_the_text_of_its_position() {
        let game: AnyGame = "othello".parse().unwrap();
        let mut line = game.line();
        line.extend("f5d6").unwrap();
        let setup = Setup::of(&*line);
        assert_eq!(setup.to_string(), line.position_text());
        assert_eq!(Setup::parse(&game, &setup.to_string()), Ok(setup.clone()));
        let again = setup.line(&game).unwrap();
        assert_eq!(again.legal_moves(), line.legal_moves());
        let view = setup.view(&game);
        assert_eq!(view.counts, BoardView::of(&*line).counts);
    }

    #[test]
    fn illegal_setups_are_kept_and_the_turn_is_corrected() {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let impossible = Setup::parse(&game, "XXX------ O").unwrap();
        assert!(impossible.line(&game).is_err());
        let mut one = Setup::parse(&game, "X-------- X").unwrap();
        one.correct_turn(&game);
        assert_eq!(one.turn, Player::Second);
        assert!(one.line(&game).is_ok());
    }
}
