//! Default opponents and advisors of a game.

use papan_strategies::Limits;

use crate::{AnyGame, STRATEGIES, StrategySpec, Unplayable};

/// Returns the strategy for hints, reviews and scores in this game: the first that can play it,
/// from the most exact to the most general.
///
/// # Panics
/// Never: the last of them plays every game.
#[must_use]
pub fn advisor(game: &AnyGame) -> StrategySpec {
    // Advice is looked for, not looked up.
    let engine = if game.properties().score_unit.is_discs() {
        "engine(book=off)"
    } else {
        "engine"
    };
    // Where `perfect` plays from a proof alone, the engine knows it too, and the rest better.
    let perfect = game.is_solved().then_some("perfect");
    perfect
        .into_iter()
        .chain([engine, "mcts(playouts=50000)"])
        .filter_map(|text| text.parse::<StrategySpec>().ok())
        .find(|spec| game.can_seat(spec, &Limits::default()).is_ok())
        .expect("the last advisor plays every game")
}

/// Every strategy that can play this game by its name alone, and those that need a
/// depth with one that answers within a moment.
#[must_use]
pub fn opponents(game: &AnyGame) -> Vec<StrategySpec> {
    let able = STRATEGIES.iter().filter_map(|info| {
        let spec: StrategySpec = info.name.parse().ok()?;
        match game.can_seat(&spec, &Limits::default()) {
            Ok(()) => Some(spec),
            Err(Unplayable::NeedsDepth { .. }) => {
                // Deep enough to see a threat, shallow enough for any board.
                let depth = if game.cells() > 100 { 1 } else { 3 };
                format!("{}(depth={depth})", info.name).parse().ok()
            }
            Err(_) => None,
        }
    });
    able.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_boards_are_advised_perfectly_and_every_board_by_somebody() {
        let by = |name: &str| advisor(&name.parse().unwrap()).info().name;
        assert_eq!(by("tictactoe"), "perfect");
        assert_eq!(by("tictactoe:3x3x3"), "perfect");
        assert_eq!(by("othello:4x4"), "perfect");
        assert_eq!(by("tictactoe:7x7:5"), "engine");
        assert_eq!(by("tictactoe:19x19:5"), "engine");
    }

    #[test]
    fn opponents_can_be_seated_as_they_are_offered() {
        for name in [
            "tictactoe",
            "tictactoe:4x4",
            "tictactoe:15x15:5",
            "othello",
            "othello:6x6",
        ] {
            let game: AnyGame = name.parse().unwrap();
            let offered = opponents(&game);
            for spec in &offered {
                assert!(
                    game.seat(spec, &Limits::default()).is_ok(),
                    "{spec} on {name}"
                );
            }
            let needs_nothing = |spec: &&StrategySpec| spec.info().name == "lookup";
            assert_eq!(offered.iter().find(needs_nothing), None, "it needs a file");
        }
    }
}
