//! Strategies as finite automata, in the file format of document 000.
//!
//! [`compile`] turns a strategy into a table, [`inspect`] finds what is wrong with
//! one, [`MealyMachine`] is a table played out, and [`MealyMachine::minimize`] the smallest
//! machine that behaves the same. [`smallest_strategy`] finds strategies with the fewest
//! positions to look up.

mod compile;
mod inspect;
mod mealy;
mod minimize;
mod smallest;

pub use compile::{CompileError, CompiledTable, Difference, compile};
pub use inspect::{Finding, Inspection, Problem, inspect};
pub use mealy::{Arc, End, MealyMachine, Side, State, Target};
pub use minimize::{MinimalArc, MinimalMachine, MinimalTarget};
pub use smallest::{SmallestStrategy, SmallestStrategyError, smallest_strategy};
