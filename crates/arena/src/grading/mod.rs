//! Grading of programs that students hand in: an assignment is a file, a submission a program.
//!
//! A test of an assignment is a proof, a match against a strategy of papan, or a position with its
//! right answers. Submissions are untrusted code: each runs in its own process group with limits of
//! time and memory, and without network where the system allows it.

mod assignment;
mod grader;
mod html;
mod report;

pub use assignment::{Assignment, AssignmentError, MatchTest, TestKind, TestSpec};
pub use grader::{Grade, LostGame, Outcome, TestResult, grade};
pub use html::html;
pub use report::{GradeJson, junit, table};
