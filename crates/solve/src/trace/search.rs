//! Trace of minimax and alpha-beta.

use std::ops::ControlFlow;

use papan_rules::{Game, Move, Player};
use papan_strategies::{Bound, Prefer, StopToken};

use super::{Trace, TraceEvent, TraceOptions, TraceStep};
use crate::tree_node::Window;

/// Traces minimax or alpha-beta from a position.
///
/// The search is that of the strategies of these names: moves first to last, an infinite window at
/// the root that its moves narrow, values for the player to move there: +1, 0 and -1, or where the
/// shortest win is preferred [`SHORTEST_WIN`] less the number of moves. Once `stop` is set it is cut
/// short.
#[must_use]
pub fn trace_search<G: Game>(
    game: &G,
    position: &G::Position,
    prunes: bool,
    options: &TraceOptions,
    stop: &StopToken,
) -> Trace {
    let mut tracer = Tracer {
        game,
        maximiser: game.turn(position),
        prunes,
        options,
        stop,
        steps: Vec::new(),
        path: Vec::new(),
        nodes_left: options.nodes,
    };
    let depth = options.depth.unwrap_or(u32::MAX);
    let flow = tracer.node(position, depth, Window::FULL);
    Trace {
        steps: tracer.steps,
        is_cut_short: flow.is_break(),
    }
}

/// Lines of the pseudo-code of minimax and alpha-beta, as the view shows them.
mod code {
    pub(super) const ENTER: u8 = 1;
    pub(super) const LEAF: u8 = 2;
    pub(super) const SEARCH: u8 = 5;
    pub(super) const BETTER: u8 = 6;
    pub(super) const CUT: u8 = 8;
    pub(super) const RETURN: u8 = 9;
    pub(super) const CHOOSE: u8 = 10;
}

/// Where the shortest win is preferred, a win after n moves is worth this less n. No search looks
/// so many moves ahead.
pub const SHORTEST_WIN: i32 = 1000;

/// The result of a position.
#[derive(Clone, Copy)]
struct Found {
    value: i32,
    bound: Bound,
}

/// The maximum number of steps or positions is reached, or a stop was requested.
pub(super) struct Full;

struct Tracer<'a, G: Game> {
    game: &'a G,
    maximiser: Player,
    prunes: bool,
    options: &'a TraceOptions,
    stop: &'a StopToken,
    steps: Vec<TraceStep>,
    path: Vec<Move>,
    nodes_left: u64,
}

