//! Work that takes longer than an answer may: the review of a game, the proof about a strategy.

use papan_analysis::engine_cache::{AnalysisRequest, EngineCache};
use papan_analysis::proof_job::ProofRequest;
use papan_analysis::strategy_failure::StrategyFailure;
use papan_catalog::review::PositionAnalysis;
use papan_catalog::{AnyLine, StrategySpec, advisor};
use papan_strategies::{StopToken, Watch};
use papan_view::Messages;

use crate::proof::ProofStage;
use crate::review::{ReviewProgress, ReviewRequest};

/// Memory of a proof, in MiB.
const PROOF_MEMORY_MIB: usize = 128;

/// A review in progress, or done.
pub(super) struct PendingReview {
    start: Option<String>,
    line: Box<dyn AnyLine>,
    strategy: StrategySpec,
    /// Evaluations of the last positions, from the end on: the tables of the engine stay warm, and
    /// proved results are carried back.
    insights: Vec<PositionAnalysis>,
    failure: Option<StrategyFailure>,
}

impl PendingReview {
    pub(super) fn new(request: &ReviewRequest) -> Self {
        let line = request.line();
        Self {
            start: request.start().map(str::to_owned),
            strategy: advisor(&line.game()),
            line: line.clone_line(),
            insights: Vec::new(),
            failure: None,
        }
    }

    /// Returns whether this is the review of a request.
    pub(super) fn is_of(&self, request: &ReviewRequest) -> bool {
        let line = request.line();
        self.start.as_deref() == request.start()
            && self.line.game().name() == line.game().name()
            && self.line.moves() == line.moves()
    }

    fn positions(&self) -> usize {
        self.line.moves().len() + 1
    }

    pub(super) fn has_ended(&self) -> bool {
        self.insights.len() == self.positions() || self.failure.is_some()
    }

    /// Returns the state that the page shows.
    pub(super) fn progress(&self, words: Messages) -> ReviewProgress {
        let missing = self.positions() - self.insights.len();
        let known = self.insights.iter().rev().cloned().map(Some);
        ReviewProgress {
            strategy: self.strategy.clone(),
            insights: std::iter::repeat_n(None, missing).chain(known).collect(),
            failure: self.failure.as_ref().map(|failure| failure.text(words)),
        }
    }

    /// Evaluates the next position; does nothing if it is stopped.
    pub(super) fn step(&mut self, engines: &mut EngineCache, stop: &StopToken) {
        let ply = self.positions() - 1 - self.insights.len();
        let mut here = self.line.clone_line();
        while here.moves().len() > ply {
            here.undo();
        }
        if here.outcome().is_some() {
            self.insights.push(PositionAnalysis::default());
            return;
        }
        let request = AnalysisRequest {
            stop: stop.clone(),
            ..super::analysis_request(&*here, self.start.clone(), self.strategy.clone())
        };
        let near_end = (self.insights.last()).is_none_or(PositionAnalysis::is_certain);
        let analysed = engines.review(&request, near_end);
        if stop.is_stopped() {
            return;
        }
        match analysed {
            Ok(insight) => self.insights.push(insight),
            Err(failure) => self.failure = Some(failure),
        }
    }
}

/// A proof that waits for its turn, or its outcome.
pub(super) struct PendingProof {
    request: ProofRequest,
    stage: ProofStage,
}

impl PendingProof {
    pub(super) fn new(request: ProofRequest) -> Self {
        Self {
            request,
            stage: ProofStage::Waiting,
        }
    }

    /// Returns whether this is the proof of a request.
    pub(super) fn is_of(&self, request: &ProofRequest) -> bool {
        let key = |request: &ProofRequest| {
            let game = request.game.name();
            (game, request.strategy.to_string(), request.player)
        };
        key(&self.request) == key(request)
    }

    pub(super) fn request(&self) -> &ProofRequest {
        &self.request
    }

    pub(super) fn stage(&self) -> &ProofStage {
        &self.stage
    }

    pub(super) fn is_done(&self) -> bool {
        self.stage.is_done()
    }

    /// Runs the proof to its end; a visitor who does not want to wait leaves the page.
    pub(super) fn run(&mut self) {
        let watch = Watch::with_memory_limit(PROOF_MEMORY_MIB);
        self.stage = ProofStage::Done(self.request.prove(&watch));
    }
}
