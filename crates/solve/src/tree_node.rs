//! Nodes of a game tree for display.

use papan_rules::{Game, Move, Outcome, Player, Symmetric};
use papan_strategies::{Bound, Candidate};

/// A position of a tree, with its children.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode {
    /// The move to this position; `None` at the root.
    pub mv: Option<Move>,
    /// The owner of the stone on each cell.
    pub cells: Vec<Option<Player>>,
    /// The player to move.
    pub turn: Player,
    /// The outcome, if the game is over.
    pub outcome: Option<Outcome>,
    /// The value or score that the strategy assigns to it, if any.
    pub label: Option<Label>,
    /// Whether the strategy searched no further because play will not come here.
    pub pruned: bool,
    /// Whether this is the best child of its parent, the first among equals.
    pub best: bool,
    /// Moves to symmetric siblings that were merged into this node.
    pub twins: Vec<Move>,
    /// The children, as far as the tree is shown.
    pub children: Vec<Self>,
    /// Number of nodes searched below, with this one.
    pub nodes: u64,
}

/// The label of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Label {
    /// Value for the player at the root: +1, 0 or -1; 0 at the depth limit. Only a bound after a
    /// cutoff.
    Value {
        /// The value.
        value: i32,
        /// Whether it is exact, an upper or a lower bound.
        bound: Bound,
    },
    /// Score of the move to this position.
    Scored(Candidate),
}

impl TreeNode {
    /// Creates a node without a label.
    pub(crate) fn of<G: Game>(game: &G, pos: &G::Position, mv: Option<Move>) -> Self {
        Self {
            mv,
            cells: cells(game, pos),
            turn: game.turn(pos),
            outcome: game.outcome(pos),
            label: None,
            pruned: false,
            best: false,
            twins: Vec::new(),
            children: Vec::new(),
            nodes: 1,
        }
    }

    /// Merges a child into an earlier symmetric one; returns whether there is one.
    pub(crate) fn merge_twin<G: Symmetric>(
        &mut self,
        game: &G,
        next: &G::Position,
        mv: Move,
    ) -> bool {
        let images: Vec<Vec<Option<Player>>> = game
            .symmetries()
            .iter()
            .map(|symmetry| cells(game, &game.transform(next, symmetry)))
            .collect();
        let mut earlier = self.children.iter_mut();
        match earlier.find(|child| images.contains(&child.cells)) {
            Some(twin) => {
                twin.twins.push(mv);
                true
            }
            None => false,
        }
    }
}

fn cells<G: Game>(game: &G, pos: &G::Position) -> Vec<Option<Player>> {
    (0..game.cells())
        .map(|cell| game.piece(pos, cell))
        .collect()
}
