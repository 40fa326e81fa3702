//! Cache of warm engines: strategies that keep their hash tables between requests.
//!
//! Each search thread owns one cache, so engines need no locks. A solver that has proved a
//! position answers the next request for the same game at once.

use papan_catalog::{AnyGame, AnyLine, Argument, Seat, StrategySpec};
use papan_rules::Move;
use papan_strategies::{Context, Decision, Limits, StopToken, SystemClock};

use crate::analysis::strategy_failure::StrategyFailure;

/// Maximum number of engines per cache.
const MAX_ENGINES: usize = 6;

/// Largest hash table of a client's strategy, in MiB.
pub(crate) const MAX_HASH_MIB: u64 = 64;

/// Memory limit of a search besides a hash table of given size, in MiB: the positions of a
/// solver, the tree of MCTS.
pub(crate) const SEARCH_MEMORY_MIB: usize = 16;

/// A request for a move or an analysis of one position.
#[derive(Clone, Debug)]
pub(crate) struct AnalysisRequest {
    /// Name of the game.
    pub(crate) game: String,
    /// Start position, unless it is the game's own.
    pub(crate) start: Option<String>,
    /// Moves from the start.
    pub(crate) moves: Vec<Move>,
    /// The strategy.
    pub(crate) strategy: StrategySpec,
    /// Time and memory limits.
    pub(crate) limits: Limits,
    /// Seed of random choices.
    pub(crate) seed: u64,
    /// Stops the search early.
    pub(crate) stop: StopToken,
}

struct Engine {
    key: String,
    game: AnyGame,
    seat: Box<dyn Seat>,
    memory_mib: usize,
}

/// Engines in least-recently-used order, bounded by number and memory.
pub struct EngineCache {
    engines: Vec<Engine>,
    memory_mib: usize,
}

impl EngineCache {
    /// Creates an empty cache with a memory limit in MiB.
    #[must_use]
    pub fn new(memory_mib: usize) -> Self {
        Self {
            engines: Vec::new(),
            memory_mib,
        }
    }

    /// Returns the engine of a request, moved to the end of the list.
    fn engine(&mut self, request: &AnalysisRequest) -> Result<&mut Engine, StrategyFailure> {
        let key = format!("{} {}", request.game, request.strategy);
        let engine = match self.engines.iter().position(|engine| engine.key == key) {
            Some(index) => self.engines.remove(index),
            None => {
                let memory_mib = memory_of(&request.strategy);
                self.evict_for(memory_mib);
                let game: AnyGame = request.game.parse().map_err(StrategyFailure::other)?;
                let seat = game
                    .seat(&request.strategy, &request.limits)
                    .map_err(StrategyFailure::other)?;
                Engine {
                    key,
                    game,
                    seat,
                    memory_mib,
                }
            }
        };
        self.engines.push(engine);
        Ok(self.engines.last_mut().expect("an engine was pushed"))
    }

    /// Drops the least recently used engines until one of this size fits. An engine larger
    /// than the limit is cached alone.
    fn evict_for(&mut self, memory_mib: usize) {
        let used = |engines: &[Engine]| {
            engines
                .iter()
                .map(|engine| engine.memory_mib)
                .sum::<usize>()
        };
        while !self.engines.is_empty()
            && (self.engines.len() >= MAX_ENGINES
                || used(&self.engines) + memory_mib > self.memory_mib)
        {
            self.engines.remove(0);
        }
    }

    /// Returns the strategy's move.
    ///
    /// # Errors
    /// If the strategy has no answer.
    pub(crate) fn choose(&mut self, request: &AnalysisRequest) -> Result<Move, StrategyFailure> {
        let engine = self.engine(request)?;
        let line = line(&engine.game, request)?;
        let (mv, _) = engine.seat.choose(&*line, &context(request))?;
        Ok(mv)
    }

    /// Returns the strategy's move with its reasons.
    ///
    /// # Errors
    /// If the strategy has no answer.
    pub(crate) fn decide(
        &mut self,
        request: &AnalysisRequest,
    ) -> Result<Decision, StrategyFailure> {
        let engine = self.engine(request)?;
        let line = line(&engine.game, request)?;
        Ok(engine.seat.decide(&*line, &context(request))?)
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

fn context(request: &AnalysisRequest) -> Context {
    Context::with_seed(request.seed)
        .stopped_by(&request.stop)
        .limited(request.limits, &SystemClock)
}

/// Returns the memory that a strategy may use, in MiB.
fn memory_of(strategy: &StrategySpec) -> usize {
    let arguments = strategy.arguments();
    let hash = arguments.iter().find(|(name, _)| *name == "hash");
    let parameters = strategy.info().parameters;
    match hash {
        Some((_, Argument::Number(mebibytes))) => *mebibytes as usize,
        _ if parameters.iter().any(|parameter| parameter.name == "hash") => MAX_HASH_MIB as usize,
        _ => SEARCH_MEMORY_MIB,
    }
}
