//! Game tree with variations, and the current position in it.

use std::time::Duration;

use papan_catalog::AnyLine;
use papan_rules::{IllegalMove, Move};

use crate::analysis::Analysis;

/// Index of a node; 0 is the root.
pub(crate) type NodeId = usize;

/// A position in the tree.
#[derive(Clone)]
pub struct Node {
    /// The move that led here; `None` at the root.
    pub mv: Option<Move>,
    /// The parent node.
    pub parent: NodeId,
    /// The continuations, in the order in which they were tried.
    pub children: Vec<NodeId>,
    /// Index of the child that was visited last, which "forward" follows.
    preferred: usize,
    /// Number of moves from the root.
    pub ply: usize,
    /// Time that the move took, if a clock was running.
    pub time: Duration,
    /// The advisor's analysis.
    pub analysis: Option<Analysis>,
}

/// A game tree with a current position.
#[derive(Clone)]
pub struct Tree {
    nodes: Vec<Node>,
    current: NodeId,
    start: Box<dyn AnyLine>,
    line: Box<dyn AnyLine>,
}

impl Tree {
    /// Creates a tree from a line of play; the current position is its end.
    #[must_use]
    pub fn new(line: &dyn AnyLine) -> Self {
        let mut start = line.clone_line();
        while start.undo().is_some() {}
        let root = Node {
            mv: None,
            parent: 0,
            children: Vec::new(),
            preferred: 0,
            ply: 0,
            time: Duration::ZERO,
            analysis: None,
        };
        let mut tree = Self {
            nodes: vec![root],
            current: 0,
            line: start.clone(),
            start,
        };
        for &mv in line.moves() {
            if tree.play(mv).is_err() {
                break;
            }
        }
        tree
    }

    /// Returns the current node.
    #[must_use]
    pub fn current(&self) -> NodeId {
        self.current
    }

    /// Returns a node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// Returns the number of nodes.
    #[must_use]
    pub(crate) fn positions(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the line of play to the current position.
    #[must_use]
    pub fn line(&self) -> &dyn AnyLine {
        &*self.line
    }

    /// Returns the line of play to a node.
    #[must_use]
    pub fn line_to(&self, id: NodeId) -> Box<dyn AnyLine> {
        let mut line = self.start.clone();
        for mv in self.path_to(id).iter().filter_map(|&id| self.nodes[id].mv) {
            line.play(mv)
                .expect("moves were legal when they were added");
        }
        line
    }

    /// Returns the nodes on the way to a node, without the root.
    #[must_use]
    pub(crate) fn path_to(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut at = id;
        while at != 0 {
            path.push(at);
            at = self.nodes[at].parent;
        }
        path.reverse();
        path
    }

    /// Sets the time of the move that led to a node.
    pub(crate) fn set_time(&mut self, id: NodeId, time: Duration) {
        self.nodes[id].time = time;
    }

    /// Plays a move. One that was played here before leads into its variation.
    ///
    /// # Errors
    /// When it is illegal.
    pub(crate) fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.line.play(mv)?;
        let here = self.current;
        let known = self.nodes[here]
            .children
            .iter()
            .position(|&child| self.nodes[child].mv == Some(mv));
        let index = known.unwrap_or_else(|| {
            let node = Node {
                mv: Some(mv),
                parent: here,
                children: Vec::new(),
                preferred: 0,
                ply: self.nodes[here].ply + 1,
                time: Duration::ZERO,
                analysis: None,
            };
            self.nodes.push(node);
            let id = self.nodes.len() - 1;
            self.nodes[here].children.push(id);
            self.nodes[here].children.len() - 1
        });
        self.nodes[here].preferred = index;
        self.current = self.nodes[here].children[index];
        Ok(())
    }

    /// Makes a node current, and its line the one that "forward" follows.
    pub(crate) fn go(&mut self, id: NodeId) {
        self.line = self.line_to(id);
        self.current = id;
        let mut at = id;
        while at != 0 {
            let parent = self.nodes[at].parent;
            let place = self.nodes[parent].children.iter().position(|&c| c == at);
            self.nodes[parent].preferred = place.unwrap_or(0);
            at = parent;
        }
    }

