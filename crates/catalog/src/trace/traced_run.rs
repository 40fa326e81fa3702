//! A traced run: its steps, and the positions, queue and tree at each of them.

use papan_rules::Move;
use papan_solve::{Algorithm, Trace, TraceEvent, TraceStep, TreeNode, exceeds};
use papan_strategies::Candidate;

use super::growing_tree::{GrowingTree, Shown, visits};
use crate::{AnyLine, StrategySpec};

/// A traced run from the end of a line.
#[derive(Clone)]
pub struct TracedRun {
    /// The line whose last position is traced.
    pub line: Box<dyn AnyLine>,
    /// The strategy.
    pub strategy: StrategySpec,
    /// The algorithm behind it.
    pub algorithm: Algorithm,
    /// The steps.
    pub trace: Trace,
}

impl TracedRun {
    /// Returns a step.
    ///
    /// # Panics
    /// When there are fewer steps.
    #[must_use]
    pub fn step(&self, at: usize) -> &TraceStep {
        &self.trace.steps[at]
    }

    /// Returns the line to the position of a step.
    #[must_use]
    pub fn line_at(&self, at: usize) -> Box<dyn AnyLine> {
        let mut line = self.line.clone_line();
        for &mv in &self.step(at).path {
            line.play(mv).expect("a trace plays legal moves");
        }
        line
    }

    /// Returns the moves that were scored up to a step, the best first: the queue of live nodes of
    /// branch and bound.
    #[must_use]
    pub fn queue(&self, at: usize) -> Vec<&Candidate> {
        let mut queue: Vec<&Candidate> = Vec::new();
        for step in &self.trace.steps[..=at] {
            match &step.event {
                // A move that is not better than the best so far may still be better than others.
                TraceEvent::Score { candidate, .. } => {
                    let place = queue.iter().position(|other| exceeds(candidate, other));
                    queue.insert(place.unwrap_or(queue.len()), candidate);
                }
                TraceEvent::Playout { candidates, .. } => {
                    queue = candidates.iter().collect();
                    queue.sort_by_key(|candidate| std::cmp::Reverse(visits(candidate)));
                }
                _ => {}
            }
        }
        queue
    }

    /// Returns the search tree as far as it is known at a step. The positions on the way to the
    /// step and those in `open`, given by their moves, show their children; the others are folded.
    #[must_use]
    pub fn tree(&self, at: usize, open: &[Vec<Move>]) -> TreeNode {
        let mut growth = GrowingTree::default();
        for step in &self.trace.steps[..=at] {
            growth.grow(step);
        }
        let shown = Shown {
            growth: &growth,
            current: &self.step(at).path,
            open,
        };
        let mut line = self.line.clone_line();
        shown.node(0, &mut line, &mut Vec::new())
    }
}
