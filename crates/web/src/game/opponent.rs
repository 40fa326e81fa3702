//! Whom a client plays who chooses no strategy themselves: the computer at a level.

use papan_catalog::{AnyGame, DEFAULT_LEVEL, LEVELS, StrategySpec};
use papan_strategies::Limits;

/// The level that a form or an old link names; the usual one for a text that is none.
pub(crate) fn level(text: &str) -> u64 {
    // What the levels were called before they had numbers.
    let named = [
        ("newcomer", 1),
        ("casual", 3),
        ("club", 6),
        ("strongest", 10),
    ];
    let named = named.iter().find(|(name, _)| *name == text);
    let number = named.map(|(_, level)| *level).or_else(|| text.parse().ok());
    number
        .filter(|level| LEVELS.contains(level))
        .unwrap_or(DEFAULT_LEVEL)
}

/// The opponent of a level.
pub(crate) fn opponent(text: &str) -> StrategySpec {
    StrategySpec::computer(level(text))
}

/// Whether a strategy can play on a board.
pub(crate) fn can_play(game: &AnyGame, strategy: &StrategySpec) -> bool {
    game.can_seat(strategy, &Limits::default()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_old_names_are_levels_and_anything_else_is_the_usual_one() {
        let asked = ["0", "10", "club", "11", "", "strong"];
        assert_eq!(
            asked.map(level),
            [0, 10, 6, DEFAULT_LEVEL, DEFAULT_LEVEL, DEFAULT_LEVEL]
        );
    }

    #[test]
    fn every_level_plays_on_every_board_of_the_first_page() {
        for name in papan_catalog::FAMILIES
            .iter()
            .flat_map(|family| family.examples)
        {
            let game: AnyGame = name.parse().unwrap();
            for level in LEVELS {
                let opponent = StrategySpec::computer(level);
                assert!(can_play(&game, &opponent), "{name}: {opponent}");
            }
        }
    }
}
