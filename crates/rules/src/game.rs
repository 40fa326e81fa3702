//! The trait that every game fulfils.

use std::fmt::Debug;
use std::hash::Hash;

use crate::position_text;
use crate::{Move, NotationError, Outcome, Player, PositionError, Shape, Symmetry};

/// The rules of one game on one board, as a value.
///
/// A position is a snapshot that only makes sense together with the game value
/// it came from. No method allocates per move.
pub trait Game: Send + Sync + 'static {
    /// A snapshot of play.
    type Position: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// Iterates over legal moves without allocating.
    type Moves: Iterator<Item = Move> + Clone;
    /// A position as plain ordered data, exact: equal if and only if the
    /// positions are. A hash would not be enough for a proof.
    type Packed: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// The name by which the catalog finds this very game, `tictactoe:4x4`.
    fn name(&self) -> String;
    /// The sides of the board.
    fn shape(&self) -> &Shape;
    /// What stands on the board, for whoever draws it.
    fn pieces(&self) -> Pieces;

    /// The position before the first move.
    fn start(&self) -> Self::Position;
    /// Whose turn it is; after the end, whose it would be.
    fn turn(&self, pos: &Self::Position) -> Player;
    /// The legal moves, first to last; empty exactly when [`Game::outcome`] is `Some`.
    fn legal_moves(&self, pos: &Self::Position) -> Self::Moves;
    /// Plays a move that the caller knows to be legal. An illegal one leaves a
    /// position without meaning, but never panics for a move of this board.
    fn play_unchecked(&self, pos: &mut Self::Position, mv: Move);
    /// How the game ended, or `None` while it goes on.
    fn outcome(&self, pos: &Self::Position) -> Option<Outcome>;
    /// Why a move is illegal here; `None` when it is legal.
    fn objection(&self, pos: &Self::Position, mv: Move) -> Option<IllegalMove>;

    /// Whose piece stands on a cell.
    fn piece(&self, pos: &Self::Position, cell: usize) -> Option<Player>;
    /// The position with these cells, `turn` to move.
    ///
    /// # Errors
    /// When no game can lead there.
    fn position(
        &self,
        cells: &[Option<Player>],
        turn: Player,
    ) -> Result<Self::Position, PositionError>;
    /// The exact packed form.
    fn pack(&self, pos: &Self::Position) -> Self::Packed;
    /// The symmetries of the board under which the rules do not change, the
    /// identity first.
    fn symmetries(&self) -> &[Symmetry];
    /// The position as it looks after a symmetry.
    fn transform(&self, pos: &Self::Position, symmetry: &Symmetry) -> Self::Position;

    /// A move in this game's own notation.
    fn format_move(&self, mv: Move) -> String;
    /// Reads one move, in any notation that the game understands. The move is on
    /// the board, but need not be legal.
    ///
    /// # Errors
    /// When the text is no move of this board.
    fn parse_move(&self, text: &str) -> Result<Move, NotationError>;
    /// A position as text: its cells in order, then the side to move.
    fn format_position(&self, pos: &Self::Position) -> String
    where
        Self: Sized,
    {
        position_text::format(self, pos)
    }
    /// Reads a position as [`Game::format_position`] writes it; spaces, newlines
    /// and `/` between rows are ignored.
    ///
    /// # Errors
    /// When the text is no position of this board, or one that cannot arise.
    fn parse_position(&self, text: &str) -> Result<Self::Position, PositionError> {
        let (cells, turn) = position_text::parse_cells(text, self.cells())?;
        self.position(&cells, turn)
    }
    /// Whether moves may be written without anything between them (`f5d6c3`).
    fn runs_together(&self) -> bool {
        false
    }

    /// The score of a finished game as `player` sees it: +1, 0 or -1 unless the
    /// game counts something finer, as Othello counts discs.
    fn final_score(&self, pos: &Self::Position, player: Player) -> i32 {
        self.outcome(pos).map_or(0, |o| o.value_for(player))
    }
    /// How many in a row win, in games that are won so.
    fn winning_length(&self) -> Option<usize> {
        None
    }
    /// The cells that won together, for whoever marks them.
    fn winning_cells(&self, _pos: &Self::Position) -> Vec<usize> {
        Vec::new()
    }
    /// Whether a player can still win; `true` when the contrary is not obvious.
    fn can_win(&self, _pos: &Self::Position, _player: Player) -> bool {
        true
    }
    /// Moves that suffice to know the value of a position and how soon the game
    /// ends: one that wins at once if there is one, else those that stop the
    /// other from doing so. All legal moves where a game knows nothing better.
    fn urgent_moves(&self, pos: &Self::Position) -> Self::Moves {
        self.legal_moves(pos)
    }
    /// The cells of each player as bits, cell 1 the lowest, for games whose pieces
    /// never change and whose board has at most 32 cells: a position in two words,
    /// from which [`Game::position_of_marks`] leads back. Proofs hold hundreds of millions
    /// of positions.
    fn marks(&self, _pos: &Self::Position) -> Option<[u32; 2]> {
        None
    }
    /// The position with these cells, which [`Game::marks`] gave; `None` where that
    /// gives `None`.
    fn position_of_marks(&self, _marks: [u32; 2]) -> Option<Self::Position> {
        None
    }
    /// The largest [`Game::final_score`] there is.
    fn best_score(&self) -> i32 {
        1
    }

    /// Whether the game goes on, but can only end in a draw, whatever anybody plays.
    fn is_dead(&self, pos: &Self::Position) -> bool {
        !Player::BOTH.iter().any(|&player| self.can_win(pos, player)) && self.outcome(pos).is_none()
    }
    /// Whether a move is legal.
    fn is_legal(&self, pos: &Self::Position, mv: Move) -> bool {
        self.objection(pos, mv).is_none()
    }
    /// Plays a move.
    ///
    /// # Errors
    /// When it is illegal; the position is then unchanged.
    fn play(&self, pos: &mut Self::Position, mv: Move) -> Result<(), IllegalMove> {
        match self.objection(pos, mv) {
            Some(objection) => Err(objection),
            None => {
                self.play_unchecked(pos, mv);
                Ok(())
            }
        }
    }
    /// How many cells the board has.
    fn cells(&self) -> usize {
        self.shape().cells()
    }
    /// The position's representative among its symmetric images: the one with the
    /// smallest packed form, and the symmetry that leads to it.
    fn canonical<'a>(&'a self, pos: &Self::Position) -> (Self::Position, &'a Symmetry) {
        self.symmetries()
            .iter()
            .map(|symmetry| (self.transform(pos, symmetry), symmetry))
            .min_by_key(|(image, _)| self.pack(image))
            .expect("the identity is always a symmetry")
    }
}

/// What kind of pieces a board carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// X and O, written into cells and never changed.
    Marks,
    /// Black and white discs, which are counted and turned.
    Discs,
}

/// Why a move is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// There is no such cell.
    #[error("the board has no such cell")]
    OffBoard,
    /// A piece is there already.
    #[error("that cell is occupied")]
    Occupied,
    /// Othello: no disc would be turned.
    #[error("a disc there flips nothing")]
    FlipsNothing,
    /// A pass while there is a move, or in a game without passing.
    #[error("passing is allowed only when there is no other move")]
    CannotPass,
    /// A cell while only a pass is left.
    #[error("there is no move but to pass")]
    MustPass,
}
