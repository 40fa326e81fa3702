//! What strategies found out for visitors: opinions of positions, and reviews of
//! games, which are long work that a client may leave and come back to. What is
//! known of a review is stored after every position, so that it goes on where it was
//! when the server starts again.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use papan_catalog::review::PositionAnalysis;
use papan_catalog::{AnyGame, StrategySpec};
use papan_rules::Move;
use papan_store::{JobStanding, NewJob, StoreError, StoredStudy};
use papan_strategies::Decision;
use papan_view::Messages;
use serde::{Deserialize, Serialize};

use crate::analysis::background::BackgroundJobs;
use crate::analysis::engine_cache::AnalysisRequest;
use crate::analysis::job::{AnalysisJob, PositionAnswer};
use crate::analysis::remote::{LOOK, RemoteWorkers};
use crate::analysis::stored::StoredInsight;
use crate::analysis::strategy_failure::StrategyFailure;
use crate::game::cluster::Kind;
use crate::http::rejection::Rejection;
use crate::state::AppState;

/// Opinions that are kept.
const KEPT: usize = 256;
/// Positions of one review that workers have at a time.
const AHEAD: usize = 8;

/// What was found out, by what it is about; the oldest goes first.
#[derive(Debug)]
struct Shelf<T>(VecDeque<(String, Arc<T>)>);

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<T> Shelf<T> {
    fn take(&self, name: &str) -> Option<Arc<T>> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, thing)| Arc::clone(thing))
    }

    fn put(&mut self, name: String, thing: &Arc<T>) {
        self.0.retain(|(known, _)| *known != name);
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back((name, Arc::clone(thing)));
    }
}

/// Reviews under way, and opinions by what they are about.
#[derive(Debug, Default)]
pub(crate) struct Studies {
    reviews: BackgroundJobs<Review>,
    opinions: Mutex<Shelf<Decision>>,
}

impl Studies {
    /// How many reviews each address has under way.
    pub(crate) fn by_address(&self) -> Vec<(IpAddr, usize)> {
        self.reviews.by_address()
    }
}

/// A review that is being made, or done.
#[derive(Debug)]
pub(crate) struct Review {
    /// Who is asked.
    pub strategy: StrategySpec,
    /// How many positions there are.
    pub positions: usize,
    insights: Mutex<Vec<PositionAnalysis>>,
    failure: Mutex<Option<StrategyFailure>>,
}

impl Review {
    /// What is known so far, from the first position on.
    pub(crate) fn insights(&self) -> Vec<PositionAnalysis> {
        self.insights.lock().expect("no panic inside").clone()
    }

    /// Why it will not be finished, if so.
    pub(crate) fn failure(&self, words: Messages) -> Option<String> {
        let failure = self.failure.lock().expect("no panic inside");
        failure.as_ref().map(|fault| fault.text(words))
    }

    /// Whether every position is known.
    #[must_use]
    pub(crate) fn is_done(&self) -> bool {
        self.insights.lock().expect("no panic inside").len() == self.positions
    }

    fn has_ended(&self) -> bool {
        self.is_done() || self.failure.lock().expect("no panic inside").is_some()
    }
}

/// A review in the form in which it is kept.
#[derive(Default, Serialize, Deserialize)]
struct Kept {
    insights: Vec<StoredInsight>,
    failure: Option<StrategyFailure>,
}

impl Kept {
    fn of(game: &AnyGame, review: &Review) -> Self {
        let insights = review.insights();
        let kept = insights
            .iter()
            .map(|insight| StoredInsight::of(game, insight));
        Self {
            insights: kept.collect(),
            failure: review.failure.lock().expect("no panic inside").clone(),
        }
    }

    fn insights(&self, game: &AnyGame) -> Option<Vec<PositionAnalysis>> {
        self.insights.iter().map(|kept| kept.read(game)).collect()
    }
}

