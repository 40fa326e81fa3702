//! Which strategies a visitor may run.

use papan_analysis::engine_cache::MAX_HASH_MIB;
use papan_catalog::{AnyGame, Argument, PlayerSpec, StrategySpec};
use papan_rules::Player;
use papan_strategies::Limits;
use papan_view::{Messages, messages};

use crate::error::PageError;

/// Parses and checks strategies that clients name.
pub struct StrategyPolicy {
    /// Limits of a move.
    pub limits: Limits,
}

impl StrategyPolicy {
    /// Parses a strategy that can play a game.
    ///
    /// # Errors
    /// If it does not exist, cannot play the game, or is not allowed.
    pub fn parse(
        &self,
        game: &AnyGame,
        text: &str,
        words: Messages,
    ) -> Result<StrategySpec, PageError> {
        let spec: StrategySpec = text
            .parse()
            .map_err(|error| PageError::Unusable(messages::player(words, &error)))?;
        self.check(game, &spec, words)?;
        Ok(spec)
    }

    /// Parses a player that can take a seat: a person or a strategy.
    ///
    /// # Errors
    /// If it does not exist, cannot play the game from this seat, or is not allowed.
    pub fn parse_player(
        &self,
        game: &AnyGame,
        seat: Player,
        text: &str,
        words: Messages,
    ) -> Result<PlayerSpec, PageError> {
        let spec: PlayerSpec = text
            .parse()
            .map_err(|error| PageError::Unusable(messages::player(words, &error)))?;
        if let PlayerSpec::Strategy(strategy) = &spec {
            self.check(game, strategy, words)?;
            game.can_seat_as(strategy, &self.limits, seat)
                .map_err(|error| PageError::Unusable(messages::unplayable(words, &error)))?;
        }
        Ok(spec)
    }

    /// Checks that a strategy can play a game, reads no files and stays within the limits of
    /// one client.
    fn check(
        &self,
        game: &AnyGame,
        strategy: &StrategySpec,
        words: Messages,
    ) -> Result<(), PageError> {
        let mut arguments = strategy.arguments().iter();
        if arguments.any(|(_, argument)| matches!(argument, Argument::Path(_))) {
            return Err(PageError::Unusable(words.text("web-no-files")));
        }
        if strategy.arguments().iter().any(exceeds_limits) {
            let most = [("most", MAX_HASH_MIB.to_string().into())];
            return Err(PageError::Unusable(
                words.with("web-too-many-threads", most),
            ));
        }
        game.can_seat(strategy, &self.limits)
            .map_err(|error| PageError::Unusable(messages::unplayable(words, &error)))
    }
}

fn exceeds_limits((name, argument): (&str, &Argument)) -> bool {
    match (name, argument) {
        ("threads", Argument::Number(threads)) => *threads > 1,
        ("hash", Argument::Number(mebibytes)) => *mebibytes > MAX_HASH_MIB,
        _ => false,
    }
}
