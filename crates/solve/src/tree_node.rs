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
    /// The window with which alpha-beta entered the position.
    pub window: Option<Window>,
    /// Whether the strategy searched no further because play will not come here.
    pub pruned: bool,
    /// Whether this is the best child of its parent, the first among equals.
    pub best: bool,
    /// Moves to symmetric siblings that were merged into this node.
    pub twins: Vec<Move>,
    /// The children, as far as the tree is shown.
    pub children: Vec<Self>,
    /// Whether there are recorded children that are not shown.
    pub folded: bool,
    /// Number of nodes searched below, with this one.
    pub nodes: u64,
}

/// An alpha-beta window, for the player at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
}

impl Window {
    pub(crate) const INFINITE: i32 = i32::MAX;

    pub(crate) const FULL: Self = Self {
        alpha: -Self::INFINITE,
        beta: Self::INFINITE,
    };

    /// Returns the lower bound of the maximiser; `None` for minus infinity.
    #[must_use]
    pub fn alpha(self) -> Option<i32> {
        (self.alpha != -Self::INFINITE).then_some(self.alpha)
    }

    /// Returns the upper bound of the minimiser; `None` for infinity.
    #[must_use]
    pub fn beta(self) -> Option<i32> {
        (self.beta != Self::INFINITE).then_some(self.beta)
    }

    pub(crate) fn narrow(&mut self, value: i32, maximising: bool) {
        if maximising {
            self.alpha = self.alpha.max(value);
        } else {
            self.beta = self.beta.min(value);
        }
    }

    pub(crate) fn is_closed(self) -> bool {
        self.alpha >= self.beta
    }

    /// Returns what the result of a fail-soft search with this window says: at or below alpha it is
    /// an upper bound, at or above beta a lower bound. The largest value and its opposite are exact.
    pub(crate) fn bound(self, value: i32, largest: i32) -> Bound {
        if value <= self.alpha && value > -largest {
            Bound::AtMost
        } else if value >= self.beta && value < largest {
            Bound::AtLeast
        } else {
            Bound::Exact
        }
    }

    /// Labels the result of a search with the values +1, 0 and -1.
    pub(crate) fn label(self, value: i32) -> Label {
        let bound = self.bound(value, 1);
        Label::Value { value, bound }
    }
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
            window: None,
            pruned: false,
            best: false,
            twins: Vec::new(),
            children: Vec::new(),
            folded: false,
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
