//! A search tree as text: one line per position, indented by its ply.

use papan_catalog::AnyGame;
use papan_rules::Move;
use papan_solve::{Label, TreeNode};

use crate::{Messages, explain, trace};

/// A position of a tree as a line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeRow {
    /// The moves from the root.
    pub path: Vec<Move>,
    /// The text.
    pub text: String,
}

/// Formats a tree. Each line has the move, its value or the terms of the strategy, the window with
/// which alpha-beta came there, and a mark: `*` the best child, `x` a position that was cut off.
#[must_use]
pub fn draw(game: &AnyGame, root: &TreeNode, messages: Messages, ascii: bool) -> String {
    let rows = rows(game, root, messages, ascii);
    rows.into_iter().map(|row| row.text + "\n").collect()
}

/// Returns the lines of a tree with their positions.
#[must_use]
pub fn rows(game: &AnyGame, root: &TreeNode, messages: Messages, ascii: bool) -> Vec<TreeRow> {
    let mut drawing = Drawing {
        game,
        messages,
        ascii,
        path: Vec::new(),
        rows: Vec::new(),
    };
    drawing.node(root, "", "");
    drawing.rows
}

struct Drawing<'a> {
    game: &'a AnyGame,
    messages: Messages,
    ascii: bool,
    path: Vec<Move>,
    rows: Vec<TreeRow>,
}

impl Drawing<'_> {
    fn node(&mut self, node: &TreeNode, branch: &str, indent: &str) {
        let line = self.line(node);
        self.rows.push(TreeRow {
            path: self.path.clone(),
            text: format!("{branch}{line}"),
        });
        let last = node.children.len().saturating_sub(1);
        for (index, child) in node.children.iter().enumerate() {
            let (here, below) = match (index == last, self.ascii) {
                (false, false) => ("├─", "│ "),
                (true, false) => ("└─", "  "),
                (false, true) => ("|-", "| "),
                (true, true) => ("`-", "  "),
            };
            self.path.extend(child.mv);
            self.node(
                child,
                &format!("{indent}{here}"),
                &format!("{indent}{below}"),
            );
            self.path.pop();
        }
    }

    fn line(&self, node: &TreeNode) -> String {
        let mut parts = vec![match node.mv {
            None => self.messages.text("tree-root"),
            Some(mv) => self.game.show_move(mv),
        }];
        if !node.twins.is_empty() {
            let twins = self.game.show_moves(&node.twins);
            parts[0] += &format!(" (= {twins})");
        }
        if node.pruned {
            parts.push(self.messages.text("tree-cut"));
            return parts.join("  ");
        }
        match &node.label {
            Some(Label::Value { value, bound }) => {
                parts.push(trace::number(*value, *bound, self.ascii));
            }
            Some(Label::Scored(candidate)) => {
                parts.push(explain::terms(candidate, self.messages, self.ascii));
            }
            None => {}
        }
        let window = |window| trace::window_text(window, self.ascii);
        parts.extend(node.window.map(window));
        if node.mv.is_some() && node.best {
            parts.push("*".into());
        }
        if node.folded {
            let hidden = node.nodes.saturating_sub(1);
            let dots = if self.ascii { "..." } else { "⋯" };
            parts.push(format!("{dots} {hidden}"));
        }
        parts.join("  ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;
    use papan_rules::{Line, tictactoe};
    use papan_solve::{SearchKind, TreeOptions, search_tree};

    #[test]
    fn the_window_and_the_cutoffs_of_alpha_beta_are_shown() {
        let grid = tictactoe();
        let line = Line::parse(&grid, "1 5 9 3 7 4").unwrap();
        let options = TreeOptions {
            search: SearchKind::AlphaBeta,
            depth: None,
            shown: 2,
            merge: false,
        };
        let root = search_tree(&grid, line.position(), &options);
        let game: AnyGame = "tictactoe".parse().unwrap();
        let text = draw(&game, &root, Messages::new(Language::English), true);
        let expected = "\
position  +1  [-inf, +inf]
|-2  -1  [-inf, +inf]
| |-6  -1  [-inf, +inf]  *
| `-8  >= 0  [-inf, -1]
|-6  0  [-1, +inf]
| |-2  +1  [-1, +inf]
| `-8  0  [-1, +1]  *
`-8  +1  [0, +inf]  *
";
        assert_eq!(text, expected);
    }
}