impl AppState {
    /// What a strategy thinks of a position; it is asked if it was not yet.
    ///
    /// # Errors
    /// When the client asks too often, the pool is full, or the strategy has no
    /// answer.
    pub(crate) async fn opinion(
        &self,
        client: IpAddr,
        question: AnalysisRequest,
    ) -> Result<Arc<Decision>, Rejection> {
        let (game, strategy) = (&question.game, &question.strategy);
        let name = format!(
            "{game} {:?} {:?} {strategy}",
            question.start, question.moves
        );
        let opinions = &self.studies.opinions;
        let known = opinions.lock().expect("no panic inside").take(&name);
        if let Some(decision) = known {
            return Ok(decision);
        }
        self.study_rate(client)?;
        let decision = Arc::new(self.ask(client, question).await?);
        let mut opinions = opinions.lock().expect("no panic inside");
        opinions.put(name, &decision);
        Ok(decision)
    }

    /// The review of a line of play; it begins if there is none yet, and goes on if
    /// it was interrupted.
    ///
    /// # Errors
    /// When the client, or everybody, has enough under way.
    pub(crate) async fn review(
        self: &Arc<Self>,
        client: IpAddr,
        game: &AnyGame,
        start: Option<String>,
        moves: &[Move],
    ) -> Result<Arc<Review>, Rejection> {
        let strategy = papan_catalog::advisor(game);
        let texts: Vec<String> = moves.iter().map(|mv| game.format_move(*mv)).collect();
        let subject = format!(
            "review {} {strategy} [{}] {}",
            game.name(),
            start.as_deref().unwrap_or(""),
            texts.join(" ")
        );
        if let Some(review) = self.studies.reviews.find(&subject) {
            return Ok(review);
        }
        let kept = self.store.study(&subject).await?;
        let kept = kept.and_then(|kept| serde_json::from_str::<Kept>(&kept.body).ok());
        let kept = kept.unwrap_or_default();
        let review = Review {
            strategy: strategy.clone(),
            positions: moves.len() + 1,
            // What an older papan wrote otherwise is made anew.
            insights: Mutex::new(kept.insights(game).unwrap_or_default()),
            failure: Mutex::new(kept.failure),
        };
        if review.has_ended() {
            return Ok(Arc::new(review));
        }
        self.study_rate(client)?;
        let elsewhere = self.elsewhere.count(Kind::Reviews, client, self.now());
        let reviews = &self.studies.reviews;
        let (review, new) = reviews.begin(&subject, client, elsewhere, review)?;
        if new {
            let question = AnalysisRequest {
                game: game.name(),
                start,
                moves: moves.to_vec(),
                strategy,
                limits: self.study_limits(),
                seed: 0,
            };
            let making = Making {
                app: Arc::clone(self),
                client,
                subject,
                game: game.clone(),
                review: Arc::clone(&review),
            };
            tokio::spawn(making.run(question));
        }
        Ok(review)
    }
}

/// A review that is being made.
struct Making {
    app: Arc<AppState>,
    client: IpAddr,
    subject: String,
    game: AnyGame,
    review: Arc<Review>,
}

impl Making {
    /// By workers while there are any; what they leave is this server's.
    async fn run(self, whole: AnalysisRequest) {
        if let Some(workers) = &self.app.workers {
            self.by_workers(workers, &whole).await;
        }
        self.here(&whole).await;
        self.app.studies.reviews.clear(&self.subject);
    }

