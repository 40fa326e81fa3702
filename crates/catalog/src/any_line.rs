//! Lines of play without their types, for front ends (type erasure).

use std::any::Any;
use std::sync::Arc;

use papan_rules::{
    IllegalMove, Line, LineError, Move, Outcome, Pieces, Player, PositionError, Record, RecordError,
};

use crate::{AnyGame, Family};

/// A line of play of some game.
pub trait AnyLine: Send + Sync {
    /// The game it is played in.
    fn game(&self) -> AnyGame;
    /// Whose turn it is.
    fn turn(&self) -> Player;
    /// The legal moves, first to last.
    fn legal_moves(&self) -> Vec<Move>;
    /// Checks whether a move is legal.
    ///
    /// # Errors
    /// When it is illegal, with the reason.
    fn check_move(&self, mv: Move) -> Result<(), IllegalMove>;
    /// Plays one move.
    ///
    /// # Errors
    /// When it is illegal.
    fn play(&mut self, mv: Move) -> Result<(), IllegalMove>;
    /// Plays a list of moves.
    ///
    /// # Errors
    /// When a word is no move or an illegal one; the moves before it are played.
    fn extend(&mut self, text: &str) -> Result<(), LineError>;
    /// Takes the last move back.
    fn undo(&mut self) -> Option<Move>;
    /// Returns the outcome, or `None` while the game is not over.
    fn outcome(&self) -> Option<Outcome>;
    /// The final score as a player sees it.
    fn final_score(&self, player: Player) -> i32;
    /// Returns the owner of the piece on a cell.
    fn piece(&self, cell: usize) -> Option<Player>;
    /// The cells that won together.
    fn winning_cells(&self) -> Vec<usize>;
    /// Returns the moves.
    fn moves(&self) -> &[Move];
    /// The moves as text.
    fn text(&self) -> String;
    /// The position as text, with the marks of the text that the line began with.
    fn position_text(&self) -> String;
    /// Returns whether O moves first, as in the position that the line began with.
    fn is_o_first(&self) -> bool;
    /// The record of this line.
    fn record(&self, players: [String; 2]) -> Record;
    /// Returns a copy of the line.
    fn clone_line(&self) -> Box<dyn AnyLine>;
    /// For finding the type again.
    fn as_any(&self) -> &dyn Any;
}

impl Clone for Box<dyn AnyLine> {
    fn clone(&self) -> Self {
        self.clone_line()
    }
}

/// A [`Line`] of a game of known type as an [`AnyLine`].
///
/// The type can be found again: code that is generic over [`Family`], such as a
/// [`GameVisitor`](crate::GameVisitor) or a [`Seat`](crate::Seat) from outside the catalog, gets at
/// the typed line behind a `dyn AnyLine` with [`TypedLine::of`].
///
/// ```
/// use std::sync::Arc;
/// use papan_catalog::{AnyLine, Family, GameVisitor, TypedLine};
///
/// /// Counts the symmetric images of a position.
/// struct CountImages<'a>(&'a dyn AnyLine);
///
/// impl GameVisitor for CountImages<'_> {
///     type Output = usize;
///
///     fn visit<G: Family>(self, game: &Arc<G>) -> usize {
///         let line = TypedLine::of(game, self.0).expect("the game of this line is visited");
///         let images = game.symmetries().iter().map(|s| game.transform(line.position(), s));
///         images.map(|image| game.pack(&image)).collect::<std::collections::HashSet<_>>().len()
///     }
/// }
///
/// let game: papan_catalog::AnyGame = "tictactoe".parse()?;
/// let mut line = game.line();
/// line.extend("1")?;
/// assert_eq!(game.visit(CountImages(&*line)), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TypedLine<G: Family> {
    game: Arc<G>,
    line: Line<G>,
    is_o_first: bool,
}

/// Returns the text of a position with X and O exchanged.
fn exchanged(text: &str) -> String {
    let exchange = |letter: char| match letter {
        'X' => 'O',
        'O' => 'X',
        'x' => 'o',
        'o' => 'x',
        other => other,
    };
    text.chars().map(exchange).collect()
}

impl<G: Family> TypedLine<G> {
    /// Starts a line at the beginning of the game.
    #[must_use]
    pub fn new(game: &Arc<G>) -> Self {
        Self::from_line(game, Line::new(game))
    }

    /// Starts a line at a position.
    #[must_use]
    pub fn from_position(game: &Arc<G>, position: G::Position) -> Self {
        Self::from_line(game, Line::from_position(position))
    }

