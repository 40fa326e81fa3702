//! The engine as others use it: give it a position and limits, get a report.

use crate::board::Board;
use crate::crew::Crew;
use crate::features::Features;
use crate::limits::Limits;
use crate::schedule::{Step, schedule};
use crate::selectivity::{EXACT, PERCENT};
use crate::table::Table;
use crate::weights::Weights;
use crate::worker::Worker;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use thiserror::Error;

/// How the engine is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many threads search together.
    pub threads: usize,
    /// The size of the hash table in mebibytes.
    pub hash_mib: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { threads: 1, hash_mib: 128 }
    }
}

/// Why an engine cannot be set up.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum EngineError {
    /// The hash table would not fit.
    #[error("a hash table of {asked} MiB is larger than memory; at most {largest} MiB fit")]
    HashTooLarge {
        /// What was asked for.
        asked: usize,
        /// The largest table that fits.
        largest: usize,
    },
    /// A search needs at least one thread.
    #[error("0 threads cannot search; 1 is the least")]
    NoThreads,
}

/// An engine with its hash table and weights.
pub struct Engine {
    table: Table,
    weights: Arc<Weights>,
    threads: usize,
}

/// How sure a score is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// The score is at least this.
    AtLeast,
    /// The score is at most this.
    AtMost,
}

/// The result for one root move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveReport {
    /// The square.
    pub square: usize,
    /// The score in discs, from the side of the player who makes the move.
    pub score: i32,
    /// Whether that is the score or a bound.
    pub bound: Bound,
    /// The line that follows, beginning with this move; passes are left out.
    pub pv: Vec<u8>,
    /// How many plies were searched.
    pub depth: u32,
    /// How sure the selective search is, in percent.
    pub percent: u8,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The score in discs, from the mover's side.
    pub score: i32,
    /// The best move; `None` when the mover must pass or the game is over.
    pub best: Option<usize>,
    /// The line that the engine expects; passes are left out.
    pub pv: Vec<u8>,
    /// Positions visited.
    pub nodes: u64,
    /// How many plies were searched.
    pub depth: u32,
    /// How sure the selective search is, in percent.
    pub percent: u8,
    /// Whether the score is proven: searched to the end, nothing guessed.
    pub exact: bool,
    /// Every legal move with its score, best first, when asked for; else the best alone.
    pub moves: Vec<MoveReport>,
    /// Wall-clock time.
    pub elapsed: Duration,
}

impl Engine {
    /// An engine with the weights that come with papan.
    ///
    /// # Errors
    /// When the hash table does not fit in memory, or without threads.
    pub fn new(options: &Options) -> Result<Self, EngineError> {
        Self::with_weights(options, Weights::shipped())
    }

    /// An engine with weights of your own.
    ///
    /// # Errors
    /// When the hash table does not fit in memory, or without threads.
    pub fn with_weights(options: &Options, weights: Arc<Weights>) -> Result<Self, EngineError> {
        if options.threads == 0 {
            return Err(EngineError::NoThreads);
        }
        let largest = crate::memory::available_mib();
        let too_large = || EngineError::HashTooLarge { asked: options.hash_mib, largest };
        if options.hash_mib > largest {
            return Err(too_large());
        }
        let table = Table::new(options.hash_mib).ok_or_else(too_large)?;
        Ok(Self { table, weights, threads: options.threads })
    }

    /// Forgets what earlier searches learned.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Searches until the limits are reached, `stop` is set, or the position is solved.
    ///
    /// `progress` is called after each finished step.
    pub fn search(
        &mut self,
        board: Board,
        limits: &Limits,
        stop: &AtomicBool,
        mut progress: impl FnMut(&Report),
    ) -> Report {
        let start = Instant::now();
        self.table.new_search();
        let crew = Crew::default();
        let helped = AtomicU64::new(0);
        let mut report = std::thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(|| {
                    let mut worker = Worker::new(&self.table, &self.weights, stop, &crew);
                    worker.help();
                    helped.fetch_add(worker.nodes, Ordering::Relaxed);
                });
            }
            let mut worker = Worker::new(&self.table, &self.weights, stop, &crew);
            worker.node_limit = limits.nodes.unwrap_or(u64::MAX);
            worker.deadline = limits.deadline(start, board.empties());
            let report = worker.iterate(board, limits, start, &mut progress);
            crew.dismiss();
            report
        });
        report.nodes += helped.load(Ordering::Relaxed);
        report.elapsed = start.elapsed();
        report
    }

    /// The exact score, the best line and the nodes it took.
    pub fn solve(
        &mut self,
        board: Board,
        stop: &AtomicBool,
        progress: impl FnMut(&Report),
    ) -> Report {
        self.search(board, &Limits::default(), stop, progress)
    }
}

