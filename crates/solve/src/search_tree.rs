//! The tree of a minimax or alpha-beta search, recorded for display.

use std::collections::HashMap;

use papan_rules::{Move, Player, Symmetric};
use papan_strategies::{Bound, StopToken};

use crate::tree_node::{Label, TreeNode, Window};

/// The searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchKind {
    /// Visits every node.
    Minimax,
    /// Prunes nodes that cannot affect the value.
    AlphaBeta,
}

/// Options of a recorded search.
#[derive(Clone, Copy, Debug)]
pub struct TreeOptions {
    /// The search.
    pub search: SearchKind,
    /// Depth limit in plies; `None` searches to the end.
    pub depth: Option<u32>,
    /// Depth of the recorded tree in plies.
    pub shown: u32,
    /// Whether symmetric siblings are merged.
    pub merge: bool,
}

const INFINITE: i32 = Window::INFINITE;

/// Searches from a position and records the upper part of the tree.
pub fn search_tree<G: Symmetric>(game: &G, pos: &G::Position, options: &TreeOptions) -> TreeNode {
    search_tree_until(game, pos, options, &StopToken::default())
}

/// As [`search_tree`]. Once `stop` is set it returns early, with any tree.
pub fn search_tree_until<G: Symmetric>(
    game: &G,
    pos: &G::Position,
    options: &TreeOptions,
    stop: &StopToken,
) -> TreeNode {
    let mut search = RecordedSearch {
        game,
        maximiser: game.turn(pos),
        options,
        stop,
        cache: HashMap::new(),
    };
    let depth = options.depth.unwrap_or(u32::MAX);
    let mut root = search.node(pos, None, depth, 0, Window::FULL);
    root.best = true;
    root
}

/// An exact value.
fn exact(value: i32) -> Label {
    Label::Value {
        value,
        bound: Bound::Exact,
    }
}

/// The value of a position and the nodes it took.
#[derive(Clone, Copy)]
struct SearchResult {
    value: i32,
    nodes: u64,
}

struct RecordedSearch<'a, G: Symmetric> {
    game: &'a G,
    maximiser: Player,
    options: &'a TreeOptions,
    stop: &'a StopToken,
    /// Results of minimax below the recorded tree, which has many transpositions.
    cache: HashMap<(G::Packed, u32), SearchResult>,
}

