//! The review of a game: long work that a visitor may leave and come back to. What
//! is known is stored after every position, so that a review goes on where it was
//! when the server starts again.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use papan_catalog::{AnyGame, StrategySpec};
use papan_rules::Move;
use papan_store::games::StoredStudy;
use papan_strategies::Score;
use papan_view::Words;
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::fault::Fault;
use crate::hub::{Hub, now};
use crate::refusal::Refusal;
use crate::seats::Question;

/// Reviews under way.
#[derive(Debug, Default)]
pub struct Studies(Desk<Review>);

/// What is known about one position of a game under review.
#[derive(Clone, Debug, PartialEq)]
pub struct Insight {
    /// The best move there, if anything can be played.
    pub best: Option<Move>,
    /// What the position is worth to the player to move.
    pub score: Option<Score>,
}

/// A review that is being made, or done.
#[derive(Debug)]
pub struct Review {
    /// Who is asked.
    pub strategy: StrategySpec,
    /// How many positions there are.
    pub positions: usize,
    insights: Mutex<Vec<Insight>>,
    failure: Mutex<Option<Fault>>,
}

impl Review {
    /// What is known so far, from the first position on.
    pub fn insights(&self) -> Vec<Insight> {
        self.insights.lock().expect("no panic inside").clone()
    }

    /// Why it will not be finished, if so.
    pub fn failure(&self, words: Words) -> Option<String> {
        let failure = self.failure.lock().expect("no panic inside");
        failure.as_ref().map(|fault| fault.text(words))
    }

    /// Whether every position is known.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.insights.lock().expect("no panic inside").len() == self.positions
    }

    fn has_ended(&self) -> bool {
        self.is_done() || self.failure.lock().expect("no panic inside").is_some()
    }
}

/// A review in the form in which it is kept.
#[derive(Default, Serialize, Deserialize)]
struct Kept {
    insights: Vec<KeptInsight>,
    failure: Option<Fault>,
}

#[derive(Serialize, Deserialize)]
struct KeptInsight {
    best: Option<String>,
    score: Option<KeptScore>,
}

#[derive(Serialize, Deserialize)]
struct KeptScore(#[serde(with = "ScoreForm")] Score);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Score", rename_all = "kebab-case")]
enum ScoreForm {
    Proven { value: i32, plies: u32 },
    AtMost(i32),
    AtLeast(i32),
    Estimate(f32),
}

impl Kept {
    fn of(game: &AnyGame, review: &Review) -> Self {
        let insights = review.insights();
        Self {
            insights: insights
                .iter()
                .map(|insight| KeptInsight {
                    best: insight.best.map(|best| game.format_move(best)),
                    score: insight.score.map(KeptScore),
                })
                .collect(),
            failure: review.failure.lock().expect("no panic inside").clone(),
        }
    }

    fn insights(&self, game: &AnyGame) -> Option<Vec<Insight>> {
        let insight = |kept: &KeptInsight| {
            let best = kept.best.as_deref().map(|best| game.parse_move(best));
            Some(Insight {
                best: best.transpose().ok()?,
                score: kept.score.as_ref().map(|score| score.0),
            })
        };
        self.insights.iter().map(insight).collect()
    }
}

impl Hub {
    /// The review of a line of play; it begins if there is none yet, and goes on if
    /// it was interrupted.
    ///
    /// # Errors
    /// When the visitor, or everybody, has enough under way.
    pub async fn review(
        self: &Arc<Self>,
        visitor: IpAddr,
        game: &AnyGame,
        start: Option<String>,
        moves: &[Move],
    ) -> Result<Arc<Review>, Refusal> {
        let strategy = papan_catalog::advisor(game);
        let texts: Vec<String> = moves.iter().map(|mv| game.format_move(*mv)).collect();
        let subject = format!(
            "review {} {strategy} [{}] {}",
            game.name(),
            start.as_deref().unwrap_or(""),
            texts.join(" ")
        );
        if let Some(review) = self.studies.0.find(&subject) {
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
        let (review, new) = self.studies.0.begin(&subject, visitor, review)?;
        if new {
            let question = Question {
                game: game.name(),
                start,
                moves: moves.to_vec(),
                strategy,
                limits: self.study_limits(),
                seed: 0,
            };
            let making = Making {
                hub: Arc::clone(self),
                visitor,
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
    hub: Arc<Hub>,
    visitor: IpAddr,
    subject: String,
    game: AnyGame,
    review: Arc<Review>,
}

impl Making {
    /// One position after the other, each a piece of work of its own, so that
    /// others are served in between.
    async fn run(self, whole: Question) {
        let known = self.review.insights().len();
        for ply in known..self.review.positions {
            let mut question = whole.clone();
            question.moves.truncate(ply);
            let over = ply + 1 == self.review.positions && self.is_over(&question);
            let insight = match over {
                true => Ok(Insight {
                    best: None,
                    score: None,
                }),
                false => self.insight(question).await,
            };
            match insight {
                Ok(insight) => {
                    let mut insights = self.review.insights.lock().expect("no panic inside");
                    insights.push(insight);
                }
                Err(Some(fault)) => {
                    *self.review.failure.lock().expect("no panic inside") = Some(fault);
                }
                // The server ends: what is known is stored, and the rest has time.
                Err(None) => break,
            }
            self.keep().await;
            if self.review.has_ended() {
                break;
            }
        }
        self.hub.studies.0.clear(&self.subject);
    }

    /// What is known about one position; the fault is `None` when the server ends.
    async fn insight(&self, question: Question) -> Result<Insight, Option<Fault>> {
        loop {
            match self.hub.ask(self.visitor, question.clone()).await {
                Ok(decision) => {
                    return Ok(Insight {
                        best: Some(decision.best),
                        score: decision.chosen().and_then(|chosen| chosen.score),
                    });
                }
                Err(Refusal::Busy) if self.hub.is_stopping() => return Err(None),
                Err(Refusal::Busy) => tokio::time::sleep(Duration::from_millis(200)).await,
                Err(Refusal::NoAnswer(fault)) => return Err(Some(fault)),
                Err(refusal) => return Err(Some(Fault::other(refusal))),
            }
        }
    }

    async fn keep(&self) {
        let kept = Kept::of(&self.game, &self.review);
        let study = StoredStudy {
            subject: self.subject.clone(),
            body: serde_json::to_string(&kept).expect("plain data becomes JSON"),
            at: now(),
        };
        if let Err(error) = self.hub.store.keep_study(study).await {
            tracing::error!(%error, "the store failed");
        }
    }

    fn is_over(&self, question: &Question) -> bool {
        let line = match &question.start {
            None => Some(self.game.line()),
            Some(start) => self.game.line_from(start).ok(),
        };
        line.is_none_or(|mut line| {
            question.moves.iter().any(|mv| line.play(*mv).is_err()) || line.outcome().is_some()
        })
    }
}
