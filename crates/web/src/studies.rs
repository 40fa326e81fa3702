//! What strategies found out for visitors: opinions of positions, and reviews of
//! games, which are long work that a visitor may leave and come back to.
//! A study is found by what it is about, so that asking twice is asking once.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use papan_catalog::{AnyGame, StrategySpec};
use papan_rules::Move;
use papan_strategies::{Decision, Score};

use crate::hub::Hub;
use crate::refusal::Refusal;
use crate::seats::Question;

/// How many reviews and how many opinions are kept.
const KEPT: usize = 256;

/// What is known about one position of a game under review.
#[derive(Clone, Debug, PartialEq)]
pub struct Insight {
    /// The best move there, if anything can be played.
    pub best: Option<Move>,
    /// What the position is worth to the player to move.
    pub score: Option<Score>,
    /// What each move is worth to them, as far as the strategy says so.
    pub moves: Vec<(Move, Score)>,
}

impl Insight {
    /// How much worse a move is than the best, if the strategy gave it a score.
    #[must_use]
    pub fn lost_by(&self, mv: Move) -> Option<f32> {
        let found = self.moves.iter().find(|(known, _)| *known == mv)?;
        Some(number(self.score?) - number(found.1))
    }
}

/// A score as a number from the side of the player to move.
#[must_use]
pub fn number(score: Score) -> f32 {
    match score {
        Score::Proven { value, .. } | Score::AtMost(value) | Score::AtLeast(value) => value as f32,
        Score::Estimate(value) => value,
    }
}

/// A review that is being made, or done.
#[derive(Debug)]
pub struct Review {
    /// Who is asked.
    pub strategy: StrategySpec,
    /// How many positions there are.
    pub positions: usize,
    insights: Mutex<Vec<Insight>>,
    failure: Mutex<Option<String>>,
}

impl Review {
    /// What is known so far, from the first position on.
    pub fn insights(&self) -> Vec<Insight> {
        self.insights.lock().expect("no panic inside").clone()
    }

    /// Why it will not be finished, if so.
    pub fn failure(&self) -> Option<String> {
        self.failure.lock().expect("no panic inside").clone()
    }

    /// Whether every position is known.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.insights.lock().expect("no panic inside").len() == self.positions
    }
}

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

/// Reviews and opinions by what they are about.
#[derive(Debug, Default)]
pub struct Studies {
    reviews: Mutex<Shelf<Review>>,
    opinions: Mutex<Shelf<Decision>>,
}

impl Studies {
    /// What a strategy thinks of a position; it is asked if it was not yet.
    ///
    /// # Errors
    /// When the visitor asks too often, the pool is full, or the strategy has no
    /// answer.
    pub async fn opinion(
        &self,
        hub: &Arc<Hub>,
        visitor: IpAddr,
        question: Question,
    ) -> Result<Arc<Decision>, Refusal> {
        let (game, strategy) = (&question.game, &question.strategy);
        let name = format!(
            "{game} {:?} {:?} {strategy}",
            question.start, question.moves
        );
        let known = self.opinions.lock().expect("no panic inside").take(&name);
        if let Some(decision) = known {
            return Ok(decision);
        }
        hub.study_rate(visitor)?;
        let decision = Arc::new(hub.ask(visitor, question).await?);
        let mut opinions = self.opinions.lock().expect("no panic inside");
        opinions.put(name, &decision);
        Ok(decision)
    }

    /// The review of a line of play; it begins if there is none yet.
    ///
    /// # Errors
    /// When the visitor begins too many.
    pub fn review(
        &self,
        hub: &Arc<Hub>,
        visitor: IpAddr,
        game: &AnyGame,
        start: Option<String>,
        moves: &[Move],
    ) -> Result<Arc<Review>, Refusal> {
        let name = format!("{} {start:?} {moves:?}", game.name());
        let mut reviews = self.reviews.lock().expect("no panic inside");
        let known = reviews.take(&name);
        if let Some(review) = known.filter(|review| review.failure().is_none()) {
            return Ok(review);
        }
        hub.study_rate(visitor)?;
        let review = Arc::new(Review {
            strategy: papan_catalog::advisor(game),
            positions: moves.len() + 1,
            insights: Mutex::default(),
            failure: Mutex::default(),
        });
        reviews.put(name, &review);
        drop(reviews);
        let question = Question {
            game: game.name(),
            start,
            moves: moves.to_vec(),
            strategy: review.strategy.clone(),
            limits: hub.study_limits(),
            seed: 0,
        };
        tokio::spawn(make(
            Arc::clone(hub),
            visitor,
            Arc::clone(&review),
            question,
        ));
        Ok(review)
    }
}

/// One position after the other, each a piece of work of its own, so that others
/// are served in between.
async fn make(hub: Arc<Hub>, visitor: IpAddr, review: Arc<Review>, whole: Question) {
    for ply in 0..review.positions {
        let mut question = whole.clone();
        question.moves.truncate(ply);
        let over = ply + 1 == review.positions && is_over(&hub, &question);
        let insight = loop {
            if over {
                break Insight {
                    best: None,
                    score: None,
                    moves: Vec::new(),
                };
            }
            match hub.ask(visitor, question.clone()).await {
                Ok(decision) => {
                    break Insight {
                        best: Some(decision.best),
                        score: decision.chosen().and_then(|chosen| chosen.score),
                        moves: decision
                            .candidates
                            .iter()
                            .filter_map(|candidate| Some((candidate.mv, candidate.score?)))
                            .collect(),
                    };
                }
                Err(Refusal::Busy) => tokio::time::sleep(Duration::from_millis(200)).await,
                Err(refusal) => {
                    let failure = Some(refusal.to_string());
                    *review.failure.lock().expect("no panic inside") = failure;
                    return;
                }
            }
        };
        review
            .insights
            .lock()
            .expect("no panic inside")
            .push(insight);
    }
}

fn is_over(hub: &Hub, question: &Question) -> bool {
    let Ok(game) = hub.game(&question.game) else {
        return true;
    };
    let line = match &question.start {
        None => Some(game.line()),
        Some(start) => game.line_from(start).ok(),
    };
    line.is_none_or(|mut line| {
        question.moves.iter().any(|mv| line.play(*mv).is_err()) || line.outcome().is_some()
    })
}
