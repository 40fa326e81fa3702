//! Reports of grades: a table, JSON and JUnit XML.

use papan_catalog::AnyGame;
use papan_solve::{ProveError, Verdict};
use papan_view::{Messages, escape_xml, messages};
use serde::Serialize;

use super::assignment::{Assignment, AssignmentError, ValueError};
use super::grader::{Grade, LostGame, Outcome, TestResult};

/// Returns why a text is not an assignment.
#[must_use]
pub fn assignment_error(words: Messages, error: &AssignmentError) -> String {
    let (place, cause) = match error {
        AssignmentError::Syntax(text) => return words.phrase(text),
        AssignmentError::Value { place, cause } => (words.phrase(place), cause),
    };
    let cause = match cause {
        ValueError::Game(cause) => messages::game(words, cause),
        ValueError::Time(cause) => messages::time(words, cause),
        ValueError::Opponent(cause) => messages::player(words, cause),
        ValueError::Unplayable(cause) => messages::unplayable(words, cause),
        ValueError::Position(cause) => messages::position(words, cause),
        ValueError::Move(game, cause) => messages::notation(words, game, cause),
        ValueError::Rule(text) => words.phrase(text),
    };
    format!("{place}: {cause}")
}

/// Returns how a lost game ended, if it was not lost on the board.
pub(super) fn fault_text(lost: &LostGame, words: Messages) -> Option<String> {
    let fault = lost.fault.as_ref();
    fault.map(|fault| messages::no_answer(words, fault))
}

/// Formats what happened in a test of a submission as a sentence.
pub(super) fn outcome_text(
    game: &AnyGame,
    submission: &str,
    outcome: &Outcome,
    words: Messages,
) -> String {
    let moves = |moves: &[papan_rules::Move]| game.show_moves(moves);
    match outcome {
        Outcome::Proved(proof) => {
            let counts = words.with(
                "prove-counts",
                [
                    ("lines", proof.lines.to_string().into()),
                    ("wins", proof.wins.to_string().into()),
                    ("draws", proof.draws.to_string().into()),
                    ("losses", proof.losses.to_string().into()),
                ],
            );
            match proof.verdict() {
                Verdict::NeverLoses => format!("{} {counts}", words.text("grade-never-loses")),
                Verdict::CanLose => {
                    let line = moves(proof.losing_line.as_deref().unwrap_or_default());
                    let lost = words.with("grade-loses", [("moves", line.into())]);
                    format!("{lost} {counts}")
                }
            }
        }
        Outcome::Unproved(ProveError::NoAnswer { line, fault }) => words.with(
            "grade-fault",
            [
                ("moves", messages::line_of_play(words, game, line).into()),
                ("reason", messages::no_answer(words, fault).into()),
            ],
        ),
        Outcome::Unproved(ProveError::NotAFunction {
            line,
            first,
            second,
        }) => words.with(
            "grade-not-a-function",
            [
                ("moves", messages::line_of_play(words, game, line).into()),
                ("first", messages::answer(game, first).into()),
                ("second", messages::answer(game, second).into()),
            ],
        ),
        Outcome::Unproved(error) => messages::unproved(words, game, submission, error),
        Outcome::Played {
            wins,
            draws,
            losses,
            faults,
        } => {
            let values = [
                ("wins", wins.to_string().into()),
                ("draws", draws.to_string().into()),
                ("losses", losses.to_string().into()),
                ("faults", faults.to_string().into()),
            ];
            words.with("grade-played", values)
        }
        Outcome::Answered(Ok(mv)) => {
            words.with("grade-answered", [("move", game.show_move(*mv).into())])
        }
        Outcome::Answered(Err(error)) => messages::no_move(words, error),
        Outcome::NotStarted(why) => {
            let reason = messages::unplayable(words, why);
            words.with("grade-not-started", [("reason", reason.into())])
        }
    }
}

