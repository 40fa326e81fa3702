//! Proof trees of draws: a reply to every move of the attacker, with pairing strategies at the leaves.
//!
//! A proof is a directed acyclic graph: positions that are equivalent for the defender, up to
//! symmetry, share a node.

use crate::lines::{Cell, CellSet};

/// Proof that the defender at least draws.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawProof {
    /// Positions with the attacker to move; children come before their parents.
    pub nodes: Vec<DrawNode>,
    /// The first position with the attacker to move, unless the game ends before it.
    pub root: Option<DrawLink>,
    /// The defender's first move, if the defender is to move.
    pub first: Option<Cell>,
    /// Whether the defender's own lines count (see [`crate::DefenceSolver`]).
    pub counter: bool,
}

/// A position with the attacker to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawNode {
    /// The stones of the attacker and of the defender.
    pub stones: [CellSet; 2],
    /// The defence.
    pub kind: DrawNodeKind,
}

/// A defence against an attacker to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrawNodeKind {
    /// A pairing strategy, with a potential argument for the lines without a pair
    /// (see `crate::pairing`).
    Pairs(Vec<(Cell, Cell)>),
    /// A reply to every move that is not dominated by another.
    Replies(Vec<DrawReply>),
}

/// A reply to a move of the attacker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawReply {
    /// The attacker's cell.
    pub cell: Cell,
    /// The defender's cell.
    pub reply: Cell,
    /// The position after the reply; `None` if the reply completes a line.
    pub next: Option<DrawLink>,
}

/// A reference to a node that covers a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawLink {
    /// The index of the node.
    pub node: usize,
    /// The symmetry that maps the position to the node's.
    pub symmetry: usize,
}
