//! Forward search for the first of the shortest losing lines, by depth-first search with a table of
//! failures.

use papan_rules::{Line, Move, Outcome, Symmetric};
use rustc_hash::FxHashSet;

use super::{ProofTask, StrategyInstance};
use crate::ProveError;

/// Returns the first line, in cell order, that loses after exactly `ply` moves. There must be one, and
/// none that is shorter.
pub(super) fn first_losing_line<G: Symmetric>(
    task: &ProofTask<'_, G>,
    ply: usize,
) -> Result<Vec<Move>, ProveError> {
    let mut search = LossSearch {
        task,
        ply,
        line: Line::new(task.game),
        failed: FxHashSet::default(),
    };
    let found = task.pool.with(|instance| search.descend(instance))?;
    assert!(found, "a loss was counted at this depth");
    Ok(search.line.moves().to_vec())
}

struct LossSearch<'a, G: Symmetric> {
    task: &'a ProofTask<'a, G>,
    ply: usize,
    line: Line<G>,
    /// Positions, with the strategy's memory and the ply, from which no loss is reached in time.
    failed: FxHashSet<(G::Packed, u64, usize)>,
}

impl<G: Symmetric> LossSearch<'_, G> {
    /// Extends the line to a loss, if possible.
    fn descend(&mut self, instance: &mut StrategyInstance<G>) -> Result<bool, ProveError> {
        let &ProofTask { game, player, .. } = self.task;
        let opponent = player.other();
        let pos = self.line.position();
        if let Some(outcome) = game.outcome(pos) {
            return Ok(outcome == Outcome::Win(opponent) && self.line.ply() == self.ply);
        }
        if self.line.ply() >= self.ply || !game.can_win(pos, opponent) {
            return Ok(false);
        }
        let memory = instance.memory(game, &self.line);
        let key = (game.pack(pos), memory, self.line.ply());
        if self.failed.contains(&key) {
            return Ok(false);
        }
        self.task.watch.check_stop()?;
        let moves: Vec<Move> = if game.turn(pos) == player {
            instance.answer(game, &self.line)?.to_vec()
        } else {
            game.legal_moves(pos).collect()
        };
        for mv in moves {
            self.line.push(game, mv);
            if self.descend(instance)? {
                return Ok(true);
            }
            self.line.undo(game);
        }
        self.failed.insert(key);
        Ok(false)
    }
}
