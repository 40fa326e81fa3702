//! How fast the engine is, and whether it is right: perft and a suite of endgames.

use crate::board::Board;
use crate::board::perft::perft;
use crate::board::square::Square;
use crate::engine::{Engine, EngineError, Options};
use crate::problem::Problem;
use crate::search::limits::SearchLimits;
use papan_rules::fnv;
use papan_strategies::{Clock, StopToken};
use std::time::Duration;

/// Time that something took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// Processor time of all threads, outside the system.
    pub user: Duration,
    /// Time on the wall clock.
    pub wall: Duration,
}

/// Counting lines of play from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftResult {
    /// Plies.
    pub depth: u32,
    /// What was counted.
    pub lines: u64,
    /// What is published, for depths up to 15.
    pub expected: Option<u64>,
    /// How long it took.
    pub timing: Timing,
}

/// A score that differs from the known one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The line of the suite.
    pub line: usize,
    /// The move; `None` for the position itself.
    pub square: Option<Square>,
    /// What the engine says.
    pub found: i32,
    /// What the suite says.
    pub known: i32,
}

/// One solved position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemResult {
    /// The line of the suite.
    pub line: usize,
    /// Its empty squares.
    pub empties: u32,
    /// The score found.
    pub score: i32,
    /// The best move found, if the mover has one.
    pub best: Option<Square>,
    /// The best line found; passes are left out.
    pub pv: Vec<Square>,
    /// Positions visited.
    pub nodes: u64,
    /// How long it took.
    pub timing: Timing,
    /// Where the suite disagrees.
    pub mismatches: Vec<Mismatch>,
}

/// All of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchReport {
    /// The perft, if one was asked for.
    pub perft: Option<PerftResult>,
    /// The endgames.
    pub problems: Vec<ProblemResult>,
    /// All endgames together.
    pub nodes: u64,
    /// All endgames together.
    pub timing: Timing,
    /// A number that changes when the search does: made from all node counts. On one thread
    /// only; with more, no two runs are alike.
    pub signature: Option<u64>,
}

impl BenchReport {
    /// Positions per second of wall-clock time.
    pub fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.timing.wall.as_secs_f64().max(1e-9)
    }

    /// Every disagreement with known scores.
    pub fn mismatches(&self) -> impl Iterator<Item = &Mismatch> {
        self.problems.iter().flat_map(|problem| &problem.mismatches)
    }
}

/// What to measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bench {
    /// How the engine is set up.
    pub options: Options,
    /// Plies of perft; 0 for none.
    pub perft: u32,
    /// The endgames.
    pub suite: Vec<Problem>,
    /// Whether every move of a position is solved, not only the best.
    pub every_move: bool,
}

/// The endgames that come with papan, an `.obf` file.
pub const BUNDLED_SUITE: &str = include_str!("../suite/papan.obf");

/// Published numbers of lines from the start, by depth.
const PERFT: [u64; 16] = [
    1,
    4,
    12,
    56,
    244,
    1396,
    8200,
    55092,
    390_216,
    3_005_288,
    24_571_284,
    212_258_800,
    1_939_886_636,
    18_429_641_748,
    184_042_084_512,
    1_891_832_540_064,
];

impl Bench {
    /// Measures by a clock, and tells of each solved position.
    ///
    /// # Errors
    /// When the engine cannot be set up.
    pub fn run(
        &self,
        clock: &dyn Clock,
        stop: &StopToken,
        mut progress: impl FnMut(&ProblemResult),
    ) -> Result<BenchReport, EngineError> {
        let perft = (self.perft > 0).then(|| {
            let (lines, timing) = timed(clock, || perft(Board::START, self.perft));
            let expected = PERFT.get(self.perft as usize).copied();
            PerftResult {
                depth: self.perft,
                lines,
                expected,
                timing,
            }
        });
        let mut engine = Engine::new(&self.options)?;
        let mut report = BenchReport {
            perft,
            problems: Vec::new(),
            nodes: 0,
            timing: Timing::default(),
            signature: None,
        };
        let mut signature = fnv::OFFSET_BASIS;
        for problem in &self.suite {
            if stop.is_stopped() {
                break;
            }
            engine.clear();
            let result = self.solve(&mut engine, problem, clock, stop);
            progress(&result);
            for word in [result.nodes, result.score as u64] {
                signature = (signature ^ word).wrapping_mul(fnv::PRIME).rotate_left(17);
            }
            report.nodes += result.nodes;
            report.timing.user += result.timing.user;
            report.timing.wall += result.timing.wall;
            report.problems.push(result);
        }
        if self.options.threads == 1 {
            report.signature = Some(signature);
        }
        Ok(report)
    }

    fn solve(
        &self,
        engine: &mut Engine,
        problem: &Problem,
        clock: &dyn Clock,
        stop: &StopToken,
    ) -> ProblemResult {
        let task = SearchLimits {
            every_move: self.every_move,
            ..SearchLimits::default()
        };
        let (report, timing) = timed(clock, || engine.search(problem.board, &task, stop, |_| {}));
        let mut mismatches = Vec::new();
        if report.exact {
            let mut compare = |square, found: i32, known: i32| {
                if found != known {
                    mismatches.push(Mismatch {
                        line: problem.line,
                        square,
                        found,
                        known,
                    });
                }
            };
            if let Some(known) = problem.best_score() {
                compare(None, report.score, known);
            }
            if self.every_move {
                for &(square, known) in &problem.scores {
                    let mut moves = report.moves.iter();
                    if let Some(mv) = moves.find(|mv| Some(mv.square) == square) {
                        compare(square, mv.score, known);
                    }
                }
            }
        }
        ProblemResult {
            line: problem.line,
            empties: problem.board.empties(),
            score: report.score,
            best: report.best,
            pv: report.pv,
            nodes: report.nodes,
            timing,
            mismatches,
        }
    }
}

fn timed<T>(clock: &dyn Clock, work: impl FnOnce() -> T) -> (T, Timing) {
    let (user, start) = (user_time(), clock.now());
    let result = work();
    (
        result,
        Timing {
            user: user_time().saturating_sub(user),
            wall: clock.now().saturating_sub(start),
        },
    )
}

/// The processor time of this process so far, outside the system.
#[cfg(unix)]
#[allow(unsafe_code)]
fn user_time() -> Duration {
    // SAFETY: the structure is plain numbers, for which zeroes are valid, and the call fills it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    Duration::new(
        usage.ru_utime.tv_sec as u64,
        usage.ru_utime.tv_usec as u32 * 1000,
    )
}

/// Where the system does not tell, nothing is claimed.
#[cfg(not(unix))]
fn user_time() -> Duration {
    Duration::ZERO
}
