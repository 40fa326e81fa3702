//! Which strategies a visitor may run.

use std::sync::Arc;

use papan_analysis::engine_cache::MAX_HASH_MIB;
use papan_catalog::{AnyGame, Argument, PlayerSpec, StrategySpec};
use papan_rules::Player;
use papan_strategies::Limits;
use papan_view::{Messages, messages};

use crate::error::PageError;
use crate::programs::{OfferedProgram, Programs, program_name};

/// Parses and checks strategies that clients name.
pub struct StrategyPolicy {
    /// Limits of a move.
    pub limits: Limits,
    /// Programs that clients may choose as opponents.
    pub programs: Arc<Programs>,
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

    /// Parses a player that can take a seat: a person, a strategy or a program of the operator.
    /// `start` is the start position, unless it is the game's own.
    ///
    /// # Errors
    /// If it does not exist, cannot play the game from this seat, or is not allowed.
    pub fn parse_player(
        &self,
        game: &AnyGame,
        start: Option<&str>,
        seat: Player,
        text: &str,
        words: Messages,
    ) -> Result<PlayerSpec, PageError> {
        if program_name(text).is_some() {
            self.check_program(game, start, text, words)?;
            let unusable = |error| PageError::Unusable(messages::player(words, &error));
            return self.programs.parse(text).map_err(unusable);
        }
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

    /// Checks that a program is offered and plays a game.
    fn check_program(
        &self,
        game: &AnyGame,
        start: Option<&str>,
        text: &str,
        words: Messages,
    ) -> Result<(), PageError> {
        let Some(program) = self.programs.find(text) else {
            let names: Vec<String> = self.programs.iter().map(OfferedProgram::text).collect();
            let values = [
                ("program", text.to_owned().into()),
                ("programs", names.join(", ").into()),
            ];
            let key = if names.is_empty() {
                "web-no-programs"
            } else {
                "web-no-such-program"
            };
            return Err(PageError::Unusable(words.with(key, values)));
        };
        let name = || ("program", program.name.clone().into());
        if !program.plays(game) {
            let games = program.games.join(", ");
            let values = [
                name(),
                ("game", game.name().into()),
                ("games", games.into()),
            ];
            return Err(PageError::Unusable(
                words.with("web-program-other-game", values),
            ));
        }
        let usual = game.line().position_text();
        if program.from_start_only && start.is_some_and(|start| start != usual) {
            let sentence = words.with("web-program-from-start", [name()]);
            return Err(PageError::Unusable(sentence));
        }
        Ok(())
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
