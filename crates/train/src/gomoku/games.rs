//! Self-play games of five in a row and their file format.
//!
//! A file is a sequence of games. A game begins with the rule, the side of the board, the number of
//! random moves at its start and the result for First (0 lost, 1 drawn, 2 won), one byte each, then
//! the number of moves and each move: its cell and its score for the mover, two bytes each, low byte
//! first.

use papan_rules::GomokuRule;

/// A move of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The cell.
    pub cell: u16,
    /// The score of the search for the mover.
    pub score: i16,
}

/// A self-play game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GomokuGame {
    /// The rule.
    pub rule: GomokuRule,
    /// The side of the board.
    pub side: u8,
    /// The number of random moves at the start.
    pub random: u8,
    /// The result for First: 0 lost, 1 drawn, 2 won.
    pub result: u8,
    /// The moves.
    pub moves: Vec<ScoredMove>,
}

impl GomokuGame {
    /// Appends the game to the contents of a file.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend([self.rule.code(), self.side, self.random, self.result]);
        out.extend((self.moves.len() as u16).to_le_bytes());
        for mv in &self.moves {
            out.extend(mv.cell.to_le_bytes());
            out.extend(mv.score.to_le_bytes());
        }
    }

    /// Reads the games of a file, up to the first that is damaged or incomplete.
    #[must_use]
    pub fn read_all(mut file: &[u8]) -> Vec<Self> {
        let mut games = Vec::new();
        while let Some((game, rest)) = Self::read(file) {
            games.push(game);
            file = rest;
        }
        games
    }

    fn read(file: &[u8]) -> Option<(Self, &[u8])> {
        let (&[rule, side, random, result, low, high], rest) = file.split_first_chunk()?;
        let rule = GomokuRule::ALL.into_iter().find(|r| r.code() == rule)?;
        let count = usize::from(u16::from_le_bytes([low, high]));
        let (moves, rest) = rest.split_at_checked(4 * count)?;
        let cells = u16::from(side) * u16::from(side);
        let moves: Vec<ScoredMove> = moves
            .chunks_exact(4)
            .map(|bytes| ScoredMove {
                cell: u16::from_le_bytes([bytes[0], bytes[1]]),
                score: i16::from_le_bytes([bytes[2], bytes[3]]),
            })
            .collect();
        let is_legal = (5..=20).contains(&side)
            && result <= 2
            && moves.iter().all(|mv| mv.cell < cells)
            && usize::from(random) <= count;
        let game = Self {
            rule,
            side,
            random,
            result,
            moves,
        };
        is_legal.then_some((game, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_back_and_a_torn_one_is_left_out() {
        let game = GomokuGame {
            rule: GomokuRule::Renju,
            side: 15,
            random: 1,
            result: 2,
            moves: vec![
                ScoredMove {
                    cell: 112,
                    score: -7,
                };
                3
            ],
        };
        let mut file = Vec::new();
        game.write(&mut file);
        game.write(&mut file);
        assert_eq!(GomokuGame::read_all(&file), [game.clone(), game.clone()]);
        file.pop();
        assert_eq!(GomokuGame::read_all(&file), [game]);
    }
}