    /// Every position is a job of its own; some are out at a time.
    async fn by_workers(&self, workers: &RemoteWorkers, whole: &AnalysisRequest) {
        while !self.review.has_ended() && !self.app.is_stopping() {
            let known = self.review.insights().len();
            let out = known..self.review.positions.min(known + AHEAD);
            let questions = out.map(|ply| self.question(whole, ply));
            let questions = questions.take_while(|question| !self.is_over(question));
            let jobs: Vec<NewJob> = questions
                .map(|question| {
                    let study = AnalysisJob::position(&self.game, &question);
                    RemoteWorkers::job(&study, question.moves.len())
                })
                .collect();
            if jobs.is_empty() {
                return;
            }
            match workers.look(&jobs).await {
                Ok(Some(standings)) => self.take(standings).await,
                Ok(None) => return,
                // It will be back; until then nothing can be stored either.
                Err(StoreError::Away { .. }) => {}
                Err(error) => {
                    tracing::error!(%error, "the queue failed");
                    return;
                }
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Takes what workers found out, as far as nothing is missing in between.
    async fn take(&self, standings: Vec<JobStanding>) {
        let mut news = false;
        for standing in standings {
            let answer: PositionAnswer = match standing {
                JobStanding::Waiting | JobStanding::Running(_) => break,
                JobStanding::Failed(_) => Err(StrategyFailure::BrokeDown),
                JobStanding::Done(body) => {
                    serde_json::from_slice(&body).unwrap_or(Err(StrategyFailure::BrokeDown))
                }
            };
            let broken = StrategyFailure::BrokeDown;
            let insight = answer.and_then(|kept| kept.read(&self.game).ok_or(broken));
            let failed = insight.is_err();
            self.enter(insight);
            news = true;
            if failed {
                break;
            }
        }
        if news {
            self.keep().await;
        }
    }

    fn enter(&self, insight: Result<PositionAnalysis, StrategyFailure>) {
        match insight {
            Ok(insight) => {
                let mut insights = self.review.insights.lock().expect("no panic inside");
                insights.push(insight);
            }
            Err(fault) => {
                *self.review.failure.lock().expect("no panic inside") = Some(fault);
            }
        }
    }

    fn question(&self, whole: &AnalysisRequest, ply: usize) -> AnalysisRequest {
        let mut question = whole.clone();
        question.moves.truncate(ply);
        question
    }

    /// One position after the other, each a piece of work of its own, so that
    /// others are served in between.
    async fn here(&self, whole: &AnalysisRequest) {
        if self.review.has_ended() {
            return;
        }
        let known = self.review.insights().len();
        for ply in known..self.review.positions {
            let question = self.question(whole, ply);
            let over = ply + 1 == self.review.positions && self.is_over(&question);
            let insight = match over {
                true => Ok(PositionAnalysis::default()),
                false => self.insight(question).await,
            };
            match insight {
                Ok(insight) => self.enter(Ok(insight)),
                Err(Some(fault)) => self.enter(Err(fault)),
                // The server ends: what is known is stored, and the rest has time.
                Err(None) => break,
            }
            self.keep().await;
            if self.review.has_ended() {
                break;
            }
        }
    }

    /// What is known about one position; the fault is `None` when the server ends.
    async fn insight(
        &self,
        question: AnalysisRequest,
    ) -> Result<PositionAnalysis, Option<StrategyFailure>> {
        loop {
            match self.app.ask(self.client, question.clone()).await {
                Ok(decision) => return Ok(PositionAnalysis::from(&decision)),
                Err(Rejection::Busy) if self.app.is_stopping() => return Err(None),
                Err(Rejection::Busy) => tokio::time::sleep(Duration::from_millis(200)).await,
                Err(Rejection::NoAnswer(fault)) => return Err(Some(fault)),
                Err(rejection) => return Err(Some(StrategyFailure::other(rejection))),
            }
        }
    }

    async fn keep(&self) {
        let kept = Kept::of(&self.game, &self.review);
        let study = StoredStudy {
            subject: self.subject.clone(),
            body: serde_json::to_string(&kept).expect("plain data becomes JSON"),
            at: self.app.date(),
        };
        if let Err(error) = self.app.store.keep_study(study).await {
            tracing::error!(%error, "the store failed");
        }
    }

    fn is_over(&self, question: &AnalysisRequest) -> bool {
        let line = match &question.start {
            None => Some(self.game.line()),
            Some(start) => self.game.line_from(start).ok(),
        };
        line.is_none_or(|mut line| {
            question.moves.iter().any(|mv| line.play(*mv).is_err()) || line.outcome().is_some()
        })
    }
}
