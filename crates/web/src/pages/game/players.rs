//! The players at the side of the board.

use papan_catalog::PlayerSpec;
use papan_rules::{Pieces, Player, Properties, ScoreUnit};
use papan_view::svg_board::{self, DrawOptions};
use papan_view::{BoardView, CellView, messages};

use super::GamePageBuilder;

/// A player at the side of the board.
pub(crate) struct PlayerView {
    pub(crate) side: String,
    pub(crate) name: String,
    pub(crate) picture: String,
    pub(crate) you: bool,
    /// `first` or `second`.
    pub(crate) seat: &'static str,
    /// Whether they are here, where it is a person.
    pub(crate) here: Option<bool>,
    /// Whether the clock runs.
    pub(crate) runs: bool,
    pub(crate) to_move: bool,
    pub(crate) count: Option<usize>,
    /// Milliseconds left, and the same as text.
    pub(crate) clock: Option<(u64, String)>,
}

impl GamePageBuilder<'_> {
    pub(super) fn players(&self, view: &BoardView, seats: &[Player]) -> Vec<PlayerView> {
        let words = self.client.words;
        let live = self.live;
        let running = self.app.running(live);
        Player::BOTH
            .into_iter()
            .map(|player| {
                let to_move = live.turn() == Some(player);
                let clock = live.clock.as_ref().map(|clock| {
                    let used = if to_move { running } else { 0 };
                    let left = clock.left[player.index()].saturating_sub(used);
                    (left, clock_text(left))
                });
                PlayerView {
                    side: self.side(player),
                    name: match &live.players[player.index()] {
                        PlayerSpec::Human if live.vacant == Some(player) => {
                            words.text("web-seat-free")
                        }
                        PlayerSpec::Human => match &live.names[player.index()] {
                            Some(name) => name.clone(),
                            None if seats.contains(&player) => words.text("web-you-unnamed"),
                            None => words.text("web-somebody"),
                        },
                        PlayerSpec::Strategy(spec) => messages::strategy_name(words, spec),
                    },
                    picture: picture_of(view.pieces, player),
                    you: seats.contains(&player) && live.names[player.index()].is_some(),
                    seat: match player {
                        Player::First => "first",
                        Player::Second => "second",
                    },
                    here: (live.needs_consent() && live.vacant != Some(player))
                        .then(|| self.here[player.index()]),
                    runs: to_move && live.clock_runs(),
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

pub(crate) fn picture_of(pieces: Pieces, player: Player) -> String {
    let view = BoardView {
        game: String::new(),
        sides: vec![1, 1],
        pieces,
        properties: Properties {
            fills_up: true,
            passes: false,
            score_unit: ScoreUnit::Result,
        },
        names_squares: false,
        cells: vec![CellView {
            piece: Some(player),
            ..CellView::default()
        }],
        turn: player,
        counts: [0, 0],
        outcome: None,
        passed: false,
    };
    svg_board::cell(&view, 0, &DrawOptions::default())
}

/// Minutes and seconds.
fn clock_text(millis: u64) -> String {
    let seconds = millis.div_ceil(1000);
    match seconds {
        3600.. => format!(
            "{}:{:02}:{:02}",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        ),
        _ => format!("{}:{:02}", seconds / 60, seconds % 60),
    }
}
