//! LRU pool of idle seats.
//!
//! Building a strategy costs memory and warm-up: an engine allocates its hash table, a solver fills
//! it. A front end that asks the same strategy move after move takes its seat from the pool and
//! puts it back, and the tables stay warm.

use std::ops::{Deref, DerefMut};

use papan_strategies::Limits;

use crate::{AnyGame, Seat, StrategySpec, Unplayable};

/// Memory of a strategy without a hash table, unless its limits say otherwise: solved positions,
/// the tree of MCTS.
const DEFAULT_MIB: usize = 16;

/// Idle seats, least recently used first. Bounded in number and memory.
pub struct SeatPool {
    idle: Vec<PooledSeat>,
    max_seats: usize,
    max_mib: usize,
}

impl SeatPool {
    /// Creates an empty pool for at most `max_seats` idle seats.
    #[must_use]
    pub const fn new(max_seats: usize) -> Self {
        Self {
            idle: Vec::new(),
            max_seats,
            max_mib: usize::MAX,
        }
    }

    /// Also bounds the memory of all idle seats together, in MiB.
    #[must_use]
    pub const fn with_memory_limit(mut self, mib: usize) -> Self {
        self.max_mib = mib;
        self
    }

    /// Takes an idle seat of this strategy at this very game value. [`PooledSeat::new`] builds one
    /// if there is none; that may take long, so do it without holding a lock on the pool.
    pub fn take(
        &mut self,
        game: &AnyGame,
        strategy: &StrategySpec,
        limits: &Limits,
    ) -> Option<PooledSeat> {
        self.take_where(strategy, limits, |seat| seat.game.is(game))
    }

    /// Takes an idle seat of this strategy at any value of the game with this name. The caller
    /// plays its line with [`PooledSeat::game`].
    pub fn take_by_name(
        &mut self,
        game: &str,
        strategy: &StrategySpec,
        limits: &Limits,
    ) -> Option<PooledSeat> {
        self.take_where(strategy, limits, |seat| seat.game.name() == game)
    }

    fn take_where(
        &mut self,
        strategy: &StrategySpec,
        limits: &Limits,
        game: impl Fn(&PooledSeat) -> bool,
    ) -> Option<PooledSeat> {
        let limited = is_limited(limits);
        let found = self
            .idle
            .iter()
            .position(|seat| seat.limited == limited && seat.strategy == *strategy && game(seat))?;
        Some(self.idle.remove(found))
    }

    /// Puts a seat back. The least recently used ones are dropped until the rest fits; a seat that
    /// is larger than the memory limit stays alone.
    pub fn put(&mut self, seat: PooledSeat) {
        self.idle.push(seat);
        while self.idle.len() > self.max_seats || self.idle.len() > 1 && self.mib() > self.max_mib {
            self.idle.remove(0);
        }
    }

    /// Drops idle seats until `mib` more would fit, so that a new seat can be built.
    pub fn make_room(&mut self, mib: usize) {
        while !self.idle.is_empty() && self.mib().saturating_add(mib) > self.max_mib {
            self.idle.remove(0);
        }
    }

    /// Returns the number of idle seats.
    #[must_use]
    pub fn len(&self) -> usize {
        self.idle.len()
    }

    /// Returns whether no seat is idle.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.idle.is_empty()
    }

    fn mib(&self) -> usize {
        let sizes = self.idle.iter().map(|seat| seat.mib);
        sizes.fold(0, usize::saturating_add)
    }
}

/// A seat that belongs to a [`SeatPool`]. Dereferences to its [`Seat`].
pub struct PooledSeat {
    game: AnyGame,
    strategy: StrategySpec,
    /// A strategy that needs a limit to play a board is built differently without one.
    limited: bool,
    mib: usize,
    seat: Box<dyn Seat>,
}

impl PooledSeat {
    /// Builds a new seat.
    ///
    /// # Errors
    /// When the strategy cannot play this board.
    pub fn new(
        game: &AnyGame,
        strategy: &StrategySpec,
        limits: &Limits,
    ) -> Result<Self, Unplayable> {
        Ok(Self {
            game: game.clone(),
            strategy: strategy.clone(),
            limited: is_limited(limits),
            mib: memory_mib(strategy, limits),
            seat: game.seat(strategy, limits)?,
        })
    }

