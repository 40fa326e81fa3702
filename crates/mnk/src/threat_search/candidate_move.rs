//! A move that is being tried, and what is known of the replies to it.

use std::sync::Arc;

use papan_rules::{Bits as _, Player};

use crate::lines::{Cell, CellSet};
use crate::relevance_zone::covered_replies;
use crate::state::State;
use crate::win_proof::{ReplyBranch, ReplyProofs, WinProof};

/// A move of the attacker, and how far its proof has come.
pub(super) struct CandidateMove {
    pub(super) cell: Cell,
    pub(super) pn: u32,
    pub(super) dn: u32,
    pub(super) answers: ReplyProofs,
    /// Whether it is a four, with one forced reply.
    pub(super) four: bool,
    pub(super) open: Vec<Reply>,
}

#[derive(Clone, Copy)]
pub(super) struct Reply {
    pub(super) cell: Cell,
    pub(super) pn: u32,
    pub(super) dn: u32,
}

impl Reply {
    pub(super) fn new(cell: Cell) -> Self {
        Self { cell, pn: 1, dn: 1 }
    }
}

/// A proof against one reply is kept for all replies that it answers.
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
    mv.answers.branches.push(ReplyBranch {
        cells: covered,
        at_once: false,
        proof,
    });
}

impl CandidateMove {
    pub(super) fn into_proof(self) -> WinProof {
        if !self.four {
            return WinProof::Move {
                cell: self.cell,
                answers: self.answers,
            };
        }
        match self.answers.branches.first() {
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
    fn a_proof_that_needs_the_stone_of_a_reply_answers_that_reply_alone() {
        let grid = Grid::<Wide>::new(&[6, 6], 4).expect("a board");
        let mut state = State::new(Arc::new(Lines::new(&grid)));
        for cell in [1, 2, 13, 14] {
            state.put(cell, Player::First);
        }
        // A four on 3 forces 4 only because 0 is taken; without that it wins at once, and
        // tells nothing of what comes after.
        let proof = Arc::new(WinProof::Fours {
            cells: vec![3, 15],
            then: None,
        });
        let mut mv = CandidateMove {
            cell: 35,
            pn: 1,
            dn: 1,
            answers: ReplyProofs::default(),
            four: false,
            open: [0, 15, 30].map(Reply::new).to_vec(),
        };
        cover(&mut state, Player::First, &mut mv, 0, Arc::clone(&proof));
        let left: Vec<Cell> = mv.open.iter().map(|reply| reply.cell).collect();
        assert_eq!(left, [15, 30]);
        // A reply that it does not need is answered with all that are as far away.
        let apart = Arc::new(WinProof::Fours {
            cells: vec![15],
            then: None,
        });
        cover(&mut state, Player::First, &mut mv, 30, apart);
        let left: Vec<Cell> = mv.open.iter().map(|reply| reply.cell).collect();
        assert_eq!(left, [15]);
    }
}
