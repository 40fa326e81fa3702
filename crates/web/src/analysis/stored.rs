//! The evaluation of one position as JSON: stored with a review and sent by workers.

use papan_catalog::AnyGame;
use papan_catalog::review::PositionAnalysis;
use papan_view::json;
use serde::{Deserialize, Serialize};

/// The evaluation of a position as JSON.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StoredInsight {
    best: Option<String>,
    score: Option<json::Score>,
    moves: Vec<(String, json::Score)>,
    /// Absent in papan 0.1.
    #[serde(default)]
    pv: Vec<String>,
}

impl StoredInsight {
    pub(crate) fn new(game: &AnyGame, insight: &PositionAnalysis) -> Self {
        let moves = insight.moves.iter();
        Self {
            best: insight.best.map(|best| game.format_move(best)),
            score: insight.score.map(json::Score::from),
            moves: moves
                .map(|(mv, score)| (game.format_move(*mv), json::Score::from(*score)))
                .collect(),
            pv: json::moves(game, &insight.pv),
        }
    }

    /// Parses it; returns `None` if an older version stored it differently.
    pub(crate) fn parse(&self, game: &AnyGame) -> Option<PositionAnalysis> {
        let best = self.best.as_deref().map(|best| game.parse_move(best));
        let moves = self
            .moves
            .iter()
            .map(|(mv, score)| Some((game.parse_move(mv).ok()?, score.read()?)));
        let pv = self.pv.iter().map(|mv| game.parse_move(mv).ok());
        Some(PositionAnalysis {
            best: best.transpose().ok()?,
            score: self.score.as_ref().and_then(json::Score::read),
            moves: moves.collect::<Option<_>>()?,
            pv: pv.collect::<Option<_>>()?,
        })
    }
}
