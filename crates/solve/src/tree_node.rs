//! One position of a tree that a strategy thinks in.

use papan_rules::{Game, Move, Outcome, Player, Symmetric};
use papan_strategies::{Bound, Candidate};

/// One position of a tree, with what follows.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode {
    /// The move that leads here; `None` at the root.
    pub mv: Option<Move>,
    /// Whose pieces stand on the cells.
    pub cells: Vec<Option<Player>>,
    /// Whose turn it is.
    pub turn: Player,
    /// How the game ended, if it has.
    pub outcome: Option<Outcome>,
    /// What the strategy says of it; `None` where it says nothing.
    pub label: Option<Label>,
    /// Whether the strategy looked no further, since the play will not come here.
    pub pruned: bool,
    /// Whether it is its parent's best child, the first of them.
    pub best: bool,
    /// Symmetric siblings that were merged into this one.
    pub twins: Vec<Move>,
    /// What can follow, as far as it is written down.
    pub children: Vec<Self>,
    /// Positions that were looked at below, this one included.
    pub nodes: u64,
}

/// What a strategy says of a position in its tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Label {
    /// The value that a search found for the player at the root: +1, 0 or -1, and 0 at the end
    /// of the depth. After an alpha-beta cutoff it is only a bound.
    Value {
        /// The value.
        value: i32,
        /// Whether it is exact, an upper or a lower bound.
        bound: Bound,
    },
    /// What the move that leads here weighs.
    Scored(Candidate),
}

impl TreeNode {
    /// A position of which nothing is said yet.
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

    /// Merges a child into an earlier one that is symmetric to it, if there is one.
    pub(crate) fn merges<G: Symmetric>(&mut self, game: &G, next: &G::Position, mv: Move) -> bool {
        let images: Vec<Vec<Option<Player>>> = (game.symmetries().iter())
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
