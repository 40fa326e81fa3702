//! Audit of a strategy: immediate wins that it misses.

use papan_rules::{Line, Move, Outcome, Player, Symmetric};
use papan_strategies::Watch;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

use crate::ProveError;
use crate::prove::{StrategyFactory, StrategyPool};

/// How often a strategy misses an immediate win.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MissedWins {
    /// Positions in which the player to move can win at once.
    pub winnable: u64,
    /// Those in which the strategy may play another move.
    pub missed: u64,
    /// Those in which the strategy has no legal move.
    pub unanswered: u64,
    /// The shortest line to a missed win, first in cell order.
    pub first: Option<Vec<Move>>,
}

/// Maximum number of positions in memory; a few gigabytes.
const MAX_POSITIONS: usize = 5_000_000;

/// Audits a strategy in every position of the game, reachable for it or not, in which the player to
/// move can win at once. `player` restricts the audit to one seat.
///
/// # Errors
/// If it is stopped, or there are too many positions.
pub fn missed_wins<G: Symmetric>(
    game: &G,
    factory: StrategyFactory<'_, G>,
    player: Option<Player>,
    watch: &Watch,
) -> Result<MissedWins, ProveError> {
    let pool = StrategyPool::new(factory, &watch.stop)?;
    let mut found = MissedWins::default();
    let mut seen = FxHashSet::default();
    let mut open = VecDeque::from([Line::new(game)]);
    pool.with(|instance| {
        while let Some(line) = open.pop_front() {
            watch.check_stop()?;
            let pos = line.position();
            if game.outcome(pos).is_some() || !seen.insert(game.pack(pos)) {
                continue;
            }
            if seen.len() + open.len() > MAX_POSITIONS {
                return Err(ProveError::TooLarge {
                    positions: MAX_POSITIONS,
                    mib: (MAX_POSITIONS * size_of::<Line<G>>()) >> 20,
                });
            }
            watch.advance(1, 1);
            let mover = game.turn(pos);
            let mut wins = Vec::new();
            for mv in game.legal_moves(pos) {
                let mut next = line.clone();
                next.push(game, mv);
                match game.outcome(next.position()) {
                    Some(Outcome::Win(winner)) if winner == mover => wins.push(mv),
                    Some(_) => {}
                    None => open.push_back(next),
                }
            }
            if wins.is_empty() || player.is_some_and(|player| player != mover) {
                continue;
            }
            found.winnable += 1;
            match instance.answer(game, &line) {
                Ok(moves) if moves.iter().all(|mv| wins.contains(mv)) => {}
                Ok(_) => {
                    found.missed += 1;
                    found.first.get_or_insert_with(|| line.moves().to_vec());
                }
                Err(ProveError::NoAnswer { .. }) => found.unanswered += 1,
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    })
}
