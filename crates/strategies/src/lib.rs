//! Strategies: algorithms that choose moves and explain them.
//!
//! A [`Strategy`] sees the line of play and returns the moves it may play ([`Strategy::choices`]),
//! or the move it plays with its reasons ([`Strategy::decide`]). Each strategy is one file that
//! reads like the document it comes from.
//!
//! ```
//! use papan_rules::{Line, Notation as _, tictactoe};
//! use papan_strategies::{BranchAndBound, Context, Strategy, Turn};
//!
//! let game = tictactoe();
//! let line = Line::parse(&game, "5")?;
//! let context = Context::default();
//! let turn = Turn::new(&game, &line, &context);
//! let decision = BranchAndBound::default().decide(turn).unwrap();
//! assert_eq!(game.format_move(decision.best), "1");
//! # Ok::<(), papan_rules::LineError>(())
//! ```

mod alphabeta;
mod alphabeta_as_printed;
pub mod automaton;
mod branch_and_bound;
mod budget;
mod clock;
mod context;
mod decision;
mod exact_search;
mod expert;
mod game_clock;
mod game_tree;
mod greedy;
mod greedy_points;
mod limit_checker;
mod limits;
mod lookup;
mod mcts;
mod memory;
mod minimax;
mod perfect;
mod progress;
mod random;
mod score;
mod scoring;
mod stable_hash;
mod strategy;
mod swap;
mod threads;
mod time_control;
mod turn;

pub use alphabeta::AlphaBeta;
pub use alphabeta_as_printed::AlphaBetaAsPrinted;
pub use automaton::{Automaton, ExpectedField, Row, RowFlag, TableError, TransitionTable};
pub use branch_and_bound::{BranchAndBound, EqualCosts, Infinity};
pub use budget::Budget;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use clock::SystemClock;
pub use clock::{Clock, ManualClock};
pub use context::{Context, StopToken};
pub use decision::{Candidate, Decision, Term, Value};
pub use expert::{BlockFork, Expert};
pub use game_clock::GameClock;
pub use game_tree::Prefer;
pub use greedy::{Formula, Greedy, Ties};
pub use greedy_points::GreedyPoints;
pub use limit_checker::LimitChecker;
pub use limits::Limits;
pub use lookup::{ListLine, Lookup, LookupError, list_text};
pub use mcts::{Mcts, Playout};
pub use memory::available_mib;
pub use minimax::Minimax;
pub use perfect::{Perfect, Solution, winner};
pub use progress::{Listener, Progress, StepKind, StepProgress, Stopped, Watch};
pub use random::Random;
pub use score::{Bound, Score, Unit};
pub use strategy::{NoMove, ProgramFault, Strategy};
pub use swap::answer_swap;
pub use threads::usable_threads;
pub use time_control::{TimeControl, TimeError, format_time, parse_time};
pub use turn::Turn;
