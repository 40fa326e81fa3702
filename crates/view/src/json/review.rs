//! A reviewed game.

use papan_catalog::review;
use papan_rules::Player;
use serde::Serialize;

use super::{Score, moves};
use crate::review::GameReview;

/// A reviewed game.
#[derive(Clone, Debug, Serialize)]
pub struct Review {
    /// The game's name.
    pub game: String,
    /// The position that it began from, if not the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Its players, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub players: Option<[String; 2]>,
    /// What its opening is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<&'static str>,
    /// Who was asked.
    pub strategy: String,
    /// How long it took.
    pub seconds: f64,
    /// Whether every position was looked at.
    pub complete: bool,
    /// What every position is worth to the first player.
    pub curve: Vec<Score>,
    /// Every move.
    pub moves: Vec<MoveReview>,
}

/// A reviewed move; scores are those of the player who made it.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReview {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Who made it.
    pub player: &'static str,
    /// What the position before it was worth.
    pub before: Score,
    /// What the position after it was worth.
    pub after: Score,
    /// The best move there, where that is known.
    pub best: Option<String>,
    /// How play would have gone on from the best move.
    pub pv: Vec<String>,
    /// What the move cost; nothing where the numbers do not compare.
    pub loss: Option<f32>,
    /// Whether it was a mistake.
    pub mistake: bool,
    /// Whether it was a mistake after which somebody else was ahead, or nobody.
    pub turning_point: bool,
}

impl Review {
    /// What programs read of a review.
    #[must_use]
    pub fn new(reviewed: &GameReview<'_>) -> Self {
        let game = reviewed.line.game();
        let mut line = reviewed.line.clone_line();
        while line.undo().is_some() {}
        let start = line.position_text();
        let one = |judgement: &review::Judgement| MoveReview {
            mv: game.format_move(judgement.mv),
            player: match judgement.player {
                Player::First => "first",
                Player::Second => "second",
            },
            before: judgement.before.into(),
            after: judgement.after.into(),
            best: judgement.best.map(|best| game.format_move(best)),
            pv: moves(&game, &judgement.pv),
            loss: judgement.loss,
            mistake: judgement.mistake,
            turning_point: judgement.turning,
        };
        let named = reviewed.players.iter().any(|name| !name.is_empty());
        Self {
            start: (start != game.line().position_text()).then_some(start),
            players: named.then(|| reviewed.players.clone()),
            opening: papan_catalog::opening(reviewed.line),
            strategy: reviewed.strategy.clone(),
            seconds: reviewed.elapsed.as_secs_f64(),
            complete: reviewed.values.iter().all(Option::is_some),
            curve: reviewed.values.iter().map(|&value| value.into()).collect(),
            moves: reviewed.judgements.iter().map(one).collect(),
            game: game.name(),
        }
    }
}
