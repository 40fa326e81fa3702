//! Game reviews: background jobs that evaluate every position of a game.
//!
//! The evaluations so far are stored after every position, so that an interrupted review
//! resumes. Positions go to remote workers while there are any; where a worker has no evaluation, the
//! server computes itself.

use std::net::IpAddr;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use papan_catalog::review::PositionAnalysis;
use papan_catalog::{AnyGame, StrategySpec};
use papan_pages::review::ReviewProgress;
use papan_rules::Move;
use papan_store::{GameStore, StoredStudy};
use papan_strategies::StopToken;
use papan_view::Messages;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::analysis::background::{BackgroundJobs, Started};
use crate::analysis::engine_cache::{AnalysisRequest, EngineCache};
use crate::analysis::in_flight::{InFlightJobs, JobKind};
use crate::analysis::job::{AnalysisJob, PositionResult};
use crate::analysis::remote::{POLL, Poll, RemoteStatus, RemoteWorkers};
use crate::analysis::service::AnalysisService;
use crate::analysis::stored::StoredInsight;
use crate::analysis::strategy_failure::StrategyFailure;
use crate::http::rejection::Rejection;
use crate::wall_clock::WallClock;

/// Positions of one review that are queued for workers at a time.
const REMOTE_BATCH: usize = 8;
/// Pause before a full engine queue is tried again.
const QUEUE_RETRY: Duration = Duration::from_millis(200);

/// A review in progress, or done.
#[derive(Debug)]
pub(crate) struct Review {
    /// The strategy that evaluates.
    pub(crate) strategy: StrategySpec,
    /// Number of positions.
    pub(crate) positions: usize,
    progress: Mutex<Progress>,
}

#[derive(Clone, Debug, Default)]
struct Progress {
    /// Evaluations of the last positions, from the end on: the tables of the engine stay warm, and
    /// proved results are carried back.
    insights: Vec<PositionAnalysis>,
    failure: Option<StrategyFailure>,
}

impl Review {
    /// Returns the evaluations so far, from the first position; the last ones are made first.
    fn insights(&self) -> Vec<Option<PositionAnalysis>> {
        let known = self.progress.lock().insights.clone();
        let missing = self.positions.saturating_sub(known.len());
        let known = known.into_iter().rev().map(Some);
        std::iter::repeat_n(None, missing).chain(known).collect()
    }

    /// Returns the number of evaluated positions.
    fn evaluated(&self) -> usize {
        self.progress.lock().insights.len()
    }

    /// Returns why the review cannot be finished.
    fn failure(&self, words: Messages) -> Option<String> {
        let progress = self.progress.lock();
        progress.failure.as_ref().map(|failure| failure.text(words))
    }

    /// Returns the state that the page shows.
    pub(crate) fn progress(&self, words: Messages) -> ReviewProgress {
        ReviewProgress {
            strategy: self.strategy.clone(),
            insights: self.insights(),
            failure: self.failure(words),
        }
    }

    /// Returns whether every position is evaluated.
    fn is_done(&self) -> bool {
        self.evaluated() == self.positions
    }

    /// Returns whether the position that was evaluated last is known for certain, or the game ends
    /// here.
    fn is_near_end(&self) -> bool {
        let progress = self.progress.lock();
        progress
            .insights
            .last()
            .is_none_or(PositionAnalysis::is_certain)
    }

    fn has_ended(&self) -> bool {
        self.is_done() || self.progress.lock().failure.is_some()
    }

    fn record(&self, result: Result<PositionAnalysis, StrategyFailure>) {
        let mut progress = self.progress.lock();
        match result {
            Ok(insight) => progress.insights.push(insight),
            Err(failure) => progress.failure = Some(failure),
        }
    }
}

/// A review as it is stored.
#[derive(Default, Serialize, Deserialize)]
struct StoredReview {
    /// From the last position on. Versions before 0.3 stored them from the first on, as `insights`.
    #[serde(default)]
    from_end: Vec<StoredInsight>,
    failure: Option<StrategyFailure>,
}

impl StoredReview {
    fn new(game: &AnyGame, review: &Review) -> Self {
        let progress = review.progress.lock();
        let insights = progress.insights.iter();
        Self {
            from_end: insights
                .map(|insight| StoredInsight::new(game, insight))
                .collect(),
            failure: progress.failure.clone(),
        }
    }

