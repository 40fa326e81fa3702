//! Midgame search: iterative deepening PVS with Multi-ProbCut over a transposition table.
//!
//! | file | contents |
//! |---|---|
//! | [`iterative_deepening`] | the driver: iterations, aspiration windows, results |
//! | [`schedule`], [`time_management`] | which iterations, and for how long |
//! | [`pvs`] | principal variation search: nodes with an open window |
//! | [`nws`] | null-window search: all other nodes |
//! | [`shallow`] | the last two plies, and look-ahead for move ordering |
//! | [`move_picker`], [`node_type`], [`probcut`], [`selectivity`] | move ordering and pruning |
//! | [`pv`] | the principal variation, read from the transposition table |
//! | [`worker`], [`shared`], [`stop_checker`] | state of one thread, and of all threads |
//!
//! # Which parallel scheme is used when
//!
//! | | 1 thread | 2–7 threads | 8 and more |
//! |---|---|---|---|
//! | selective iterations at [`Low`](selectivity::Selectivity::Low), depth ≥ 8 | PVS | ABDADA | ABDADA |
//! | last iteration of a depth limit, at [`High`](selectivity::Selectivity::High) | PVS | PVS + YBWC | parallel aspiration + YBWC |
//! | iterations to the end of the game | PVS | PVS + YBWC | PVS + YBWC |
//!
//! Shallower iterations run on one thread. Threads are counted up to the number of cores. The
//! choice is made in [`iterative_deepening`]; the schemes are in [`parallel`](crate::parallel).

pub(crate) mod best;
pub(crate) mod iterative_deepening;
pub(crate) mod limits;
pub(crate) mod move_picker;
pub(crate) mod node_type;
pub(crate) mod nws;
pub(crate) mod probcut;
pub(crate) mod pv;
pub(crate) mod pvs;
pub(crate) mod result;
pub(crate) mod schedule;
pub(crate) mod selectivity;
pub(crate) mod shallow;
pub(crate) mod shared;
pub(crate) mod stop_checker;
pub(crate) mod time_management;
pub(crate) mod worker;
