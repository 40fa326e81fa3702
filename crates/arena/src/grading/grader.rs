//! Runs the tests of an assignment on a submission.

use std::path::Path;
use std::time::Instant;

use papan_catalog::{
    AnyGame, AnyLine, ProofTask, Seat, StrategyProof, StrategyProofError, StrategySpec, Unplayable,
};
use papan_rules::{Move, Player};
use papan_solve::{Proof, ProveError, StrategyError, Verdict};
use papan_strategies::{Context, Limits, NoMove, StepKind, SystemClock, Watch};

use super::assignment::{Assignment, MatchTest, TestKind, TestSpec};
use super::submission::{Submission, file_name};

/// The grade of a submission.
#[derive(Debug)]
pub struct Grade {
    /// The submission, by the name of its file.
    pub submission: String,
    /// The results of the tests, in the order of the assignment.
    pub tests: Vec<TestResult>,
    /// Why nothing could be tested, in English.
    pub failure: Option<String>,
}

impl Grade {
    /// Returns the points of the tests that passed.
    #[must_use]
    pub fn points(&self) -> f64 {
        let passed = self.tests.iter().filter(|test| test.passed);
        // The sum of nothing would be -0.
        passed.fold(0.0, |sum, test| sum + test.points)
    }
}

/// The result of a test.
#[derive(Debug)]
pub struct TestResult {
    /// Its name.
    pub name: String,
    /// Whether the submission passed it.
    pub passed: bool,
    /// The points for passing it.
    pub points: f64,
    /// What happened.
    pub outcome: Outcome,
    /// Games that the submission lost, a few.
    pub lost: Vec<LostGame>,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

/// What happened in a test.
#[derive(Debug)]
pub enum Outcome {
    /// A proof.
    Proved(Proof),
    /// There is no proof.
    Unproved(ProveError),
    /// A match.
    Played {
        /// Games won.
        wins: u32,
        /// Games drawn.
        draws: u32,
        /// Games lost, faults included.
        losses: u32,
        /// Games lost by a crash, a hang or an illegal answer.
        faults: u32,
    },
    /// An answer to a position.
    Answered(Result<Move, NoMove>),
    /// The program cannot play the game, or did not start.
    NotStarted(Unplayable),
}

/// A game that the submission lost.
#[derive(Clone, Debug)]
pub struct LostGame {
    /// The seat of the submission.
    pub player: Player,
    /// The moves.
    pub moves: Vec<Move>,
    /// The fault that ended it, if it was not lost on the board.
    pub fault: Option<StrategyError>,
}

/// Lost games that are kept of a test.
const MAX_LOST: usize = 4;

/// Grades a submission. It never fails: what goes wrong is part of the grade.
#[must_use]
pub fn grade(assignment: &Assignment, submission: &Path, watch: &Watch) -> Grade {
    let mut grade = Grade {
        submission: file_name(submission),
        tests: Vec::new(),
        failure: None,
    };
    let submission = match Submission::prepare(assignment, submission) {
        Ok(submission) => submission,
        Err(why) => {
            grade.failure = Some(why);
            return grade;
        }
    };
    let strategy = submission.strategy();
    let tests = assignment.tests.iter();
    grade.tests = tests
        .take_while(|_| watch.check_stop().is_ok())
        .map(|test| grade_test(assignment, &strategy, test, watch))
        .collect();
    grade
}

/// Runs a test of an assignment on a strategy, for instance one of another language in this process.
#[must_use]
pub fn grade_test(
    assignment: &Assignment,
    program: &StrategySpec,
    test: &TestSpec,
    watch: &Watch,
) -> TestResult {
    let started = Instant::now();
    let game = &assignment.game;
    let (passed, outcome, lost) = match &test.kind {
        TestKind::Proof(player) => proof(game, program, *player, watch),
        TestKind::Match(spec) => play_match(game, program, spec, watch),
        TestKind::Position { position, answers } => {
            answer(game, program, (position, answers), watch)
        }
    };
    TestResult {
        name: test.name.clone(),
        passed,
        points: test.points,
        outcome,
        lost,
        seconds: started.elapsed().as_secs_f64(),
    }
}

/// Whether a test is passed, what happened, and lost games.
type Tested = (bool, Outcome, Vec<LostGame>);

fn not_started(why: Unplayable) -> Tested {
    (false, Outcome::NotStarted(why), Vec::new())
}

/// The result of a test that papan cannot run.
fn failed(why: impl std::fmt::Display) -> Tested {
    let failure = NoMove::Failed(why.to_string());
    (false, Outcome::Answered(Err(failure)), Vec::new())
}

fn proof(game: &AnyGame, program: &StrategySpec, player: Player, watch: &Watch) -> Tested {
    let task = ProofTask {
        strategy: program,
        player,
        certify: false,
        journal: None,
        watch,
    };
    match task.run(game) {
        Ok(StrategyProof { proof, .. }) => {
            let lost = proof.losing_line.iter().map(|moves| LostGame {
                player,
                moves: moves.clone(),
                fault: None,
            });
            let lost = lost.collect();
            let never_loses = proof.verdict() == Verdict::NeverLoses;
            (never_loses, Outcome::Proved(proof), lost)
        }
        Err(StrategyProofError::Prove(error)) => {
            let lost = match &error {
                ProveError::NoAnswer { line, fault } => vec![LostGame {
                    player,
                    moves: line.clone(),
                    fault: Some(fault.clone()),
                }],
                _ => Vec::new(),
            };
            (false, Outcome::Unproved(error), lost)
        }
        Err(StrategyProofError::Unplayable(why)) => not_started(why),
        Err(error @ StrategyProofError::Certificate(_)) => failed(error),
    }
}

fn play_match(game: &AnyGame, program: &StrategySpec, spec: &MatchTest, watch: &Watch) -> Tested {
    let limits = Limits::default();
    let mut student = match game.seat(program, &limits) {
        Ok(seat) => seat,
        Err(error) => return not_started(error),
    };
    let mut opponent = match game.seat(&spec.opponent, &limits) {
        Ok(seat) => seat,
        Err(error) => return not_started(error),
    };
    let (mut wins, mut draws, mut losses, mut faults) = (0, 0, 0, 0);
    let mut lost = Vec::new();
    watch.begin_step(0, StepKind::Games, spec.games.into());
    for round in 0..spec.games {
        if watch.check_stop().is_err() {
            break;
        }
        let player = Player::BOTH[round as usize % 2];
        let mut context = Context::with_seed(spec.seed).stopped_by(&watch.stop);
        context.round = u64::from(round);
        student.forget();
        opponent.forget();
        let (line, fault) = play(game, [&mut *student, &mut *opponent], player, &context);
        watch.advance(1, 0);
        match (&fault, line.outcome().and_then(|outcome| outcome.winner())) {
            (None, Some(winner)) if winner == player => wins += 1,
            (None, None) => draws += 1,
            (fault, _) => {
                losses += 1;
                faults += u32::from(fault.is_some());
                if lost.len() < MAX_LOST {
                    lost.push(LostGame {
                        player,
                        moves: line.moves().to_vec(),
                        fault: fault.clone(),
                    });
                }
                // A program that hangs would cost its time in every game.
                if faults >= MAX_LOST as u32 {
                    losses += spec.games - round - 1;
                    break;
                }
            }
        }
    }
    let share = (f64::from(wins) + f64::from(draws) / 2.0) / f64::from(spec.games);
    let outcome = Outcome::Played {
        wins,
        draws,
        losses,
        faults,
    };
    (share >= spec.need, outcome, lost)
}

/// Plays a game; returns it with the fault of the student's program, if it ended by one.
fn play(
    game: &AnyGame,
    [student, opponent]: [&mut dyn Seat; 2],
    player: Player,
    context: &Context,
) -> (Box<dyn AnyLine>, Option<StrategyError>) {
    let mut line = game.line();
    while line.outcome().is_none() {
        let is_student = line.turn() == player;
        let seat: &mut dyn Seat = if is_student { student } else { opponent };
        let fault = match seat.choose(&*line, context) {
            Ok((mv, _)) => line.play(mv).err().map(|_| StrategyError::Illegal(mv)),
            Err(error) => Some(StrategyError::NoMove(error)),
        };
        if let Some(fault) = fault {
            return (line, is_student.then_some(fault));
        }
    }
    (line, None)
}

fn answer(
    game: &AnyGame,
    program: &StrategySpec,
    (position, answers): (&str, &[Move]),
    watch: &Watch,
) -> Tested {
    let mut student = match game.seat(program, &Limits::default()) {
        Ok(seat) => seat,
        Err(error) => return not_started(error),
    };
    let line = match game.line_from(position) {
        Ok(line) => line,
        Err(error) => return failed(error),
    };
    let context = Context::default()
        .stopped_by(&watch.stop)
        .limited(Limits::default(), &SystemClock);
    let answer = student.choose(&*line, &context).map(|(mv, _)| mv);
    let passed = answer.as_ref().is_ok_and(|mv| answers.contains(mv));
    (passed, Outcome::Answered(answer), Vec::new())
}
