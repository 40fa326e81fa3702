//! Why the attacker wins, written down from a finished search over all moves.

use std::sync::Arc;

use papan_rules::Bits;
use rustc_hash::FxHashMap;

use crate::dfpn::{DefenceSolver, DefenceValue, StaticOutcome};
use crate::lines::{Cell, CellSet};
use crate::relevance_zone::relevance_zone;
use crate::win_proof::{ReplyBranch, ReplyProofs, WinProof};

/// Nodes that may be searched again for one missing answer.
const MORE: u64 = 2_000_000;

/// Proofs of positions that have been met already.
type ProofCache = FxHashMap<u64, Arc<WinProof>>;

impl DefenceSolver {
    /// Why the attacker, who is to move, wins, once [`DefenceSolver::run`] has said so in its
    /// stronger form; `None` when something cannot be found again within the limits.
    pub fn win_proof(&mut self) -> Option<Arc<WinProof>> {
        (self.counter && self.to_move == self.attacker)
            .then(|| self.winning_move(&mut ProofCache::default()))
            .flatten()
    }

    /// The same where the defender is to move.
    pub fn reply_proofs(&mut self) -> Option<ReplyProofs> {
        let waits = self.counter && self.to_move != self.attacker;
        if !waits || self.state.completing(self.attacker.other()).is_some() {
            return None;
        }
        self.winning_answers(&mut ProofCache::default())
    }

    fn winning_move(&mut self, known: &mut ProofCache) -> Option<Arc<WinProof>> {
        if let Some(proof) = known.get(&self.state.hash()) {
            return Some(Arc::clone(proof));
        }
        let attacker = self.attacker;
        let moves = match self.look(attacker, 0) {
            StaticOutcome::Lost(proof) => return Some(Arc::new(proof)),
            StaticOutcome::Moves(moves, _) => moves,
            _ => return None,
        };
        for again in [false, true] {
            if again {
                self.run_here(attacker, MORE);
            }
            // Any cell will do: a twin of a move may be the one that was looked at.
            let others = self.state.empty().cells().map(|cell| cell as Cell);
            for cell in moves.iter().copied().chain(others) {
                if self.known_of(self.key_after(cell, attacker)) == DefenceValue::Loses
                    && let Some(proof) = self.played(cell, known)
                {
                    return Some(proof);
                }
            }
        }
        moves.into_iter().find_map(|cell| {
            self.put(cell, attacker);
            let verdict = self.run_here(attacker.other(), MORE / 100);
            self.take(cell, attacker);
            let loses = verdict == DefenceValue::Loses;
            loses.then(|| self.played(cell, known)).flatten()
        })
    }

    /// The proof that begins with a move.
    fn played(&mut self, cell: Cell, known: &mut ProofCache) -> Option<Arc<WinProof>> {
        self.put(cell, self.attacker);
        let proof = self.after_move(cell, known);
        self.take(cell, self.attacker);
        let proof = Arc::new(proof?);
        known.insert(self.state.hash(), Arc::clone(&proof));
        Some(proof)
    }

    fn after_move(&mut self, cell: Cell, known: &mut ProofCache) -> Option<WinProof> {
        let completing = self.state.completing_cells(self.attacker);
        match completing.count() {
            0 => {
                let answers = self.winning_answers(known)?;
                Some(WinProof::Move { cell, answers })
            }
            1 => {
                let reply = completing.first()? as Cell;
                let then = self.against(reply, known)?;
                Some(WinProof::four(cell, &then))
            }
            _ => Some(WinProof::Fours {
                cells: vec![cell],
                then: None,
            }),
        }
    }

    /// The defender has just replied on a cell.
    fn against(&mut self, reply: Cell, known: &mut ProofCache) -> Option<Arc<WinProof>> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        self.put(reply, defender);
        if self.known(attacker) != DefenceValue::Loses {
            self.run_here(attacker, MORE);
        }
        let proof = self.winning_move(known);
        self.take(reply, defender);
        proof
    }

    fn winning_answers(&mut self, known: &mut ProofCache) -> Option<ReplyProofs> {
        let mut answers = ReplyProofs::default();
        let (first, mut open) = match self.look(self.attacker.other(), 0) {
            StaticOutcome::Lost(proof) => {
                answers.rest = Some(Arc::new(proof));
                return None;
            }
            StaticOutcome::Moves(moves, Some(pass)) => {
                answers.rest = Some(Arc::new(pass));
                let zone = moves.iter().fold(CellSet::EMPTY, with);
                (moves, zone)
            }
            StaticOutcome::Moves(moves, None) => (moves, self.state.empty()),
            _ => return None,
        };
        let others: Vec<Cell> = open.cells().map(|cell| cell as Cell).collect();
        for reply in first.into_iter().chain(others) {
            if !open.contains(usize::from(reply)) {
                continue;
            }
            let proof = self.against(reply, known)?;
            let own = with(CellSet::EMPTY, &reply);
            let zone = relevance_zone(&mut self.state, self.attacker, &proof);
            // Where the proof needs the stone of the reply, it answers nothing else.
            let zone = zone.filter(|zone| !zone.contains(usize::from(reply)));
            let cells = zone.map_or(own, |zone| open.without(zone) | own);
            open = open.without(cells);
            answers.branches.push(ReplyBranch {
                cells,
                at_once: false,
                proof,
            });
        }
        Some(answers)
    }
}

fn with(set: CellSet, cell: &Cell) -> CellSet {
    set | CellSet::single(usize::from(*cell))
}
