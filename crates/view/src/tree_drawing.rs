//! Search trees as drawings: the minimax tree of document 002 and the branch-and-bound tree of
//! document 003, for any position.

use papan_catalog::AnyGame;
use papan_rules::Move;
use papan_solve::{Label, TreeNode};

use crate::drawing::{Drawing, SmallBoard, text_width};
use crate::{Marks, Messages, explain, trace};

/// Returns the address that a position leads to, given by its moves.
pub type NodeLink<'a> = dyn Fn(&[Move], &TreeNode) -> Option<String> + 'a;

/// Options of a tree drawing.
#[derive(Clone, Copy)]
pub struct TreeStyle<'a> {
    /// The game.
    pub game: &'a AnyGame,
    /// The marks of the players.
    pub marks: Marks,
    /// The title.
    pub title: &'a str,
    /// The kind of tree.
    pub kind: TreeKind,
    /// The moves to the position that is marked.
    pub current: Option<&'a [Move]>,
    /// The addresses of positions, for pages.
    pub link: Option<&'a NodeLink<'a>>,
}

/// The kind of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeKind {
    /// A minimax or alpha-beta search: nodes have values.
    Search,
    /// Moves scored by `cd` and `ca`, as in branch and bound.
    Scored,
    /// Moves scored by other numbers.
    OwnNumbers,
}

impl TreeKind {
    /// Returns the kind of a strategy's tree, from its text such as `alphabeta(depth=4)`.
    #[must_use]
    pub fn of(strategy: &str) -> Self {
        match strategy.split('(').next() {
            Some("minimax" | "alphabeta") => Self::Search,
            Some("branch-and-bound") => Self::Scored,
            _ => Self::OwnNumbers,
        }
    }
}

const GAP: f64 = 12.0;
const TOP: f64 = 56.0;
const LEFT: f64 = 64.0;
/// Space below a board for its value and its window.
const LABELS: f64 = 30.0;
/// Space between the labels of one row and the boards of the next.
const EDGES: f64 = 46.0;
/// Larger boards are drawn as the name of their move.
const MAX_BOARD: usize = 64;

/// Layout state while a tree is drawn.
struct Layout<'a> {
    style: &'a TreeStyle<'a>,
    /// Side of a cell.
    side: f64,
    /// Width and height of a board.
    board: (f64, f64),
    /// Width of a node with its labels.
    width: f64,
    next: f64,
    drawing: Drawing,
    messages: Messages,
    path: Vec<Move>,
}

/// Draws a tree, with the root at the top.
#[must_use]
pub fn draw(root: &TreeNode, style: &TreeStyle<'_>, messages: Messages) -> Drawing {
    // Small boards get larger cells.
    let side = if root.cells.len() <= 16 { 15.0 } else { 10.0 };
    let board = if root.cells.len() <= MAX_BOARD {
        small_board(root, style).size(side)
    } else {
        (40.0, 20.0)
    };
    let mut layout = Layout {
        style,
        side,
        board,
        width: 0.0,
        next: LEFT,
        drawing: Drawing::new(style.title),
        messages,
        path: Vec::new(),
    };
    layout.width = layout.widest(root).max(board.0).max(34.0);
    let drawing = &mut layout.drawing;
    drawing.text_from(16.0, 24.0, 15.0, "strong", style.title);
    let nodes = root.nodes.to_string();
    let legend = match style.kind {
        TreeKind::Search => messages.with("tree-legend", [("nodes", nodes.into())]),
        TreeKind::Scored => messages.text("tree-legend-scored"),
        TreeKind::OwnNumbers => messages.text("tree-legend-numbers"),
    };
    drawing.text_from(16.0, 42.0, 11.0, "note", &legend);
    layout.put(root, 0);
    layout.levels(root);
    layout.drawing
}

fn small_board<'a>(node: &'a TreeNode, style: &TreeStyle<'a>) -> SmallBoard<'a> {
    SmallBoard {
        sides: style.game.shape().sides(),
        cells: &node.cells,
        pieces: style.game.pieces(),
        marks: style.marks,
        last: node.mv.and_then(papan_rules::Move::cell),
    }
}

