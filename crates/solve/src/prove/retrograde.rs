//! The first losing line where losses are few: from their ends back to the start.
//!
//! On 5x5 branch and bound loses 18,200 of 5.8 trillion lines. A search from the
//! start would look at most of the graph again; from the few lost positions only
//! a few thousand lead back.

use papan_rules::{Line, Move, Player, Symmetric};
use papan_strategies::Watch;
use rustc_hash::FxHashSet;

use super::packed::PackedBoard;
use super::{Instance, Pool};
use crate::ProveError;

/// The first line in cell order that ends in one of these lost positions.
pub(super) fn first<G: Symmetric>(
    game: &G,
    pool: &Pool<'_, G>,
    player: Player,
    lost: &[u64],
    watch: &Watch,
) -> Result<Vec<Move>, ProveError> {
    let board = PackedBoard { game, player };
    pool.with(|worker| {
        // Step 1. Back from the ends: positions with the opponent to move.
        let mut leading: Vec<FxHashSet<u64>> = vec![board.before_opponent(lost.iter().copied())];
        loop {
            watch.check_stop()?;
            let last = leading.last().expect("there is at least one level");
            let mut asked = FxHashSet::default();
            for &word in last {
                for cell in cells(word >> 32) {
                    let earlier = word & !(1 << (cell + 32));
                    if board.answers(worker, earlier, cell)? {
                        asked.insert(earlier);
                    }
                }
            }
            let earlier = board.before_opponent(asked.iter().copied());
            if earlier.is_empty() {
                break;
            }
            leading.push(earlier);
        }
        // Step 2. Forward again, by the first cell that still leads to an end.
        let mut line = Line::new(game);
        let mut word = 0;
        if player == Player::First {
            word = board.reply(worker, word, &mut line)?;
        }
        while let Some(level) = leading.pop() {
            debug_assert!(level.contains(&word), "the line leads to a loss");
            let (moved, after) = board.advance(worker, word, leading.last(), lost, &line)?;
            word = moved;
            line = after;
        }
        Ok(line.moves().to_vec())
    })
}

/// The cells of a set, first to last.
fn cells(set: u64) -> impl Iterator<Item = usize> {
    (0..32).filter(move |cell| set >> cell & 1 != 0)
}

impl<G: Symmetric> PackedBoard<'_, G> {
    /// The unfinished positions from which one move of the opponent leads to one
    /// of these.
    fn before_opponent(&self, words: impl Iterator<Item = u64>) -> FxHashSet<u64> {
        let earlier = words.flat_map(|word| {
            cells(word & u64::from(u32::MAX)).map(move |cell| word & !(1 << cell))
        });
        earlier
            .filter(|&word| self.game.outcome(&self.position(word)).is_none())
            .collect()
    }

    /// Whether the strategy answers this position with this cell.
    fn answers(
        &self,
        worker: &mut Instance<G>,
        word: u64,
        cell: usize,
    ) -> Result<bool, ProveError> {
        let pos = self.position(word);
        if self.game.outcome(&pos).is_some() {
            return Ok(false);
        }
        let moves = worker.answer(self.game, &Line::from_position(pos))?;
        Ok(moves == [Move::on(cell)])
    }

    /// Plays the strategy's answer, on the word and on the line.
    fn reply(
        &self,
        worker: &mut Instance<G>,
        word: u64,
        line: &mut Line<G>,
    ) -> Result<u64, ProveError> {
        let mv = worker.answer(self.game, line)?[0];
        line.push(self.game, mv);
        Ok(word | 1 << (mv.cell().unwrap_or_default() + 32))
    }

    /// The opponent's first move, with the answer to it, that leads to the next
    /// level, or to a lost position where there is none.
    fn advance(
        &self,
        worker: &mut Instance<G>,
        word: u64,
        next: Option<&FxHashSet<u64>>,
        lost: &[u64],
        line: &Line<G>,
    ) -> Result<(u64, Line<G>), ProveError> {
        for mv in self.game.legal_moves(line.position()) {
            let moved = word | 1 << mv.cell().unwrap_or_default();
            let mut line = line.clone();
            line.push(self.game, mv);
            let Some(next) = next else {
                if lost.contains(&moved) {
                    return Ok((moved, line));
                }
                continue;
            };
            if self.game.outcome(line.position()).is_none() {
                let moved = self.reply(worker, moved, &mut line)?;
                if next.contains(&moved) {
                    return Ok((moved, line));
                }
            }
        }
        unreachable!("every position of a level leads to the next")
    }
}
