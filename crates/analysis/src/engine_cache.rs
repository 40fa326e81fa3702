//! Cache of warm engines: a [`SeatPool`] that answers requests from other threads or machines.
//!
//! Each search thread owns one cache, so engines need no locks. A solver that has proved a
//! position answers the next request for the same game at once.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use papan_catalog::other_moves::{self, score_after};
use papan_catalog::review::{Finisher, PositionAnalysis, ReviewQuestion};
use papan_catalog::{AnyGame, AnyLine, PooledSeat, SeatPool, StrategySpec, advisor, memory_mib};
use papan_rules::{Move, SwapAction, SwapOpening};
use papan_strategies::{Clock, Context, Decision, Limits, Score, StopToken};

use crate::strategy_failure::StrategyFailure;

/// Maximum number of engines per cache.
const MAX_ENGINES: usize = 6;

/// Nodes of the search that scores one of the moves which a strategy does not compare.
const SCORED_NODES: u64 = 500;

/// Maximum number of idle programs in other processes.
const MAX_IDLE_PROGRAMS: usize = 4;

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
    /// Seats of programs in other processes. Shared by the caches of a server, so that the number
    /// of idle processes is bounded.
    programs: Arc<Mutex<SeatPool>>,
    /// The solver of the last review's game.
    finisher: Option<Finisher>,
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
            programs: idle_programs(),
            finisher: None,
        }
    }

    /// Shares the idle programs of [`idle_programs`] with other caches.
    #[must_use]
    pub fn with_programs(mut self, programs: &Arc<Mutex<SeatPool>>) -> Self {
        self.programs = Arc::clone(programs);
        self
    }

    /// Returns the strategy's move.
    ///
    /// # Errors
    /// If the strategy has no answer.
    pub fn choose(&mut self, request: &AnalysisRequest) -> Result<Move, StrategyFailure> {
        let context = self.context(request);
        let (mv, _) = self.ask(request, &context, |seat, line, context| {
            seat.choose(line, context)
        })?;
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
        let context = self.context(request);
        let actions = self.ask(request, &context, |seat, line, context| {
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
        let context = self.context(request);
        self.ask(request, &context, |seat, line, context| {
            seat.decide(line, context)
        })
    }

    /// Decides as [`Self::decide`] does. If the strategy is the advisor of the game, it also scores
    /// the moves that it does not compare, in half as much time again.
    ///
    /// # Errors
    /// If the strategy has no answer.
    pub fn decide_every_move(
        &mut self,
        request: &AnalysisRequest,
    ) -> Result<Decision, StrategyFailure> {
        let mut decision = self.decide(request)?;
        let game: AnyGame = request.game.parse().map_err(StrategyFailure::other)?;
        if request.strategy != advisor(&game) {
            return Ok(decision);
        }
        let moves = other_moves::unscored(&*line(&game, request)?, &decision);
        let scores = self.score_moves(request, &moves)?;
        other_moves::add_scores(&mut decision, scores);
        Ok(decision)
    }

    /// Scores moves one after another by short searches, in half the time of the request. Returns
    /// those that it has reached.
    ///
    /// # Errors
    /// If the strategy cannot be asked.
    pub fn score_moves(
        &mut self,
        request: &AnalysisRequest,
        moves: &[Move],
    ) -> Result<Vec<(Move, Score)>, StrategyFailure> {
        if moves.is_empty() {
            return Ok(Vec::new());
        }
        let request = AnalysisRequest {
            limits: Limits {
                time: request.limits.time.map(|time| time / 2),
                nodes: Some(SCORED_NODES),
                ..request.limits
            },
            ..request.clone()
        };
        let context = self.context(&request);
        self.ask(&request, &context, |seat, line, context| {
            let mut scores = Vec::new();
            for &mv in moves {
                let score = score_after(&mut **seat, line, mv, context);
                // The last search was cut short.
                if context.is_over() {
                    break;
                }
                scores.extend(score.map(|score| (mv, score)));
            }
            Ok::<_, StrategyFailure>(scores)
        })
    }

    /// Analyses a position of a review. `near_end` says that the position after it is known for
    /// certain.
    ///
    /// # Errors
    /// If the strategy has no answer.
    pub fn review(
        &mut self,
        request: &AnalysisRequest,
        near_end: bool,
    ) -> Result<PositionAnalysis, StrategyFailure> {
        let known = self.finisher.take();
        let mut finisher = match known.filter(|known| known.game().name() == request.game) {
            _ if !near_end => None,
            Some(known) => Some(known),
            None => {
                let game: AnyGame = request.game.parse().map_err(StrategyFailure::other)?;
                Finisher::new(&game, &request.strategy)
            }
        };
        let game = match &finisher {
            Some(finisher) => finisher.game().clone(),
            None => request.game.parse().map_err(StrategyFailure::other)?,
        };
        let question = ReviewQuestion {
            line: &*line(&game, request)?,
            limits: request.limits,
            stop: &request.stop,
            clock: &Arc::clone(&self.clock),
            near_end,
        };
        let analysed = question.analyse(finisher.as_mut(), |context| {
            self.ask(request, context, |seat, line, context| {
                seat.decide(line, context)
            })
        });
        self.finisher = finisher;
        analysed.map(|(insight, _)| insight)
    }

    /// Asks the seat of a request. If the strategy panics, its seat is dropped; so is a program that
    /// fails. If it was an idle one, a new process is asked once more.
    fn ask<T, E: Into<StrategyFailure>>(
        &mut self,
        request: &AnalysisRequest,
        context: &Context,
        question: impl Fn(&mut PooledSeat, &dyn AnyLine, &Context) -> Result<T, E>,
    ) -> Result<T, StrategyFailure> {
        let AnalysisRequest {
            game,
            strategy,
            limits,
            ..
        } = request;
        if strategy.as_guest().is_some() {
            let idle = lock(&self.programs).take_by_name(game, strategy, limits);
            let mut is_new = idle.is_none();
            let mut seat = match idle {
                Some(seat) => seat,
                None => new_seat(request)?,
            };
            loop {
                let line = line(seat.game(), request)?;
                match question(&mut seat, &*line, context) {
                    Ok(answer) => {
                        lock(&self.programs).put(seat);
                        return Ok(answer);
                    }
                    Err(error) if is_new || context.is_over() => return Err(error.into()),
                    Err(_) => (seat, is_new) = (new_seat(request)?, true),
                }
            }
        }
        let mut seat = self.seat(request)?;
        let line = line(seat.game(), request);
        let answer = line.and_then(|line| question(&mut seat, &*line, context).map_err(Into::into));
        self.seats.put(seat);
        answer
    }

    fn context(&self, request: &AnalysisRequest) -> Context {
        Context::with_seed(request.seed)
            .stopped_by(&request.stop)
            .limited(request.limits, &self.clock)
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
        new_seat(request)
    }
}

/// Returns an empty pool of idle programs.
#[must_use]
pub fn idle_programs() -> Arc<Mutex<SeatPool>> {
    Arc::new(Mutex::new(SeatPool::new(MAX_IDLE_PROGRAMS)))
}

fn lock(programs: &Mutex<SeatPool>) -> MutexGuard<'_, SeatPool> {
    programs.lock().unwrap_or_else(PoisonError::into_inner)
}

fn new_seat(request: &AnalysisRequest) -> Result<PooledSeat, StrategyFailure> {
    let game: AnyGame = request.game.parse().map_err(StrategyFailure::other)?;
    PooledSeat::new(&game, &request.strategy, &request.limits).map_err(StrategyFailure::other)
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
