//! What the catalog knows of a game type: which strategies can play it.

use papan_rules::{Described, Grid, Othello, Symmetric, Wide};
use papan_strategies::{Limits, Strategy};

use crate::{AnyGame, StrategySpec, Unplayable};

/// A game type of the catalog.
pub trait Family: Described + Symmetric + Sized {
    /// A strategy for this very game value.
    ///
    /// # Errors
    /// When the strategy cannot play this board, saying why. `limits` are those
    /// it will play under: a search without a depth of its own may rely on them.
    fn strategy(
        &self,
        spec: &StrategySpec,
        limits: &Limits,
    ) -> Result<Box<dyn Strategy<Self>>, Unplayable>;

    /// The game without its type.
    fn any(self: std::sync::Arc<Self>) -> AnyGame;
}

macro_rules! family {
    ($game:ty, $builder:ident, $variant:ident) => {
        impl Family for $game {
            fn strategy(
                &self,
                spec: &StrategySpec,
                limits: &Limits,
            ) -> Result<Box<dyn Strategy<Self>>, Unplayable> {
                let recipe = spec.recipe();
                match recipe.builders.$builder {
                    Some(build) => build(self, spec.arguments(), limits),
                    None => Err(Unplayable::WrongGame {
                        strategy: recipe.name,
                        game: self.name(),
                    }),
                }
            }

            fn any(self: std::sync::Arc<Self>) -> AnyGame {
                AnyGame::$variant(self)
            }
        }
    };
}

family!(Grid<u64>, grid, Grid);
family!(Grid<Wide>, wide_grid, WideGrid);
family!(Othello, othello, Othello);