/// Formats the table: a row for each submission, then the tests that were not passed.
#[must_use]
pub fn table(assignment: &Assignment, grades: &[Grade], words: Messages) -> String {
    let width = grades.iter().map(|grade| grade.submission.chars().count());
    let width = width.max().unwrap_or(0);
    let of = assignment.points();
    let mut text = format!("{}\n\n", assignment.title);
    for grade in grades {
        let passed = grade.tests.iter().filter(|test| test.passed).count();
        let points = number(grade.points());
        let values = [
            ("passed", passed.to_string().into()),
            ("tests", assignment.tests.len().to_string().into()),
        ];
        let tests = words.with("grade-tests", values);
        let name = &grade.submission;
        text += &format!("{name:<width$}  {points:>5} / {}  {tests}\n", number(of));
        if let Some(failure) = &grade.failure {
            let why = words.phrase(failure);
            text += &format!("{:width$}  ✗ {why}\n", "");
        }
        for test in grade.tests.iter().filter(|test| !test.passed) {
            let why = outcome_text(&assignment.game, &grade.submission, &test.outcome, words);
            text += &format!("{:width$}  ✗ {}: {why}\n", "", test.name);
        }
    }
    text
}

/// Formats points without a superfluous fraction.
pub(super) fn number(points: f64) -> String {
    format!("{}", (points * 100.0).round() / 100.0)
}

/// A grade as JSON.
#[derive(Debug, Serialize)]
pub struct GradeJson {
    /// The submission.
    pub submission: String,
    /// The points.
    pub points: f64,
    /// The points of all tests.
    pub of: f64,
    /// Why nothing could be tested.
    pub failure: Option<String>,
    /// The tests.
    pub tests: Vec<TestJson>,
}

/// The result of a test as JSON.
#[derive(Debug, Serialize)]
pub struct TestJson {
    /// Its name.
    pub name: String,
    /// Whether it was passed.
    pub passed: bool,
    /// The points for passing it.
    pub points: f64,
    /// What happened, as a sentence.
    pub detail: String,
    /// Lost games.
    pub lost: Vec<LostJson>,
    /// Wall-clock time.
    pub seconds: f64,
}

/// A lost game as JSON.
#[derive(Debug, Serialize)]
pub struct LostJson {
    /// The seat of the submission.
    #[serde(rename = "as")]
    pub seat: String,
    /// The moves.
    pub moves: Vec<String>,
    /// The fault that ended it, if it was not lost on the board.
    pub fault: Option<String>,
}

impl GradeJson {
    /// Converts a grade.
    #[must_use]
    pub fn new(assignment: &Assignment, grade: &Grade, words: Messages) -> Self {
        let game = &assignment.game;
        let lost = |lost: &LostGame| LostJson {
            seat: lost.player.to_string(),
            moves: lost.moves.iter().map(|mv| game.format_move(*mv)).collect(),
            fault: fault_text(lost, words),
        };
        let test = |test: &TestResult| TestJson {
            name: test.name.clone(),
            passed: test.passed,
            points: test.points,
            detail: outcome_text(game, &grade.submission, &test.outcome, words),
            lost: test.lost.iter().map(lost).collect(),
            seconds: test.seconds,
        };
        Self {
            submission: grade.submission.clone(),
            points: grade.points(),
            of: assignment.points(),
            failure: grade.failure.as_deref().map(|why| words.phrase(why)),
            tests: grade.tests.iter().map(test).collect(),
        }
    }
}

/// Formats the grades as JUnit XML: a suite for each submission, a case for each test.
#[must_use]
pub fn junit(assignment: &Assignment, grades: &[Grade], words: Messages) -> String {
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for grade in grades {
        let failed = grade.tests.iter().filter(|test| !test.passed).count();
        let errors = usize::from(grade.failure.is_some());
        let seconds: f64 = grade.tests.iter().map(|test| test.seconds).sum();
        let name = escape_xml(&grade.submission);
        xml += &format!(
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failed}\" errors=\"{errors}\" time=\"{seconds:.3}\">\n",
            grade.tests.len() + errors
        );
        if let Some(failure) = &grade.failure {
            let failure = words.phrase(failure);
            let failure = escape_xml(&failure);
            xml += &format!(
                "    <testcase classname=\"{name}\" name=\"start\"><error message=\"{failure}\"/></testcase>\n"
            );
        }
        for test in &grade.tests {
            let case = escape_xml(&test.name);
            let detail = escape_xml(&outcome_text(
                &assignment.game,
                &grade.submission,
                &test.outcome,
                words,
            ));
            let body = if test.passed {
                format!("<system-out>{detail}</system-out>")
            } else {
                format!("<failure message=\"{detail}\"/>")
            };
            xml += &format!(
                "    <testcase classname=\"{name}\" name=\"{case}\" time=\"{:.3}\">{body}</testcase>\n",
                test.seconds
            );
        }
        xml += "  </testsuite>\n";
    }
    xml + "</testsuites>\n"
}
