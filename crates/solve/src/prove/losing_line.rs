//! The shortest lost game, the first of them in cell order.

use papan_rules::{Line, Move, Outcome, Player, Symmetric};
use papan_strategies::Watch;
use rustc_hash::FxHashSet;

use super::{Instance, Pool};
use crate::ProveError;

/// The first line in cell order that loses after exactly `ply` moves, of which the
/// caller knows that there is one and that none is shorter.
pub(super) fn first<G: Symmetric>(
    game: &G,
    pool: &Pool<'_, G>,
    player: Player,
    ply: usize,
    watch: &Watch,
) -> Result<Vec<Move>, ProveError> {
    let mut search = Search {
        game,
        player,
        ply,
        watch,
        line: Line::new(game),
        fruitless: FxHashSet::default(),
    };
    let found = pool.with(|worker| search.descend(worker))?;
    assert!(found, "a loss was counted at this depth");
    Ok(search.line.moves().to_vec())
}

struct Search<'a, G: Symmetric> {
    game: &'a G,
    player: Player,
    ply: usize,
    watch: &'a Watch,
    line: Line<G>,
    /// Positions (with memory and ply) from which no loss is so many moves away.
    fruitless: FxHashSet<(G::Packed, u64, usize)>,
}

impl<G: Symmetric> Search<'_, G> {
    /// Extends the line to a loss, if it can be.
    fn descend(&mut self, worker: &mut Instance<G>) -> Result<bool, ProveError> {
        let opponent = self.player.other();
        let pos = self.line.position();
        if let Some(outcome) = self.game.outcome(pos) {
            return Ok(outcome == Outcome::Win(opponent) && self.line.ply() == self.ply);
        }
        if self.line.ply() >= self.ply || !self.game.can_win(pos, opponent) {
            return Ok(false);
        }
        let memory = worker.memory(self.game, &self.line);
        let key = (self.game.pack(pos), memory, self.line.ply());
        if self.fruitless.contains(&key) {
            return Ok(false);
        }
        self.watch.check_stop()?;
        let moves: Vec<Move> = if self.game.turn(pos) == self.player {
            worker.answer(self.game, &self.line)?.to_vec()
        } else {
            self.game.legal_moves(pos).collect()
        };
        for mv in moves {
            self.line.push(self.game, mv);
            if self.descend(worker)? {
                return Ok(true);
            }
            self.line.undo(self.game);
        }
        self.fruitless.insert(key);
        Ok(false)
    }
}
