//! Step-by-step run of a strategy: the sequence of events that leads to its choice.
//!
//! Each step names the line of the pseudo-code that it executes (the view has its text), the path from
//! the traced position, the window of alpha-beta and the value or bound found. Subtrees below a depth
//! can be collapsed: their result is one step.

mod as_printed;
mod scoring;
mod search;
mod table;
#[cfg(test)]
mod tests;

use papan_rules::Move;
use papan_strategies::{Bound, Candidate, Prefer};

use crate::tree_node::Window;

pub use as_printed::trace_as_printed;
pub use scoring::{Listing, exceeds, trace_answer, trace_playouts, trace_scores};
pub use search::{SHORTEST_WIN, trace_search};
pub use table::trace_table;

/// The algorithms that can be traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Document 002.
    Minimax,
    /// Document 002, with pruning.
    AlphaBeta,
    /// The alpha-beta pseudo-code of document 002 as printed.
    AlphaBetaAsPrinted,
    /// A strategy that scores every move by a formula, rule or table and takes the best.
    Scoring(Listing),
    /// Monte Carlo tree search: selection, expansion, simulation and backup of each playout.
    Mcts,
    /// A program, of which only the answer is seen.
    Program,
}

impl Algorithm {
    /// Returns whether it searches a tree with minimax values.
    #[must_use]
    pub const fn is_search(self) -> bool {
        matches!(self, Self::Minimax) || self.prunes()
    }

    /// Returns whether it has a window and leaves out moves.
    #[must_use]
    pub const fn prunes(self) -> bool {
        matches!(self, Self::AlphaBeta | Self::AlphaBetaAsPrinted)
    }
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceStep {
    /// The line of the pseudo-code, from 1.
    pub code: u8,
    /// The moves from the traced position to this one.
    pub path: Vec<Move>,
    /// Whether the player of the traced position is to move here.
    pub maximising: bool,
    /// Plies that the search still looks ahead; `None` to the end of the game.
    pub depth: Option<u32>,
    /// The window of alpha-beta.
    pub window: Option<Window>,
    /// What happens.
    pub event: TraceEvent,
}

/// What happens in a step.
#[derive(Clone, Debug, PartialEq)]
pub enum TraceEvent {
    /// The search enters a position.
    Enter,
    /// The game is over, or the depth is used up.
    Leaf {
        /// The value for the player of the traced position.
        value: i32,
    },
    /// The positions below are not shown; this is their result.
    Collapsed {
        /// The value, or a bound on it.
        value: i32,
        /// Whether it is exact.
        bound: Bound,
        /// Positions visited.
        nodes: u64,
    },
    /// A move is the best so far.
    Better {
        /// The move.
        mv: Move,
        /// Its value, or a bound on it.
        value: i32,
        /// Whether it is exact.
        bound: Bound,
    },
    /// A move is not better than the best so far.
    NotBetter {
        /// The move.
        mv: Move,
        /// Its value, or a bound on it.
        value: i32,
        /// Whether it is exact.
        bound: Bound,
        /// The best so far.
        best: i32,
    },
    /// Alpha reached beta: the moves that are left cannot matter.
    Cut {
        /// The moves that are left out.
        left: Vec<Move>,
    },
    /// The printed comparison of alpha and beta ends a position before its moves are searched.
    Abandon {
        /// The moves that are left out.
        left: Vec<Move>,
    },
    /// The value of the position is returned.
    Return {
        /// The value, or a bound on it.
        value: i32,
        /// Whether it is exact.
        bound: Bound,
    },
    /// A move is scored by the strategy's own numbers.
    Score {
        /// The move with its terms.
        candidate: Candidate,
        /// Whether it is the best so far.
        best: bool,
    },
    /// A key is looked up in a table.
    Key {
        /// The board before the input, and the input.
        key: String,
    },
    /// Rows of a table are compared with the key.
    Compare {
        /// The key.
        key: String,
        /// The name that the file gives to the board of the rows.
        state: Option<String>,
        /// The first of the rows.
        row: String,
        /// Number of rows with this board.
        rows: usize,
        /// The first character after the flag in which they differ from the key, from 1; `None`
        /// for the row that is equal.
        difference: Option<usize>,
    },
    /// No row of the table is equal to the key.
    NoReply {
        /// The key.
        key: String,
    },
    /// A playout follows the tree to a leaf.
    Select {
        /// Its number, from 1.
        number: u32,
    },
    /// The leaf gets its moves, and the first of them is played.
    Expand {
        /// Number of moves.
        moves: usize,
        /// The first.
        mv: Move,
    },
    /// Random moves are played to the end of the game.
    Simulate {
        /// The moves.
        moves: Vec<Move>,
        /// The result for the player of the traced position.
        value: i32,
    },
    /// The result of a playout is added to the positions of its path.
    Playout {
        /// Its number, from 1.
        number: u32,
        /// The move of the root through which it went.
        mv: Move,
        /// The positions of the path with their visits and means after it.
        path: Vec<Candidate>,
        /// The moves of the root likewise.
        candidates: Vec<Candidate>,
    },
    /// The choice.
    Choose {
        /// The move.
        mv: Move,
    },
}

/// How a run is traced.
#[derive(Clone, Copy, Debug)]
pub struct TraceOptions {
    /// Preference among moves of equal value.
    pub prefer: Prefer,
    /// Depth limit of the search in plies; `None` searches to the end.
    pub depth: Option<u32>,
    /// Plies that are shown; deeper ones are collapsed.
    pub shown: u32,
    /// Maximum number of steps.
    pub steps: usize,
    /// Maximum number of positions that are searched, with those of collapsed subtrees.
    pub nodes: u64,
}

/// A traced run.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The steps.
    pub steps: Vec<TraceStep>,
    /// Whether the run continued beyond the maximum number of steps or positions.
    pub is_cut_short: bool,
}

impl Trace {
    /// Returns the move that is chosen; `None` if the run is cut short or there is none.
    #[must_use]
    pub fn choice(&self) -> Option<Move> {
        match self.steps.last()?.event {
            TraceEvent::Choose { mv } => Some(mv),
            _ => None,
        }
    }

    /// Returns the next step that is not deeper than this one (*step over* of a debugger).
    #[must_use]
    pub fn over(&self, at: usize) -> Option<usize> {
        let depth = self.steps.get(at)?.path.len();
        self.next(at, |step| step.path.len() <= depth)
    }

    /// Returns the next step of the position above (*step out*).
    #[must_use]
    pub fn out(&self, at: usize) -> Option<usize> {
        let depth = self.steps.get(at)?.path.len();
        self.next(at, |step| step.path.len() < depth)
    }

    /// Returns the next step in which moves are cut off.
    #[must_use]
    pub fn next_cut(&self, at: usize) -> Option<usize> {
        let is_cut = |event: &TraceEvent| {
            matches!(event, TraceEvent::Cut { .. } | TraceEvent::Abandon { .. })
        };
        self.next(at, |step| is_cut(&step.event))
    }

    fn next(&self, at: usize, is_wanted: impl Fn(&TraceStep) -> bool) -> Option<usize> {
        let later = self.steps.iter().enumerate().skip(at + 1);
        later
            .filter(|(_, step)| is_wanted(step))
            .map(|(at, _)| at)
            .next()
    }
}
