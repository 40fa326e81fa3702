//! `papan demo`: worked examples of the documents. `queens` is document 003's n queens, solved by
//! backtracking and by branch and bound.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use papan_view::queens_tree::{self, QueensNode, QueensState};
use papan_view::{Marks, Messages};

use crate::exit_code;
use crate::output;
use crate::terminal_style::Appearance;

#[derive(Args, Debug)]
pub(crate) struct DemoArgs {
    #[command(subcommand)]
    demo: Demo,
}

#[derive(Debug, Subcommand)]
enum Demo {
    /// Draw the tree in which n queens are placed on an n x n board
    Queens(QueensArgs),
}

#[derive(Args, Debug)]
struct QueensArgs {
    /// Number of queens
    #[arg(value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=8))]
    size: u8,
    /// Algorithm
    #[arg(long, value_name = "METHOD", default_value = "branch-and-bound")]
    method: Method,
    /// Write an SVG picture to this file; - is standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Every permutation, without a look at diagonals
    Complete,
    /// Depth first, leaving attacked placements
    Backtracking,
    /// A queue of live nodes, the cheapest first
    BranchAndBound,
}

/// Maximum number of nodes that are drawn: those of the complete tree of 6 queens.
const MAX_NODES: u64 = 2_000;

pub(crate) fn run(args: &DemoArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let Demo::Queens(args) = &args.demo;
    let words = appearance.words();
    let size = usize::from(args.size);
    let mut search = Search {
        size,
        nodes: 1,
        solution: None,
    };
    let root = match args.method {
        Method::Complete if complete_count(size) > MAX_NODES => {
            anyhow::bail!("the complete tree of {size} queens is too large to draw; at most 6")
        }
        Method::Complete => search.complete(&[]),
        Method::Backtracking => search.backtrack(&[], 1),
        Method::BranchAndBound => search.branch_and_bound(),
    };
    let title = title(args, &root, words);
    if let Some(path) = &args.svg {
        let picture = queens_tree::svg(&root, &title, words);
        output::write_file(path, picture.as_bytes())?;
    }
    let ascii = appearance.style(Marks::XO).ascii;
    let found = match &search.solution {
        _ if args.method == Method::Complete => String::new(),
        Some(columns) => {
            let columns: Vec<String> = columns.iter().map(|c| (c + 1).to_string()).collect();
            words.with("queens-found", [("columns", columns.join(" ").into())]) + "\n"
        }
        None => words.text("queens-none") + "\n",
    };
    let tree = queens_tree::text(&root, words, ascii);
    output::print_beside(args.svg.as_deref(), &format!("{title}\n{tree}{found}"))?;
    let is_found = search.solution.is_some() || args.method == Method::Complete;
    Ok(exit_code::for_answer(is_found))
}

fn title(args: &QueensArgs, root: &QueensNode, words: Messages) -> String {
    let method = args.method.to_possible_value();
    let method = method.map_or(String::new(), |value| value.get_name().to_owned());
    let values = [
        ("size", args.size.to_string().into()),
        ("method", method.into()),
        ("count", root.count().to_string().into()),
    ];
    words.with("queens-title", values)
}

/// Returns the nodes of the tree of permutations.
fn complete_count(size: usize) -> u64 {
    let rows = (1..=size as u64).rev().scan(1, |row, left| {
        *row *= left;
        Some(*row)
    });
    1 + rows.sum::<u64>()
}

/// A search for a placement, one queen per row, columns from 0.
struct Search {
    size: usize,
    /// Nodes generated so far.
    nodes: u64,
    solution: Option<Vec<usize>>,
}

/// Whether the last queen is attacked by no other; columns differ already.
fn is_safe(queens: &[usize]) -> bool {
    let Some((&last, others)) = queens.split_last() else {
        return true;
    };
    let rows = others.iter().rev().zip(1..);
    rows.into_iter()
        .all(|(&column, distance)| column.abs_diff(last) != distance)
}

impl Search {
    /// Returns the placements with one more queen in a free column.
    fn children(&self, queens: &[usize]) -> Vec<Vec<usize>> {
        let free = (0..self.size).filter(|column| !queens.contains(column));
        free.map(|column| [queens, &[column]].concat()).collect()
    }

