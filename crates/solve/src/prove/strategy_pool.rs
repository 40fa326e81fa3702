//! A pool of strategy instances, one for each thread.

use std::sync::{Mutex, MutexGuard};

use papan_rules::{Line, Move, Symmetric};
use papan_strategies::{Context, StopToken, Strategy, Turn};

use super::StrategyFactory;
use crate::{ProveError, StrategyError};

/// The idle instances of a strategy. Instances are reused from level to level, because some learn
/// as they play.
pub(crate) struct StrategyPool<'a, G: Symmetric> {
    factory: StrategyFactory<'a, G>,
    context: Context,
    idle: Mutex<Vec<StrategyInstance<G>>>,
    is_positional: bool,
}

/// An instance of a strategy with its buffer.
pub(crate) struct StrategyInstance<G: Symmetric> {
    strategy: Box<dyn Strategy<G>>,
    context: Context,
    moves: Vec<Move>,
}

impl<'a, G: Symmetric> StrategyPool<'a, G> {
    /// # Errors
    /// If the strategy is nondeterministic: a proof for one seed does not hold for others.
    pub(crate) fn new(
        factory: StrategyFactory<'a, G>,
        stop: &StopToken,
    ) -> Result<Self, ProveError> {
        let first = factory();
        if first.is_nondeterministic() {
            return Err(ProveError::Random);
        }
        let context = Context::default().stopped_by(stop);
        Ok(Self {
            factory,
            is_positional: first.is_positional(),
            idle: Mutex::new(vec![StrategyInstance::new(first, &context)]),
            context,
        })
    }

    pub(crate) fn is_positional(&self) -> bool {
        self.is_positional
    }

    /// Runs `work` with an instance.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut StrategyInstance<G>) -> T) -> T {
        let idle = self.idle_instances().pop();
        let mut instance =
            idle.unwrap_or_else(|| StrategyInstance::new((self.factory)(), &self.context));
        let result = work(&mut instance);
        self.idle_instances().push(instance);
        result
    }

    fn idle_instances(&self) -> MutexGuard<'_, Vec<StrategyInstance<G>>> {
        self.idle
            .lock()
            .expect("the lock is held for a push or a pop, which do not panic")
    }
}

impl<G: Symmetric> StrategyInstance<G> {
    fn new(strategy: Box<dyn Strategy<G>>, context: &Context) -> Self {
        Self {
            strategy,
            context: context.clone(),
            moves: Vec::new(),
        }
    }

    /// Returns the moves that the strategy may play, sorted and all legal.
    pub(crate) fn answer(&mut self, game: &G, line: &Line<G>) -> Result<&[Move], ProveError> {
        let result = self
            .strategy
            .choices(Turn::new(game, line, &self.context), &mut self.moves);
        if self.context.stop.is_stopped() {
            return Err(ProveError::Stopped);
        }
        result.map_err(|cause| ProveError::no_answer(line, cause.into()))?;
        if self.moves.is_empty() {
            return Err(ProveError::no_answer(line, StrategyError::Silent));
        }
        if let [_, _, ..] = self.moves[..] {
            self.moves.sort_unstable();
            self.moves.dedup();
        }
        for &mv in &self.moves {
            if !game.is_legal(line.position(), mv) {
                return Err(ProveError::no_answer(line, StrategyError::Illegal(mv)));
            }
        }
        Ok(&self.moves)
    }

    /// Returns the state that the strategy keeps beside the position.
    pub(crate) fn memory(&self, game: &G, line: &Line<G>) -> u64 {
        self.strategy.memory(game, line)
    }
}