impl<G: Symmetric> RecordedSearch<'_, G> {
    /// Returns the value of a finished position, or 0 at the depth limit and after a stop request.
    fn leaf(&self, pos: &G::Position, depth: u32) -> Option<i32> {
        match self.game.outcome(pos) {
            Some(outcome) => Some(outcome.value_for(self.maximiser)),
            None => (depth == 0 || self.stop.is_stopped()).then_some(0),
        }
    }

    /// Searches a position and records it.
    fn node(
        &mut self,
        pos: &G::Position,
        mv: Option<Move>,
        depth: u32,
        ply: u32,
        mut window: Window,
    ) -> TreeNode {
        let mut node = TreeNode::of(self.game, pos, mv);
        node.window = (self.options.search == SearchKind::AlphaBeta).then_some(window);
        if let Some(value) = self.leaf(pos, depth) {
            node.label = Some(exact(value));
            return node;
        }
        let entry_window = window;
        if ply == self.options.shown {
            let result = self.value(pos, depth, window);
            node.label = Some(window.label(result.value));
            node.nodes = result.nodes;
            return node;
        }
        let maximising = node.turn == self.maximiser;
        let mut best: Option<i32> = None;
        let mut cut = false;
        for mv in self.game.legal_moves(pos) {
            let next = self.game.after(pos, mv);
            if self.options.merge && node.merge_twin(self.game, &next, mv) {
                continue;
            }
            if cut {
                let mut child = TreeNode::of(self.game, &next, Some(mv));
                child.pruned = true;
                child.nodes = 0;
                node.children.push(child);
                continue;
            }
            let child_window = match self.options.search {
                SearchKind::Minimax => Window::FULL,
                SearchKind::AlphaBeta => window,
            };
            let child = self.node(&next, Some(mv), depth - 1, ply + 1, child_window);
            let value = match child.label {
                Some(Label::Value { value, .. }) => value,
                _ => 0,
            };
            node.nodes += child.nodes;
            node.children.push(child);
            let is_better = best.is_none_or(|best| {
                if maximising {
                    value > best
                } else {
                    value < best
                }
            });
            if is_better {
                best = Some(value);
                node.children
                    .iter_mut()
                    .for_each(|child| child.best = false);
                if let Some(last) = node.children.last_mut() {
                    last.best = true;
                }
            }
            window.narrow(value, maximising);
            cut = self.options.search == SearchKind::AlphaBeta && window.is_closed();
        }
        node.label = best.map(|value| entry_window.label(value));
        node
    }

    /// Searches a position below the recorded tree.
    fn value(&mut self, pos: &G::Position, depth: u32, mut window: Window) -> SearchResult {
        if let Some(value) = self.leaf(pos, depth) {
            return SearchResult { value, nodes: 1 };
        }
        let prunes = self.options.search == SearchKind::AlphaBeta;
        let key = (self.game.pack(pos), depth);
        if !prunes && let Some(&result) = self.cache.get(&key) {
            return result;
        }
        let maximising = self.game.turn(pos) == self.maximiser;
        let mut best = if maximising { -INFINITE } else { INFINITE };
        let mut nodes = 1;
        for mv in self.game.legal_moves(pos) {
            let next = self.game.after(pos, mv);
            let child = self.value(&next, depth - 1, window);
            nodes += child.nodes;
            best = if maximising {
                best.max(child.value)
            } else {
                best.min(child.value)
            };
            if prunes {
                window.narrow(best, maximising);
                if window.is_closed() {
                    break;
                }
            }
        }
        let result = SearchResult { value: best, nodes };
        if !prunes {
            self.cache.insert(key, result);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::{Game as _, Grid, GridPosition, Line, tictactoe};
    use papan_strategies::{AlphaBeta, Context, Minimax, Strategy, Turn};

    fn tree(moves: &str, search: SearchKind, shown: u32, merge: bool) -> TreeNode {
        let game = tictactoe();
        let line = Line::parse(&game, moves).unwrap();
        let options = TreeOptions {
            search,
            depth: None,
            shown,
            merge,
        };
        search_tree(&game, line.position(), &options)
    }

    #[test]
    fn the_tree_matches_the_node_count_and_the_move_of_the_strategy() {
        let game = tictactoe();
        for moves in ["", "1 5", "1 5 9 3", "5 1 3 7"] {
            let line = Line::parse(&game, moves).unwrap();
            let context = Context::default();
            let minimax = Minimax::default()
                .decide(Turn::new(&game, &line, &context))
                .unwrap();
            let alphabeta = AlphaBeta::default()
                .decide(Turn::new(&game, &line, &context))
                .unwrap();
            for shown in [1, 3] {
                for (search, decision) in [
                    (SearchKind::Minimax, &minimax),
                    (SearchKind::AlphaBeta, &alphabeta),
                ] {
                    let root = tree(moves, search, shown, false);
                    assert_eq!(root.nodes, decision.nodes, "{moves} {search:?}");
                    let best = root.children.iter().find(|child| child.best).unwrap();
                    assert_eq!(best.mv, Some(decision.best), "{moves} {search:?}");
                }
            }
        }
    }

    /// Walks the alpha-beta tree beside plain minimax, and counts the bounds.
    fn check_bounds(
        game: &Grid<u64>,
        pos: &GridPosition<u64>,
        root: Player,
        node: &TreeNode,
    ) -> usize {
        fn minimax(game: &Grid<u64>, pos: &GridPosition<u64>, root: Player) -> i32 {
            if let Some(outcome) = game.outcome(pos) {
                return outcome.value_for(root);
            }
            let values = game
                .legal_moves(pos)
                .map(|mv| minimax(game, &game.after(pos, mv), root));
            let best = if game.turn(pos) == root {
                values.max()
            } else {
                values.min()
            };
            best.expect("an unfinished game has a move")
        }
        let Some(Label::Value { value, bound }) = node.label else {
            assert!(node.pruned);
            return 0;
        };
        let exact = minimax(game, pos, root);
        match bound {
            Bound::AtMost => assert!(exact <= value, "{exact} <= {value}"),
            Bound::AtLeast => assert!(exact >= value, "{exact} >= {value}"),
            _ => assert_eq!(exact, value),
        }
        let below = node.children.iter().map(|child| {
            let next = game.after(pos, child.mv.expect("a child has a move"));
            check_bounds(game, &next, root, child)
        });
        usize::from(bound != Bound::Exact) + below.sum::<usize>()
    }

    #[test]
    fn a_cut_node_has_a_bound_and_every_other_its_minimax_value() {
        let game = tictactoe();
        for moves in ["1 5 9 3", "1 5 2", "1 4 2 5"] {
            let line = Line::parse(&game, moves).unwrap();
            let root = tree(moves, SearchKind::AlphaBeta, 9, false);
            let turn = game.turn(line.position());
            assert!(check_bounds(&game, line.position(), turn, &root) > 0);
            let whole = tree(moves, SearchKind::Minimax, 9, false);
            assert_eq!(check_bounds(&game, line.position(), turn, &whole), 0);
        }
    }

    #[test]
    fn symmetric_openings_are_merged_into_three() {
        let root = tree("", SearchKind::Minimax, 1, true);
        let twins: Vec<usize> = root.children.iter().map(|c| c.twins.len()).collect();
        assert_eq!(twins, [3, 3, 0]);
    }

    #[test]
    fn alpha_beta_marks_pruned_nodes() {
        fn pruned(node: &TreeNode) -> usize {
            usize::from(node.pruned) + node.children.iter().map(pruned).sum::<usize>()
        }
        assert!(pruned(&tree("1 5 9 3", SearchKind::AlphaBeta, 3, false)) > 0);
        assert_eq!(pruned(&tree("1 5 9 3", SearchKind::Minimax, 3, false)), 0);
    }
}
