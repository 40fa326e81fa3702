//! Every position that a strategy meets, with what it plays there.

use std::collections::BTreeMap;

use papan_rules::{Game, Line, Move, Player, Symmetric};
use papan_strategies::Watch;
use rustc_hash::FxHashSet;

use crate::ProveError;
use crate::prove::{Pool, StrategyFactory};

/// A position in which a strategy is to move, and its moves there, first to last.
/// Where it remembers more than the position, these are the moves of all memories.
pub(crate) struct StrategyPosition<P> {
    pub(crate) position: P,
    pub(crate) moves: Vec<Move>,
}

/// What a strategy meets, ordered by packed position.
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

/// Every unfinished position that the strategy meets as `player`. Boards on which
/// nobody can win any more are left out where `skip_dead` says so.
pub(crate) fn reach<G: Symmetric>(
    game: &G,
    factory: StrategyFactory<'_, G>,
    player: Player,
    skip_dead: bool,
    most: usize,
    watch: &Watch,
) -> Result<ReachablePositions<G>, ReachableError> {
    let pool = Pool::new(factory, &watch.stop)?;
    let mut reached: ReachablePositions<G> = BTreeMap::new();
    let mut seen = FxHashSet::default();
    let mut open = vec![Line::new(game)];
    pool.with(|worker| {
        while let Some(line) = open.pop() {
            watch.check_stop().map_err(ProveError::from)?;
            let pos = line.position();
            let finished = game.outcome(pos).is_some() || skip_dead && game.is_dead(pos);
            let key = game.pack(pos);
            if finished || !seen.insert((key, worker.memory(game, &line))) {
                continue;
            }
            let moves: Vec<Move> = if game.turn(pos) == player {
                let moves = worker.answer(game, &line)?.to_vec();
                let met = reached.entry(key).or_insert_with(|| StrategyPosition {
                    position: pos.clone(),
                    moves: Vec::new(),
                });
                met.moves.extend(&moves);
                met.moves.sort_unstable();
                met.moves.dedup();
                if reached.len() > most {
                    return Err(ReachableError::TooMany(most));
                }
                moves
            } else {
                game.legal_moves(pos).collect()
            };
            for mv in moves {
                // A line from the position is enough for whoever needs no more.
                let mut next = if pool.is_positional() {
                    Line::from_position(pos.clone())
                } else {
                    line.clone()
                };
                next.push(game, mv);
                open.push(next);
            }
        }
        Ok(reached)
    })
}
