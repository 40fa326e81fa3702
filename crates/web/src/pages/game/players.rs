//! The players at the side of the board.

use papan_catalog::PlayerSpec;
use papan_pages::game::{ClockView, PlayerView, clock_text, piece_picture};
use papan_rules::Player;
use papan_view::{BoardView, messages};

use super::GamePageBuilder;

impl GamePageBuilder<'_> {
    pub(super) fn players(&self, view: &BoardView, seats: &[Player]) -> Vec<PlayerView> {
        let words = self.client.words;
        let state = self.state;
        Player::BOTH
            .into_iter()
            .map(|player| {
                let to_move = state.turn() == Some(player);
                let clock = state.time_left(player).map(|left| {
                    let used = if to_move { self.elapsed } else { 0 };
                    let millis = left.saturating_sub(used);
                    ClockView {
                        millis,
                        text: clock_text(self.client.words, millis),
                    }
                });
                PlayerView {
                    side: self.side(player),
                    name: match &state.players[player.index()] {
                        PlayerSpec::Human if state.vacant == Some(player) => {
                            words.text("web-seat-free")
                        }
                        PlayerSpec::Human => match &state.names[player.index()] {
                            Some(name) => name.clone(),
                            None if seats.contains(&player) => words.text("web-you-unnamed"),
                            None => words.text("web-guest"),
                        },
                        PlayerSpec::Strategy(spec) => messages::strategy_name(words, spec),
                    },
                    picture: piece_picture(view.pieces, player),
                    you: seats.contains(&player),
                    seat: match player {
                        Player::First => "first",
                        Player::Second => "second",
                    },
                    present: (state.needs_consent() && state.vacant != Some(player))
                        .then(|| self.present[player.index()]),
                    clock_runs: to_move && state.clock_runs(),
                    to_move,
                    count: view
                        .properties
                        .score_unit
                        .is_discs()
                        .then(|| view.counts[player.index()]),
                    clock,
                }
            })
            .collect()
    }
}