    /// Returns the game value that the seat plays.
    #[must_use]
    pub fn game(&self) -> &AnyGame {
        &self.game
    }
}

impl Deref for PooledSeat {
    type Target = dyn Seat;

    fn deref(&self) -> &Self::Target {
        &*self.seat
    }
}

impl DerefMut for PooledSeat {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.seat
    }
}

fn is_limited(limits: &Limits) -> bool {
    *limits != Limits::default()
}

/// Returns the memory that a strategy may hold, in MiB: its hash table, given or by default, else
/// the memory limit.
#[must_use]
pub fn memory_mib(strategy: &StrategySpec, limits: &Limits) -> usize {
    let mut parameters = strategy.info().parameters.iter();
    let default_hash = || {
        let hash = parameters.find(|parameter| parameter.name == "hash")?;
        hash.default.parse().ok()
    };
    let given_hash = strategy.arguments().number("hash");
    let hash = given_hash.map(|mib| mib as usize).or_else(default_hash);
    hash.or(limits.memory).unwrap_or(DEFAULT_MIB)
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_strategies::Context;

    fn spec(text: &str) -> StrategySpec {
        text.parse().unwrap()
    }

    fn new_seat(game: &AnyGame, strategy: &str) -> PooledSeat {
        PooledSeat::new(game, &spec(strategy), &Limits::default()).unwrap()
    }

    #[test]
    fn a_seat_is_found_again_at_its_own_game_value_only() {
        let [game, other] = [(); 2].map(|()| "tictactoe".parse::<AnyGame>().unwrap());
        let (strategy, limits) = (spec("perfect"), Limits::default());
        let mut pool = SeatPool::new(4);
        pool.put(new_seat(&game, "perfect"));
        assert!(pool.take(&other, &strategy, &limits).is_none());
        assert!(pool.take(&game, &spec("random"), &limits).is_none());
        let mut seat = pool.take(&game, &strategy, &limits).unwrap();
        assert!(pool.is_empty());
        assert!(seat.choose(&*game.line(), &Context::default()).is_ok());
        pool.put(seat);
        let seat = pool.take_by_name("tictactoe", &strategy, &limits).unwrap();
        assert!(seat.game().is(&game));
    }

    #[test]
    fn a_seat_built_for_a_limit_is_not_used_without_one() {
        let game: AnyGame = "tictactoe:4x4".parse().unwrap();
        let limited = Limits {
            nodes: Some(100),
            ..Limits::default()
        };
        let strategy = spec("minimax");
        let mut pool = SeatPool::new(4);
        pool.put(PooledSeat::new(&game, &strategy, &limited).unwrap());
        assert!(pool.take(&game, &strategy, &Limits::default()).is_none());
        assert!(pool.take(&game, &strategy, &limited).is_some());
    }

    #[test]
    fn the_least_recently_used_seat_is_dropped_first() {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let mut pool = SeatPool::new(2);
        for strategy in ["random", "greedy", "expert"] {
            pool.put(new_seat(&game, strategy));
        }
        let limits = Limits::default();
        assert!(pool.take(&game, &spec("random"), &limits).is_none());
        assert!(pool.take(&game, &spec("expert"), &limits).is_some());
        assert_eq!(pool.len(), 1);
    }

    #[test]
    fn memory_is_bounded_by_what_strategies_declare() {
        let limits = Limits::default();
        assert_eq!(memory_mib(&spec("engine(hash=3)"), &limits), 3);
        assert_eq!(memory_mib(&spec("engine"), &limits), 64);
        assert_eq!(memory_mib(&spec("random"), &limits), DEFAULT_MIB);
        let game: AnyGame = "tictactoe:4x4".parse().unwrap();
        let mut pool = SeatPool::new(9).with_memory_limit(4);
        pool.put(new_seat(&game, "engine(hash=2)"));
        pool.put(new_seat(&game, "engine(hash=1)"));
        assert_eq!(pool.len(), 2);
        pool.make_room(2);
        assert_eq!(pool.len(), 1);
        pool.put(new_seat(&game, "engine(hash=5)"));
        let large = pool.take(&game, &spec("engine(hash=5)"), &limits);
        assert!(large.is_some(), "one that is larger than the limit is kept");
        assert!(pool.is_empty(), "alone");
    }
}