impl<G: Game> Tracer<'_, G> {
    fn step(
        &mut self,
        code: u8,
        position: &G::Position,
        depth: u32,
        window: Window,
        event: TraceEvent,
    ) -> ControlFlow<Full> {
        if self.steps.len() >= self.options.steps {
            return ControlFlow::Break(Full);
        }
        self.steps.push(TraceStep {
            code,
            path: self.path.clone(),
            maximising: self.game.turn(position) == self.maximiser,
            depth: (depth <= self.options.depth.unwrap_or(0)).then_some(depth),
            window: self.prunes.then_some(window),
            event,
        });
        ControlFlow::Continue(())
    }

    fn leaf(&self, position: &G::Position, depth: u32, ply: usize) -> Option<i32> {
        let Some(outcome) = self.game.outcome(position) else {
            return (depth == 0).then_some(0);
        };
        let value = outcome.value_for(self.maximiser);
        Some(match self.options.prefer {
            Prefer::First => value,
            Prefer::Shortest => value * (SHORTEST_WIN - ply as i32),
        })
    }

    /// Searches a position and records its steps; returns its value.
    fn node(
        &mut self,
        position: &G::Position,
        depth: u32,
        entered: Window,
    ) -> ControlFlow<Full, Found> {
        let mut window = entered;
        self.step(code::ENTER, position, depth, window, TraceEvent::Enter)?;
        if let Some(value) = self.leaf(position, depth, self.path.len()) {
            let leaf = TraceEvent::Leaf { value };
            self.step(code::LEAF, position, depth, window, leaf)?;
            let bound = Bound::Exact;
            return ControlFlow::Continue(Found { value, bound });
        }
        if self.path.len() as u32 >= self.options.shown {
            let mut nodes = 0;
            let value = self.value(position, depth, self.path.len(), window, &mut nodes)?;
            let bound = self.bound(value, entered);
            let collapsed = TraceEvent::Collapsed {
                value,
                bound,
                nodes,
            };
            self.step(code::SEARCH, position, depth, window, collapsed)?;
            return ControlFlow::Continue(Found { value, bound });
        }
        let maximising = self.game.turn(position) == self.maximiser;
        let moves: Vec<Move> = self.game.legal_moves(position).collect();
        let mut best: Option<(i32, Move)> = None;
        for (index, &mv) in moves.iter().enumerate() {
            let next = self.game.after(position, mv);
            self.path.push(mv);
            let found = self.node(&next, depth - 1, self.child_window(window));
            self.path.pop();
            let Found { value, bound } = found?;
            let is_better = best.is_none_or(|(best, _)| is_better(value, best, maximising));
            if is_better {
                best = Some((value, mv));
            }
            if self.prunes {
                window.narrow(value, maximising);
            }
            let event = match best {
                Some((best, _)) if !is_better => TraceEvent::NotBetter {
                    mv,
                    value,
                    bound,
                    best,
                },
                _ => TraceEvent::Better { mv, value, bound },
            };
            self.step(code::BETTER, position, depth, window, event)?;
            let left = &moves[index + 1..];
            if self.prunes && window.is_closed() {
                if !left.is_empty() {
                    let left = left.to_vec();
                    self.step(code::CUT, position, depth, window, TraceEvent::Cut { left })?;
                }
                break;
            }
        }
        let (value, mv) = best.expect("an unfinished position has a move");
        let bound = self.bound(value, entered);
        if self.path.is_empty() {
            let choose = TraceEvent::Choose { mv };
            self.step(code::CHOOSE, position, depth, window, choose)?;
        } else {
            let end = TraceEvent::Return { value, bound };
            self.step(code::RETURN, position, depth, window, end)?;
        }
        ControlFlow::Continue(Found { value, bound })
    }

    fn child_window(&self, window: Window) -> Window {
        if self.prunes { window } else { Window::FULL }
    }

    fn bound(&self, value: i32, entered: Window) -> Bound {
        let largest = match self.options.prefer {
            Prefer::First => 1,
            Prefer::Shortest => SHORTEST_WIN,
        };
        if self.prunes {
            entered.bound(value, largest)
        } else {
            Bound::Exact
        }
    }

    /// Searches a collapsed position.
    fn value(
        &mut self,
        position: &G::Position,
        depth: u32,
        ply: usize,
        mut window: Window,
        nodes: &mut u64,
    ) -> ControlFlow<Full, i32> {
        *nodes += 1;
        match self.nodes_left.checked_sub(1) {
            Some(left) if !self.stop.is_stopped() => self.nodes_left = left,
            _ => return ControlFlow::Break(Full),
        }
        if let Some(value) = self.leaf(position, depth, ply) {
            return ControlFlow::Continue(value);
        }
        let maximising = self.game.turn(position) == self.maximiser;
        let mut best: Option<i32> = None;
        for mv in self.game.legal_moves(position) {
            let next = self.game.after(position, mv);
            let inner = self.child_window(window);
            let value = self.value(&next, depth - 1, ply + 1, inner, nodes)?;
            if best.is_none_or(|best| is_better(value, best, maximising)) {
                best = Some(value);
            }
            if self.prunes {
                window.narrow(value, maximising);
                if window.is_closed() {
                    break;
                }
            }
        }
        ControlFlow::Continue(best.expect("an unfinished position has a move"))
    }
}

fn is_better(value: i32, best: i32, maximising: bool) -> bool {
    if maximising {
        value > best
    } else {
        value < best
    }
}
