//! Search trees as SVG: the minimax tree of document 002 and the branch-and-bound tree of document
//! 003, for any position.

use papan_rules::Pieces;
use papan_solve::{Label, TreeNode};
use papan_strategies::Bound;

use crate::svg::{SmallBoard, Svg};
use crate::{Marks, Messages, explain, score};

/// Options of a tree drawing.
#[derive(Clone, Debug)]
pub struct TreeStyle<'a> {
    /// The sides of the board.
    pub sides: &'a [usize],
    /// The kind of its pieces.
    pub pieces: Pieces,
    /// The marks of the players.
    pub marks: Marks,
    /// The title.
    pub title: &'a str,
    /// The kind of tree.
    pub kind: TreeKind,
}

/// The kind of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeKind {
    /// A minimax or alpha-beta search: nodes have values.
    Search,
    /// Moves scored by `cd` and `ca`, as in branch and bound.
    Scored,
}

const GAP: f64 = 12.0;
const TOP: f64 = 56.0;
const LEFT: f64 = 64.0;

/// Layout state while a tree is drawn.
struct Layout<'a> {
    style: &'a TreeStyle<'a>,
    /// Side of a cell.
    side: f64,
    /// Width and height of a board.
    board: (f64, f64),
    next: f64,
    svg: Svg,
    messages: Messages,
}

/// Draws a tree as SVG, with the root at the top.
#[must_use]
pub fn draw(root: &TreeNode, style: &TreeStyle<'_>, messages: Messages) -> String {
    // Small boards get larger cells.
    let side = if root.cells.len() <= 16 { 15.0 } else { 10.0 };
    let board = SmallBoard {
        sides: style.sides,
        cells: &root.cells,
        pieces: style.pieces,
        marks: style.marks,
        last: None,
    };
    let mut layout = Layout {
        style,
        side,
        board: board.size(side),
        next: LEFT,
        svg: Svg::default(),
        messages,
    };
    layout
        .svg
        .text_from(16.0, 24.0, 15.0, "strong", style.title);
    let nodes = root.nodes.to_string();
    let legend = match style.kind {
        TreeKind::Search => messages.with("tree-legend", [("nodes", nodes.into())]),
        TreeKind::Scored => messages.text("tree-legend-scored"),
    };
    layout.svg.text_from(16.0, 42.0, 11.0, "note", &legend);
    layout.put(root, 0);
    layout.levels(root);
    layout.svg.finish(style.title)
}

