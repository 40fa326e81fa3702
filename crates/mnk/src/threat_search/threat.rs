//! What a move threatens, and the replies that need an answer.

use papan_rules::{Bits as _, Player};

use super::candidate_move::{CandidateMove, Reply};
use super::{INFINITE, MAX_ORDER, ThreatSearch, distinct};
use crate::lines::{Cell, CellSet};
use crate::relevance_zone::relevance_zone;
use crate::state::State;
use crate::win_proof::{ReplyBranch, ReplyProofs};

impl ThreatSearch {
    /// What the attacker threatens, having just played on `cell`, and the replies to it.
    pub(super) fn threat(
        &mut self,
        state: &mut State,
        attacker: Player,
        level: usize,
        cell: Cell,
    ) -> Option<CandidateMove> {
        let mut mv = CandidateMove {
            cell,
            pn: 0,
            dn: INFINITE,
            answers: ReplyProofs::default(),
            four: false,
            open: Vec::new(),
        };
        let completing = state.completing_cells(attacker);
        if !completing.is_empty() {
            // Two are a win; one forces the reply.
            mv.four = true;
            if completing.count() == 1 {
                mv.open = completing.cells().map(|c| Reply::new(c as Cell)).collect();
            }
        } else if let Some(proof) = self.win(state, attacker, level - 1) {
            let zone = relevance_zone(state, attacker, &proof)? & state.empty();
            mv.answers.rest = Some(proof);
            mv.open = zone.cells().map(|c| Reply::new(c as Cell)).collect();
            self.answer_all_at_once(state, attacker, &mut mv, zone);
        } else if level == MAX_ORDER && !state.empty().is_empty() {
            mv.open = state
                .empty()
                .cells()
                .map(|c| Reply::new(c as Cell))
                .collect();
            let mut cells: Vec<Cell> = mv.open.iter().map(|reply| reply.cell).collect();
            let all = cells.len();
            distinct(state, &mut cells);
            mv.answers.symmetric = cells.len() < all;
            mv.open = cells.into_iter().map(Reply::new).collect();
        } else {
            return None;
        }
        if !mv.open.is_empty() {
            mv.pn = mv.open.len() as u32;
            mv.dn = 1;
        }
        Some(mv)
    }

    /// Tries one win by fours though the defender has all replies at once.
    fn answer_all_at_once(
        &mut self,
        state: &mut State,
        attacker: Player,
        mv: &mut CandidateMove,
        zone: CellSet,
    ) {
        let defender = attacker.other();
        // VcfSearch begin on a line that lacks two cells; is one left?
        let two_short = state.length().saturating_sub(2);
        let mut lines = state.with_count(attacker, two_short);
        if lines.all(|line| state.lines().mask(line).meets(zone)) {
            return;
        }
        drop(lines);
        for cell in zone.cells() {
            state.put(cell as Cell, defender);
        }
        let won = if state.has_won(defender) {
            None
        } else {
            self.win(state, attacker, 1)
        };
        for cell in zone.cells() {
            state.take(cell as Cell, defender);
        }
        if let Some(proof) = won {
            mv.answers.branches.push(ReplyBranch {
                cells: zone,
                at_once: true,
                proof,
            });
            mv.open.clear();
        }
    }
}
