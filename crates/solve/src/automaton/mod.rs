//! Strategies as finite automata, in the file format of document 000.
//!
//! [`compile`] turns a strategy into a table, [`inspect`] finds what is wrong with
//! one, [`Machine`] is a table played out, and [`Machine::minimized`] the smallest
//! machine that behaves the same. [`smallest`] finds strategies with the fewest
//! positions to look up.

mod compile;
mod inspect;
mod machine;
mod minimize;
mod smallest;

pub use compile::{CompileError, Compiled, Difference, compile};
pub use inspect::{Finding, Inspection, Problem, inspect};
pub use machine::{Arc, End, Machine, Side, State, Target};
pub use minimize::{Minimized, MinimizedArc, MinimizedTarget};
pub use smallest::{Smallest, SmallestError, smallest};
