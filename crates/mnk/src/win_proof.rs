//! Proof trees of wins: the attacker's moves with a refutation of every reply.
//!
//! A proof is an AND/OR tree with one attacker move per node. Replies that one proof refutes share a
//! branch, and replies that change nothing (outside the relevance zone of the threat, see
//! [`crate::relevance_zone`]) share the proof against a pass.

use std::sync::Arc;

use papan_rules::{Bits, Player};
use rustc_hash::FxHashMap;

use crate::lines::{Cell, CellSet};
use crate::state::State;

/// Proof that the attacker, who is to move, wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WinProof {
    /// A sequence of fours. Each cell leaves exactly one completing cell, where the defender must
    /// reply. If nothing follows, the last move completes a line or leaves two completing cells.
    Fours {
        /// The attacker's cells.
        cells: Vec<Cell>,
        /// The proof after the last forced reply.
        then: Option<Arc<Self>>,
    },
    /// A move with a proof against every reply.
    Move {
        /// The attacker's cell.
        cell: Cell,
        /// The proofs against the replies.
        replies: ReplyProofs,
    },
}

/// Proof that the attacker wins against every reply of the defender, who is to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplyProofs {
    /// Proof against a reply on any cell that no branch names, as against a pass.
    pub rest: Option<Arc<WinProof>>,
    /// Proofs against replies on named cells.
    pub branches: Vec<ReplyBranch>,
    /// Whether replies that are neither named nor covered by `rest` are images of named ones under
    /// symmetries of the position.
    pub symmetric: bool,
}

/// One proof against replies on several cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyBranch {
    /// The cells.
    pub cells: CellSet,
    /// Whether the proof holds even if the defender has stones on all the cells at once; otherwise
    /// it holds against a stone on any single one of them.
    pub at_once: bool,
    /// The proof.
    pub proof: Arc<WinProof>,
}

impl WinProof {
    /// Prepends a four to a proof, merging adjacent sequences of fours into one node.
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

    /// Returns the attacker's first move.
    #[must_use]
    pub fn first(&self) -> Option<Cell> {
        match self {
            Self::Fours { cells, .. } => cells.first().copied(),
            Self::Move { cell, .. } => Some(*cell),
        }
    }

    /// Returns the number of nodes of the tree, counting shared subtrees every time.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Fours { then, .. } => 1 + then.as_ref().map_or(0, |proof| proof.size()),
            Self::Move { replies, .. } => {
                let rest = replies.rest.as_ref().map_or(0, |proof| proof.size());
                let branches: usize = replies.branches.iter().map(|b| b.proof.size()).sum();
                1 + rest + branches
            }
        }
    }

    /// Returns the proof after the first move and a reply to it, or `None` if the proof ends there
    /// because the reply loses at once.
    #[must_use]
    pub fn after(&self, state: &mut State, attacker: Player, reply: Cell) -> Option<Arc<Self>> {
        match self {
            Self::Fours { cells, then } => {
                let (first, rest) = cells.split_first()?;
                state.put(*first, attacker);
                let completing = state.completing_cells(attacker);
                state.remove(*first, attacker);
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
            Self::Move { replies, .. } => replies.against(reply),
        }
    }
}

/// Maps proofs by a symmetry of the board. Shared subtrees stay shared.
pub struct ProofMapper<'a> {
    /// The image of each cell.
    images: &'a [Cell],
    mapped: FxHashMap<*const WinProof, Arc<WinProof>>,
}

impl<'a> ProofMapper<'a> {
    /// Creates a mapper to the images of cells.
    #[must_use]
    pub fn new(images: &'a [Cell]) -> Self {
        Self {
            images,
            mapped: FxHashMap::default(),
        }
    }

    fn image(&self, cell: Cell) -> Cell {
        self.images[usize::from(cell)]
    }

    /// Returns the proof of the image of a position.
    pub fn proof(&mut self, proof: &Arc<WinProof>) -> Arc<WinProof> {
        if let Some(mapped) = self.mapped.get(&Arc::as_ptr(proof)) {
            return Arc::clone(mapped);
        }
        let mapped = Arc::new(match &**proof {
            WinProof::Fours { cells, then } => WinProof::Fours {
                cells: cells.iter().map(|&cell| self.image(cell)).collect(),
                then: then.as_ref().map(|then| self.proof(then)),
            },
            WinProof::Move { cell, replies } => WinProof::Move {
                cell: self.image(*cell),
                replies: self.replies(replies),
            },
        });
        self.mapped.insert(Arc::as_ptr(proof), Arc::clone(&mapped));
        mapped
    }

    /// Returns the proofs against the replies in the image of a position.
    pub fn replies(&mut self, replies: &ReplyProofs) -> ReplyProofs {
        let branches = replies.branches.iter().map(|branch| {
            let cells = branch.cells.cells();
            let images = cells.map(|cell| CellSet::single(usize::from(self.images[cell])));
            ReplyBranch {
                cells: images.fold(CellSet::EMPTY, |set, cell| set | cell),
                at_once: branch.at_once,
                proof: self.proof(&branch.proof),
            }
        });
        let branches = branches.collect();
        ReplyProofs {
            rest: replies.rest.as_ref().map(|rest| self.proof(rest)),
            branches,
            symmetric: replies.symmetric,
        }
    }
}

impl ReplyProofs {
    /// Returns the proof against a reply.
    #[must_use]
    pub fn against(&self, reply: Cell) -> Option<Arc<WinProof>> {
        let names = |branch: &&ReplyBranch| branch.cells.contains(usize::from(reply));
        let branch = self.branches.iter().find(names);
        branch.map(|b| &b.proof).or(self.rest.as_ref()).cloned()
    }

    /// Returns the cells that branches name.
    #[must_use]
    pub fn named_cells(&self) -> CellSet {
        let sets = self.branches.iter().map(|branch| branch.cells);
        sets.fold(CellSet::EMPTY, |all, set| all | set)
    }
}
