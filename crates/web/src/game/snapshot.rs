//! A game as JSON, for the HTTP API and the event stream.

use papan_catalog::PlayerSpec;
use papan_rules::{Move, Outcome, Player};
use papan_view::BoardView;
use serde::Serialize;

use crate::game::state::{Cause, GameState};
use crate::side::Side;

/// A game as JSON. It contains no secrets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct GameSnapshot {
    /// Game id.
    pub(crate) id: String,
    /// Number of events.
    pub(crate) version: u64,
    /// Name of the rules.
    pub(crate) game: String,
    /// `human` or a strategy, for both seats.
    pub(crate) players: [String; 2],
    /// Display names of people.
    pub(crate) names: [Option<String>; 2],
    /// The vacant seat.
    pub(crate) vacant: Option<Side>,
    /// The moves, first to last.
    pub(crate) moves: Vec<String>,
    /// The position as text.
    pub(crate) position: String,
    /// The player to move, until the game is over.
    pub(crate) turn: Option<Side>,
    /// The swap opening with the choices made so far, such as `swap2 two`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) opening: Option<String>,
    /// The choices of the player to act in the swap opening.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) choices: Vec<&'static str>,
    /// Legal moves.
    pub(crate) legal: Vec<String>,
    /// Highlighted cells.
    pub(crate) marked: Marked,
    /// Number of pieces of both players.
    pub(crate) counts: [usize; 2],
    /// `first`, `second` or `draw`.
    pub(crate) result: Option<&'static str>,
    /// `resigned`, `time`, `agreed` or `no-answer`, unless the rules ended the game.
    pub(crate) reason: Option<&'static str>,
    /// Milliseconds left, as of the last event.
    pub(crate) clock: Option<[u64; 2]>,
    /// The player with an open take-back request.
    pub(crate) asked_back: Option<Side>,
    /// The player with an open draw offer.
    pub(crate) draw_offer: Option<Side>,
    /// The player with an open rematch offer.
    pub(crate) rematch_offer: Option<Side>,
    /// Id of the rematch.
    pub(crate) rematch: Option<String>,
}

/// Highlighted cells by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Marked {
    /// The last move.
    pub(crate) last: Option<String>,
    /// Pieces that it flipped.
    pub(crate) flipped: Vec<String>,
    /// The winning line.
    pub(crate) winning: Vec<String>,
}

impl GameSnapshot {
    /// Returns the snapshot of a state.
    #[must_use]
    pub(crate) fn of(state: &GameState) -> Self {
        let game = state.line.game();
        let view = BoardView::of(&*state.line);
        let cells = |is_marked: fn(&papan_view::CellView) -> bool| {
            view.cells
                .iter()
                .filter(|cell| is_marked(cell))
                .map(|cell| cell.written.clone())
                .collect::<Vec<_>>()
        };
        let text = |mv: &Move| game.format_move(*mv);
        let turn = state.turn();
        let choices = turn.map_or(&[][..], |_| state.swap_step().choices());
        Self {
            id: state.id.clone(),
            version: state.version,
            game: game.name(),
            players: state.players.clone().map(|player| match player {
                PlayerSpec::Human => "human".into(),
                PlayerSpec::Strategy(spec) => spec.to_string(),
            }),
            names: state.names.clone(),
            vacant: state.vacant.map(Side::from),
            moves: state.line.moves().iter().map(text).collect(),
            position: state.line.position_text(),
            turn: turn.map(Side::from),
            opening: state.opening.map(|opening| opening.to_string()),
            choices: choices.iter().map(|choice| choice.word()).collect(),
            legal: match turn {
                Some(_) if choices.is_empty() => {
                    state.line.legal_moves().iter().map(text).collect()
                }
                _ => Vec::new(),
            },
            marked: Marked {
                last: state.line.moves().last().map(text),
                flipped: cells(|cell| cell.flipped),
                winning: cells(|cell| cell.winning),
            },
            counts: view.counts,
            result: state.ending.as_ref().map(|ending| match ending.outcome {
                Outcome::Win(Player::First) => "first",
                Outcome::Win(Player::Second) => "second",
                Outcome::Draw => "draw",
            }),
            reason: match state.ending.as_ref().and_then(|e| e.cause.as_ref()) {
                None => None,
                Some(Cause::Resigned) => Some("resigned"),
                Some(Cause::Time) => Some("time"),
                Some(Cause::Agreed) => Some("agreed"),
                Some(Cause::NoAnswer(_)) => Some("no-answer"),
            },
            clock: state
                .time_left(Player::First)
                .zip(state.time_left(Player::Second))
                .map(Into::into),
            asked_back: state.asked_back.map(|(by, _)| by.into()),
            draw_offer: state.draw_offer.map(Side::from),
            rematch_offer: state.rematch_offer.map(Side::from),
            rematch: state.rematch.clone(),
        }
    }
}
