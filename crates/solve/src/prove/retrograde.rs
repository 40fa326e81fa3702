//! Retrograde search for the first losing line: from the lost positions back to the start.
//!
//! Used if losses are few. On 5x5, branch and bound loses 18,200 of 5.8 trillion lines; a forward
//! search would visit most of the graph again, while only a few thousand positions lead to the lost
//! ones.

use papan_rules::{Line, Move, Player, Symmetric};
use rustc_hash::FxHashSet;

use super::packed::PackedBoard;
use super::{ProofTask, StrategyInstance};
use crate::ProveError;

/// Returns the first line, in cell order, that ends in one of these lost positions.
pub(super) fn first_losing_line<G: Symmetric>(
    task: &ProofTask<'_, G>,
    lost: &[u64],
) -> Result<Vec<Move>, ProveError> {
    let &ProofTask { game, player, .. } = task;
    let board = PackedBoard { game, player };
    task.pool.with(|instance| {
        // Step 1. Backward: the positions with the opponent to move that lead to a loss, by level.
        let mut levels: Vec<FxHashSet<u64>> = vec![board.before_opponent(lost.iter().copied())];
        loop {
            task.watch.check_stop()?;
            let last = levels.last().expect("there is at least one level");
            let mut asked = FxHashSet::default();
            for &word in last {
                for cell in cells(word >> 32) {
                    let earlier = word & !(1 << (cell + 32));
                    if board.answers_with(instance, earlier, cell)? {
                        asked.insert(earlier);
                    }
                }
            }
            let earlier = board.before_opponent(asked.iter().copied());
            if earlier.is_empty() {
                break;
            }
            levels.push(earlier);
        }
        // Step 2. Forward: the first move that stays in the levels.
        let mut node = PackedLine {
            word: 0,
            line: Line::new(game),
        };
        if player == Player::First {
            board.reply(instance, &mut node)?;
        }
        while let Some(level) = levels.pop() {
            debug_assert!(level.contains(&node.word), "the line leads to a loss");
            node = board.advance(instance, &node, levels.last(), lost)?;
        }
        Ok(node.line.moves().to_vec())
    })
}

/// A line of play with its packed position.
struct PackedLine<G: Symmetric> {
    word: u64,
    line: Line<G>,
}

/// Returns the cells of a set in order.
fn cells(set: u64) -> impl Iterator<Item = usize> {
    (0..32).filter(move |cell| set >> cell & 1 != 0)
}

impl<G: Symmetric> PackedBoard<'_, G> {
    /// Returns the unfinished positions from which one move of the opponent leads to one of these.
    fn before_opponent(&self, words: impl Iterator<Item = u64>) -> FxHashSet<u64> {
        let earlier = words.flat_map(|word| {
            cells(word & u64::from(u32::MAX)).map(move |cell| word & !(1 << cell))
        });
        earlier
            .filter(|&word| self.game.outcome(&self.position(word)).is_none())
            .collect()
    }

    /// Returns whether the strategy plays this cell in a position.
    fn answers_with(
        &self,
        instance: &mut StrategyInstance<G>,
        word: u64,
        cell: usize,
    ) -> Result<bool, ProveError> {
        let pos = self.position(word);
        if self.game.outcome(&pos).is_some() {
            return Ok(false);
        }
        let moves = instance.answer(self.game, &Line::from_position(pos))?;
        Ok(moves == [Move::on(cell)])
    }

    /// Plays the strategy's move.
    fn reply(
        &self,
        instance: &mut StrategyInstance<G>,
        node: &mut PackedLine<G>,
    ) -> Result<(), ProveError> {
        let mv = instance.answer(self.game, &node.line)?[0];
        node.line.push(self.game, mv);
        node.word |= 1 << (mv.cell().unwrap_or_default() + 32);
        Ok(())
    }

    /// Plays the opponent's first move that leads, with the answer to it, to the next level, or on
    /// the last level to a lost position.
    fn advance(
        &self,
        instance: &mut StrategyInstance<G>,
        node: &PackedLine<G>,
        next_level: Option<&FxHashSet<u64>>,
        lost: &[u64],
    ) -> Result<PackedLine<G>, ProveError> {
        for mv in self.game.legal_moves(node.line.position()) {
            let mut next = PackedLine {
                word: node.word | 1 << mv.cell().unwrap_or_default(),
                line: node.line.clone(),
            };
            next.line.push(self.game, mv);
            let Some(level) = next_level else {
                if lost.contains(&next.word) {
                    return Ok(next);
                }
                continue;
            };
            if self.game.outcome(next.line.position()).is_none() {
                self.reply(instance, &mut next)?;
                if level.contains(&next.word) {
                    return Ok(next);
                }
            }
        }
        unreachable!("every position of a level leads to the next")
    }
}