    /// Starts a line at a position given as text. On boards with marks a position on which O began is
    /// read as one on which X did, and written again with O first.
    ///
    /// # Errors
    /// When the text is no position of this game, whoever began.
    pub fn parse(game: &Arc<G>, text: &str) -> Result<Self, PositionError> {
        let error = match game.parse_position(text) {
            Ok(position) => return Ok(Self::from_position(game, position)),
            Err(error) => error,
        };
        if game.pieces() != Pieces::Marks {
            return Err(error);
        }
        let position = game.parse_position(&exchanged(text)).map_err(|_| error)?;
        Ok(Self {
            is_o_first: true,
            ..Self::from_position(game, position)
        })
    }

    /// Replays a record, which may start at a position on which O began.
    ///
    /// # Errors
    /// With line and column, when a move or the result is wrong.
    pub fn of_record(game: &Arc<G>, record: &Record) -> Result<Self, RecordError> {
        let start = record.start.clone().unwrap_or_default();
        let is_o_first = Self::parse(game, &start).is_ok_and(|line| line.is_o_first);
        if !is_o_first {
            return Ok(Self::from_line(game, record.line(&**game)?));
        }
        let mut record = record.clone();
        record.start = Some(exchanged(&start));
        Ok(Self {
            is_o_first,
            ..Self::from_line(game, record.line(&**game)?)
        })
    }

    /// Continues a line.
    #[must_use]
    pub fn from_line(game: &Arc<G>, line: Line<G>) -> Self {
        Self {
            line,
            game: Arc::clone(game),
            is_o_first: false,
        }
    }

    /// Returns the typed line behind `line` if it belongs to this very game value: two boards of
    /// different size share a Rust type.
    #[must_use]
    pub fn of<'a>(game: &Arc<G>, line: &'a dyn AnyLine) -> Option<&'a Line<G>> {
        let typed = line.as_any().downcast_ref::<Self>()?;
        Arc::ptr_eq(&typed.game, game).then_some(&typed.line)
    }
}

impl<G: Family> AnyLine for TypedLine<G> {
    fn game(&self) -> AnyGame {
        Arc::clone(&self.game).any()
    }
    fn turn(&self) -> Player {
        self.game.turn(self.line.position())
    }
    fn legal_moves(&self) -> Vec<Move> {
        self.game.legal_moves(self.line.position()).collect()
    }
    fn check_move(&self, mv: Move) -> Result<(), IllegalMove> {
        self.game.check_move(self.line.position(), mv)
    }
    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.line.play(&self.game, mv)
    }
    fn extend(&mut self, text: &str) -> Result<(), LineError> {
        self.line.extend(&self.game, text)
    }
    fn undo(&mut self) -> Option<Move> {
        self.line.undo(&self.game)
    }
    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome(self.line.position())
    }
    fn final_score(&self, player: Player) -> i32 {
        self.game.final_score(self.line.position(), player)
    }
    fn piece(&self, cell: usize) -> Option<Player> {
        self.game.piece(self.line.position(), cell)
    }
    fn winning_cells(&self) -> Vec<usize> {
        self.game.winning_cells(self.line.position())
    }
    fn moves(&self) -> &[Move] {
        self.line.moves()
    }
    fn text(&self) -> String {
        self.line.text(&self.game)
    }
    fn position_text(&self) -> String {
        let text = self.game.format_position(self.line.position());
        if self.is_o_first {
            exchanged(&text)
        } else {
            text
        }
    }
    fn is_o_first(&self) -> bool {
        self.is_o_first
    }
    fn record(&self, players: [String; 2]) -> Record {
        let mut record = Record::of(&*self.game, &self.line, players);
        if self.is_o_first {
            record.start = record.start.as_deref().map(exchanged);
        }
        record
    }
    fn clone_line(&self) -> Box<dyn AnyLine> {
        Box::new(Self {
            game: Arc::clone(&self.game),
            line: self.line.clone(),
            is_o_first: self.is_o_first,
        })
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use crate::AnyGame;

    #[test]
    fn a_position_on_which_o_began_keeps_its_marks() {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let text = "O---X-O-- X";
        let mut line = game.line_from(text).unwrap();
        assert!(line.is_o_first());
        assert_eq!(line.position_text(), text);
        assert_eq!(line.clone_line().position_text(), text);
        line.extend("4").unwrap();
        assert_eq!(line.position_text(), "O--XX-O-- O");
        let record = line.record(["a".into(), "b".into()]);
        let again = game.line_of(&record).unwrap();
        assert_eq!(again.position_text(), "O--XX-O-- O");
        // X first is read as before, and a board that is none either way is refused.
        let usual = game.line_from("X---O-X-- O").unwrap();
        assert!(!usual.is_o_first());
        assert!(game.line_from("OO------- X").is_err());
    }
}
