//! Midgame search.

pub(crate) mod iterative_deepening;
pub(crate) mod limits;
pub(crate) mod move_picker;
pub(crate) mod node_type;
pub(crate) mod nws;
pub(crate) mod probcut;
pub(crate) mod pvs;
pub(crate) mod result;
pub(crate) mod schedule;
pub(crate) mod shared;
pub(crate) mod time_management;
pub(crate) mod worker;
