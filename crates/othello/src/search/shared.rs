//! What the threads of one search share.

use crate::board::stability::EdgeStability;
use crate::eval::evaluation::Evaluation;
use crate::parallel::ybwc::Crew;
use crate::tt::Table;
use papan_strategies::{Budget, StopToken};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// One search: what it knows, when it ends, who takes part.
pub(crate) struct Search<'a> {
    pub(crate) table: &'a Table,
    pub(crate) evaluation: &'a Evaluation,
    pub(crate) margins: crate::search::probcut::Margins,
    /// Whether the code near the end is that for AVX-512.
    pub(crate) wide: bool,
    pub(crate) edges: &'static EdgeStability,
    pub(crate) crew: Crew,
    /// Set from outside.
    pub(crate) stop: &'a StopToken,
    /// Set by whichever thread reaches a limit.
    pub(crate) halt: AtomicBool,
    /// Nodes of all threads after which the search stops; `u64::MAX` for none.
    pub(crate) node_limit: u64,
    /// The time that the search may take.
    pub(crate) budget: Budget,
    /// The nodes that the threads have reported so far.
    nodes: AtomicU64,
}

impl<'a> Search<'a> {
    /// A search without limits.
    pub(crate) fn new(table: &'a Table, evaluation: &'a Evaluation, stop: &'a StopToken) -> Self {
        Self {
            table,
            margins: crate::search::probcut::Margins::new(&evaluation.probcut()),
            evaluation,
            wide: crate::simd::cpu::has_avx512(),
            edges: crate::board::stability::edges(),
            crew: Crew::default(),
            stop,
            halt: AtomicBool::new(false),
            node_limit: u64::MAX,
            budget: Budget::default(),
            nodes: AtomicU64::new(0),
        }
    }

    /// Adds to the nodes of all threads and returns them.
    pub(crate) fn report(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes
    }
}
