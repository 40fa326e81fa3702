//! State-space trees of n queens (document 003), as text and as SVG.

use crate::Messages;
use crate::drawing::Drawing;

/// A node of the tree: a placement of queens in the first rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueensNode {
    /// The order in which nodes are generated, from 1 for the root.
    pub number: u64,
    /// The column of the last queen, from 1; `None` for the root.
    pub column: Option<usize>,
    /// Its state when the search ended.
    pub state: QueensState,
    /// Its children in the order of their columns.
    pub children: Vec<Self>,
}

/// The state of a node when the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueensState {
    /// Its children were generated.
    Expanded,
    /// Its last queen is attacked along a diagonal.
    Attacked,
    /// It was generated and never expanded; there may be a cost, `None` for infinity.
    Live(Option<u64>),
    /// It is a solution.
    Solution,
    /// It is a full placement of the complete tree, which does not look at diagonals.
    Full,
}

impl QueensNode {
    /// Returns the number of nodes, this one included.
    #[must_use]
    pub fn count(&self) -> u64 {
        1 + self.children.iter().map(Self::count).sum::<u64>()
    }

    fn label(&self, messages: Messages, ascii: bool) -> String {
        let infinity = if ascii { "inf" } else { "∞" };
        match self.state {
            QueensState::Expanded | QueensState::Full => String::new(),
            QueensState::Attacked => messages.text("queens-attacked"),
            QueensState::Live(cost) => {
                let cost = cost.map_or(infinity.into(), |cost| cost.to_string());
                messages.with("queens-cost", [("cost", cost.into())])
            }
            QueensState::Solution => messages.text("queens-solution"),
        }
    }
}

/// Formats a tree: one line per node with its number, the column of its queen and its state.
#[must_use]
pub fn text(root: &QueensNode, messages: Messages, ascii: bool) -> String {
    let mut drawing = TextTree {
        messages,
        ascii,
        text: String::new(),
    };
    drawing.node(root, "", "");
    drawing.text
}

struct TextTree {
    messages: Messages,
    ascii: bool,
    text: String,
}

impl TextTree {
    fn node(&mut self, node: &QueensNode, branch: &str, indent: &str) {
        let column = node.column.map_or(String::new(), |column| {
            let values = [("column", column.to_string().into())];
            self.messages.with("queens-column", values)
        });
        let label = node.label(self.messages, self.ascii);
        let line = format!("{branch}{}  {column}  {label}", node.number);
        self.text += line.trim_end();
        self.text.push('\n');
        for (index, child) in node.children.iter().enumerate() {
            let is_last = index + 1 == node.children.len();
            let (here, below) = match (is_last, self.ascii) {
                (false, false) => ("├─", "│ "),
                (true, false) => ("└─", "  "),
                (false, true) => ("|-", "| "),
                (true, true) => ("`-", "  "),
            };
            let (here, below) = (format!("{indent}{here}"), format!("{indent}{below}"));
            self.node(child, &here, &below);
        }
    }
}

/// Space for a node, and its radius.
const COLUMN: f64 = 34.0;
const ROW: f64 = 64.0;
const RADIUS: f64 = 12.0;
const MARGIN: f64 = 20.0;

/// Draws a tree as SVG: circles with the numbers of the nodes, edges with the columns, attacked nodes
/// dashed, solutions with a double border.
#[must_use]
pub fn svg(root: &QueensNode, title: &str, messages: Messages) -> String {
    struct Layout {
        drawing: Drawing,
        next: f64,
        messages: Messages,
    }
    impl Layout {
        /// Draws a subtree and returns where its root is.
        fn put(&mut self, node: &QueensNode, row: usize) -> (f64, f64) {
            let y = MARGIN + 30.0 + row as f64 * ROW;
            let children: Vec<(f64, f64)> = node
                .children
                .iter()
                .map(|child| self.put(child, row + 1))
                .collect();
            let x = match (children.first(), children.last()) {
                (Some(first), Some(last)) => f64::midpoint(first.0, last.0),
                _ => {
                    self.next += COLUMN;
                    self.next
                }
            };
            for (child, at) in node.children.iter().zip(&children) {
                let class = match child.state {
                    QueensState::Attacked | QueensState::Live(None) => "cut",
                    _ => "edge",
                };
                self.drawing
                    .line((x, y + RADIUS), (at.0, at.1 - RADIUS), class);
                if let Some(column) = child.column {
                    let middle = (f64::midpoint(x, at.0), f64::midpoint(y, at.1) + 3.0);
                    self.drawing
                        .text(middle.0, middle.1, 9.0, "note", &column.to_string());
                }
            }
            self.drawing.circle((x, y), RADIUS, "cell");
            if node.state == QueensState::Solution {
                self.drawing.circle((x, y), RADIUS - 3.0, "frame");
            }
            self.drawing
                .text(x, y + 4.0, 9.0, "", &node.number.to_string());
            let label = node.label(self.messages, false);
            if !label.is_empty() {
                self.drawing.text(x, y + RADIUS + 10.0, 7.0, "note", &label);
            }
            (x, y)
        }
    }
    let mut layout = Layout {
        drawing: Drawing::new(title),
        next: MARGIN - COLUMN / 2.0,
        messages,
    };
    layout
        .drawing
        .text_from(MARGIN, MARGIN, 14.0, "strong", title);
    layout.put(root, 0);
    layout.drawing.svg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn every_node_is_written_and_drawn_once() {
        let leaf = |number, column, state| QueensNode {
            number,
            column: Some(column),
            state,
            children: Vec::new(),
        };
        let root = QueensNode {
            number: 1,
            column: None,
            state: QueensState::Expanded,
            children: vec![
                leaf(2, 1, QueensState::Attacked),
                leaf(3, 2, QueensState::Live(None)),
                leaf(4, 3, QueensState::Solution),
            ],
        };
        let messages = Messages::new(Language::English);
        let text = text(&root, messages, false);
        assert_eq!(text.lines().count() as u64, root.count());
        assert!(text.contains("└─4  column 3  solution"), "{text}");
        let svg = svg(&root, "queens", messages);
        assert_eq!(svg.matches("<circle").count(), 5, "{svg}");
    }
}
