//! Notation of m,n,k-games: names of boards, moves and positions.

use super::{Grid, GridPosition};
use crate::notation;
use crate::{
    Bits, Game as _, GameInfo, Move, Notation, NotationError, Pieces, Player, PositionError, Shape,
};

impl<B: Bits> Notation for Grid<B> {
    fn format_move(&self, mv: Move) -> String {
        mv.cell()
            .map_or_else(|| "pass".into(), |cell| (cell + 1).to_string())
    }

    fn show_move(&self, mv: Move) -> String {
        let square = |cell| notation::square(cell, self.shape());
        match mv.cell().filter(|_| self.names_squares()).and_then(square) {
            Some(square) => square,
            None => self.format_move(mv),
        }
    }

    /// Flat boards with a side above nine use squares, where cell numbers are long and say little.
    fn names_squares(&self) -> bool {
        matches!(self.shape().sides(), [rows, columns] if *rows.max(columns) > 9)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        notation::parse_cell_number(text, self.shape())
    }

    fn position(
        &self,
        cells: &[Option<Player>],
        turn: Player,
    ) -> Result<GridPosition<B>, PositionError> {
        let mut pos = self.start();
        for (cell, piece) in cells.iter().enumerate() {
            if let Some(player) = piece {
                let stones = &mut pos.stones[player.index()];
                *stones = *stones | B::single(cell);
                pos.plies += 1;
            }
        }
        let [first, second] = pos.stones.map(Bits::count);
        if !(second..=second + 1).contains(&first) {
            return Err(PositionError::Counts { first, second });
        }
        if pos.turn() != turn {
            return Err(PositionError::Turn { right: pos.turn() });
        }
        if self.completed(pos.stones(turn)).next().is_some() {
            return Err(PositionError::WonAlready(turn));
        }
        // All completed lines must share the last move.
        let mut completed = self.completed(pos.stones(turn.other())).peekable();
        if completed.peek().is_some() {
            pos.won = true;
            if completed.reduce(|a, b| a & b).is_none_or(Bits::is_empty) {
                return Err(PositionError::WonTwice(turn.other()));
            }
        }
        Ok(pos)
    }
}

impl<B: Bits> GameInfo for Grid<B> {
    fn name(&self) -> String {
        match self.size.to_string().as_str() {
            "3x3" => "tictactoe".into(),
            size => format!("tictactoe:{size}"),
        }
    }

    fn shape(&self) -> &Shape {
        &self.size.shape
    }

    fn pieces(&self) -> Pieces {
        Pieces::Marks
    }

    fn winning_length(&self) -> Option<usize> {
        Some(self.size.length)
    }

    fn is_mnk(&self) -> bool {
        true
    }

    fn lines_through(&self, cell: usize) -> Vec<Vec<usize>> {
        let lines = self.winning_lines_through(cell).iter();
        lines.map(|line| line.cells().collect()).collect()
    }

    fn winning_cells(&self, pos: &GridPosition<B>) -> Vec<usize> {
        self.completed(pos.stones(pos.turn().other()))
            .reduce(|a, b| a | b)
            .map_or_else(Vec::new, |set| set.cells().collect())
    }
}
