//! A move that is being tried, and what is known of the replies to it.

use std::sync::Arc;

use papan_rules::{Bits as _, Player};

use crate::proof::{Answers, Branch, Proof};
use crate::state::State;
use crate::windows::{Cell, CellSet};
use crate::zone::zone;

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

/// A proof against one reply answers all others outside its zone.
pub(super) fn cover(
    state: &mut State,
    attacker: Player,
    mv: &mut TriedMove,
    reply: Cell,
    proof: Arc<Proof>,
) {
    let own = CellSet::single(usize::from(reply));
    let zone = if mv.four {
        None
    } else {
        zone(state, attacker, &proof)
    };
    let covered = match zone {
        Some(zone) => mv.open.iter().fold(own, |set, other| {
            let cell = CellSet::single(usize::from(other.cell));
            if zone.meets(cell) { set } else { set | cell }
        }),
        None => own,
    };
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
