//! Exhaustive proof of a strategy: play it against every possible opponent.
//!
//! Lines of play are counted by dynamic programming over a graph of positions, level by level. Every
//! node carries the number of paths that lead to it, so trillions of lines are added up without
//! being enumerated. There are two implementations with the same results: [`graph`] for any game and
//! strategy, and [`packed`] for positional strategies on boards of at most 32 cells, which needs a
//! fraction of the memory.

mod graph;
mod losing_line;
mod packed;
mod retrograde;
mod strategy_pool;

use papan_rules::{Player, Symmetric};
use papan_strategies::{Strategy, Watch};

use crate::proof::Tally;
use crate::{Proof, ProveError};
pub(crate) use strategy_pool::{StrategyInstance, StrategyPool};

/// Creates an instance of a strategy, one for each thread.
pub type StrategyFactory<'a, G> = &'a (dyn Fn() -> Box<dyn Strategy<G>> + Sync);

/// A strategy to prove.
struct ProofTask<'a, G: Symmetric> {
    game: &'a G,
    pool: &'a StrategyPool<'a, G>,
    /// The seat of the strategy.
    player: Player,
    watch: &'a Watch,
}

/// Plays a strategy as `player` against every possible opponent.
///
/// ```
/// use papan_rules::{Player, tictactoe};
/// use papan_solve::{Verdict, prove};
/// use papan_strategies::{Perfect, Random, Watch};
///
/// let (game, watch) = (tictactoe(), Watch::default());
/// let perfect = prove(&game, &|| Box::new(Perfect::default()), Player::Second, &watch)?;
/// assert_eq!(perfect.verdict(), Verdict::NeverLoses);
///
/// // A random player meets every game there is, and can lose the shortest one in five moves.
/// let random = prove(&game, &|| Box::new(Random::default()), Player::Second, &watch)?;
/// assert_eq!(random.lines, 255_168);
/// assert_eq!(random.losing_line.map(|line| line.len()), Some(5));
/// # Ok::<(), papan_solve::ProveError>(())
/// ```
///
/// # Errors
/// If it is stopped, needs too much memory, or the strategy has no legal move somewhere.
pub fn prove<G: Symmetric>(
    game: &G,
    factory: StrategyFactory<'_, G>,
    player: Player,
    watch: &Watch,
) -> Result<Proof, ProveError> {
    let pool = StrategyPool::new(factory, &watch.stop)?;
    let task = ProofTask {
        game,
        pool: &pool,
        player,
        watch,
    };
    let can_pack =
        pool.is_positional() && game.properties().fills_up && game.marks(&game.start()).is_some();
    let tally = match can_pack.then(|| packed::count(&task)) {
        // The packed count does not know the line of play that the error should name.
        None | Some(Err(ProveError::NoAnswer { .. })) => graph::count(&task)?,
        Some(tally) => tally?,
    };
    watch.check_stop()?;
    tally.lines()?;
    let losing_line = match tally.shortest_loss {
        None => None,
        Some(_) if (1..=Tally::MAX_LOST).contains(&tally.lost.len()) => {
            Some(retrograde::first_losing_line(&task, &tally.lost)?)
        }
        Some(ply) => Some(losing_line::first_losing_line(&task, ply)?),
    };
    tally.proof(player, losing_line)
}

/// Returns whether the lines from a position can be counted in closed form: no player can win, and
/// every move fills one of the remaining cells.
fn is_countable<G: Symmetric>(game: &G, pos: &G::Position) -> bool {
    game.properties().fills_up && game.is_dead(pos)
}

/// Returns the number of ways to fill `empty` cells if the strategy always has one move and the
/// opponent is free: a double factorial.
fn fillings(empty: usize, opponent_moves: bool) -> u128 {
    let from = if opponent_moves {
        empty
    } else {
        empty.saturating_sub(1)
    };
    (1..=from)
        .rev()
        .step_by(2)
        .map(|cells| cells as u128)
        .fold(1, u128::saturating_mul)
}
