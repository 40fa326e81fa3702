//! A strategy bound to a game value, without their Rust types (type erasure).
//!
//! [`Seat`] is the seam for players from outside: an external program or an object of another
//! language implements it and is used like a strategy of the catalog. A [`Strategy`] for a known
//! game type becomes a seat with [`TypedSeat`].

use std::sync::Arc;

use papan_rules::{Move, SwapAction, SwapOpening};
use papan_strategies::{Context, Decision, NoMove, Strategy, Turn, answer_swap};

use crate::any_line::TypedLine;
use crate::{AnyLine, Family};

/// A player of one game value.
///
/// ```
/// use papan_catalog::{AnyGame, AnyLine, Seat};
/// use papan_rules::Move;
/// use papan_strategies::{Candidate, Context, Decision, NoMove};
///
/// /// Stands in for a program that is sent the moves and answers with one.
/// struct LastLegal;
///
/// impl Seat for LastLegal {
///     fn decide(&mut self, line: &dyn AnyLine, context: &Context) -> Result<Decision, NoMove> {
///         let (best, nodes) = self.choose(line, context)?;
///         Ok(Decision { best, candidates: vec![Candidate::new(best, Vec::new())], nodes })
///     }
///
///     fn choose(&mut self, line: &dyn AnyLine, _: &Context) -> Result<(Move, u64), NoMove> {
///         let last = line.legal_moves().pop();
///         Ok((last.ok_or(NoMove::GameOver)?, 1))
///     }
///
///     fn forget(&mut self) {}
/// }
///
/// let game: AnyGame = "othello".parse()?;
/// let (mv, _) = LastLegal.choose(&*game.line(), &Context::default())?;
/// assert_eq!(game.format_move(mv), "e6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Seat: Send {
    /// Returns the move with its reasons.
    ///
    /// # Errors
    /// When the strategy has no move, or the line belongs to another game value.
    fn decide(&mut self, line: &dyn AnyLine, context: &Context) -> Result<Decision, NoMove>;
    /// Returns the same move without reasons, and the number of nodes searched.
    ///
    /// # Errors
    /// As [`Seat::decide`].
    fn choose(&mut self, line: &dyn AnyLine, context: &Context) -> Result<(Move, u64), NoMove>;
    /// Returns the actions of the player in a swap opening, in which it is its turn.
    ///
    /// # Errors
    /// As [`Seat::decide`], or when the player knows no swap openings.
    fn answer_swap(
        &mut self,
        _opening: SwapOpening,
        _line: &dyn AnyLine,
        _context: &Context,
    ) -> Result<Vec<SwapAction>, NoMove> {
        Err(NoMove::Failed("this player knows no swap openings".into()))
    }
    /// Clears state left by earlier games.
    fn forget(&mut self);
}

/// A [`Strategy`] as a [`Seat`] at the game value it was built for.
pub struct TypedSeat<G: Family> {
    game: Arc<G>,
    strategy: Box<dyn Strategy<G>>,
    /// Scratch space for [`Strategy::choose`].
    choices: Vec<Move>,
}

impl<G: Family> TypedSeat<G> {
    /// Seats a strategy at a game.
    #[must_use]
    pub fn new(game: &Arc<G>, strategy: Box<dyn Strategy<G>>) -> Self {
        Self {
            game: Arc::clone(game),
            strategy,
            choices: Vec::new(),
        }
    }
}

fn another_game() -> NoMove {
    NoMove::Failed("this player sits at another game".into())
}

impl<G: Family> Seat for TypedSeat<G> {
    fn decide(&mut self, line: &dyn AnyLine, context: &Context) -> Result<Decision, NoMove> {
        let line = TypedLine::of(&self.game, line).ok_or_else(another_game)?;
        self.strategy.decide(Turn::new(&self.game, line, context))
    }

    fn choose(&mut self, line: &dyn AnyLine, context: &Context) -> Result<(Move, u64), NoMove> {
        let line = TypedLine::of(&self.game, line).ok_or_else(another_game)?;
        let turn = Turn::new(&*self.game, line, context);
        self.strategy.choose(turn, &mut self.choices)
    }

    fn answer_swap(
        &mut self,
        opening: SwapOpening,
        line: &dyn AnyLine,
        context: &Context,
    ) -> Result<Vec<SwapAction>, NoMove> {
        let line = TypedLine::of(&self.game, line).ok_or_else(another_game)?;
        let turn = Turn::new(&*self.game, line, context);
        answer_swap(&mut *self.strategy, turn, opening)
    }

    fn forget(&mut self) {
        self.strategy.forget();
    }
}
