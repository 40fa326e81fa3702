//! Long work that a visitor may leave and come back to: the review of a game.
//! A study is found by what it is about, so that asking twice is asking once.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use papan_catalog::{AnyGame, StrategySpec};
use papan_rules::Move;
use papan_strategies::Score;

use crate::hub::Hub;
use crate::refusal::Refusal;
use crate::seats::Question;

/// Studies that are kept; the oldest goes first.
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

/// Reviews by what they are about.
#[derive(Debug, Default)]
pub struct Studies(Mutex<VecDeque<(String, Arc<Review>)>>);

impl Studies {
    /// The review of a line of play; it begins if there is none yet.
    pub fn review(
        &self,
        hub: &Arc<Hub>,
        visitor: IpAddr,
        game: &AnyGame,
        start: Option<String>,
        moves: &[Move],
    ) -> Arc<Review> {
        let name = format!("{} {start:?} {moves:?}", game.name());
        let mut kept = self.0.lock().expect("no panic inside");
        let known = kept
            .iter()
            .find(|(known, review)| *known == name && review.failure().is_none());
        if let Some((_, review)) = known {
            return Arc::clone(review);
        }
        let review = Arc::new(Review {
            strategy: papan_catalog::advisor(game),
            positions: moves.len() + 1,
            insights: Mutex::default(),
            failure: Mutex::default(),
        });
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back((name, Arc::clone(&review)));
        drop(kept);
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
        review
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
