//! Generation of the attacker's candidate moves: the threat that a move makes, and the replies that
//! may refute it.

use papan_rules::{Bits as _, Player};

use super::candidate_move::{CandidateMove, Reply};
use super::{MAX_ORDER, ThreatSearch, retain_distinct};
use crate::lines::{Cell, CellSet};
use crate::proof_numbers::ProofNumbers;
use crate::relevance_zone::relevance_zone;
use crate::state::State;
use crate::win_proof::{ReplyBranch, ReplyProofs};

impl ThreatSearch {
    /// Returns the candidate for the move that the attacker has just played on `cell`, with the
    /// replies that need a proof; `None` if the move makes no threat of this order.
    pub(super) fn threat(
        &mut self,
        state: &mut State,
        attacker: Player,
        order: usize,
        cell: Cell,
    ) -> Option<CandidateMove> {
        let mut mv = CandidateMove {
            cell,
            numbers: ProofNumbers::PROVED,
            replies: ReplyProofs::default(),
            four: false,
            open: Vec::new(),
        };
        let completing = state.completing_cells(attacker);
        if !completing.is_empty() {
            // Two completing cells win; one forces the reply.
            mv.four = true;
            if completing.count() == 1 {
                mv.open = completing.cells().map(|c| Reply::new(c as Cell)).collect();
            }
        } else if let Some(proof) = self.win(state, attacker, order - 1) {
            let zone = relevance_zone(state, attacker, &proof)? & state.empty();
            mv.replies.rest = Some(proof);
            mv.open = zone.cells().map(|c| Reply::new(c as Cell)).collect();
            self.refute_all_at_once(state, attacker, &mut mv, zone);
        } else if order == MAX_ORDER && !state.empty().is_empty() {
            let mut cells: Vec<Cell> = state.empty().cells().map(|c| c as Cell).collect();
            let all = cells.len();
            retain_distinct(state, &mut cells);
            mv.replies.symmetric = cells.len() < all;
            mv.open = cells.into_iter().map(Reply::new).collect();
        } else {
            return None;
        }
        if !mv.open.is_empty() {
            mv.numbers = ProofNumbers {
                pn: mv.open.len() as u32,
                dn: 1,
            };
        }
        Some(mv)
    }

    /// Tries a single VCF that wins even if the defender has stones on the whole zone, which
    /// refutes all replies at once.
    fn refute_all_at_once(
        &mut self,
        state: &mut State,
        attacker: Player,
        mv: &mut CandidateMove,
        zone: CellSet,
    ) {
        let defender = attacker.other();
        // A VCF starts on a live line two cells short; skip the search if the zone blocks all of
        // them.
        let two_short = state.length().saturating_sub(2);
        let is_blocked = |line| state.lines().mask(line).meets(zone);
        if state.lines_with(attacker, two_short).all(is_blocked) {
            return;
        }
        for cell in zone.cells() {
            state.put(cell as Cell, defender);
        }
        let won = if state.has_won(defender) {
            None
        } else {
            self.win(state, attacker, 1)
        };
        for cell in zone.cells() {
            state.remove(cell as Cell, defender);
        }
        if let Some(proof) = won {
            mv.replies.branches.push(ReplyBranch {
                cells: zone,
                at_once: true,
                proof,
            });
            mv.open.clear();
        }
    }
}
