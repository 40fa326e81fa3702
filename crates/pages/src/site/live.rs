//! Live analysis of a position, one pass at a time.

use papan_analysis::engine_cache::AnalysisRequest;
use papan_catalog::advisor;
use papan_view::BoardView;

use super::{Site, analysis_request, parse, split};
use crate::analysis;
use crate::error::PageError;
use crate::games::FreshGames;
use crate::live_update::LiveAnalysis;
use crate::position_url::PositionUrl;

/// A position that is analysed until the visitor stops it.
pub(super) struct LiveSearch {
    request: AnalysisRequest,
    analysis: LiveAnalysis,
}

impl Site {
    /// Begins a live analysis.
    ///
    /// # Errors
    /// If the position is invalid or the game is over.
    pub fn begin_live(&mut self, address: &str) -> Result<(), PageError> {
        let words = self.context.words;
        let url: PositionUrl = parse(split(address).1)?;
        let line = url.line_here(&FreshGames, words)?;
        if line.outcome().is_some() {
            let sentence = analysis::status(words, &BoardView::of(&*line));
            return Err(PageError::Unusable(sentence));
        }
        self.live = Some(LiveSearch {
            request: analysis_request(&*line, url.start, advisor(&line.game())),
            analysis: LiveAnalysis::new(line, words),
        });
        Ok(())
    }

    /// Runs the next pass of the live analysis and returns its update as JSON; `None` when it is over.
    pub fn next_pass(&mut self) -> Option<String> {
        let live = self.live.as_mut()?;
        let time = live.analysis.next_pass()?;
        let mut request = live.request.clone();
        request.limits.time = Some(time);
        request.stop = self.stop.clone();
        let began = self.clock.now();
        let decision = self.engines.decide(&request).ok()?;
        let took = self.clock.now().saturating_sub(began);
        let others = live.analysis.unscored(&decision);
        let scores = self.engines.score_moves(&request, &others).ok()?;
        live.analysis.add_scores(scores);
        serde_json::to_string(&live.analysis.record(&decision, took)).ok()
    }
}
