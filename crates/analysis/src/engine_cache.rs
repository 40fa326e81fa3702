//! Cache of warm engines: a [`SeatPool`] that answers requests from other threads or machines.
//!
//! Each search thread owns one cache, so engines need no locks. A solver that has proved a
//! position answers the next request for the same game at once.

use std::sync::Arc;

use papan_catalog::{AnyGame, AnyLine, PooledSeat, SeatPool, StrategySpec, memory_mib};
use papan_rules::{Move, SwapAction, SwapOpening};
use papan_strategies::{Clock, Context, Decision, Limits, StopToken};

use crate::strategy_failure::StrategyFailure;

/// Maximum number of engines per cache.
const MAX_ENGINES: usize = 6;

/// Largest hash table of a client's strategy, in MiB.
pub const MAX_HASH_MIB: u64 = 64;

/// Memory limit of a search besides a hash table of given size, in MiB: the positions of a
/// solver, the tree of MCTS.
pub const SEARCH_MEMORY_MIB: usize = 16;

/// A request for a move or an analysis of one position.
#[derive(Clone, Debug)]
pub struct AnalysisRequest {
    /// Name of the game.
    pub game: String,
    /// Start position, unless it is the game's own.
    pub start: Option<String>,
    /// Moves from the start.
    pub moves: Vec<Move>,
    /// The strategy.
    pub strategy: StrategySpec,
    /// Time and memory limits.
    pub limits: Limits,
    /// Seed of random choices.
    pub seed: u64,
    /// Stops the search early.
    pub stop: StopToken,
}

/// Warm seats, bounded by number and memory.
pub struct EngineCache {
    seats: SeatPool,
    clock: Arc<dyn Clock>,
}

impl EngineCache {
    /// Creates an empty cache with a memory limit in MiB.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    #[must_use]
    pub fn new(memory_mib: usize) -> Self {
        Self::with_clock(memory_mib, Arc::new(papan_strategies::SystemClock))
    }

    /// Creates an empty cache whose searches measure time with this clock.
    #[must_use]
    pub fn with_clock(memory_mib: usize, clock: Arc<dyn Clock>) -> Self {
        Self {
            seats: SeatPool::new(MAX_ENGINES).with_memory_limit(memory_mib),
            clock,
        }
    }

    /// Returns the strategy's move.
    ///
    /// # Errors
    /// If the strategy has no answer.
    pub fn choose(&mut self, request: &AnalysisRequest) -> Result<Move, StrategyFailure> {
        let (mv, _) = self.ask(request, |seat, line, context| seat.choose(line, context))?;
        Ok(mv)
    }

    /// Returns the strategy's next action in a swap opening.
    ///
    /// # Errors
    /// If the strategy has no answer.
    pub fn open(
        &mut self,
        request: &AnalysisRequest,
        opening: SwapOpening,
    ) -> Result<SwapAction, StrategyFailure> {
        let actions = self.ask(request, |seat, line, context| {
            seat.answer_swap(opening, line, context)
        })?;
        let none = || StrategyFailure::other("it places no stone and makes no choice");
        actions.first().copied().ok_or_else(none)
    }

    /// Returns the strategy's move with its reasons.
    ///
    /// # Errors
    /// If the strategy has no answer.
    pub fn decide(&mut self, request: &AnalysisRequest) -> Result<Decision, StrategyFailure> {
        self.ask(request, |seat, line, context| seat.decide(line, context))
    }

    /// Asks the seat of a request. If the strategy panics, its seat is dropped.
    fn ask<T, E: Into<StrategyFailure>>(
        &mut self,
        request: &AnalysisRequest,
        question: impl FnOnce(&mut PooledSeat, &dyn AnyLine, &Context) -> Result<T, E>,
    ) -> Result<T, StrategyFailure> {
        let mut seat = self.seat(request)?;
        let line = line(seat.game(), request);
        let context = Context::with_seed(request.seed)
            .stopped_by(&request.stop)
            .limited(request.limits, &self.clock);
        let answer =
            line.and_then(|line| question(&mut seat, &*line, &context).map_err(Into::into));
        self.seats.put(seat);
        answer
    }

    fn seat(&mut self, request: &AnalysisRequest) -> Result<PooledSeat, StrategyFailure> {
        let AnalysisRequest {
            game,
            strategy,
            limits,
            ..
        } = request;
        if let Some(seat) = self.seats.take_by_name(game, strategy, limits) {
            return Ok(seat);
        }
        self.seats.make_room(memory_mib(strategy, limits));
        let game: AnyGame = game.parse().map_err(StrategyFailure::other)?;
        PooledSeat::new(&game, strategy, limits).map_err(StrategyFailure::other)
    }
}

fn line(game: &AnyGame, request: &AnalysisRequest) -> Result<Box<dyn AnyLine>, StrategyFailure> {
    let mut line = match &request.start {
        None => game.line(),
        Some(position) => game.line_from(position).map_err(StrategyFailure::other)?,
    };
    for &mv in &request.moves {
        line.play(mv).map_err(StrategyFailure::other)?;
    }
    Ok(line)
}
