//! A line of play: a start, the moves from it, and the position reached.

use crate::notation::split_moves;
use crate::{Game, IllegalMove, Move, Notation, NotationError};

/// A start, the moves from it, and the position reached.
///
/// ```
/// use papan_rules::{Line, tictactoe};
///
/// let game = tictactoe();
/// let mut line = Line::parse(&game, "5 1 9")?;
/// assert_eq!(line.ply(), 3);
/// line.undo(&game);
/// assert_eq!(line.text(&game), "5 1");
/// # Ok::<(), papan_rules::LineError>(())
/// ```
#[derive(Debug)]
pub struct Line<G: Game> {
    start: G::Position,
    moves: Vec<Move>,
    position: G::Position,
}

impl<G: Game> Clone for Line<G> {
    fn clone(&self) -> Self {
        Self {
            start: self.start.clone(),
            moves: self.moves.clone(),
            position: self.position.clone(),
        }
    }
}

impl<G: Game> Line<G> {
    /// Creates a line without moves from the game's start.
    pub fn new(game: &G) -> Self {
        Self::from_position(game.start())
    }

    /// Creates a line without moves from any position.
    pub fn from_position(start: G::Position) -> Self {
        Self {
            position: start.clone(),
            moves: Vec::new(),
            start,
        }
    }

    /// Plays one move.
    ///
    /// # Errors
    /// When it is illegal; the line is then unchanged.
    pub fn play(&mut self, game: &G, mv: Move) -> Result<(), IllegalMove> {
        game.play(&mut self.position, mv)?;
        self.moves.push(mv);
        Ok(())
    }

    /// Plays a move that the caller knows to be legal.
    #[inline]
    pub fn push(&mut self, game: &G, mv: Move) {
        game.play_unchecked(&mut self.position, mv);
        self.moves.push(mv);
    }

    /// Takes back the last move and returns it.
    pub fn undo(&mut self, game: &G) -> Option<Move> {
        let last = self.moves.pop()?;
        self.position = self.start.clone();
        for &mv in &self.moves {
            game.play_unchecked(&mut self.position, mv);
        }
        Some(last)
    }

    /// Removes all moves.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.position = self.start.clone();
    }

    /// Returns the position at which the line begins.
    #[must_use]
    pub fn start(&self) -> &G::Position {
        &self.start
    }

    /// Returns the moves.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the position after the moves.
    #[inline]
    #[must_use]
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// Returns the number of moves.
    #[must_use]
    pub fn ply(&self) -> usize {
        self.moves.len()
    }
}

impl<G: Notation> Line<G> {
    /// Parses a list of moves from the game's start.
    ///
    /// # Errors
    /// As [`Line::extend`].
    pub fn parse(game: &G, text: &str) -> Result<Self, LineError> {
        let mut line = Self::new(game);
        line.extend(game, text)?;
        Ok(line)
    }

    /// Plays a list of moves, separated by spaces or commas. Omitted passes, as in Othello
    /// transcripts, are inserted where a pass is the only move.
    ///
    /// # Errors
    /// When a word is not a move or an illegal one; the moves before it are played.
    pub fn extend(&mut self, game: &G, text: &str) -> Result<(), LineError> {
        for (offset, word) in split_moves(text, game.runs_together()) {
            let error = |cause| LineError {
                word: word.into(),
                offset,
                cause,
            };
            let mv = game.parse_move(word).map_err(|e| error(e.into()))?;
            let only_pass = || game.legal_moves(&self.position).eq([Move::PASS]);
            if mv != Move::PASS && only_pass() {
                self.push(game, Move::PASS);
            }
            self.play(game, mv).map_err(|e| error(e.into()))?;
        }
        Ok(())
    }

    /// Returns the moves as text that [`Line::parse`] reads: separated by spaces, or run together
    /// without passes where the game does so.
    #[must_use]
    pub fn text(&self, game: &G) -> String {
        let words = self.moves.iter();
        if game.runs_together() {
            // A final pass is kept, because no later move implies it.
            let last = self.moves.len().wrapping_sub(1);
            words
                .enumerate()
                .filter(|&(i, &mv)| mv != Move::PASS || i == last)
                .map(|(_, &mv)| game.format_move(mv))
                .collect()
        } else {
            let words: Vec<String> = words.map(|&mv| game.format_move(mv)).collect();
            words.join(" ")
        }
    }
}

/// An error in a list of moves, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move `{word}` at column {}: {cause}", offset + 1)]
pub struct LineError {
    /// The offending word.
    pub word: String,
    /// Its start in the text, in bytes from 0.
    pub offset: usize,
    /// The cause.
    pub cause: LineErrorCause,
}

/// The cause of an error in a list of moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineErrorCause {
    /// The word is not a move.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The move is illegal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Othello, tictactoe};

    #[test]
    fn a_line_says_where_it_breaks() {
        let error = Line::parse(&tictactoe(), "5, 1 5").unwrap_err();
        assert_eq!(
            error.to_string(),
            "move `5` at column 6: that cell is occupied"
        );
        let error = Line::parse(&Othello::default(), "f5d6z9").unwrap_err();
        assert_eq!((error.offset, error.word.as_str()), (4, "z9"));
    }

    #[test]
    fn undoing_leads_back_to_the_start() {
        let game = tictactoe();
        let mut line = Line::parse(&game, "1 2 3").unwrap();
        assert_eq!(line.undo(&game), Some(Move::on(2)));
        assert_eq!(line.text(&game), "1 2");
        line.undo(&game);
        line.undo(&game);
        assert_eq!(line.undo(&game), None);
        assert_eq!(*line.position(), game.start());
    }
}
