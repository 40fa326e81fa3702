//! Strategies at work on several threads.

use std::sync::Mutex;

use papan_rules::{Line, Move, Symmetric};
use papan_strategies::{Context, StopToken, Strategy, Turn};

use super::StrategyFactory;
use crate::{ProveError, StrategyError};

/// The instances of one strategy that wait for work. An instance is kept from one
/// level to the next: some have learned something by then.
pub(crate) struct Pool<'a, G: Symmetric> {
    factory: StrategyFactory<'a, G>,
    context: Context,
    idle: Mutex<Vec<Instance<G>>>,
    is_positional: bool,
}

/// One instance of a strategy with its scratch space.
pub(crate) struct Instance<G: Symmetric> {
    strategy: Box<dyn Strategy<G>>,
    context: Context,
    moves: Vec<Move>,
}

impl<'a, G: Symmetric> Pool<'a, G> {
    /// # Errors
    /// When the strategy hides what is random: nothing that is found holds for every seed.
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
            idle: Mutex::new(vec![Instance::new(first, &context)]),
            context,
        })
    }

    pub(crate) fn is_positional(&self) -> bool {
        self.is_positional
    }

    /// Lends an instance to `work`.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut Instance<G>) -> T) -> T {
        let waiting = self.idle.lock().expect("no worker panics").pop();
        let mut worker = waiting.unwrap_or_else(|| Instance::new((self.factory)(), &self.context));
        let result = work(&mut worker);
        self.idle.lock().expect("no worker panics").push(worker);
        result
    }
}

impl<G: Symmetric> Instance<G> {
    fn new(strategy: Box<dyn Strategy<G>>, context: &Context) -> Self {
        Self {
            strategy,
            context: context.clone(),
            moves: Vec::new(),
        }
    }

    /// The moves that the strategy may play, first to last, all of them legal.
    pub(crate) fn answer(&mut self, game: &G, line: &Line<G>) -> Result<&[Move], ProveError> {
        let asked = self
            .strategy
            .choices(Turn::new(game, line, &self.context), &mut self.moves);
        if self.context.stop.is_stopped() {
            return Err(ProveError::Stopped);
        }
        asked.map_err(|cause| ProveError::no_answer(line, cause.into()))?;
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

    pub(crate) fn memory(&self, game: &G, line: &Line<G>) -> u64 {
        self.strategy.memory(game, line)
    }
}
