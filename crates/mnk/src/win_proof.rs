//! Why an attacker wins: a tree of his moves, with an answer to every reply.

use std::sync::Arc;

use papan_rules::{Bits, Player};

use crate::lines::{Cell, CellSet};
use crate::state::State;

/// Why the attacker, who is to move, wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WinProof {
    /// Each cell threatens to complete a line on exactly one cell, where the
    /// defender must reply. Without more to come, the last completes a line or
    /// threatens to on two cells.
    Fours {
        /// The attacker's cells.
        cells: Vec<Cell>,
        /// What follows the last reply.
        then: Option<Arc<Self>>,
    },
    /// A move, and an answer to every reply.
    Move {
        /// The attacker's cell.
        cell: Cell,
        /// The answers.
        answers: ReplyProofs,
    },
}

/// What the attacker answers, whatever the defender replies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplyProofs {
    /// Against a reply on any cell that no branch names.
    pub rest: Option<Arc<WinProof>>,
    /// Against replies on certain cells.
    pub branches: Vec<ReplyBranch>,
    /// Replies that are neither named nor left to the rest are images of named ones,
    /// under symmetries that leave the position as it is.
    pub symmetric: bool,
}

/// One proof against replies on several cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyBranch {
    /// The cells.
    pub cells: CellSet,
    /// Whether the proof holds though the defender has all the cells at once; else it
    /// holds whichever one of them he has.
    pub at_once: bool,
    /// The proof.
    pub proof: Arc<WinProof>,
}

impl WinProof {
    /// VcfSearch followed by more, as one run of fours where the rest begins with fours.
    #[must_use]
    pub fn four(cell: Cell, then: &Arc<Self>) -> Self {
        match &**then {
            Self::Fours { cells, then } => Self::Fours {
                cells: std::iter::once(cell).chain(cells.iter().copied()).collect(),
                then: then.clone(),
            },
            Self::Move { .. } => Self::Fours {
                cells: vec![cell],
                then: Some(Arc::clone(then)),
            },
        }
    }

    /// The attacker's first move.
    #[must_use]
    pub fn first(&self) -> Option<Cell> {
        match self {
            Self::Fours { cells, .. } => cells.first().copied(),
            Self::Move { cell, .. } => Some(*cell),
        }
    }

    /// How many nodes the tree has, shared ones counted each time.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Fours { then, .. } => 1 + then.as_ref().map_or(0, |proof| proof.size()),
            Self::Move { answers, .. } => {
                let rest = answers.rest.as_ref().map_or(0, |proof| proof.size());
                let branches: usize = answers.branches.iter().map(|b| b.proof.size()).sum();
                1 + rest + branches
            }
        }
    }

    /// What the attacker plays after a reply to his first move; nothing when the
    /// proof says no more (the reply loses at once).
    #[must_use]
    pub fn after(&self, state: &mut State, attacker: Player, reply: Cell) -> Option<Arc<Self>> {
        match self {
            Self::Fours { cells, then } => {
                let (first, rest) = cells.split_first()?;
                state.put(*first, attacker);
                let completing = state.completing_cells(attacker);
                state.take(*first, attacker);
                let open = completing.without(CellSet::single(usize::from(reply)));
                match open.first() {
                    Some(cell) => Some(Arc::new(Self::Fours {
                        cells: vec![cell as Cell],
                        then: None,
                    })),
                    None if rest.is_empty() => then.clone(),
                    None => Some(Arc::new(Self::Fours {
                        cells: rest.to_vec(),
                        then: then.clone(),
                    })),
                }
            }
            Self::Move { answers, .. } => answers.to(reply),
        }
    }
}

impl ReplyProofs {
    /// The proof against a reply.
    #[must_use]
    pub fn to(&self, reply: Cell) -> Option<Arc<WinProof>> {
        let named = |branch: &&ReplyBranch| branch.cells.contains(usize::from(reply));
        let branch = self.branches.iter().find(named);
        branch.map(|b| &b.proof).or(self.rest.as_ref()).cloned()
    }

    /// The cells that branches name.
    #[must_use]
    pub fn named(&self) -> CellSet {
        let sets = self.branches.iter().map(|branch| branch.cells);
        sets.fold(CellSet::EMPTY, |all, set| all | set)
    }
}
