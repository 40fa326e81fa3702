//! The positions that a strategy can reach, with its moves.

use std::collections::BTreeMap;

use papan_rules::{Game, Line, Move, Player, Symmetric};
use papan_strategies::Watch;
use rustc_hash::FxHashSet;

use crate::ProveError;
use crate::prove::{StrategyFactory, StrategyPool};

/// A position with the strategy to move, and its moves in order. For a strategy with memory, the
/// moves of all memory states.
pub(crate) struct StrategyPosition<P> {
    pub(crate) position: P,
    pub(crate) moves: Vec<Move>,
}

/// Reachable positions, ordered by packed position.
pub(crate) type ReachablePositions<G> =
    BTreeMap<<G as Symmetric>::Packed, StrategyPosition<<G as Game>::Position>>;

/// Why the positions cannot be listed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ReachableError {
    #[error(transparent)]
    Prove(#[from] ProveError),
    #[error("more than {0} positions")]
    TooMany(usize),
}

/// Returns every unfinished position that a strategy can reach as `player` and that is not dead.
pub(crate) fn reachable_positions<G: Symmetric>(
    game: &G,
    factory: StrategyFactory<'_, G>,
    player: Player,
    max_positions: usize,
    watch: &Watch,
) -> Result<ReachablePositions<G>, ReachableError> {
    let pool = StrategyPool::new(factory, &watch.stop)?;
    let mut reachable: ReachablePositions<G> = BTreeMap::new();
    let mut seen = FxHashSet::default();
    let mut open = vec![Line::new(game)];
    pool.with(|instance| {
        while let Some(line) = open.pop() {
            watch.check_stop().map_err(ProveError::from)?;
            let pos = line.position();
            let finished = game.outcome(pos).is_some() || game.is_dead(pos);
            let key = game.pack(pos);
            if finished || !seen.insert((key, instance.memory(game, &line))) {
                continue;
            }
            let moves: Vec<Move> = if game.turn(pos) == player {
                let moves = instance.answer(game, &line)?.to_vec();
                let entry = reachable.entry(key).or_insert_with(|| StrategyPosition {
                    position: pos.clone(),
                    moves: Vec::new(),
                });
                entry.moves.extend(&moves);
                entry.moves.sort_unstable();
                entry.moves.dedup();
                if reachable.len() > max_positions {
                    return Err(ReachableError::TooMany(max_positions));
                }
                moves
            } else {
                game.legal_moves(pos).collect()
            };
            for mv in moves {
                // A positional strategy does not need the moves before.
                let mut next = if pool.is_positional() {
                    Line::from_position(pos.clone())
                } else {
                    line.clone()
                };
                next.push(game, mv);
                open.push(next);
            }
        }
        Ok(reachable)
    })
}
