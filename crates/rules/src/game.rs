//! The `Game` trait: the rules that every search needs.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Move, Outcome, Player, Properties};

/// The rules of one game on one board, as a value.
///
/// A position is a snapshot that only makes sense together with the game value it came from. No
/// method allocates per move. Besides the rules, a game of the catalog has symmetries and an exact
/// packed form ([`Symmetric`](crate::Symmetric)), moves and positions as text
/// ([`Notation`](crate::Notation)) and a name and appearance ([`GameInfo`](crate::GameInfo)); a
/// search requires only the traits it needs.
///
/// ```
/// use papan_rules::{Game, Move, tictactoe};
///
/// let game = tictactoe();
/// let mut position = game.start();
/// game.play(&mut position, Move::on(4))?;
/// assert_eq!(game.legal_moves(&position).count(), 8);
/// assert!(game.play(&mut position, Move::on(4)).is_err());
/// # Ok::<(), papan_rules::IllegalMove>(())
/// ```
pub trait Game: Send + Sync + 'static {
    /// A snapshot of play. Seeds random choices, so its `Hash` must be stable across releases.
    type Position: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// Iterates over legal moves without allocating.
    type Moves: Iterator<Item = Move> + Clone;

    /// Returns the number of cells of the board.
    fn cells(&self) -> usize;
    /// Returns the properties that hold in every position of this game.
    fn properties(&self) -> Properties;

    /// Returns the position before the first move.
    fn start(&self) -> Self::Position;
    /// Returns the player to move; after the end, the player who would be. The players alternate; a
    /// pass is a move.
    fn turn(&self, pos: &Self::Position) -> Player;
    /// Returns the legal moves, first to last; empty exactly when [`Game::outcome`] is `Some`.
    fn legal_moves(&self, pos: &Self::Position) -> Self::Moves;
    /// Plays a move that the caller knows to be legal. An illegal one leaves a meaningless
    /// position, but never panics for a move of this board.
    fn play_unchecked(&self, pos: &mut Self::Position, mv: Move);
    /// Returns the position after a move that the caller knows to be legal.
    #[inline]
    fn after(&self, pos: &Self::Position, mv: Move) -> Self::Position {
        let mut next = pos.clone();
        self.play_unchecked(&mut next, mv);
        next
    }
    /// Returns the outcome, or `None` while the game is not over.
    fn outcome(&self, pos: &Self::Position) -> Option<Outcome>;
    /// Checks whether a move is legal.
    ///
    /// # Errors
    /// When it is illegal, with the reason.
    fn check_move(&self, pos: &Self::Position, mv: Move) -> Result<(), IllegalMove>;
    /// Returns the owner of the piece on a cell.
    fn piece(&self, pos: &Self::Position, cell: usize) -> Option<Player>;

    /// Returns the score of a finished game for `player`: +1, 0 or -1 unless the game has a finer
    /// score, such as Othello's discs.
    fn final_score(&self, pos: &Self::Position, player: Player) -> i32 {
        self.outcome(pos).map_or(0, |o| o.value_for(player))
    }
    /// Returns the largest possible [`Game::final_score`].
    fn best_score(&self) -> i32 {
        1
    }

    /// Returns whether a player can still win; `true` unless the contrary is easy to see.
    fn can_win(&self, _pos: &Self::Position, _player: Player) -> bool {
        true
    }
    /// Returns the moves that win at once, in the order of [`Game::legal_moves`], if the game can
    /// tell without making them. Any other move ends the game only in a draw, and only where it is
    /// the only move.
    fn winning_moves(&self, _pos: &Self::Position) -> Option<Self::Moves> {
        None
    }
    /// Returns moves that suffice to determine the value of a position and the length of the game:
    /// one that wins at once if there is one, else those that stop the opponent from doing so. All
    /// legal moves where a game knows nothing better.
    fn urgent_moves(&self, pos: &Self::Position) -> Self::Moves {
        self.legal_moves(pos)
    }
    /// Returns whether the game is not over but can only end in a draw.
    fn is_dead(&self, pos: &Self::Position) -> bool {
        !Player::BOTH.iter().any(|&player| self.can_win(pos, player)) && self.outcome(pos).is_none()
    }
    /// Returns whether a move is legal.
    fn is_legal(&self, pos: &Self::Position, mv: Move) -> bool {
        self.check_move(pos, mv).is_ok()
    }
    /// Plays a move.
    ///
    /// # Errors
    /// When it is illegal; the position is then unchanged.
    fn play(&self, pos: &mut Self::Position, mv: Move) -> Result<(), IllegalMove> {
        self.check_move(pos, mv)?;
        self.play_unchecked(pos, mv);
        Ok(())
    }
}

/// The reason why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// There is no such cell.
    #[error("the board has no such cell")]
    OffBoard,
    /// The cell is occupied.
    #[error("that cell is occupied")]
    Occupied,
    /// Renju: a point that is forbidden for Black.
    #[error("{0} is forbidden for Black")]
    Forbidden(Forbidden),
    /// Othello: no disc would be flipped.
    #[error("a disc there flips nothing")]
    FlipsNothing,
    /// A pass while there is a move, or in a game without passing.
    #[error("passing is allowed only when there is no other move")]
    CannotPass,
    /// A cell where only a pass is legal.
    #[error("there is no move but to pass")]
    MustPass,
}

/// Why a point is forbidden for Black at renju.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Forbidden {
    /// Six or more in a row.
    #[error("an overline")]
    Overline,
    /// Two fours at once.
    #[error("a double four")]
    DoubleFour,
    /// Two threes at once.
    #[error("a double three")]
    DoubleThree,
}
