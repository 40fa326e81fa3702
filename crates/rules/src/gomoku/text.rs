//! Notation of gomoku: squares with rows counted from the bottom, as on a go board.

use super::{Gomoku, GomokuPosition, GomokuRule, USUAL_SIDE};
use crate::notation::{self, column_name};
use crate::{
    Bits as _, Game as _, GameInfo, Move, Notation, NotationError, Pieces, Player, PositionError,
    Shape, Wide,
};

impl Notation for Gomoku {
    fn format_move(&self, mv: Move) -> String {
        let side = self.side();
        mv.cell().map_or_else(
            || "pass".into(),
            |cell| format!("{}{}", column_name(cell % side), side - cell / side),
        )
    }

    fn names_squares(&self) -> bool {
        true
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let text = text.trim();
        let side = self.side();
        let expected = || format!("a square from a1 to {}{side}", column_name(side - 1));
        if text.is_empty() {
            return Err(NotationError::Empty);
        }
        match notation::parse_square(text) {
            Some((row, column)) if (1..=side).contains(&row) && column < side => {
                Ok(Move::on((side - row) * side + column))
            }
            Some(_) => Err(NotationError::OutOfRange {
                text: text.into(),
                expected: expected(),
            }),
            None => Err(NotationError::NotAMove {
                text: text.into(),
                expected: expected(),
            }),
        }
    }

    fn position(
        &self,
        cells: &[Option<Player>],
        turn: Player,
    ) -> Result<GomokuPosition, PositionError> {
        let mut pos = self.start();
        for (cell, piece) in cells.iter().enumerate() {
            if let Some(player) = piece {
                let stones = &mut pos.stones[player.index()];
                *stones = *stones | Wide::single(cell);
                pos.plies += 1;
            }
        }
        let [first, second] = pos.stones.map(|set| set.count());
        if !(second..=second + 1).contains(&first) {
            return Err(PositionError::Counts { first, second });
        }
        if pos.turn() != turn {
            return Err(PositionError::Turn { right: pos.turn() });
        }
        if !self.won_runs(&pos, turn).is_empty() {
            return Err(PositionError::WonAlready(turn));
        }
        // All winning runs must share the last move.
        let won = self.won_runs(&pos, turn.other());
        pos.won = !won.is_empty();
        if let Some(shared) = won.into_iter().reduce(|a, b| a & b)
            && shared.is_empty()
        {
            return Err(PositionError::WonTwice(turn.other()));
        }
        Ok(pos)
    }
}

impl GameInfo for Gomoku {
    fn name(&self) -> String {
        let side = self.side();
        let family = match self.rule {
            GomokuRule::Renju => "renju",
            _ => "gomoku",
        };
        let size = if side == USUAL_SIDE {
            String::new()
        } else {
            format!(":{side}x{side}")
        };
        let rule = match self.rule {
            GomokuRule::Freestyle | GomokuRule::Renju => String::new(),
            rule => format!(":{}", rule.name()),
        };
        format!("{family}{size}{rule}")
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn pieces(&self) -> Pieces {
        Pieces::Stones
    }

    fn winning_length(&self) -> Option<usize> {
        Some(super::FIVE)
    }

    fn is_mnk(&self) -> bool {
        self.rule() == GomokuRule::Freestyle
    }

    fn lines_through(&self, cell: usize) -> Vec<Vec<usize>> {
        let lines = self.lines.iter().filter(|line| line.contains(cell));
        lines.map(|line| line.cells().collect()).collect()
    }

    fn winning_cells(&self, pos: &GomokuPosition) -> Vec<usize> {
        let runs = self.won_runs(pos, pos.turn().other());
        let all = runs.into_iter().reduce(|a, b| a | b);
        all.map_or_else(Vec::new, |set| set.cells().collect())
    }
}
