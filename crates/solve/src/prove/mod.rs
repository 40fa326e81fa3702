//! Playing a strategy against every possible opponent.
//!
//! Lines of play are counted through a graph of positions, level by level: every
//! node carries the number of ways that lead to it, so that trillions of lines are
//! added up, never walked. Two roads lead to the same numbers: [`graph`] takes any
//! game and any strategy, [`packed`] takes a strategy that is a function of the
//! position on a board of at most 32 cells, in a fraction of the space.

mod graph;
mod losing_line;
mod packed;
mod retrograde;
mod strategy_pool;

use papan_rules::{Player, Symmetric};
use papan_strategies::{Strategy, Watch};

use crate::proof::Tally;
use crate::{Proof, ProveError};
pub(crate) use strategy_pool::{Instance, Pool};

/// Makes one more instance of a strategy, for one more thread.
pub type StrategyFactory<'a, G> = &'a (dyn Fn() -> Box<dyn Strategy<G>> + Sync);

/// Plays the strategy as `player` against every possible opponent.
///
/// ```
/// use papan_rules::{Game, Move, Player, tictactoe};
/// # use papan_rules::Grid;
/// use papan_solve::{Verdict, prove};
/// use papan_strategies::Watch;
/// # use papan_strategies::{Decision, NoMove, Strategy, Turn};
/// # struct FirstEmpty;
/// # impl Strategy<Grid<u64>> for FirstEmpty {
/// #     fn choices(&mut self, turn: Turn<'_, Grid<u64>>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
/// #         let Turn { game, line, .. } = turn;
/// #         out.clear();
/// #         out.extend(game.legal_moves(line.position()).next());
/// #         Ok(1)
/// #     }
/// #     fn decide(&mut self, _: Turn<'_, Grid<u64>>) -> Result<Decision, NoMove> { unreachable!() }
/// # }
/// // A strategy that always takes the first empty cell.
/// let proof = prove(&tictactoe(), &|| Box::new(FirstEmpty), Player::Second, &Watch::default())?;
/// assert_eq!(proof.verdict(), Verdict::CanLose);
/// # Ok::<(), papan_solve::ProveError>(())
/// ```
///
/// # Errors
/// When it was stopped, or when the strategy has no legal answer somewhere.
pub fn prove<G: Symmetric>(
    game: &G,
    factory: StrategyFactory<'_, G>,
    player: Player,
    watch: &Watch,
) -> Result<Proof, ProveError> {
    let pool = Pool::new(factory, &watch.stop)?;
    let narrow =
        pool.is_positional() && game.properties().fills_up && game.marks(&game.start()).is_some();
    let tally = match narrow.then(|| packed::count(game, &pool, player, watch)) {
        // There only the position is known, not the line that led to it.
        None | Some(Err(ProveError::NoAnswer { .. })) => graph::count(game, &pool, player, watch)?,
        Some(tally) => tally?,
    };
    watch.check_stop()?;
    tally.lines()?;
    let losing_line = match tally.shortest_loss {
        None => None,
        Some(_) if (1..=Tally::MOST_LOST).contains(&tally.lost.len()) => {
            Some(retrograde::first(game, &pool, player, &tally.lost, watch)?)
        }
        Some(ply) => Some(losing_line::first(game, &pool, player, ply, watch)?),
    };
    tally.proof(player, losing_line)
}

/// Whether a position's lines can be counted without looking: nobody can win, and
/// every move takes exactly one of the cells that are left.
fn is_countable<G: Symmetric>(game: &G, pos: &G::Position) -> bool {
    game.properties().fills_up && game.is_dead(pos)
}

/// How many ways there are to fill `empty` cells when the strategy has one answer
/// to everything and the opponent is free.
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
