//! Proof-tree simulation: a proof of one position is played again in a similar one.
//!
//! After a proof against one reply of the defender, the same moves often win against other replies
//! as well, also against those inside its relevance zone. Simulation plays the attacker's moves of
//! the proof with the other stone on the board, answers each reply as the proof does, and searches
//! only where the moves no longer fit, for a short VCF. The result is a proof of its own, with zones
//! of its own.
//!
//! Reference: Y. Kawano, *Using Similar Positions to Search Game Trees*, in Games of No Chance,
//! 1996.

use std::sync::Arc;

use papan_rules::{Bits as _, Player};

use crate::lines::{Cell, CellSet};
use crate::relevance_zone::{covered_replies, relevance_zone};
use crate::state::State;
use crate::vcf::VcfSearch;
use crate::win_proof::{ReplyBranch, ReplyProofs, WinProof};

/// Nodes of one VCF search where the proof does not fit.
const VCF_NODES: u64 = 200;

/// Proof-tree simulation for one attacker.
pub struct ProofSimulation {
    attacker: Player,
    vcf: VcfSearch,
    /// Nodes of proofs that may still be visited.
    left: u64,
}

/// The proof after a four: none if the four already wins.
type AfterFour = Option<Arc<WinProof>>;

impl ProofSimulation {
    /// Creates a simulation of proofs that `attacker` wins.
    #[must_use]
    pub fn new(attacker: Player) -> Self {
        Self {
            attacker,
            vcf: VcfSearch::new(),
            left: 0,
        }
    }

    /// Returns a proof that the attacker, who is to move, wins in this position, made from a proof
    /// of another one; `None` if its moves do not win here, or more than `max_nodes` nodes of it
    /// would be visited. The game must not be over.
    pub fn simulate(
        &mut self,
        state: &mut State,
        proof: &WinProof,
        max_nodes: u64,
    ) -> Option<Arc<WinProof>> {
        self.left = max_nodes;
        self.attack(state, proof)
    }

    fn attack(&mut self, state: &mut State, proof: &WinProof) -> Option<Arc<WinProof>> {
        self.left = self.left.checked_sub(1)?;
        if let Some(cell) = state.completing(self.attacker) {
            let (cells, then) = (vec![cell], None);
            return Some(Arc::new(WinProof::Fours { cells, then }));
        }
        let followed = match proof {
            WinProof::Fours { cells, then } => self.fours(state, cells, then.as_deref()),
            WinProof::Move { cell, replies } => self.threat(state, *cell, replies),
        };
        followed.or_else(|| self.search(state))
    }

    /// Searches for a win by fours, where the moves of a proof do not win.
    fn search(&mut self, state: &mut State) -> Option<Arc<WinProof>> {
        let cells = self.vcf.win(state, self.attacker, VCF_NODES)?;
        Some(Arc::new(WinProof::Fours { cells, then: None }))
    }

    /// Follows a sequence of fours.
    fn fours(
        &mut self,
        state: &mut State,
        cells: &[Cell],
        then: Option<&WinProof>,
    ) -> Option<Arc<WinProof>> {
        let Some((&cell, rest)) = cells.split_first() else {
            return match then {
                Some(proof) => self.attack(state, proof),
                None => self.search(state),
            };
        };
        if state.owner(cell).is_some() {
            return None;
        }
        state.put(cell, self.attacker);
        let after = self.after_four(state, |simulation, state| {
            simulation.fours(state, rest, then)
        });
        state.remove(cell, self.attacker);
        Some(Arc::new(four(cell, after?)))
    }

    /// Follows the proof after a four of the attacker; `next` follows it after the forced reply.
    fn after_four(
        &mut self,
        state: &mut State,
        next: impl FnOnce(&mut Self, &mut State) -> Option<Arc<WinProof>>,
    ) -> Option<AfterFour> {
        if state.has_won(self.attacker) {
            return Some(None);
        }
        let defender = self.attacker.other();
        if state.completing(defender).is_some() {
            return None;
        }
        let completing = state.completing_cells(self.attacker);
        let reply = completing.first()? as Cell;
        if completing.count() > 1 {
            return Some(None);
        }
        state.put(reply, defender);
        let proof = next(self, state);
        state.remove(reply, defender);
        proof.map(Some)
    }

    /// Follows a move that is no four in the proof.
    fn threat(
        &mut self,
        state: &mut State,
        cell: Cell,
        replies: &ReplyProofs,
    ) -> Option<Arc<WinProof>> {
        if state.owner(cell).is_some() {
            return None;
        }
        state.put(cell, self.attacker);
        let proof = self.after_threat(state, cell, replies);
        state.remove(cell, self.attacker);
        proof.map(Arc::new)
    }

