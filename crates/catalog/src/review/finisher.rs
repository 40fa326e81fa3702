//! Exact solver for the last moves of a review.
//!
//! A position with few empty cells is solved if the one after it is known for certain: an exact score
//! is better than an estimate, and makes the position before it exact as well.

use std::sync::Arc;
use std::time::Duration;

use papan_strategies::{Clock, Context, Limits, NoMove, Perfect, Score, StopToken};

use super::PositionAnalysis;
use crate::registry::most_solvable;
use crate::seat::TypedSeat;
use crate::{AnyGame, AnyLine, BoardInfo, Family, GameVisitor, Seat, StrategySpec};

/// Solves positions with few cells left.
pub struct Finisher {
    game: AnyGame,
    seat: Box<dyn Seat>,
    most_empty: usize,
}

/// A position of a review, and what may be spent on it.
pub struct ReviewQuestion<'a, C> {
    /// The line that leads to it.
    pub line: &'a dyn AnyLine,
    /// Limits of the analysis.
    pub limits: Limits,
    /// Stops it early.
    pub stop: &'a StopToken,
    /// The clock of the limits.
    pub clock: &'a C,
    /// Whether the position after it is known for certain.
    pub near_end: bool,
}

impl<C: Clock + Clone + 'static> ReviewQuestion<'_, C> {
    /// Analyses the position: solves it if that is possible, else asks `decide`. Also returns the
    /// number of nodes.
    ///
    /// # Errors
    /// When the strategy has no answer.
    pub fn analyse<E>(
        &self,
        finisher: Option<&mut Finisher>,
        decide: impl FnOnce(&Context) -> Result<papan_strategies::Decision, E>,
    ) -> Result<(PositionAnalysis, u64), E> {
        if self.line.outcome().is_some() {
            return Ok((PositionAnalysis::of_end(self.line), 0));
        }
        // Made first: the time for solving is part of the time for the position.
        let context = self.context(self.limits);
        if let Some(finisher) = finisher.filter(|_| self.near_end)
            && let Ok(Some(solved)) = finisher.solve(self)
        {
            return Ok(solved);
        }
        let decision = decide(&context)?;
        Ok((PositionAnalysis::from(&decision), decision.nodes))
    }

    fn context(&self, limits: Limits) -> Context {
        Context::default()
            .stopped_by(self.stop)
            .limited(limits, self.clock)
    }
}

impl Finisher {
    /// Returns the finisher for a game, unless the reviewing strategy solves the last moves itself.
    #[must_use]
    pub fn new(game: &AnyGame, strategy: &StrategySpec) -> Option<Self> {
        let solves = (strategy.info().name == "perfect" && game.is_solved())
            || (strategy.info().name == "engine" && game.properties().score_unit.is_discs());
        (!solves).then(|| game.visit(Finish))
    }

    /// Returns the game value whose lines it solves.
    #[must_use]
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// Solves a position in three quarters of its time; the rest is left for an estimate.
    fn solve<C: Clock + Clone + 'static>(
        &mut self,
        question: &ReviewQuestion<'_, C>,
    ) -> Result<Option<(PositionAnalysis, u64)>, NoMove> {
        let cells = 0..self.game.cells();
        let empty = cells.filter(|cell| question.line.piece(*cell).is_none());
        if empty.count() > self.most_empty {
            return Ok(None);
        }
        let limits = Limits {
            time: question.limits.time.map(|time: Duration| time * 3 / 4),
            ..question.limits
        };
        let decision = self.seat.decide(question.line, &question.context(limits))?;
        let insight = PositionAnalysis::from(&decision);
        let is_proven = insight.score.is_some_and(Score::is_proven);
        Ok(is_proven.then_some((insight, decision.nodes)))
    }
}

struct Finish;

impl GameVisitor for Finish {
    type Output = Finisher;

    fn visit<G: Family>(self, game: &Arc<G>) -> Finisher {
        Finisher {
            most_empty: most_solvable(&BoardInfo::of(&**game)),
            seat: Box::new(TypedSeat::new(game, Box::new(Perfect::default()))),
            game: Arc::clone(game).any(),
        }
    }
}
