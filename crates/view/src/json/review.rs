//! Output of `papan review`.

use papan_catalog::{AnyGame, review};
use papan_rules::Player;
use serde::Serialize;

use super::{Score, moves};
use crate::review::GameReview;

/// Output of `papan review`.
#[derive(Clone, Debug, Serialize)]
pub struct Review {
    /// The game's name.
    pub game: String,
    /// The start position, if it is not the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Its players, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub players: Option<[String; 2]>,
    /// Name of the opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<&'static str>,
    /// The strategy that analysed it.
    pub strategy: String,
    /// Wall-clock time, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Whether all positions were analysed.
    pub complete: bool,
    /// The score of every position for the first player.
    pub curve: Vec<Score>,
    /// Accuracy of the first and second player in percent, where moves were judged.
    pub accuracy: [Option<f32>; 2],
    /// The moves.
    pub moves: Vec<MoveReview>,
}

/// A reviewed move; scores are for the player who made it.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReview {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The player who made it.
    pub player: &'static str,
    /// Score of the position before it.
    pub before: Score,
    /// Score after it, comparable with that before it where the loss is known.
    pub after: Score,
    /// The best move, if known.
    pub best: Option<String>,
    /// Principal variation of the best move.
    pub pv: Vec<String>,
    /// The move that would have been better, if this one has a grade.
    pub better: Option<String>,
    /// The loss; `None` where the scores do not compare.
    pub loss: Option<f32>,
    /// Whether it has a grade.
    pub mistake: bool,
    /// How bad it was: `inaccuracy`, `mistake` or `blunder`.
    pub grade: Option<&'static str>,
    /// Whether it was a mistake that changed who is ahead.
    pub turning_point: bool,
}

impl MoveReview {
    /// Creates the output from a judgement.
    #[must_use]
    pub fn new(game: &AnyGame, judgement: &review::Judgement) -> Self {
        Self {
            mv: game.format_move(judgement.mv),
            player: match judgement.player {
                Player::First => "first",
                Player::Second => "second",
            },
            before: judgement.before.into(),
            after: judgement.after.into(),
            best: judgement.best.map(|best| game.format_move(best)),
            pv: moves(game, &judgement.pv),
            better: judgement.better().map(|better| game.format_move(better)),
            loss: judgement.loss,
            mistake: judgement.grade.is_some(),
            grade: judgement.grade.map(review::Grade::name),
            turning_point: judgement.turning,
        }
    }
}

impl Review {
    /// Creates the output from a review.
    #[must_use]
    pub fn new(reviewed: &GameReview<'_>) -> Self {
        let game = reviewed.line.game();
        let mut line = reviewed.line.clone_line();
        while line.undo().is_some() {}
        let start = line.position_text();
        let one = |judgement| MoveReview::new(&game, judgement);
        let named = reviewed.players.iter().any(|name| !name.is_empty());
        Self {
            start: (start != game.line().position_text()).then_some(start),
            players: named.then(|| reviewed.players.clone()),
            opening: papan_catalog::opening(reviewed.line),
            strategy: reviewed.strategy.clone(),
            seconds: reviewed.elapsed.map(|elapsed| elapsed.as_secs_f64()),
            complete: reviewed.values.iter().all(Option::is_some),
            curve: reviewed.values.iter().map(|&value| value.into()).collect(),
            accuracy: Player::BOTH.map(|player| review::accuracy(&reviewed.judgements, player)),
            moves: reviewed.judgements.iter().map(one).collect(),
            game: game.name(),
        }
    }
}
