//! One thread of the search: what it sees and what it counts.

use crate::stability::EdgeStability;
use crate::table::Table;

/// A searching thread.
pub(crate) struct Worker<'a> {
    pub(crate) table: &'a Table,
    pub(crate) edges: &'static EdgeStability,
    pub(crate) nodes: u64,
}
