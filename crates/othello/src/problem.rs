//! Test positions with known scores, in the OBF format of Edax.

use crate::board::Board;
use crate::board::square::Square;

/// A position with the known scores of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its line in the file, counted from 1.
    pub line: usize,
    /// The position from the mover's point of view.
    pub board: Board,
    /// Whether black is to move.
    pub black: bool,
    /// Moves with their known scores for the mover; `None` is a pass.
    pub scores: Vec<(Option<Square>, i32)>,
}

impl Problem {
    /// Returns the score of the best known move.
    pub fn best_score(&self) -> Option<i32> {
        self.scores.iter().map(|&(_, score)| score).max()
    }

    /// Formats the position as a line of an OBF file, without the line break.
    pub fn format(&self) -> String {
        let (black, white) = if self.black {
            (self.board.me(), self.board.opp())
        } else {
            (self.board.opp(), self.board.me())
        };
        let mut text = String::new();
        for square in 0..64 {
            text.push(match (black >> square & 1, white >> square & 1) {
                (1, _) => 'X',
                (_, 1) => 'O',
                _ => '-',
            });
        }
        text.push_str(if self.black { " X;" } else { " O;" });
        for &(square, score) in &self.scores {
            let name = square.map_or_else(|| "ps".into(), |square| square.to_string());
            text.push_str(&format!(" {}:{score:+};", name.to_uppercase()));
        }
        text
    }
}
