//! A move that is being tried, and what is known of the replies to it.

use std::sync::Arc;

use papan_rules::{Bits as _, Player};

use crate::proof::{Answers, Branch, Proof};
use crate::state::State;
use crate::windows::{Cell, CellSet};
use crate::zone::answered;

/// A move of the attacker, and how far its proof has come.
pub(super) struct TriedMove {
    pub(super) cell: Cell,
    pub(super) pn: u32,
    pub(super) dn: u32,
    pub(super) answers: Answers,
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
    mv: &mut TriedMove,
    reply: Cell,
    proof: Arc<Proof>,
) {
    let open = mv.open.iter().fold(CellSet::EMPTY, |set, other| {
        set | CellSet::single(usize::from(other.cell))
    });
    let covered = answered(state, attacker, &proof, reply, open);
    mv.open
        .retain(|other| !covered.contains(usize::from(other.cell)));
    mv.answers.branches.push(Branch {
        cells: covered,
        at_once: false,
        proof,
    });
}

impl TriedMove {
    pub(super) fn into_proof(self) -> Proof {
        if !self.four {
            return Proof::Move {
                cell: self.cell,
                answers: self.answers,
            };
        }
        match self.answers.branches.first() {
            Some(branch) => Proof::four(self.cell, &branch.proof),
            None => Proof::Fours {
                cells: vec![self.cell],
                then: None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::windows::Windows;
    use papan_rules::{Grid, Wide};

    #[test]
    fn a_proof_that_needs_the_stone_of_a_reply_answers_that_reply_alone() {
        let grid = Grid::<Wide>::new(&[6, 6], 4).expect("a board");
        let mut state = State::new(Arc::new(Windows::new(&grid)));
        for cell in [1, 2, 13, 14] {
            state.put(cell, Player::First);
        }
        // A four on 3 forces 4 only because 0 is taken; without that it wins at once, and
        // tells nothing of what comes after.
        let proof = Arc::new(Proof::Fours {
            cells: vec![3, 15],
            then: None,
        });
        let mut mv = TriedMove {
            cell: 35,
            pn: 1,
            dn: 1,
            answers: Answers::default(),
            four: false,
            open: [0, 15, 30].map(Reply::new).to_vec(),
        };
        cover(&mut state, Player::First, &mut mv, 0, Arc::clone(&proof));
        let left: Vec<Cell> = mv.open.iter().map(|reply| reply.cell).collect();
        assert_eq!(left, [15, 30]);
        // A reply that it does not need is answered with all that are as far away.
        let apart = Arc::new(Proof::Fours {
            cells: vec![15],
            then: None,
        });
        cover(&mut state, Player::First, &mut mv, 30, apart);
        let left: Vec<Cell> = mv.open.iter().map(|reply| reply.cell).collect();
        assert_eq!(left, [15]);
    }
}
