//! A search tree, as `papan explain --tree --json` prints it.

use papan_catalog::AnyGame;
use papan_rules::Player;
use papan_solve::{Label, TreeNode};
use papan_strategies::Bound;
use serde::Serialize;

use super::TermValue;

/// A position of a search tree.
#[derive(Clone, Debug, Serialize)]
pub struct Tree {
    /// The move to this position; absent at the root.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// The cells in order: `X` first, `O` second, `-` empty.
    pub cells: String,
    /// Value for the player at the root, if the search assigns one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
    /// Whether the value is `exact`, or a bound after a cutoff: `at-least` or `at-most`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<&'static str>,
    /// Largest value that the maximiser had when the search came here; absent for minus infinity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<i32>,
    /// Smallest value that the minimiser had when the search came here; absent for infinity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beta: Option<i32>,
    /// The terms of the move to this position, for strategies that score moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<(&'static str, TermValue)>,
    /// Whether the search left it out.
    pub pruned: bool,
    /// Whether it is the best child, the first among equals.
    pub best: bool,
    /// Moves to symmetric positions that were merged into this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub twins: Vec<String>,
    /// Nodes searched here and below.
    pub nodes: u64,
    /// The children, as far as the tree is shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Self>,
}

impl Tree {
    /// Converts a tree.
    #[must_use]
    pub fn new(game: &AnyGame, node: &TreeNode) -> Self {
        let letter = |cell: &Option<Player>| match cell {
            Some(Player::First) => 'X',
            Some(Player::Second) => 'O',
            None => '-',
        };
        let (value, bound) = match node.label {
            Some(Label::Value { value, bound }) => (Some(value), Some(bound_word(bound))),
            _ => (None, None),
        };
        let terms = match &node.label {
            Some(Label::Scored(candidate)) => candidate
                .terms
                .iter()
                .map(|term| (term.name, (&term.value).into()))
                .collect(),
            _ => Vec::new(),
        };
        Self {
            mv: node.mv.map(|mv| game.format_move(mv)),
            cells: node.cells.iter().map(letter).collect(),
            value,
            bound,
            alpha: node.window.and_then(|window| window.alpha()),
            beta: node.window.and_then(|window| window.beta()),
            terms,
            pruned: node.pruned,
            best: node.best,
            twins: node.twins.iter().map(|mv| game.format_move(*mv)).collect(),
            nodes: node.nodes,
            children: node
                .children
                .iter()
                .map(|child| Self::new(game, child))
                .collect(),
        }
    }
}

pub(super) fn bound_word(bound: Bound) -> &'static str {
    match bound {
        Bound::AtLeast => "at-least",
        Bound::AtMost => "at-most",
        Bound::Exact | Bound::Estimate => "exact",
    }
}