    /// Parses it. Evaluations that an older version stored differently are dropped.
    fn parse(self, game: &AnyGame) -> Progress {
        let insights = self.from_end.iter().map(|insight| insight.parse(game));
        Progress {
            insights: insights.collect::<Option<_>>().unwrap_or_default(),
            failure: self.failure,
        }
    }
}

/// The line of play that a review is about.
pub(crate) struct ReviewSubject {
    pub(crate) game: AnyGame,
    /// Start position, unless it is the game's own.
    pub(crate) start: Option<String>,
    pub(crate) moves: Vec<Move>,
}

impl ReviewSubject {
    /// Returns the key under which the review is stored.
    fn key(&self) -> String {
        let moves = self.moves.iter().map(|mv| self.game.format_move(*mv));
        format!(
            "review {} {} [{}] {}",
            self.game.name(),
            papan_catalog::advisor(&self.game),
            self.start.as_deref().unwrap_or(""),
            moves.collect::<Vec<_>>().join(" ")
        )
    }
}

/// Reviews in progress.
pub(crate) struct Reviews {
    store: Arc<dyn GameStore>,
    clock: Arc<dyn WallClock>,
    analysis: Arc<AnalysisService>,
    remote: Option<Arc<RemoteWorkers>>,
    jobs: BackgroundJobs<Review>,
}

impl Reviews {
    pub(crate) fn new(
        store: Arc<dyn GameStore>,
        clock: Arc<dyn WallClock>,
        analysis: Arc<AnalysisService>,
        remote: Option<Arc<RemoteWorkers>>,
        in_flight: Arc<InFlightJobs>,
    ) -> Self {
        Self {
            jobs: BackgroundJobs::new(JobKind::Review, in_flight, Arc::clone(&clock)),
            store,
            clock,
            analysis,
            remote,
        }
    }

    /// Returns what is known of a review, and computes nothing.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub(crate) async fn known(&self, subject: &ReviewSubject) -> Result<Arc<Review>, Rejection> {
        let key = subject.key();
        match self.jobs.find(&key) {
            Some(review) => Ok(review),
            None => Ok(Arc::new(self.stored(subject, &key).await?)),
        }
    }

    async fn stored(&self, subject: &ReviewSubject, key: &str) -> Result<Review, Rejection> {
        let stored = self.store.study(key).await?;
        let stored: StoredReview = stored
            .and_then(|stored| serde_json::from_str(&stored.body).ok())
            .unwrap_or_default();
        Ok(Review {
            strategy: papan_catalog::advisor(&subject.game),
            positions: subject.moves.len() + 1,
            progress: Mutex::new(stored.parse(&subject.game)),
        })
    }

    /// Returns the review of a line of play, and starts or resumes it if needed.
    ///
    /// # Errors
    /// If the client, or all clients together, have too many reviews in flight.
    pub(crate) async fn get(
        self: &Arc<Self>,
        client: IpAddr,
        subject: ReviewSubject,
    ) -> Result<Arc<Review>, Rejection> {
        let key = subject.key();
        if let Some(review) = self.jobs.find(&key) {
            return Ok(review);
        }
        let review = self.stored(&subject, &key).await?;
        if review.has_ended() {
            return Ok(Arc::new(review));
        }
        self.analysis.take_token(client)?;
        let review = match self.jobs.start(&key, client, review)? {
            Started::Existing(review) => return Ok(review),
            Started::New(review) => review,
        };
        let job = ReviewJob {
            reviews: Arc::clone(self),
            client,
            subject: key,
            game: subject.game.clone(),
            whole: AnalysisRequest {
                game: subject.game.name(),
                start: subject.start,
                moves: subject.moves,
                strategy: review.strategy.clone(),
                limits: self.analysis.limits(),
                seed: 0,
                stop: StopToken::default(),
            },
            review: Arc::clone(&review),
        };
        tokio::spawn(job.run());
        Ok(review)
    }
}

/// A running review.
struct ReviewJob {
    reviews: Arc<Reviews>,
    client: IpAddr,
    subject: String,
    game: AnyGame,
    review: Arc<Review>,
    /// The request for the final position.
    whole: AnalysisRequest,
}

