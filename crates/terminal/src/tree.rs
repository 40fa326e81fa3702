//! The moves of a game with every variation that was tried.

use std::time::Duration;

use papan_catalog::AnyLine;
use papan_rules::{IllegalMove, Move};

use crate::analysis::Analysis;

/// A position in the tree, by number; 0 is the start.
pub(crate) type NodeId = usize;

/// One position of the tree.
#[derive(Clone)]
pub struct Node {
    /// The move that led here; `None` at the start.
    pub mv: Option<Move>,
    /// Where it was played.
    pub parent: NodeId,
    /// What was played from here, first tried first.
    pub children: Vec<NodeId>,
    /// Which of the children was visited last: where "forward" leads.
    preferred: usize,
    /// How many moves led here.
    pub ply: usize,
    /// How long the player thought about the move, where a clock ran.
    pub time: Duration,
    /// What the advisor says of the moves from here.
    pub analysis: Option<Analysis>,
}

/// Every line of play of one game, and the place that is looked at.
#[derive(Clone)]
pub struct Tree {
    nodes: Vec<Node>,
    current: NodeId,
    start: Box<dyn AnyLine>,
    line: Box<dyn AnyLine>,
}

impl Tree {
    /// The tree of a line of play, at its end.
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

    /// The place that is looked at.
    #[must_use]
    pub fn current(&self) -> NodeId {
        self.current
    }

    /// One position.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// How many positions there are.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.nodes.len()
    }

    /// The line of play that leads to the place that is looked at.
    #[must_use]
    pub fn line(&self) -> &dyn AnyLine {
        &*self.line
    }

    /// The line of play that leads to a position.
    #[must_use]
    pub fn line_to(&self, id: NodeId) -> Box<dyn AnyLine> {
        let mut line = self.start.clone();
        for mv in self.path_to(id).iter().filter_map(|&id| self.nodes[id].mv) {
            line.play(mv)
                .expect("moves were legal when they were added");
        }
        line
    }

    /// The moves that lead to a position, by their number: the first comes first.
    #[must_use]
    pub fn path_to(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut at = id;
        while at != 0 {
            path.push(at);
            at = self.nodes[at].parent;
        }
        path.reverse();
        path
    }

    /// The player thought so long about the move that led here.
    pub fn set_time(&mut self, id: NodeId, time: Duration) {
        self.nodes[id].time = time;
    }

    /// Plays a move from here. One that was tried before leads into its variation.
    ///
    /// # Errors
    /// When it is illegal.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
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

    /// Goes to a position, and makes its line the one that "forward" follows.
    pub fn go(&mut self, id: NodeId) {
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

    /// One move back; `false` at the start.
    pub fn back(&mut self) -> bool {
        let moved = self.current != 0;
        if moved {
            self.go(self.nodes[self.current].parent);
        }
        moved
    }

    /// One move on, along the variation that was visited last; `false` at its end.
    pub fn forward(&mut self) -> bool {
        let next = self.next(self.current);
        if let Some(next) = next {
            self.go(next);
        }
        next.is_some()
    }

    /// Another move instead of the one that led here: `step` variations on.
    pub fn sibling(&mut self, step: isize) -> bool {
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

    /// How many moves were tried instead of the one that led here.
    #[must_use]
    pub fn others(&self, id: NodeId) -> usize {
        match id {
            0 => 0,
            _ => self.nodes[self.nodes[id].parent].children.len() - 1,
        }
    }

    /// Whether nothing was played from here yet.
    #[must_use]
    pub fn at_tip(&self) -> bool {
        self.nodes[self.current].children.is_empty()
    }

    /// The positions from the start through this one to the end of its variation.
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

    /// The ends of all lines of play but that of the path, first tried first.
    #[must_use]
    pub fn variations(&self) -> Vec<NodeId> {
        let tip = self.path().last().copied();
        let ends = |&id: &NodeId| self.nodes[id].children.is_empty() && Some(id) != tip;
        (0..self.nodes.len()).filter(ends).collect()
    }

    /// Plays a whole line from the start, and stays where it was.
    pub fn add_variation(&mut self, text: &str) {
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

    /// Keeps what the advisor says of a position.
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