impl Worker<'_> {
    /// Iterative deepening.
    fn iterate(
        &mut self,
        board: Board,
        limits: &Limits,
        start: Instant,
        progress: &mut impl FnMut(&Report),
    ) -> Report {
        let features = Features::new(board);
        let empties = board.empties();
        let mut report = self.first_report(board, &features);
        if board.is_over() {
            report.exact = true;
            report.score = board.final_score();
            return report;
        }
        for step in schedule(empties, limits.depth) {
            if self.stop.load(Ordering::Relaxed) || limits.should_not_start(start, empties) {
                break;
            }
            self.selectivity = step.selectivity;
            let finished = if limits.every_move {
                self.every_move(board, &features, step, &report)
            } else {
                self.one_move(board, &features, step, &report)
            };
            let Some(mut finished) = finished else { break };
            finished.nodes = self.nodes;
            finished.elapsed = start.elapsed();
            report = finished;
            progress(&report);
        }
        if report.exact && !limits.every_move {
            let line = self.solved_line(board, report.score);
            if line.len() > report.pv.len() {
                report.pv = line;
                if let Some(first) = report.moves.first_mut() {
                    first.pv.clone_from(&report.pv);
                }
            }
        }
        report.nodes = self.nodes;
        report
    }

    /// The answer if there is no time at all: the best move by the evaluation.
    fn first_report(&mut self, board: Board, features: &Features) -> Report {
        let empties = board.empties();
        let best = match board.moves() {
            0 => None,
            moves => self.order(board, features, moves, 0, 1, empties).next(),
        };
        let score = self.evaluate(features, empties);
        let pv: Vec<u8> = best.iter().map(|&square| square as u8).collect();
        let moves = best
            .iter()
            .map(|&square| MoveReport { square, score, bound: Bound::Exact, pv: pv.clone(), depth: 0, percent: PERCENT[0] })
            .collect();
        Report {
            score,
            best,
            pv,
            nodes: 0,
            depth: 0,
            percent: PERCENT[0],
            exact: false,
            moves,
            elapsed: Duration::ZERO,
        }
    }

    /// One step of the deepening, for the best move alone; `None` when it was stopped.
    fn one_move(&mut self, board: Board, features: &Features, step: Step, last: &Report) -> Option<Report> {
        let solving = step.depth >= board.empties();
        let (score, square) = self.aspire(board, features, step, last.score, last.depth > 0);
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let best = (square < 64).then_some(square);
        let mut pv = self.known_line(board);
        if best.is_some_and(|square| pv.first() != Some(&(square as u8))) {
            pv = vec![square as u8];
        }
        let percent = PERCENT[usize::from(step.selectivity)];
        let moves = best
            .iter()
            .map(|&square| MoveReport { square, score, bound: Bound::Exact, pv: pv.clone(), depth: step.depth, percent })
            .collect();
        Some(Report {
            score,
            best,
            pv,
            nodes: 0,
            depth: step.depth,
            percent,
            exact: solving && step.selectivity == EXACT,
            moves,
            elapsed: Duration::ZERO,
        })
    }

    /// Searches with a narrow window around the expected score, widened where it fails.
    fn aspire(
        &mut self,
        board: Board,
        features: &Features,
        step: Step,
        expected: i32,
        known: bool,
    ) -> (i32, usize) {
        let solving = step.depth >= board.empties();
        if !known {
            return self.pvs(board, features, -64, 64, step.depth);
        }
        let proof = solving && step.selectivity == EXACT;
        // Final scores are even: a window of two odd bounds holds exactly one of them.
        let mut width = if solving { 1 } else { 2 };
        let expected = if solving { expected & !1 } else { expected };
        let (mut alpha, mut beta) = ((expected - width).max(-65), (expected + width).min(65));
        loop {
            let (score, square) = self.pvs(board, features, alpha, beta, step.depth);
            if self.stop.load(Ordering::Relaxed) {
                return (score, square);
            }
            width *= 2;
            if score <= alpha && alpha > -64 {
                // A selective search may contradict itself, so there the window only grows.
                if proof {
                    beta = score + 1;
                }
                alpha = (score - width).max(-65);
            } else if score >= beta && beta < 64 {
                if proof {
                    alpha = score - 1;
                }
                beta = (score + width).min(65);
            } else {
                return (score, square);
            }
        }
    }

    /// One step of the deepening with a score for every legal move.
    fn every_move(&mut self, board: Board, features: &Features, step: Step, last: &Report) -> Option<Report> {
        let moves = board.moves();
        if moves == 0 {
            return self.one_move(board, features, step, last);
        }
        let mut squares: Vec<usize> = last.moves.iter().map(|mv| mv.square).collect();
        for square in crate::board::Squares(moves) {
            if !squares.contains(&square) {
                squares.push(square);
            }
        }
        let percent = PERCENT[usize::from(step.selectivity)];
        let depth = step.depth.min(board.empties());
        let mut reports = Vec::new();
        for square in squares {
            let flips = board.flips(square);
            let (child, next) = (board.after(square, flips), features.after(square, flips));
            let known = last.moves.iter().find(|mv| mv.square == square && last.depth > 0);
            let below = Step { depth: depth - 1, ..step };
            let (score, _) =
                self.aspire(child, &next, below, known.map_or(0, |mv| -mv.score), known.is_some());
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let mut pv = vec![square as u8];
            pv.extend(self.known_line(child));
            reports.push(MoveReport { square, score: -score, bound: Bound::Exact, pv, depth, percent });
        }
        reports.sort_by_key(|mv| std::cmp::Reverse(mv.score));
        let first = reports[0].clone();
        Some(Report {
            score: first.score,
            best: Some(first.square),
            pv: first.pv,
            nodes: 0,
            depth,
            percent,
            exact: depth >= board.empties() && step.selectivity == EXACT,
            moves: reports,
            elapsed: Duration::ZERO,
        })
    }
}
