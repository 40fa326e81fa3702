//! A line of play: a start, the moves from it, and where they led.

use crate::notation::split_moves;
use crate::{Game, IllegalMove, Move, Notation, NotationError};

/// A start, the moves from it, and where they led.
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
    /// The line without moves from the game's own start.
    pub fn new(game: &G) -> Self {
        Self::from_position(game.start())
    }

    /// The line without moves from any position.
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

    /// Takes the last move back and returns it.
    pub fn undo(&mut self, game: &G) -> Option<Move> {
        let last = self.moves.pop()?;
        self.position = self.start.clone();
        for &mv in &self.moves {
            game.play_unchecked(&mut self.position, mv);
        }
        Some(last)
    }

    /// Forgets all moves; the line is at its start again.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.position = self.start.clone();
    }

    /// Where the line began.
    #[must_use]
    pub fn start(&self) -> &G::Position {
        &self.start
    }

    /// The moves so far.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Where the moves led.
    #[inline]
    #[must_use]
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// How many moves were made.
    #[must_use]
    pub fn ply(&self) -> usize {
        self.moves.len()
    }
}

impl<G: Notation> Line<G> {
    /// The line that a list of moves makes from the game's start.
    ///
    /// # Errors
    /// As [`Line::extend`].
    pub fn parse(game: &G, text: &str) -> Result<Self, LineError> {
        let mut line = Self::new(game);
        line.extend(game, text)?;
        Ok(line)
    }

    /// Plays a list of moves, separated by spaces or commas. A pass that was left
    /// out, as Othello transcripts do, is put in where there is no other move.
    ///
    /// # Errors
    /// When a word is no move or an illegal one; the moves before it are played.
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

    /// The moves as text that [`Line::parse`] reads back: separated by spaces, or
    /// run together without passes where that is the game's custom.
    #[must_use]
    pub fn text(&self, game: &G) -> String {
        let words = self.moves.iter();
        if game.runs_together() {
            // A pass at the end is kept: nothing after it would show it.
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

/// Where a list of moves goes wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move `{word}` at column {}: {cause}", offset + 1)]
pub struct LineError {
    /// The word at fault.
    pub word: String,
    /// Where it starts in the text, in bytes from 0.
    pub offset: usize,
    /// What is wrong with it.
    pub cause: LineErrorCause,
}

/// What is wrong with a word in a list of moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineErrorCause {
    /// It is no move.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// It is an illegal one.
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
