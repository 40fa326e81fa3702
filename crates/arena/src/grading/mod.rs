//! Grading of programs that students hand in: an assignment is a file, a submission a program.
//!
//! A test of an assignment is a proof, a match against a strategy of papan, or a position with its
//! right answers. Submissions are untrusted code: each runs in its own process group with limits of
//! time and memory, and without network where the system allows it.

mod assignment;
mod grader;
mod html;
mod league;
mod report;
mod submission;

pub use assignment::{Assignment, AssignmentError, MatchTest, TestKind, TestSpec, ValueError};
pub use grader::{Grade, LostGame, Outcome, TestResult, grade, grade_test};
pub use html::html;
pub use league::{League, Refused, submissions_in};
pub use report::{GradeJson, assignment_error, junit, table};
