//! Benchmark: perft and a suite of endgames, with a signature of all node counts as in Stockfish.

use crate::board::Board;
use crate::board::perft::perft;
use crate::board::square::Square;
use crate::engine::{Engine, EngineError, Options};
use crate::problem::Problem;
use crate::search::limits::SearchLimits;
use papan_rules::fnv;
use papan_strategies::{Clock, StopToken};
use std::time::Duration;

/// Elapsed time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// User CPU time of all threads.
    pub user: Duration,
    /// Wall-clock time.
    pub wall: Duration,
}

/// The result of a perft from the initial position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftResult {
    /// Depth in plies.
    pub depth: u32,
    /// Lines of play counted.
    pub lines: u64,
    /// The published number, for depths up to 15.
    pub expected: Option<u64>,
    /// Time it took.
    pub timing: Timing,
}

/// A score that differs from the suite's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The line in the suite's file.
    pub line: usize,
    /// The move; `None` for the position itself.
    pub square: Option<Square>,
    /// The engine's score.
    pub found: i32,
    /// The suite's score.
    pub known: i32,
}

/// A solved position of the suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemResult {
    /// The line in the suite's file.
    pub line: usize,
    /// Number of empty squares.
    pub empties: u32,
    /// The score.
    pub score: i32,
    /// The best move; `None` for a pass.
    pub best: Option<Square>,
    /// The principal variation; passes are omitted.
    pub pv: Vec<Square>,
    /// Nodes visited.
    pub nodes: u64,
    /// Time it took.
    pub timing: Timing,
    /// Differences from the suite.
    pub mismatches: Vec<Mismatch>,
}

/// The result of a benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchReport {
    /// The perft, if requested.
    pub perft: Option<PerftResult>,
    /// The solved positions.
    pub problems: Vec<ProblemResult>,
    /// Nodes of all positions.
    pub nodes: u64,
    /// Time of all positions.
    pub timing: Timing,
    /// A hash of all node counts and scores, which changes when the search does. Only with one
    /// thread; with more, node counts vary.
    pub signature: Option<u64>,
}

impl BenchReport {
    /// Returns nodes per second of wall-clock time.
    pub fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.timing.wall.as_secs_f64().max(1e-9)
    }

    /// Iterates over all differences from the suite.
    pub fn mismatches(&self) -> impl Iterator<Item = &Mismatch> {
        self.problems.iter().flat_map(|problem| &problem.mismatches)
    }
}

/// A benchmark configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bench {
    /// The engine's configuration.
    pub options: Options,
    /// Depth of the perft; 0 for none.
    pub perft: u32,
    /// The positions to solve.
    pub suite: Vec<Problem>,
    /// Whether to solve every move of a position instead of the best one only.
    pub every_move: bool,
}

/// The endgame suite that comes with papan, in OBF.
pub const BUNDLED_SUITE: &str = include_str!("../suite/papan.obf");

/// Published perft numbers from the initial position, by depth.
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
    /// Runs the benchmark; `progress` is called after each position.
    ///
    /// # Errors
    /// When the engine cannot be created.
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
        let limits = SearchLimits {
            every_move: self.every_move,
            ..SearchLimits::default()
        };
        let (report, timing) = timed(clock, || {
            engine.search(problem.board, &limits, stop, |_| {})
        });
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

/// Runs `work` and measures it.
fn timed<T>(clock: &dyn Clock, work: impl FnOnce() -> T) -> (T, Timing) {
    let (user_before, wall_before) = (papan_os::user_time(), clock.now());
    let result = work();
    let timing = Timing {
        user: papan_os::user_time().saturating_sub(user_before),
        wall: clock.now().saturating_sub(wall_before),
    };
    (result, timing)
}
