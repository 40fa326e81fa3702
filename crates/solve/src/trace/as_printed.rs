//! Trace of the alpha-beta pseudo-code of document 002 as printed.
//!
//! `MaxMove` returns as soon as `beta > alpha`, which holds in every open window. `MinMove` keeps the
//! largest value. [`papan_strategies::AlphaBetaAsPrinted`] plays by it.

use std::ops::ControlFlow;

use papan_rules::{Game, Move, Player};
use papan_strategies::{Bound, StopToken};

use super::search::Full;
use super::{Trace, TraceEvent, TraceOptions, TraceStep};
use crate::tree_node::Window;

/// Lines of `MaxMove`, as the view shows them.
const MAX_MOVE: Lines = Lines {
    enter: 1,
    leaf: 2,
    call: 4,
    better: 5,
    abandon: 6,
    end: 7,
};
/// Lines of `MinMove`.
const MIN_MOVE: Lines = Lines {
    enter: 8,
    leaf: 9,
    call: 11,
    better: 12,
    abandon: 13,
    end: 14,
};
/// The line at which the root plays its move.
const CHOOSE: u8 = 15;

struct Lines {
    enter: u8,
    leaf: u8,
    call: u8,
    better: u8,
    abandon: u8,
    end: u8,
}

/// Traces the printed pseudo-code from a position. Once `stop` is set it is cut short.
#[must_use]
pub fn trace_as_printed<G: Game>(
    game: &G,
    position: &G::Position,
    options: &TraceOptions,
    stop: &StopToken,
) -> Trace {
    let mut tracer = Tracer {
        game,
        maximiser: game.turn(position),
        options,
        stop,
        steps: Vec::new(),
        path: Vec::new(),
        nodes: 0,
        is_collapsed: false,
    };
    let depth = options.depth.unwrap_or(u32::MAX);
    let flow = tracer.node(position, depth, true, Window::FULL);
    Trace {
        steps: tracer.steps,
        is_cut_short: flow.is_break(),
    }
}

struct Tracer<'a, G: Game> {
    game: &'a G,
    maximiser: Player,
    options: &'a TraceOptions,
    stop: &'a StopToken,
    steps: Vec<TraceStep>,
    path: Vec<Move>,
    /// Positions searched.
    nodes: u64,
    /// Whether the steps of a collapsed subtree are left out.
    is_collapsed: bool,
}

/// A position under search.
struct Node<'a, P> {
    position: &'a P,
    depth: u32,
    window: Window,
}

impl<G: Game> Tracer<'_, G> {
    fn step(
        &mut self,
        code: u8,
        node: &Node<'_, G::Position>,
        event: TraceEvent,
    ) -> ControlFlow<Full> {
        if self.is_collapsed {
            return ControlFlow::Continue(());
        }
        if self.steps.len() >= self.options.steps {
            return ControlFlow::Break(Full);
        }
        self.steps.push(TraceStep {
            code,
            path: self.path.clone(),
            maximising: self.game.turn(node.position) == self.maximiser,
            depth: (node.depth <= self.options.depth.unwrap_or(0)).then_some(node.depth),
            window: Some(node.window),
            event,
        });
        ControlFlow::Continue(())
    }

    /// `MaxMove` or `MinMove`, which call each other.
    fn node(
        &mut self,
        position: &G::Position,
        depth: u32,
        is_max: bool,
        window: Window,
    ) -> ControlFlow<Full, i32> {
        let lines = if is_max { &MAX_MOVE } else { &MIN_MOVE };
        let mut node = Node {
            position,
            depth,
            window,
        };
        if self.nodes >= self.options.nodes || self.stop.is_stopped() {
            return ControlFlow::Break(Full);
        }
        self.nodes += 1;
        self.step(lines.enter, &node, TraceEvent::Enter)?;
        let outcome = self.game.outcome(position);
        let value = outcome.map(|outcome| outcome.value_for(self.maximiser));
        if let Some(value) = value.or((depth == 0).then_some(0)) {
            self.step(lines.leaf, &node, TraceEvent::Leaf { value })?;
            return ControlFlow::Continue(value);
        }
        if !self.is_collapsed && self.path.len() as u32 >= self.options.shown {
            self.is_collapsed = true;
            let before = self.nodes;
            let value = self.moves(&mut node, is_max, lines);
            self.is_collapsed = false;
            let value = value?;
            let collapsed = TraceEvent::Collapsed {
                value,
                bound: Bound::Exact,
                nodes: self.nodes - before + 1,
            };
            self.step(lines.call, &node, collapsed)?;
            return ControlFlow::Continue(value);
        }
        self.moves(&mut node, is_max, lines)
    }

    /// The loop over the moves.
    fn moves(
        &mut self,
        node: &mut Node<'_, G::Position>,
        is_max: bool,
        lines: &Lines,
    ) -> ControlFlow<Full, i32> {
        let moves: Vec<Move> = self.game.legal_moves(node.position).collect();
        let mut best: Option<(i32, Move)> = None;
        let mut result = None;
        for (index, &mv) in moves.iter().enumerate() {
            let next = self.game.after(node.position, mv);
            self.path.push(mv);
            let value = self.node(&next, node.depth - 1, !is_max, node.window);
            self.path.pop();
            let (value, bound) = (value?, Bound::Exact);
            let event = match best {
                Some((best, _)) if value <= best => TraceEvent::NotBetter {
                    mv,
                    value,
                    bound,
                    best,
                },
                _ => {
                    best = Some((value, mv));
                    if is_max {
                        node.window.alpha = value;
                    } else {
                        node.window.beta = value;
                    }
                    TraceEvent::Better { mv, value, bound }
                }
            };
            self.step(lines.better, node, event)?;
            let Window { alpha, beta } = node.window;
            // As printed: the maximising half returns `best_move`, the minimising one `move`.
            let returned = match best {
                Some((best, _)) if is_max => (beta > alpha).then_some(best),
                _ => (beta < alpha).then_some(value),
            };
            if returned.is_some() {
                let left = moves[index + 1..].to_vec();
                if !left.is_empty() {
                    self.step(lines.abandon, node, TraceEvent::Abandon { left })?;
                }
                result = returned;
                break;
            }
        }
        let (largest, mv) = best.expect("an unfinished position has a move");
        let (value, bound) = (result.unwrap_or(largest), Bound::Exact);
        if self.path.is_empty() {
            self.step(CHOOSE, node, TraceEvent::Choose { mv })?;
        } else {
            let line = if result.is_some() {
                lines.abandon
            } else {
                lines.end
            };
            self.step(line, node, TraceEvent::Return { value, bound })?;
        }
        ControlFlow::Continue(value)
    }
}
