//! Whom to ask for advice in a game.

use papan_strategies::Limits;

use crate::{AnyGame, StrategySpec};

/// From the surest to the one that plays anything.
const ADVISORS: [&str; 3] = ["perfect", "engine", "mcts(playouts=50000)"];

/// The strategy to ask for a hint, a review or a score in this game: the one that
/// knows most of those that can play it.
///
/// # Panics
/// Never: the last of them plays every game.
#[must_use]
pub fn advisor(game: &AnyGame) -> StrategySpec {
    ADVISORS
        .iter()
        .filter_map(|text| text.parse::<StrategySpec>().ok())
        .find(|spec| game.can_seat(spec, &Limits::default()).is_ok())
        .expect("the last advisor plays every game")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_boards_are_advised_perfectly_and_every_board_by_somebody() {
        let by = |name: &str| advisor(&name.parse().unwrap()).recipe().name;
        assert_eq!(by("tictactoe"), "perfect");
        assert_eq!(by("tictactoe:3x3x3"), "perfect");
        assert_eq!(by("othello:4x4"), "perfect");
        assert_eq!(by("tictactoe:19x19:5"), "engine");
    }
}