    /// Goes one move back; returns `false` at the root.
    pub(crate) fn back(&mut self) -> bool {
        let moved = self.current != 0;
        if moved {
            self.go(self.nodes[self.current].parent);
        }
        moved
    }

    /// Goes one move forward along the variation that was visited last; returns `false` at its end.
    pub(crate) fn forward(&mut self) -> bool {
        let next = self.next(self.current);
        if let Some(next) = next {
            self.go(next);
        }
        next.is_some()
    }

    /// Goes to another variation, `step` siblings further.
    pub(crate) fn sibling(&mut self, step: isize) -> bool {
        let siblings = &self.nodes[self.nodes[self.current].parent].children;
        if self.current == 0 || siblings.len() < 2 {
            return false;
        }
        let place = siblings.iter().position(|&c| c == self.current);
        let place = place.unwrap_or(0) as isize + step;
        let id = siblings[place.rem_euclid(siblings.len() as isize) as usize];
        self.go(id);
        true
    }

    /// Returns the number of siblings of a node.
    #[must_use]
    pub(crate) fn others(&self, id: NodeId) -> usize {
        match id {
            0 => 0,
            _ => self.nodes[self.nodes[id].parent].children.len() - 1,
        }
    }

    /// Whether the current node has no children.
    #[must_use]
    pub(crate) fn at_tip(&self) -> bool {
        self.nodes[self.current].children.is_empty()
    }

    /// Returns the nodes from the root through the current one to the end of its variation.
    #[must_use]
    pub fn path(&self) -> Vec<NodeId> {
        let mut path = vec![self.current];
        while let Some(&first) = path.last().filter(|&&id| id != 0) {
            path.push(self.nodes[first].parent);
        }
        path.reverse();
        while let Some(next) = path.last().and_then(|&id| self.next(id)) {
            path.push(next);
        }
        path
    }

    /// Returns the last nodes of all variations but the current one.
    #[must_use]
    pub(crate) fn variations(&self) -> Vec<NodeId> {
        let tip = self.path().last().copied();
        let ends = |&id: &NodeId| self.nodes[id].children.is_empty() && Some(id) != tip;
        (0..self.nodes.len()).filter(ends).collect()
    }

    /// Adds a line from the root, and keeps the current node.
    pub(crate) fn add_variation(&mut self, text: &str) {
        let here = self.current;
        let mut line = self.start.clone();
        if line.extend(text).is_ok() {
            self.go(0);
            for &mv in line.moves() {
                self.play(mv).expect("the line's moves are legal");
            }
            self.go(here);
        }
    }

    /// Stores the analysis of a node.
    pub fn analyse(&mut self, id: NodeId, analysis: Analysis) {
        if let Some(node) = self.nodes.get_mut(id) {
            node.analysis = Some(analysis);
        }
    }

    fn next(&self, id: NodeId) -> Option<NodeId> {
        let node = &self.nodes[id];
        node.children.get(node.preferred).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_catalog::AnyGame;

    fn tree(moves: &str) -> Tree {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let mut line = game.line();
        line.extend(moves).unwrap();
        Tree::new(&*line)
    }

    #[test]
    fn playing_on_from_an_earlier_position_keeps_both_variations() {
        let mut tree = tree("5 1 9");
        assert!(tree.back() && tree.back());
        tree.play(Move::on(1)).unwrap();
        assert_eq!(tree.line().text(), "5 2");
        assert_eq!(tree.others(tree.current()), 1);
        assert!(tree.sibling(1));
        assert_eq!(tree.line().text(), "5 1");
        assert!(tree.forward());
        assert_eq!(tree.line().text(), "5 1 9");
        assert!(!tree.forward());
    }

    #[test]
    fn a_move_that_was_tried_before_is_not_added_again() {
        let mut tree = tree("5 1");
        tree.go(0);
        tree.play(Move::on(4)).unwrap();
        assert_eq!(tree.path().len(), 3);
        assert_eq!(tree.node(0).children.len(), 1);
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut tree = tree("5");
        assert!(tree.play(Move::on(4)).is_err());
        assert_eq!(tree.line().text(), "5");
        assert!(tree.at_tip());
    }
}
