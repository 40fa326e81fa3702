//! Pages of a position: analysis, review, trace and proof.

use std::sync::Arc;

use papan_analysis::engine_cache::AnalysisRequest;
use papan_catalog::AnyLine;
use papan_catalog::trace::{TracedRun, trace};
use papan_view::messages;

use super::long_work::{PendingProof, PendingReview};
use super::{Answer, Site, analysis_request, parse};
use crate::analysis::{self, Evaluation, FailedImport, Notices};
use crate::error::PageError;
use crate::game_study::{StudyAnswer, StudyRequest};
use crate::games::FreshGames;
use crate::import;
use crate::position_url::PositionUrl;
use crate::proof::{self, ProofQuery};
use crate::review::{self, ReviewRequest};
use crate::trace::{self as trace_page, StepRequest};
use crate::variations::Variations;

impl Site {
    /// Evaluates a position with the strategy in its address, if there is one.
    pub(super) fn evaluate(
        &mut self,
        line: &dyn AnyLine,
        url: &PositionUrl,
    ) -> Result<Option<Evaluation>, PageError> {
        let strategy = url.strategy.as_deref().unwrap_or("").trim();
        if strategy.is_empty() || line.outcome().is_some() {
            return Ok(None);
        }
        let words = self.context.words;
        let spec = self.policy.parse(&line.game(), strategy, words)?;
        let request = AnalysisRequest {
            stop: self.stop.clone(),
            ..analysis_request(line, url.start.clone(), spec.clone())
        };
        let decided = self.engines.decide_every_move(&request);
        let decision = decided.map_err(|failure| PageError::Unusable(failure.text(words)))?;
        Ok(Some((spec, Arc::new(decision))))
    }

    pub(super) fn analysis(&mut self, url: PositionUrl) -> Result<Answer, PageError> {
        let words = self.context.words;
        let lines = Variations::parse(url, &FreshGames, words)?;
        let evaluation = self.evaluate(&*lines.here(), &lines.url())?;
        let notices = Notices::default();
        let html = analysis::page(&self.context, &lines, evaluation.as_ref(), notices)?;
        Ok(Answer::html(html))
    }

    pub(super) fn import(&mut self, form: import::Import) -> Result<Answer, PageError> {
        let words = self.context.words;
        match import::parse(&FreshGames, &form, words) {
            Ok(url) => Ok(Answer::redirect(url.link("/analysis"))),
            Err(PageError::Unusable(sentence)) => {
                let url = PositionUrl {
                    game: form.game,
                    ..PositionUrl::default()
                };
                let lines = Variations::parse(url, &FreshGames, words)?;
                let notices = Notices {
                    import: Some(FailedImport {
                        text: form.text,
                        sentence,
                    }),
                    ..Notices::default()
                };
                Ok(Answer {
                    status: 422,
                    ..Answer::html(analysis::page(&self.context, &lines, None, notices)?)
                })
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn review(&mut self, url: PositionUrl) -> Result<Answer, PageError> {
        let request = ReviewRequest::parse(url, &FreshGames, self.context.words)?;
        let review = match self.review.take() {
            Some(known) if known.is_of(&request) => known,
            _ => PendingReview::new(&request),
        };
        let progress = review.progress(self.context.words);
        self.review = Some(review);
        Ok(Answer::html(review::page(
            &self.context,
            &request,
            &progress,
        )?))
    }

    pub(super) fn trace(&mut self, query: &str) -> Result<Answer, PageError> {
        let (step, run) = self.run(query)?;
        let html = trace_page::page(&self.context, &step, &run)?;
        self.run = Some((step.key(), run));
        Ok(Answer::html(html))
    }

    /// Returns the run of an address: the last one, if it is that.
    pub(super) fn run(&mut self, query: &str) -> Result<(StepRequest, TracedRun), PageError> {
        let words = self.context.words;
        let (position, step) = (parse(query)?, parse(query)?);
        let step = StepRequest::parse(position, &step, &FreshGames, &self.policy, words)?;
        let key = step.key();
        let known = self.run.take().filter(|(known, _)| *known == key);
        let run = match known {
            Some((_, run)) => run,
            None => trace(step.line(), &step.run())
                .map_err(|error| PageError::Unusable(messages::trace(words, &error)))?,
        };
        Ok((step, run))
    }

    pub(super) fn proof(&mut self, query: &ProofQuery) -> Result<Answer, PageError> {
        let request = query.request(&FreshGames, &self.policy, self.context.words)?;
        let pending = match self.proof.take() {
            Some(known) if known.is_of(&request) => known,
            _ => PendingProof::new(request),
        };
        let html = proof::page(&self.context, query, pending.request(), pending.stage())?;
        self.proof = Some(pending);
        Ok(Answer::html(html))
    }

    /// Works out a hint or an explanation for a game that the site does not keep.
    ///
    /// # Errors
    /// If the position is invalid or the strategy has no answer.
    pub fn study(&mut self, request: &StudyRequest) -> Result<StudyAnswer, PageError> {
        let words = self.context.words;
        let url = PositionUrl {
            game: request.game.clone(),
            start: request.start.clone(),
            moves: request.moves.clone(),
            ..PositionUrl::default()
        };
        let line = url.line(&FreshGames, words)?;
        let strategy = self.policy.parse(&line.game(), &request.strategy, words)?;
        let decision = self.decide(&AnalysisRequest {
            seed: request.seed(),
            ..analysis_request(&*line, url.start, strategy)
        })?;
        request.answer(words, &*line, &decision)
    }
}
