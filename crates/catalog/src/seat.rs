//! A seated player: a strategy bound to the very game value it was built for.

use std::sync::Arc;

use papan_rules::Move;
use papan_strategies::{Context, Decision, NoMove, Strategy, Turn};

use crate::any_line::TypedLine;
use crate::{AnyLine, Family};

/// A strategy at a game.
pub trait Seat: Send {
    /// The move, with its reasons.
    ///
    /// # Errors
    /// When the strategy has no answer, or the line is of another game.
    fn decide(&mut self, line: &dyn AnyLine, context: &Context) -> Result<Decision, NoMove>;
    /// The same move without reasons, and how many nodes it cost.
    ///
    /// # Errors
    /// As [`Seat::decide`].
    fn choose(&mut self, line: &dyn AnyLine, context: &Context) -> Result<(Move, u64), NoMove>;
    /// Forgets whatever earlier games have left behind.
    fn forget(&mut self);
}

pub(crate) struct TypedSeat<G: Family> {
    game: Arc<G>,
    strategy: Box<dyn Strategy<G>>,
    choices: Vec<Move>,
}

impl<G: Family> TypedSeat<G> {
    pub(crate) fn new(game: &Arc<G>, strategy: Box<dyn Strategy<G>>) -> Self {
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
        self.strategy
            .choose(Turn::new(&self.game, line, context), &mut self.choices)
    }

    fn forget(&mut self) {
        self.strategy.forget();
    }
}