impl ReviewJob {
    /// Evaluates by workers while there are any, then on this server.
    async fn run(self) {
        if let Some(remote) = &self.reviews.remote {
            self.run_remote(remote).await;
        }
        self.run_local().await;
        self.reviews.jobs.finish(&self.subject);
    }

    async fn run_remote(&self, remote: &RemoteWorkers) {
        while !self.review.has_ended() && !self.reviews.analysis.shutdown.is_triggered() {
            let evaluated = self.review.evaluated();
            let end = self.review.positions.min(evaluated + REMOTE_BATCH);
            // Those before the next one may be near the end as well.
            let near_end = self.review.is_near_end();
            let jobs: Vec<AnalysisJob> = (evaluated..end)
                .map(|evaluated| self.request(self.ply(evaluated)))
                .map(|request| AnalysisJob::position(&self.game, &request, near_end))
                .collect();
            match remote.poll(&jobs).await {
                Poll::Status(statuses) => {
                    if self.record_remote(statuses).await.is_break() && !self.evaluate_next().await
                    {
                        return;
                    }
                }
                Poll::NoWorkers => return,
            }
            tokio::time::sleep(POLL).await;
        }
    }

    /// Records the results of workers up to the first that is missing. Breaks at one without an
    /// evaluation: that the strategy has none is not believed.
    async fn record_remote(&self, statuses: Vec<RemoteStatus>) -> ControlFlow<()> {
        let mut changed = false;
        let mut flow = ControlFlow::Continue(());
        for status in statuses {
            let body = match status {
                RemoteStatus::Queued | RemoteStatus::Running(_) => break,
                RemoteStatus::Failed => None,
                RemoteStatus::Done(body) => Some(body),
            };
            let result = body.and_then(|body| serde_json::from_slice::<PositionResult>(&body).ok());
            let stored = result.and_then(Result::ok);
            let Some(insight) = stored.and_then(|stored| stored.parse(&self.game)) else {
                flow = ControlFlow::Break(());
                break;
            };
            self.review.record(Ok(insight));
            changed = true;
        }
        if changed {
            self.save().await;
        }
        flow
    }

    /// Returns the ply that is evaluated after this many others.
    fn ply(&self, evaluated: usize) -> usize {
        self.review.positions - 1 - evaluated
    }

    fn request(&self, ply: usize) -> AnalysisRequest {
        let mut request = self.whole.clone();
        request.moves.truncate(ply);
        request
    }

    /// Evaluates one position after the other, each as a job of its own, so that other
    /// clients are served in between.
    async fn run_local(&self) {
        // After a shutdown the review resumes from the database.
        while !self.review.has_ended() && self.evaluate_next().await {}
    }

    /// Evaluates the next position on this server. Returns `false` on shutdown.
    async fn evaluate_next(&self) -> bool {
        let request = self.request(self.ply(self.review.evaluated()));
        let Some(result) = self.evaluate(request).await else {
            return false;
        };
        self.review.record(result);
        self.save().await;
        true
    }

    /// Evaluates one position. Returns `None` on shutdown.
    async fn evaluate(
        &self,
        request: AnalysisRequest,
    ) -> Option<Result<PositionAnalysis, StrategyFailure>> {
        let analysis = &self.reviews.analysis;
        let near_end = self.review.is_near_end();
        loop {
            let request = request.clone();
            let job = move |engines: &mut EngineCache| engines.review(&request, near_end);
            match analysis.run_on_pool(self.client, job).await {
                Ok(result) => return Some(result),
                Err(Rejection::Internal) => return Some(Err(StrategyFailure::BrokeDown)),
                Err(Rejection::Busy) if analysis.shutdown.is_triggered() => return None,
                Err(Rejection::Busy | Rejection::TooMany { .. }) => {
                    tokio::time::sleep(QUEUE_RETRY).await;
                }
                Err(rejection) => return Some(Err(StrategyFailure::other(rejection))),
            }
        }
    }

    async fn save(&self) {
        let stored = StoredReview::new(&self.game, &self.review);
        let study = StoredStudy {
            subject: self.subject.clone(),
            body: serde_json::to_string(&stored).expect("reviews serialize to JSON"),
            at: self.reviews.clock.unix_millis(),
        };
        if let Err(error) = self.reviews.store.keep_study(study).await {
            tracing::error!(%error, "cannot store a review");
        }
    }
}