    fn node(number: u64, queens: &[usize], state: QueensState) -> QueensNode {
        QueensNode {
            number,
            column: queens.last().map(|column| column + 1),
            state,
            children: Vec::new(),
        }
    }

    /// The whole tree, numbered depth first.
    fn complete(&mut self, queens: &[usize]) -> QueensNode {
        let state = if queens.len() == self.size {
            QueensState::Full
        } else {
            QueensState::Expanded
        };
        let mut node = Self::node(self.nodes, queens, state);
        for child in self.children(queens) {
            self.nodes += 1;
            node.children.push(self.complete(&child));
        }
        node
    }

    /// Depth first, until the first solution.
    fn backtrack(&mut self, queens: &[usize], number: u64) -> QueensNode {
        if !is_safe(queens) {
            return Self::node(number, queens, QueensState::Attacked);
        }
        if queens.len() == self.size {
            self.solution = Some(queens.to_vec());
            return Self::node(number, queens, QueensState::Solution);
        }
        let mut node = Self::node(number, queens, QueensState::Expanded);
        for child in self.children(queens) {
            self.nodes += 1;
            let number = self.nodes;
            node.children.push(self.backtrack(&child, number));
            if self.solution.is_some() {
                break;
            }
        }
        node
    }

    /// The document's ideal cost: the distance to the nearest solution below.
    fn cost(&self, queens: &[usize]) -> Option<u64> {
        if !is_safe(queens) {
            return None;
        }
        if queens.len() == self.size {
            return Some(0);
        }
        let below = self.children(queens);
        let costs = below.iter().filter_map(|child| self.cost(child));
        costs.min().map(|cost| cost + 1)
    }

    /// The document's six steps, with a queue of live nodes; the first of the cheapest is expanded.
    fn branch_and_bound(&mut self) -> QueensNode {
        let root = LiveNode {
            queens: Vec::new(),
            cost: self.cost(&[]),
            parent: None,
            state: QueensState::Expanded,
        };
        let mut nodes = vec![root];
        let mut queue = vec![0];
        loop {
            let live = queue.iter().enumerate();
            let cheapest = live
                .filter_map(|(place, index)| Some((nodes[*index].cost?, place)))
                .min();
            let Some((_, place)) = cheapest else { break };
            let index = queue.remove(place);
            if nodes[index].queens.len() == self.size {
                nodes[index].state = QueensState::Solution;
                self.solution = Some(nodes[index].queens.clone());
                break;
            }
            nodes[index].state = QueensState::Expanded;
            for queens in self.children(&nodes[index].queens.clone()) {
                let cost = self.cost(&queens);
                queue.push(nodes.len());
                nodes.push(LiveNode {
                    queens,
                    cost,
                    parent: Some(index),
                    state: QueensState::Live(cost),
                });
            }
        }
        self.nodes = nodes.len() as u64;
        assembled(&nodes, 0)
    }
}

/// A node of the queue.
struct LiveNode {
    queens: Vec<usize>,
    /// `None` is infinity.
    cost: Option<u64>,
    parent: Option<usize>,
    state: QueensState,
}

/// Returns the tree below a node, numbered in the order of generation.
fn assembled(nodes: &[LiveNode], index: usize) -> QueensNode {
    let node = &nodes[index];
    let mut tree = Search::node(index as u64 + 1, &node.queens, node.state);
    let children = (0..nodes.len()).filter(|child| nodes[*child].parent == Some(index));
    tree.children = children.map(|child| assembled(nodes, child)).collect();
    tree
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trees_have_the_sizes_of_the_page_about_queens() {
        let search = |size| Search {
            size,
            nodes: 1,
            solution: None,
        };
        for (size, complete, backtracking, bounded) in
            [(4, 65, 16, 11), (5, 326, 9, 16), (6, 1957, 78, 22)]
        {
            assert_eq!(complete_count(size), complete);
            assert_eq!(search(size).complete(&[]).count(), complete);
            let mut deep = search(size);
            assert_eq!(deep.backtrack(&[], 1).count(), backtracking);
            let mut cheap = search(size);
            assert_eq!(cheap.branch_and_bound().count(), bounded);
            assert_eq!(deep.solution, cheap.solution);
            assert!(deep.solution.is_some());
        }
        assert_eq!(search(3).branch_and_bound().count(), 1);
        let mut three = search(3);
        three.backtrack(&[], 1);
        assert_eq!(three.solution, None);
    }
}
