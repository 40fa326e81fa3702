//! Strategies as finite automata, in the table format of document 000.
//!
//! A table row maps a board and an input (the person's cell) to a reply. [`compile`] converts a
//! strategy to a table, [`inspect`] validates one, [`MealyMachine`] is the reachable automaton of a
//! table, and [`MealyMachine::minimize`] minimises it. [`smallest_strategy`] finds a strategy with
//! the fewest positions.

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
