//! Expected node type: cut node or all node (Knuth and Moore 1975; Marsland and Popowich 1985).
//!
//! With good move ordering the two types alternate: the first child of a cut node is an all node,
//! and all children of an all node are cut nodes. Careful move ordering pays only at expected cut
//! nodes; splitting before the first move pays only at expected all nodes.
//! See <https://www.chessprogramming.org/Node_Types>.

/// The expected result of a null-window search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeType {
    /// Some move should fail high.
    Cut,
    /// No move should exceed alpha, so all of them have to be searched.
    All,
}

impl NodeType {
    /// Returns the type of the first child, or of the node after a pass.
    #[inline(always)]
    pub(crate) const fn first_child(self) -> Self {
        match self {
            Self::Cut => Self::All,
            Self::All => Self::Cut,
        }
    }

    /// Returns the type of another child: where the first move did not cut, later ones seldom do.
    #[inline(always)]
    pub(crate) const fn later_child(self, is_first: bool) -> Self {
        if is_first {
            self.first_child()
        } else {
            Self::Cut
        }
    }
}
