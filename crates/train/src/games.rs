//! Labelled games, the training data.

use papan_othello::{Board, Square};

/// A game from the start position, without passes, with labels where they are known.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Game {
    /// The moves.
    pub moves: Vec<Square>,
    /// For the position before each move: the final score with best play, for the side to move.
    pub labels: Vec<Option<i8>>,
}

const NO_LABEL: i8 = i8::MIN;

impl Game {
    /// Returns the labelled positions.
    pub fn positions(&self) -> Vec<(Board, i8)> {
        let mut board = Board::START;
        let mut positions = Vec::new();
        for (&square, label) in self.moves.iter().zip(&self.labels) {
            if board.moves().is_empty() {
                board = board.passed();
            }
            if let Some(label) = label {
                positions.push((board, *label));
            }
            match board.play(square) {
                Some(next) => board = next,
                None => break,
            }
        }
        positions
    }

    /// Appends the game in its binary form: number of moves, moves, labels.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.push(self.moves.len() as u8);
        out.extend(self.moves.iter().map(|square| square.index() as u8));
        out.extend(
            self.labels
                .iter()
                .map(|label| label.unwrap_or(NO_LABEL) as u8),
        );
    }

    /// Reads all games of a file, without a truncated one at the end.
    pub fn read_all(mut bytes: &[u8]) -> Vec<Self> {
        let mut games = Vec::new();
        while let Some((&len, rest)) = bytes.split_first() {
            let len = usize::from(len);
            if rest.len() < 2 * len {
                break;
            }
            let label = |&byte: &u8| (byte as i8 != NO_LABEL).then_some(byte as i8);
            let square = |&byte: &u8| Square::new(usize::from(byte));
            games.push(Self {
                moves: rest[..len].iter().map_while(square).collect(),
                labels: rest[len..2 * len].iter().map(label).collect(),
            });
            bytes = &rest[2 * len..];
        }
        games
    }
}
