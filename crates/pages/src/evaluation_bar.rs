//! Evaluation bar: dark for the first player, light for the second.

use papan_catalog::AnyGame;
use papan_rules::Player;
use papan_strategies::{Score, Unit};
use papan_view::{Messages, escape_xml, score};

use crate::game::side_of;

/// Scale of a score in discs: this lead fills 88 % of the bar.
const DISC_SCALE: f32 = 8.0;

/// Returns the first player's share of the bar, from 0 to 1.
fn share(turn: Player, score: Score) -> f32 {
    let balance = match score.unit() {
        Unit::Discs => (score.balance() / DISC_SCALE).tanh(),
        Unit::Result | Unit::Chance => score.balance().clamp(-1.0, 1.0),
    };
    let for_mover = (balance + 1.0) / 2.0;
    match turn {
        Player::First => for_mover,
        Player::Second => 1.0 - for_mover,
    }
}

/// Draws the bar for the score of the player to move.
#[must_use]
pub fn bar(words: Messages, game: &AnyGame, turn: Player, score: Score) -> String {
    let share = share(turn, score);
    let dark = (share * 100.0).round();
    let side = side_of(words, game, turn);
    let text = format!("{side}: {}", score::text(score, words));
    let label = escape_xml(&text);
    format!(
        "<svg class=\"bar\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"{label}\"><rect x=\"{dark}\" y=\"0\" width=\"{}\" height=\"4\"/>\
         <line x1=\"50\" y1=\"0\" x2=\"50\" y2=\"4\"/></svg>",
        100.0 - dark
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_shows_the_first_players_share_for_both_sides_to_move() {
        assert_eq!(share(Player::First, Score::result(1)), 1.0);
        assert_eq!(share(Player::Second, Score::result(1)), 0.0);
        assert_eq!(share(Player::First, Score::discs(0)), 0.5);
        assert!(share(Player::Second, Score::discs(-4)) > 0.5);
    }
}
