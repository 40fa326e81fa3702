//! The search tree of a traced run as it grows with the steps.

use papan_rules::Move;
use papan_solve::{Label, TraceEvent, TraceStep, TreeNode, Window};
use papan_strategies::{Bound, Candidate, Value};

use crate::AnyLine;

/// The number of playouts through a move.
pub(super) fn visits(candidate: &Candidate) -> i64 {
    match candidate.terms.first().map(|term| &term.value) {
        Some(Value::Number(visits)) => *visits,
        _ => 0,
    }
}

/// A position of the growing tree.
#[derive(Default)]
struct Growth {
    mv: Option<Move>,
    label: Option<Label>,
    window: Option<Window>,
    pruned: bool,
    best: bool,
    /// Positions searched here, with those of a collapsed subtree.
    nodes: u64,
    children: Vec<usize>,
}

/// The positions that a run has entered so far, the root first.
pub(super) struct GrowingTree {
    nodes: Vec<Growth>,
}

impl Default for GrowingTree {
    fn default() -> Self {
        let root = Growth {
            best: true,
            ..Growth::default()
        };
        Self { nodes: vec![root] }
    }
}

impl GrowingTree {
    /// Returns the index of a child, which is added if it is new.
    fn child(&mut self, parent: usize, mv: Move) -> usize {
        let children = &self.nodes[parent].children;
        let known = children.iter().find(|&&at| self.nodes[at].mv == Some(mv));
        if let Some(&known) = known {
            return known;
        }
        let added = self.nodes.len();
        self.nodes.push(Growth {
            mv: Some(mv),
            ..Growth::default()
        });
        self.nodes[parent].children.push(added);
        added
    }

    fn at(&mut self, path: &[Move]) -> usize {
        path.iter().fold(0, |node, &mv| self.child(node, mv))
    }

    /// Marks one child as the best.
    fn prefer(&mut self, parent: usize, mv: Move) {
        let best = self.child(parent, mv);
        for at in self.nodes[parent].children.clone() {
            self.nodes[at].best = at == best;
        }
    }

    pub(super) fn grow(&mut self, step: &TraceStep) {
        let exact = |value| Label::Value {
            value,
            bound: Bound::Exact,
        };
        let at = self.at(&step.path);
        match &step.event {
            TraceEvent::Enter => {
                let node = &mut self.nodes[at];
                (node.window, node.nodes) = (step.window, 1);
            }
            TraceEvent::Leaf { value } => self.nodes[at].label = Some(exact(*value)),
            TraceEvent::Collapsed {
                value,
                bound,
                nodes,
            } => {
                let (value, bound) = (*value, *bound);
                let node = &mut self.nodes[at];
                (node.label, node.nodes) = (Some(Label::Value { value, bound }), *nodes);
            }
            TraceEvent::Better { mv, .. } => self.prefer(at, *mv),
            TraceEvent::NotBetter { .. } => {}
            TraceEvent::Cut { left } | TraceEvent::Abandon { left } => {
                for &mv in left {
                    let cut = self.child(at, mv);
                    self.nodes[cut].pruned = true;
                }
            }
            TraceEvent::Return { value, bound } => {
                let (value, bound) = (*value, *bound);
                self.nodes[at].label = Some(Label::Value { value, bound });
            }
            TraceEvent::Score { candidate, best } => {
                let child = self.child(at, candidate.mv);
                self.nodes[child].label = Some(Label::Scored(candidate.clone()));
                if *best {
                    self.prefer(at, candidate.mv);
                }
            }
            TraceEvent::Key { .. }
            | TraceEvent::Compare { .. }
            | TraceEvent::NoReply { .. }
            | TraceEvent::Select { .. }
            | TraceEvent::Expand { .. }
            | TraceEvent::Simulate { .. } => {}
            TraceEvent::Playout {
                path, candidates, ..
            } => {
                let mut node = 0;
                for candidate in path {
                    node = self.child(node, candidate.mv);
                    self.nodes[node].label = Some(Label::Scored(candidate.clone()));
                }
                for candidate in candidates.iter().filter(|c| visits(c) > 0) {
                    let child = self.child(0, candidate.mv);
                    self.nodes[child].label = Some(Label::Scored(candidate.clone()));
                }
            }
            TraceEvent::Choose { mv } => {
                self.prefer(at, *mv);
                let chosen = self.child(at, *mv);
                if let Some(label @ Label::Value { .. }) = &self.nodes[chosen].label {
                    self.nodes[at].label = Some(label.clone());
                }
            }
        }
    }

    /// Returns the number of positions searched at and below a node.
    fn searched(&self, at: usize) -> u64 {
        let below = self.nodes[at].children.iter();
        self.nodes[at].nodes + below.map(|&child| self.searched(child)).sum::<u64>()
    }
}

/// The part of a growing tree that is shown.
pub(super) struct Shown<'a> {
    pub(super) growth: &'a GrowingTree,
    pub(super) current: &'a [Move],
    pub(super) open: &'a [Vec<Move>],
}

impl Shown<'_> {
    pub(super) fn node(
        &self,
        at: usize,
        line: &mut Box<dyn AnyLine>,
        path: &mut Vec<Move>,
    ) -> TreeNode {
        let known = &self.growth.nodes[at];
        let cells = 0..line.game().cells();
        let is_open = self.current.starts_with(path) || self.open.contains(path);
        let mut node = TreeNode {
            mv: known.mv,
            cells: cells.map(|cell| line.piece(cell)).collect(),
            turn: line.turn(),
            outcome: line.outcome(),
            label: known.label.clone(),
            window: known.window,
            pruned: known.pruned,
            best: known.best,
            twins: Vec::new(),
            children: Vec::new(),
            folded: !is_open && !known.children.is_empty(),
            nodes: self.growth.searched(at),
        };
        if is_open {
            for &child in &known.children {
                let mv = self.growth.nodes[child].mv;
                let mv = mv.expect("a child has a move");
                line.play(mv).expect("a trace plays legal moves");
                path.push(mv);
                node.children.push(self.node(child, line, path));
                path.pop();
                line.undo();
            }
        }
        node
    }
}
