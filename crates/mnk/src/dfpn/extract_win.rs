//! Extraction of a win proof from a solved df-pn table.
//!
//! The table keeps values but no moves, so the proof tree is rebuilt from the root: at each
//! attacker node a child with a winning value is chosen, at each defender node every reply in the
//! relevance zone is refuted. Positions whose value was evicted, or that only an equivalent cell
//! has a value for, are searched again.

use std::sync::Arc;

use papan_rules::Bits;
use rustc_hash::FxHashMap;

use super::static_outcome::StaticOutcome;
use super::{DefenceSolver, DefenceValue, EXTRACTION_NODES};
use crate::lines::{Cell, CellSet};
use crate::relevance_zone::relevance_zone;
use crate::win_proof::{ReplyBranch, ReplyProofs, WinProof};

/// Proofs by position hash.
type ProofCache = FxHashMap<u64, Arc<WinProof>>;

impl DefenceSolver {
    /// Returns a proof that the attacker, who is to move, wins, after [`DefenceSolver::run`]
    /// returned [`DefenceValue::Loses`] in the countering form. `None` if a part cannot be found
    /// again within the limits.
    pub fn win_proof(&mut self) -> Option<Arc<WinProof>> {
        (self.counter && self.to_move == self.attacker)
            .then(|| self.winning_move(&mut ProofCache::default()))
            .flatten()
    }

    /// As [`Self::win_proof`], with the defender to move.
    pub fn reply_proofs(&mut self) -> Option<ReplyProofs> {
        let is_waiting = self.counter && self.to_move != self.attacker;
        if !is_waiting || self.state.completing(self.attacker.other()).is_some() {
            return None;
        }
        self.refute_replies(&mut ProofCache::default())
    }

    /// Returns a proof for the attacker, who is to move, in the position on the board.
    fn winning_move(&mut self, cache: &mut ProofCache) -> Option<Arc<WinProof>> {
        if let Some(proof) = cache.get(&self.state.hash()) {
            return Some(Arc::clone(proof));
        }
        let attacker = self.attacker;
        let cells = match self.static_outcome(attacker, 0) {
            StaticOutcome::Lost(proof) => return Some(Arc::new(proof)),
            StaticOutcome::Moves { cells, .. } => cells,
            _ => return None,
        };
        for again in [false, true] {
            if again {
                self.run_here(attacker, EXTRACTION_NODES);
            }
            // An equivalent cell may have the value instead of the move itself.
            let others = self.state.empty().cells().map(|cell| cell as Cell);
            for cell in cells.iter().copied().chain(others) {
                if self.table_value(self.key_after(cell, attacker)) == DefenceValue::Loses
                    && let Some(proof) = self.proof_of_move(cell, cache)
                {
                    return Some(proof);
                }
            }
        }
        cells.into_iter().find_map(|cell| {
            self.put(cell, attacker);
            let verdict = self.run_here(attacker.other(), EXTRACTION_NODES / 100);
            self.remove(cell, attacker);
            let loses = verdict == DefenceValue::Loses;
            loses.then(|| self.proof_of_move(cell, cache)).flatten()
        })
    }

    /// Returns the proof that starts with a move.
    fn proof_of_move(&mut self, cell: Cell, cache: &mut ProofCache) -> Option<Arc<WinProof>> {
        self.put(cell, self.attacker);
        let proof = self.after_move(cell, cache);
        self.remove(cell, self.attacker);
        let proof = Arc::new(proof?);
        cache.insert(self.state.hash(), Arc::clone(&proof));
        Some(proof)
    }

    /// Returns the proof that starts with the move just played on `cell`.
    fn after_move(&mut self, cell: Cell, cache: &mut ProofCache) -> Option<WinProof> {
        let completing = self.state.completing_cells(self.attacker);
        match completing.count() {
            0 => {
                let replies = self.refute_replies(cache)?;
                Some(WinProof::Move { cell, replies })
            }
            1 => {
                let reply = completing.first()? as Cell;
                let then = self.against(reply, cache)?;
                Some(WinProof::four(cell, &then))
            }
            _ => Some(WinProof::Fours {
                cells: vec![cell],
                then: None,
            }),
        }
    }

    /// Returns the proof against a reply.
    fn against(&mut self, reply: Cell, cache: &mut ProofCache) -> Option<Arc<WinProof>> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        self.put(reply, defender);
        if self.table_value(self.key(attacker)) != DefenceValue::Loses {
            self.run_here(attacker, EXTRACTION_NODES);
        }
        let proof = self.winning_move(cache);
        self.remove(reply, defender);
        proof
    }

    /// Returns proofs against every reply of the defender, who is to move.
    fn refute_replies(&mut self, cache: &mut ProofCache) -> Option<ReplyProofs> {
        let mut replies = ReplyProofs::default();
        let (first, mut open) = match self.static_outcome(self.attacker.other(), 0) {
            StaticOutcome::Moves {
                cells,
                threat: Some(threat),
            } => {
                replies.rest = Some(Arc::new(threat));
                let zone = cells.iter().fold(CellSet::EMPTY, with);
                (cells, zone)
            }
            StaticOutcome::Moves {
                cells,
                threat: None,
            } => (cells, self.state.empty()),
            _ => return None,
        };
        let others: Vec<Cell> = open.cells().map(|cell| cell as Cell).collect();
        for reply in first.into_iter().chain(others) {
            if !open.contains(usize::from(reply)) {
                continue;
            }
            let proof = self.against(reply, cache)?;
            let own = with(CellSet::EMPTY, &reply);
            let cells = match relevance_zone(&mut self.state, self.attacker, &proof) {
                Some(zone) if !zone.contains(usize::from(reply)) => open.without(zone) | own,
                // A proof that depends on the stone of the reply refutes that reply alone.
                _ => own,
            };
            open = open.without(cells);
            replies.branches.push(ReplyBranch {
                cells,
                at_once: false,
                proof,
            });
        }
        Some(replies)
    }
}

fn with(set: CellSet, cell: &Cell) -> CellSet {
    set | CellSet::single(usize::from(*cell))
}
