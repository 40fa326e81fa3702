//! Games by name, without their types (an enum with a visitor).

use std::fmt;

use papan_rules::{
    Game, GameInfo, GomokuRule, Move, Notation, NotationError, Pieces, Player, PositionError,
    Properties, Record, RecordError, Shape, perft_with,
};
use papan_strategies::Limits;

use crate::any_line::{AnyLine, TypedLine};
use crate::families::with_game;
use crate::seat::{Seat, TypedSeat};
use crate::{
    AnyGame, FAMILIES, Family, FamilyEntry, GameError, GameVisitor, StrategySpec, Unplayable,
};

impl AnyGame {
    /// Runs a job, monomorphised for this game's type.
    pub fn visit<V: GameVisitor>(&self, visitor: V) -> V::Output {
        with_game!(self, game => visitor.visit(game))
    }

    /// The game's name; parsing it gives the same game again.
    #[must_use]
    pub fn name(&self) -> String {
        with_game!(self, game => game.name())
    }

    /// The sides of the board.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        with_game!(self, game => game.shape())
    }

    /// Returns the properties of every position of the game.
    #[must_use]
    pub fn properties(&self) -> Properties {
        with_game!(self, game => game.properties())
    }

    /// Returns the name of the family: the game's name without the size.
    #[must_use]
    pub fn family(&self) -> &'static FamilyEntry {
        let name = self.name();
        let family = name.split(':').next();
        let mut entries = FAMILIES.iter();
        entries
            .find(|entry| Some(entry.name) == family)
            .expect("every game is of a family")
    }

    /// How the pieces on the board are drawn.
    #[must_use]
    pub fn pieces(&self) -> Pieces {
        with_game!(self, game => game.pieces())
    }

    /// Returns the rule if the game is gomoku or renju.
    #[must_use]
    pub fn gomoku_rule(&self) -> Option<GomokuRule> {
        match self {
            Self::Gomoku(game) => Some(game.rule()),
            _ => None,
        }
    }

    /// Whether the game may begin with a swap opening: no player can complete a line of four or more
    /// with the stones of it.
    #[must_use]
    pub fn has_swap_openings(&self) -> bool {
        let length = with_game!(self, game => game.winning_length());
        length.is_some_and(|length| length > 3)
    }

    /// Returns the game of five in a row with this rule on a board of these sides: a grid under the
    /// freestyle rule, which any rectangle may have, else gomoku or renju.
    ///
    /// # Errors
    /// When there is no such board.
    pub fn five_in_a_row(rows: usize, columns: usize, rule: GomokuRule) -> Result<Self, GameError> {
        match rule {
            GomokuRule::Freestyle => format!("tictactoe:{rows}x{columns}:5").parse(),
            rule => format!("gomoku:{rows}x{columns}:{}", rule.name()).parse(),
        }
    }

    /// How many cells the board has.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.shape().cells()
    }

    /// A move as people are shown it, `h8` on large flat boards.
    #[must_use]
    pub fn show_move(&self, mv: Move) -> String {
        with_game!(self, game => game.show_move(mv))
    }

    /// Several moves as people are shown them, between spaces.
    #[must_use]
    pub fn show_moves(&self, moves: &[Move]) -> String {
        let words: Vec<String> = moves.iter().map(|&mv| self.show_move(mv)).collect();
        words.join(" ")
    }

    /// Whether people know the cells by their squares, `h8`, and not by numbers.
    #[must_use]
    pub fn names_squares(&self) -> bool {
        with_game!(self, game => game.names_squares())
    }

    /// A move as files and programs write it.
    #[must_use]
    pub fn format_move(&self, mv: Move) -> String {
        with_game!(self, game => game.format_move(mv))
    }

    /// Reads one move; it is on the board, but need not be legal.
    ///
    /// # Errors
    /// When the text is no move of this board.
    pub fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        with_game!(self, game => game.parse_move(text))
    }

    /// A line of play without moves.
    #[must_use]
    pub fn line(&self) -> Box<dyn AnyLine> {
        with_game!(self, game => Box::new(TypedLine::new(game)))
    }

    /// A line of play that starts from a position, written as text.
    ///
    /// # Errors
    /// When the text is no position of this board.
    pub fn line_from(&self, position: &str) -> Result<Box<dyn AnyLine>, PositionError> {
        with_game!(self, game => {
            Ok(Box::new(TypedLine::parse(game, position)?))
        })
    }

    /// Replays a record of this game.
    ///
    /// # Errors
    /// With line and column, when a move or the result is wrong.
    pub fn line_of(&self, record: &Record) -> Result<Box<dyn AnyLine>, RecordError> {
        with_game!(self, game => {
            Ok(Box::new(TypedLine::of_record(game, record)?))
        })
    }

    /// Checks whether a strategy can be seated here, without building it: no file is read and no
    /// memory allocated. Missing resources are reported when it is seated.
    ///
    /// # Errors
    /// When the strategy cannot play this board.
    pub fn can_seat(
        &self,
        spec: impl AsRef<StrategySpec>,
        limits: &Limits,
    ) -> Result<(), Unplayable> {
        with_game!(self, game => game.can_seat(spec.as_ref(), limits, None))
    }

    /// The same for one of the two seats: on some boards a strategy has a proof for one
    /// player only.
    ///
    /// # Errors
    /// When the strategy cannot play this board in that seat.
    pub fn can_seat_as(
        &self,
        spec: impl AsRef<StrategySpec>,
        limits: &Limits,
        seat: Player,
    ) -> Result<(), Unplayable> {
        with_game!(self, game => game.can_seat(spec.as_ref(), limits, Some(seat)))
    }

    /// Seats a strategy at this very game value.
    ///
    /// # Errors
    /// When the strategy cannot play this board.
    pub fn seat(
        &self,
        spec: impl AsRef<StrategySpec>,
        limits: &Limits,
    ) -> Result<Box<dyn Seat>, Unplayable> {
        with_game!(self, game => {
            let strategy = game.strategy(spec.as_ref(), limits)?;
            Ok(Box::new(TypedSeat::new(game, strategy)))
        })
    }

    /// Counts move paths; `None` when `go_on` returned false.
    ///
    /// # Panics
    /// When the line belongs to another game value.
    pub fn perft(
        &self,
        line: &dyn AnyLine,
        depth: u32,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<u64> {
        with_game!(self, game => {
            let line = TypedLine::of(game, line).expect("a line of this very game");
            perft_with(&**game, line.position(), depth, go_on)
        })
    }

    /// Returns the winning lines through a cell; empty in games without them.
    #[must_use]
    pub fn winning_lines_through(&self, cell: usize) -> Vec<Vec<usize>> {
        with_game!(self, game => GameInfo::lines_through(&**game, cell))
    }

    /// The largest final score there is.
    #[must_use]
    pub fn best_score(&self) -> i32 {
        with_game!(self, game => game.best_score())
    }
}

impl fmt::Debug for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyGame").field(&self.name()).finish()
    }
}