impl Layout<'_> {
    fn top(&self, level: usize) -> f64 {
        TOP + 16.0 + level as f64 * (self.board.1 + 62.0)
    }

    /// Draws a node after its children, and returns the centre of its board.
    fn put(&mut self, node: &TreeNode, level: usize) -> f64 {
        let mut middles = Vec::new();
        for child in &node.children {
            middles.push(self.put(child, level + 1));
        }
        let width = self.board.0.max(34.0);
        let middle = match (middles.first(), middles.last()) {
            (Some(first), Some(last)) => (first + last) / 2.0,
            _ => {
                self.next += width + GAP;
                self.next - GAP - width / 2.0
            }
        };
        let y = self.top(level);
        let bottom = (middle, y + self.board.1 + 16.0);
        for (child, &below) in node.children.iter().zip(&middles) {
            let class = match (child.pruned, child.best) {
                (true, _) => "cut",
                (false, true) => "best",
                (false, false) => "edge",
            };
            let to = (below, self.top(level + 1) - 13.0);
            self.svg.line(bottom, to, class);
        }
        self.board(node, (middle, y));
        middle
    }

    fn board(&mut self, node: &TreeNode, (middle, y): (f64, f64)) {
        let board = SmallBoard {
            sides: self.style.sides,
            cells: &node.cells,
            pieces: self.style.pieces,
            marks: self.style.marks,
            last: node.mv.and_then(papan_rules::Move::cell),
        };
        let left = middle - self.board.0 / 2.0;
        let class = match (node.pruned, node.outcome) {
            (true, _) => " pruned",
            (false, Some(_)) => " won",
            (false, None) => "",
        };
        board.draw(&mut self.svg, (left, y), self.side, class);
        if node.outcome.is_some() {
            let (width, height) = (self.board.0 + 4.0, self.board.1 + 4.0);
            self.svg.rect(left - 2.0, y - 2.0, width, height, "frame");
        }
        let text = match &node.label {
            Some(Label::Value { value, bound }) => {
                let sign = match bound {
                    Bound::AtMost => "≤ ",
                    Bound::AtLeast => "≥ ",
                    Bound::Exact | Bound::Estimate => "",
                };
                format!("{sign}{}", score::signed(*value as f32))
            }
            Some(Label::Scored(candidate)) => {
                let said = explain::short(candidate, self.messages, false);
                let values: Vec<String> = said.into_iter().map(|reason| reason.value).collect();
                values.join("/")
            }
            None if node.pruned => "×".into(),
            None => String::new(),
        };
        let class = if node.best { "strong" } else { "" };
        self.svg
            .text(middle, y + self.board.1 + 13.0, 12.0, class, &text);
        if !node.twins.is_empty() {
            let times = format!("×{}", node.twins.len() + 1);
            self.svg.text(middle, y - 3.0, 9.0, "note", &times);
        }
    }

    /// Labels each level at the left with the player who chooses.
    fn levels(&mut self, root: &TreeNode) {
        let mut level = 0;
        let mut nodes: Vec<&TreeNode> = vec![root];
        while nodes.iter().any(|node| !node.children.is_empty()) {
            let maximising = nodes[0].turn == root.turn;
            let name = self.messages.text(match (self.style.kind, maximising) {
                (TreeKind::Search, true) => "tree-max",
                (TreeKind::Search, false) => "tree-min",
                (TreeKind::Scored, true) => "tree-scores",
                (TreeKind::Scored, false) => "tree-replies",
            });
            let y = self.top(level) + self.board.1 / 2.0 + 4.0;
            self.svg.text_from(12.0, y, 12.0, "strong", &name);
            nodes = nodes.iter().flat_map(|node| &node.children).collect();
            level += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;
    use papan_rules::{Line, tictactoe};
    use papan_solve::{SearchKind, TreeOptions, search_tree};

    fn count(node: &TreeNode, is: &dyn Fn(&TreeNode) -> bool) -> usize {
        usize::from(is(node)) + node.children.iter().map(|c| count(c, is)).sum::<usize>()
    }

    #[test]
    fn every_node_is_drawn_and_every_pruned_branch_marked() {
        let game = tictactoe();
        let line = Line::parse(&game, "1 5 9 3").unwrap();
        let options = TreeOptions {
            search: SearchKind::AlphaBeta,
            depth: None,
            shown: 3,
            merge: false,
        };
        let root = search_tree(&game, line.position(), &options);
        let style = TreeStyle {
            sides: &[3, 3],
            pieces: Pieces::Marks,
            marks: Marks::XO,
            title: "tree",
            kind: TreeKind::Search,
        };
        let svg = draw(&root, &style, Messages::new(Language::English));
        let nodes = count(&root, &|_| true);
        assert_eq!(svg.matches("class=\"cell").count(), nodes * 9);
        let pruned = count(&root, &|node| node.pruned);
        assert!(pruned > 0);
        assert_eq!(svg.matches("class=\"cut\"").count(), pruned);
    }

    #[test]
    fn branch_and_bound_shows_its_costs_and_unfollowed_moves() {
        let game = tictactoe();
        let line = Line::parse(&game, "1 5 9").unwrap();
        let mut tree = papan_solve::ScoredTree {
            game: &game,
            strategy: &mut papan_strategies::BranchAndBound,
            merge: false,
        };
        let root = tree.from(&line, 2).unwrap();
        let style = TreeStyle {
            sides: &[3, 3],
            pieces: Pieces::Marks,
            marks: Marks::XO,
            title: "tree",
            kind: TreeKind::Scored,
        };
        let svg = draw(&root, &style, Messages::new(Language::English));
        assert_eq!(svg.matches("class=\"cut\"").count(), 5);
        assert_eq!(svg.matches("class=\"best\"").count(), 1);
        // By hand: cell 3 is on 1 2 3 and 3 6 9, each with one X, and on 3 5 7 with none.
        let labels: Vec<&str> = svg.split("</text>").collect();
        let shown = |text: &str| {
            labels
                .iter()
                .any(|label| label.ends_with(&format!(">{text}")))
        };
        assert!(shown("2/1"), "{svg}");
        assert!(svg.contains("cd/ca"), "{svg}");
    }
}
