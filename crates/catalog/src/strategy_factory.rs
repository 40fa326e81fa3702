//! Creates fresh instances of a strategy, as the provers need them.

use std::sync::Arc;

use papan_rules::{Game, Move};
use papan_strategies::{Decision, Limits, NoMove, Strategy, Turn};

use crate::{Family, StrategySpec, Unplayable};

/// Returns a function that creates instances of a strategy.
///
/// # Errors
/// If the strategy cannot play this game.
pub fn strategy_factory<G: Family>(
    game: &Arc<G>,
    spec: &StrategySpec,
) -> Result<impl Fn() -> Box<dyn Strategy<G>> + Sync + use<G>, Unplayable> {
    let limits = Limits::default();
    game.strategy(spec, &limits)?;
    let (game, spec) = (Arc::clone(game), spec.clone());
    Ok(move || {
        game.strategy(&spec, &limits)
            .unwrap_or_else(|error| Box::new(BrokenStrategy(error.to_string())))
    })
}

/// Placeholder for a strategy that could be created before and no longer can, for instance because
/// its file was deleted. Every move fails with the reason.
struct BrokenStrategy(String);

impl<G: Game> Strategy<G> for BrokenStrategy {
    fn choices(&mut self, _: Turn<'_, G>, _: &mut Vec<Move>) -> Result<u64, NoMove> {
        Err(NoMove::Failed(self.0.clone()))
    }

    fn decide(&mut self, _: Turn<'_, G>) -> Result<Decision, NoMove> {
        Err(NoMove::Failed(self.0.clone()))
    }
}