impl Layout<'_> {
    fn top(&self, level: usize) -> f64 {
        TOP + 20.0 + level as f64 * (self.board.1 + LABELS + EDGES)
    }

    /// Returns the width of the widest label.
    fn widest(&self, node: &TreeNode) -> f64 {
        let window = self.window(node).map_or(0.0, |text| text_width(&text, 9.0));
        let own = text_width(&self.label(node), 12.0).max(window);
        let below = node.children.iter().map(|child| self.widest(child));
        below.fold(own, f64::max)
    }

    /// Draws a node after its children, and returns the centre of its board.
    fn put(&mut self, node: &TreeNode, level: usize) -> f64 {
        let mut middles = Vec::new();
        for child in &node.children {
            self.path.extend(child.mv);
            middles.push(self.put(child, level + 1));
            self.path.pop();
        }
        let middle = match (middles.first(), middles.last()) {
            (Some(first), Some(last)) => (first + last) / 2.0,
            _ => {
                self.next += self.width + GAP;
                self.next - GAP - self.width / 2.0
            }
        };
        let y = self.top(level);
        let bottom = (middle, y + self.board.1 + LABELS);
        for (child, &below) in node.children.iter().zip(&middles) {
            let class = if child.pruned {
                "cut"
            } else if child.best {
                "best"
            } else {
                "edge"
            };
            let to = (below, self.top(level + 1) - 13.0);
            self.drawing.line(bottom, to, class);
        }
        let link = self.style.link.and_then(|link| link(&self.path, node));
        let is_link = link.is_some();
        if let Some(address) = link {
            let label = self.spoken(node);
            self.drawing.begin_link(address, label);
        }
        self.node(node, (middle, y));
        if is_link {
            self.drawing.end_link();
        }
        middle
    }

    /// Returns the moves and the value of a node, for screen readers.
    fn spoken(&self, node: &TreeNode) -> String {
        let moves = if self.path.is_empty() {
            self.messages.text("tree-root")
        } else {
            self.style.game.show_moves(&self.path)
        };
        let parts = [
            moves,
            self.label(node),
            self.window(node).unwrap_or_default(),
        ];
        let known = parts.into_iter().filter(|part| !part.is_empty());
        known.collect::<Vec<_>>().join(" ")
    }

    fn node(&mut self, node: &TreeNode, (middle, y): (f64, f64)) {
        let left = middle - self.board.0 / 2.0;
        let class = match (node.pruned, node.outcome) {
            (true, _) => " pruned",
            (false, Some(_)) => " won",
            (false, None) => "",
        };
        if node.cells.len() <= MAX_BOARD {
            let board = small_board(node, self.style);
            board.draw(&mut self.drawing, (left, y), self.side, class);
        } else {
            let name = node.mv.map_or_else(
                || self.messages.text("tree-root"),
                |mv| self.style.game.show_move(mv),
            );
            let (width, height) = self.board;
            self.drawing
                .rect(left, y, width, height, &format!("cell{class}"));
            self.drawing.text(middle, y + 14.0, 11.0, "", &name);
        }
        let (width, height) = (self.board.0 + 4.0, self.board.1 + 4.0);
        if node.outcome.is_some() {
            self.drawing
                .rect(left - 2.0, y - 2.0, width, height, "frame");
        }
        if self.style.current == Some(&self.path[..]) {
            let (x, y) = (left - 3.0, y - 3.0);
            self.drawing
                .rect(x, y, width + 2.0, height + 2.0, "current");
        }
        let class = if node.best { "strong" } else { "" };
        let below = y + self.board.1 + 13.0;
        let label = self.label(node);
        self.drawing.text(middle, below, 12.0, class, &label);
        if let Some(window) = self.window(node) {
            self.drawing
                .text(middle, below + 12.0, 9.0, "note", &window);
        }
        if !node.twins.is_empty() {
            let times = format!("×{}", node.twins.len() + 1);
            self.drawing.text(middle, y - 3.0, 9.0, "note", &times);
        }
        if node.folded {
            let hidden = format!("⋯ {}", node.nodes.saturating_sub(1));
            self.drawing
                .text(middle, below + 24.0, 9.0, "strong", &hidden);
        }
    }

    fn window(&self, node: &TreeNode) -> Option<String> {
        node.window.map(|window| trace::window_text(window, false))
    }

    fn label(&self, node: &TreeNode) -> String {
        match &node.label {
            Some(Label::Value { value, bound }) => trace::number(*value, *bound, false),
            Some(Label::Scored(candidate)) => {
                let said = explain::short(candidate, self.messages, false);
                let values: Vec<String> = said.into_iter().map(|reason| reason.value).collect();
                values.join("/")
            }
            None if node.pruned => "×".into(),
            None => String::new(),
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
                (TreeKind::Scored | TreeKind::OwnNumbers, true) => "tree-scores",
                (TreeKind::Scored | TreeKind::OwnNumbers, false) => "tree-replies",
            });
            let y = self.top(level) + self.board.1 / 2.0 + 4.0;
            self.drawing.text_from(12.0, y, 12.0, "strong", &name);
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
        let any: AnyGame = "tictactoe".parse().unwrap();
        let style = TreeStyle {
            game: &any,
            marks: Marks::XO,
            title: "tree",
            kind: TreeKind::Search,
            current: None,
            link: None,
        };
        let svg = draw(&root, &style, Messages::new(Language::English)).svg();
        let nodes = count(&root, &|_| true);
        assert_eq!(svg.matches("class=\"cell").count(), nodes * 9);
        let pruned = count(&root, &|node| node.pruned);
        assert!(pruned > 0);
        assert_eq!(svg.matches("class=\"cut\"").count(), pruned);
        // Bounds are drawn as such, and each searched position has its window.
        assert!(svg.contains(">≤ +1</text>"), "{svg}");
        let windows = count(&root, &|node| node.window.is_some());
        assert_eq!(svg.matches(">[").count(), windows);
    }

    #[test]
    fn the_current_position_is_marked_and_folded_ones_lead_to_their_children() {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let mut line = game.line();
        line.extend("1 5 9 3").unwrap();
        let request = papan_catalog::trace::TraceRequest {
            strategy: "alphabeta".parse().unwrap(),
            shown: 3,
            steps: 1000,
            nodes: 100_000,
            playouts: 1,
            seed: 0,
        };
        let run = papan_catalog::trace::trace(&*line, &request).unwrap();
        let last = run.trace.steps.len() - 1;
        let tree = run.tree(last, &[]);
        let link = |path: &[Move], node: &TreeNode| {
            let first = path.first()?;
            node.folded
                .then(|| format!("/open/{}", game.show_move(*first)))
        };
        let style = TreeStyle {
            game: &game,
            marks: Marks::XO,
            title: "tree",
            kind: TreeKind::Search,
            current: Some(&[]),
            link: Some(&link),
        };
        let svg = draw(&tree, &style, Messages::new(Language::English)).inline_svg();
        assert_eq!(svg.matches("class=\"current\"").count(), 1);
        let folded = tree.children.iter().filter(|child| child.folded).count();
        assert!(folded > 0);
        assert_eq!(svg.matches("<a href=\"/open/").count(), folded);
        assert!(svg.contains("role=\"group\""));
    }

    #[test]
    fn branch_and_bound_shows_its_costs_and_unfollowed_moves() {
        let game = tictactoe();
        let line = Line::parse(&game, "1 5 9").unwrap();
        let mut tree = papan_solve::ScoredTree {
            game: &game,
            strategy: &mut papan_strategies::BranchAndBound::default(),
            merge: false,
            stop: papan_strategies::StopToken::default(),
        };
        let root = tree.from(&line, 2).unwrap();
        let any: AnyGame = "tictactoe".parse().unwrap();
        let style = TreeStyle {
            game: &any,
            marks: Marks::XO,
            title: "tree",
            kind: TreeKind::Scored,
            current: None,
            link: None,
        };
        let svg = draw(&root, &style, Messages::new(Language::English)).svg();
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
