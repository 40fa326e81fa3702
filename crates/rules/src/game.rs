//! The rules: what every search needs to know of a game.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Move, Outcome, Player, Properties};

/// The rules of one game on one board, as a value.
///
/// A position is a snapshot that only makes sense together with the game value
/// it came from. No method allocates per move. Beside the rules, a game of the
/// catalog has symmetries and an exact packed form ([`Symmetric`](crate::Symmetric)),
/// moves and positions as text ([`Notation`](crate::Notation)) and a name and a
/// look ([`GameInfo`](crate::GameInfo)); a search asks for no more than it needs.
pub trait Game: Send + Sync + 'static {
    /// A snapshot of play. Lots are drawn by its hash, which is therefore the same
    /// in every version.
    type Position: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// Iterates over legal moves without allocating.
    type Moves: Iterator<Item = Move> + Clone;

    /// How many cells the board has.
    fn cells(&self) -> usize;
    /// What holds in every position of this game.
    fn properties(&self) -> Properties;

    /// The position before the first move.
    fn start(&self) -> Self::Position;
    /// Whose turn it is; after the end, whose it would be. The players take turns:
    /// after every move, a pass too, it is the other's.
    fn turn(&self, pos: &Self::Position) -> Player;
    /// The legal moves, first to last; empty exactly when [`Game::outcome`] is `Some`.
    fn legal_moves(&self, pos: &Self::Position) -> Self::Moves;
    /// Plays a move that the caller knows to be legal. An illegal one leaves a
    /// position without meaning, but never panics for a move of this board.
    fn play_unchecked(&self, pos: &mut Self::Position, mv: Move);
    /// The position after a move that the caller knows to be legal.
    #[inline]
    fn after(&self, pos: &Self::Position, mv: Move) -> Self::Position {
        let mut next = pos.clone();
        self.play_unchecked(&mut next, mv);
        next
    }
    /// How the game ended, or `None` while it goes on.
    fn outcome(&self, pos: &Self::Position) -> Option<Outcome>;
    /// Checks whether a move is legal.
    ///
    /// # Errors
    /// When it is illegal, with the reason.
    fn check_move(&self, pos: &Self::Position, mv: Move) -> Result<(), IllegalMove>;
    /// Whose piece stands on a cell.
    fn piece(&self, pos: &Self::Position, cell: usize) -> Option<Player>;

    /// The score of a finished game as `player` sees it: +1, 0 or -1 unless the
    /// game counts something finer, as Othello counts discs.
    fn final_score(&self, pos: &Self::Position, player: Player) -> i32 {
        self.outcome(pos).map_or(0, |o| o.value_for(player))
    }
    /// The largest [`Game::final_score`] there is.
    fn best_score(&self) -> i32 {
        1
    }

    /// Whether a player can still win; `true` when the contrary is not obvious.
    fn can_win(&self, _pos: &Self::Position, _player: Player) -> bool {
        true
    }
    /// The moves that win at once, in the order of [`Game::legal_moves`], where the game can tell
    /// without making them. It ends with any other move only in a draw, and only where there is no
    /// second move.
    fn winning_moves(&self, _pos: &Self::Position) -> Option<Self::Moves> {
        None
    }
    /// Moves that suffice to know the value of a position and how soon the game
    /// ends: one that wins at once if there is one, else those that stop the
    /// other from doing so. All legal moves where a game knows nothing better.
    fn urgent_moves(&self, pos: &Self::Position) -> Self::Moves {
        self.legal_moves(pos)
    }
    /// Whether the game goes on, but can only end in a draw, whatever anybody plays.
    fn is_dead(&self, pos: &Self::Position) -> bool {
        !Player::BOTH.iter().any(|&player| self.can_win(pos, player)) && self.outcome(pos).is_none()
    }
    /// Whether a move is legal.
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