    fn after_threat(
        &mut self,
        state: &mut State,
        cell: Cell,
        replies: &ReplyProofs,
    ) -> Option<WinProof> {
        // Without the stone of the other reply the move may be a four here.
        if let Some(reply) = state.completing(self.attacker) {
            let next = replies.against(reply);
            let after = self.after_four(state, |simulation, state| match next {
                Some(proof) => simulation.attack(state, &proof),
                None => simulation.search(state),
            });
            return Some(four(cell, after?));
        }
        if state.completing(self.attacker.other()).is_some() {
            return None;
        }
        let replies = self.replies(state, replies)?;
        Some(WinProof::Move { cell, replies })
    }

    /// Follows the proofs against all replies of the defender, who is to move.
    fn replies(&mut self, state: &mut State, proofs: &ReplyProofs) -> Option<ReplyProofs> {
        let mut found = ReplyProofs::default();
        let mut open = state.empty();
        if let Some(rest) = &proofs.rest {
            let rest = self.attack(state, rest)?;
            open = open & relevance_zone(state, self.attacker, &rest)?;
            found.rest = Some(rest);
        }
        let at_once = proofs.branches.iter().find(|branch| branch.at_once);
        if let Some(branch) = at_once
            && !open.is_empty()
            && let Some(proof) = self.against(state, open, &branch.proof)
        {
            let (cells, at_once) = (open, true);
            found.branches.push(ReplyBranch {
                cells,
                at_once,
                proof,
            });
            return Some(found);
        }
        // Replies that the proof does not name are the least likely to be refuted.
        let named = proofs.named_cells();
        while let Some(reply) = open.without(named).first().or_else(|| open.first()) {
            let proof = proofs.against(reply as Cell)?;
            let proof = self.against(state, CellSet::single(reply), &proof)?;
            let cells = covered_replies(state, self.attacker, &proof, reply as Cell, open);
            open = open.without(cells);
            found.branches.push(ReplyBranch {
                cells,
                at_once: false,
                proof,
            });
        }
        Some(found)
    }

    /// Follows a proof against stones of the defender on all these cells.
    fn against(
        &mut self,
        state: &mut State,
        cells: CellSet,
        proof: &WinProof,
    ) -> Option<Arc<WinProof>> {
        let defender = self.attacker.other();
        for cell in cells.cells() {
            state.put(cell as Cell, defender);
        }
        let followed = if state.has_won(defender) {
            None
        } else {
            self.attack(state, proof)
        };
        for cell in cells.cells() {
            state.remove(cell as Cell, defender);
        }
        followed
    }
}

/// Prepends a four to the proof after it.
fn four(cell: Cell, after: AfterFour) -> WinProof {
    match after {
        Some(proof) => WinProof::four(cell, &proof),
        None => WinProof::Fours {
            cells: vec![cell],
            then: None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Lines;
    use crate::threat_search::{NodeBudget, ThreatSearch};
    use papan_rules::{Grid, Wide};

    /// The position after X on the cell, and a proof against one reply.
    fn proof(state: &mut State, reply: Cell) -> Option<Arc<WinProof>> {
        let mut search = ThreatSearch::new(NodeBudget::INITIAL, Box::new(|| false));
        state.put(reply, Player::Second);
        let proof = search.win(state, Player::First, 3);
        state.remove(reply, Player::Second);
        proof
    }

    #[test]
    fn a_proof_against_one_reply_refutes_others_inside_its_zone() {
        let grid = Grid::<Wide>::new(&[6, 6], 4).expect("a board");
        let mut state = State::new(Arc::new(Lines::new(&grid)));
        state.put(14, Player::First);
        let mut simulation = ProofSimulation::new(Player::First);
        let (mut inside, mut simulated) = (0, 0);
        for reply in state.empty().cells() {
            let Some(proof) = proof(&mut state, reply as Cell) else {
                continue;
            };
            let empty = state.empty();
            let all = covered_replies(&mut state, Player::First, &proof, reply as Cell, empty);
            for other in empty.without(all).cells() {
                inside += 1;
                state.put(other as Cell, Player::Second);
                let found = simulation.simulate(&mut state, &proof, 1_000);
                if let Some(found) = found {
                    // A proof that holds has a relevance zone.
                    assert!(relevance_zone(&mut state, Player::First, &found).is_some());
                    simulated += 1;
                }
                state.remove(other as Cell, Player::Second);
            }
        }
        assert!(
            simulated > 0 && simulated < inside,
            "{simulated} of {inside}"
        );
    }

    #[test]
    fn a_simulation_ends_at_its_limit_and_restores_the_position() {
        let grid = Grid::<Wide>::new(&[6, 6], 4).expect("a board");
        let mut state = State::new(Arc::new(Lines::new(&grid)));
        state.put(14, Player::First);
        let proof = proof(&mut state, 0).expect("a win");
        let hash = state.hash();
        let mut simulation = ProofSimulation::new(Player::First);
        assert!(simulation.simulate(&mut state, &proof, 0).is_none());
        assert!(simulation.simulate(&mut state, &proof, 1_000).is_some());
        assert_eq!(state.hash(), hash);
    }
}
