//! A game as JSON: what the API answers and the event stream tells.

use papan_catalog::PlayerSpec;
use papan_rules::{Move, Outcome, Player};
use papan_view::BoardView;
use serde::Serialize;

use crate::game::event::Side;
use crate::game::state::{Cause, GameState};

/// A game as JSON. It names nobody's secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct GameSnapshot {
    /// Its address.
    pub id: String,
    /// How many events there were.
    pub version: u64,
    /// The name of the rules.
    pub game: String,
    /// Who plays.
    pub players: [String; 2],
    /// What the people among them call themselves.
    pub(crate) names: [Option<String>; 2],
    /// The seat that waits for somebody.
    pub vacant: Option<Side>,
    /// The moves, first to last.
    pub moves: Vec<String>,
    /// The position as text.
    pub position: String,
    /// Whose turn it is, while the game goes on.
    pub turn: Option<Side>,
    /// What may be played.
    pub legal: Vec<String>,
    /// The cells of the last move, of what it turned, and of what won.
    pub marked: Marked,
    /// Pieces on the board.
    pub counts: [usize; 2],
    /// `first`, `second` or `draw`, once it is over.
    pub result: Option<&'static str>,
    /// `resigned`, `time`, `agreed` or `no-answer`, when the rules did not end it.
    pub reason: Option<&'static str>,
    /// Milliseconds left, as of the last event.
    pub clock: Option<[u64; 2]>,
    /// Who asks to take moves back.
    pub asked_back: Option<Side>,
    /// Who offers a draw.
    pub(crate) draw_offer: Option<Side>,
    /// Who offers a rematch.
    pub rematch_offer: Option<Side>,
    /// The address of the next game.
    pub rematch: Option<String>,
}

/// Cells by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Marked {
    /// Where the last move was made.
    pub last: Option<String>,
    /// What it turned.
    pub flipped: Vec<String>,
    /// What won.
    pub winning: Vec<String>,
}

impl GameSnapshot {
    /// The state of a game.
    #[must_use]
    pub(crate) fn of(live: &GameState) -> Self {
        let game = live.line.game();
        let view = BoardView::of(&*live.line);
        let named = |of: fn(&papan_view::CellView) -> bool| {
            view.cells
                .iter()
                .filter(|cell| of(cell))
                .map(|cell| cell.written.clone())
                .collect::<Vec<_>>()
        };
        let text = |mv: &Move| game.format_move(*mv);
        let turn = live.turn();
        Self {
            id: live.id.clone(),
            version: live.version,
            game: game.name(),
            players: live.players.clone().map(|player| match player {
                PlayerSpec::Human => "human".into(),
                PlayerSpec::Strategy(spec) => spec.to_string(),
            }),
            names: live.names.clone(),
            vacant: live.vacant.map(Side::from),
            moves: live.line.moves().iter().map(text).collect(),
            position: live.line.position_text(),
            turn: turn.map(Side::from),
            legal: match turn {
                Some(_) => live.line.legal_moves().iter().map(text).collect(),
                None => Vec::new(),
            },
            marked: Marked {
                last: live.line.moves().last().map(text),
                flipped: named(|cell| cell.flipped),
                winning: named(|cell| cell.winning),
            },
            counts: view.counts,
            result: live.ending.as_ref().map(|ending| match ending.outcome {
                Outcome::Win(Player::First) => "first",
                Outcome::Win(Player::Second) => "second",
                Outcome::Draw => "draw",
            }),
            reason: match live.ending.as_ref().and_then(|e| e.cause.as_ref()) {
                None => None,
                Some(Cause::Resigned) => Some("resigned"),
                Some(Cause::Time) => Some("time"),
                Some(Cause::Agreed) => Some("agreed"),
                Some(Cause::NoAnswer(_)) => Some("no-answer"),
            },
            clock: live.clock.as_ref().map(|clock| clock.left),
            asked_back: live.asked_back.map(|(by, _)| by.into()),
            draw_offer: live.draw_offer.map(Side::from),
            rematch_offer: live.rematch_offer.map(Side::from),
            rematch: live.rematch.clone(),
        }
    }
}
