//! A move of the attacker under search, with the proof and disproof numbers of its open replies.

use std::sync::Arc;

use papan_rules::{Bits as _, Player};

use crate::lines::{Cell, CellSet};
use crate::proof_numbers::ProofNumbers;
use crate::relevance_zone::covered_replies;
use crate::state::State;
use crate::win_proof::{ReplyBranch, ReplyProofs, WinProof};

/// A move of the attacker and the state of its proof.
pub(super) struct CandidateMove {
    pub(super) cell: Cell,
    pub(super) numbers: ProofNumbers,
    /// Proofs against the replies that are refuted.
    pub(super) replies: ReplyProofs,
    /// Whether it is a four, which forces the reply.
    pub(super) four: bool,
    /// Replies that are not refuted yet.
    pub(super) open: Vec<Reply>,
}

/// A reply of the defender with its proof and disproof numbers.
#[derive(Clone, Copy)]
pub(super) struct Reply {
    pub(super) cell: Cell,
    pub(super) numbers: ProofNumbers,
}

impl Reply {
    pub(super) fn new(cell: Cell) -> Self {
        Self {
            cell,
            numbers: ProofNumbers { pn: 1, dn: 1 },
        }
    }
}

/// Records a proof against `reply` for every open reply that it refutes.
pub(super) fn cover(
    state: &mut State,
    attacker: Player,
    mv: &mut CandidateMove,
    reply: Cell,
    proof: Arc<WinProof>,
) {
    let open = mv.open.iter().fold(CellSet::EMPTY, |set, other| {
        set | CellSet::single(usize::from(other.cell))
    });
    let covered = covered_replies(state, attacker, &proof, reply, open);
    mv.open
        .retain(|other| !covered.contains(usize::from(other.cell)));
    mv.replies.branches.push(ReplyBranch {
        cells: covered,
        at_once: false,
        proof,
    });
}

impl CandidateMove {
    /// Converts a move whose replies are all refuted into a proof.
    pub(super) fn into_proof(self) -> WinProof {
        if !self.four {
            return WinProof::Move {
                cell: self.cell,
                replies: self.replies,
            };
        }
        match self.replies.branches.first() {
            Some(branch) => WinProof::four(self.cell, &branch.proof),
            None => WinProof::Fours {
                cells: vec![self.cell],
                then: None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Lines;
    use papan_rules::{Grid, Wide};

    #[test]
    fn a_proof_that_depends_on_the_stone_of_a_reply_covers_that_reply_alone() {
        let grid = Grid::<Wide>::new(&[6, 6], 4).expect("a board");
        let mut state = State::new(Arc::new(Lines::new(&grid)));
        for cell in [1, 2, 13, 14] {
            state.put(cell, Player::First);
        }
        // A four on 3 forces 4 only because 0 is occupied; without that stone it wins at once, so
        // the proof says nothing about later moves.
        let proof = Arc::new(WinProof::Fours {
            cells: vec![3, 15],
            then: None,
        });
        let mut mv = CandidateMove {
            cell: 35,
            numbers: ProofNumbers { pn: 1, dn: 1 },
            replies: ReplyProofs::default(),
            four: false,
            open: [0, 15, 30].map(Reply::new).to_vec(),
        };
        cover(&mut state, Player::First, &mut mv, 0, Arc::clone(&proof));
        let left: Vec<Cell> = mv.open.iter().map(|reply| reply.cell).collect();
        assert_eq!(left, [15, 30]);
        // A proof that does not depend on the reply covers every reply outside its zone.
        let apart = Arc::new(WinProof::Fours {
            cells: vec![15],
            then: None,
        });
        cover(&mut state, Player::First, &mut mv, 30, apart);
        let left: Vec<Cell> = mv.open.iter().map(|reply| reply.cell).collect();
        assert_eq!(left, [15]);
    }
}
