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
    /// Whether the client holds the seat.
    pub(crate) you: bool,
    /// `first` or `second`.
    pub(crate) seat: &'static str,
    /// Whether they are present, between two people.
    pub(crate) present: Option<bool>,
    pub(crate) clock_runs: bool,
    pub(crate) to_move: bool,
    pub(crate) count: Option<usize>,
    pub(crate) clock: Option<ClockView>,
}

/// Remaining time.
pub(crate) struct ClockView {
    pub(crate) millis: u64,
    pub(crate) text: String,
}

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
                        text: clock_text(millis),
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

/// Draws a piece of a player as SVG.
pub(crate) fn piece_picture(pieces: Pieces, player: Player) -> String {
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

/// Formats a time as `m:ss` or `h:mm:ss`, rounded up.
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
