//! Games with labels: what the fitting learns from.

use papan_othello::{Board, Square};

/// A game from the start, passes left out, with the score of each position where it is known.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Game {
    /// The squares, in order.
    pub moves: Vec<Square>,
    /// For the position before each move: the final score with good play, from its mover's side.
    pub labels: Vec<Option<i8>>,
}

const NO_LABEL: i8 = i8::MIN;

impl Game {
    /// The labelled positions.
    pub fn positions(&self) -> Vec<(Board, i8)> {
        let mut board = Board::START;
        let mut list = Vec::new();
        for (&square, label) in self.moves.iter().zip(&self.labels) {
            if board.moves().is_empty() {
                board = board.passed();
            }
            if let Some(label) = label {
                list.push((board, *label));
            }
            match board.play(square) {
                Some(next) => board = next,
                None => break,
            }
        }
        list
    }

    /// The game as bytes: its length, the moves, the labels.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.push(self.moves.len() as u8);
        out.extend(self.moves.iter().map(|square| square.index() as u8));
        out.extend(
            self.labels
                .iter()
                .map(|label| label.unwrap_or(NO_LABEL) as u8),
        );
    }

    /// All games of a file; a game cut off at the end is left out.
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
