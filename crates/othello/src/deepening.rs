//! Iterative deepening: one report after another, each surer than the last.

use crate::board::{Board, Squares};
use crate::features::Features;
use crate::report::{MoveReport, Report};
use crate::schedule::{Step, schedule};
use crate::selectivity::{EXACT, PERCENT};
use crate::task::Task;
use crate::worker::Worker;
use std::cmp::Reverse;

impl Worker<'_> {
    /// Searches step by step until the limits are reached or the position is solved.
    pub(crate) fn deepen(
        &mut self,
        board: Board,
        task: &Task,
        progress: &mut impl FnMut(&Report),
    ) -> Report {
        let features = Features::new(board);
        let empties = board.empties();
        let mut report = self.first_report(board, &features, task.every_move);
        if board.is_over() {
            report.exact = true;
            report.score = board.final_score();
            return report;
        }
        for step in schedule(empties, task.depth) {
            if self.stopped() || self.budget.is_better_saved() {
                break;
            }
            self.selectivity = step.selectivity;
            let finished = if task.every_move && board.moves() != 0 {
                self.every_move(board, &features, step, &report)
            } else {
                self.one_move(board, &features, step, &report, task.outcome_only)
            };
            let Some(mut finished) = finished else { break };
            finished.nodes = self.report_nodes();
            report = finished;
            progress(&report);
        }
        if report.exact && !task.every_move && !task.outcome_only {
            let line = self.solved_line(board, report.score);
            if line.len() > report.pv.len() {
                report.best = line
                    .first()
                    .map(|&square| usize::from(square))
                    .filter(|_| board.moves() != 0);
                report.pv = line;
                if let (Some(first), Some(best)) = (report.moves.first_mut(), report.best) {
                    (first.square, first.pv) = (best, report.pv.clone());
                }
            }
        }
        report.nodes = self.report_nodes();
        report
    }

    /// The answer if there is no time at all: what the evaluation says.
    fn first_report(&mut self, board: Board, features: &Features, every_move: bool) -> Report {
        let empties = board.empties();
        let mut moves: Vec<MoveReport> = Squares(board.moves())
            .map(|square| {
                let next = features.after(square, board.flips(square));
                let score = -self.evaluate(&next, empties - 1);
                MoveReport {
                    square,
                    score,
                    pv: vec![square as u8],
                }
            })
            .collect();
        moves.sort_by_key(|mv| Reverse(mv.score));
        if !every_move {
            moves.truncate(1);
        }
        let score = moves
            .first()
            .map_or_else(|| self.evaluate(features, empties), |mv| mv.score);
        let none = Step {
            depth: 0,
            selectivity: 0,
        };
        report_of(none, score, moves, false)
    }

    /// One step of the deepening, for the best move alone; `None` when it was stopped.
    fn one_move(
        &mut self,
        board: Board,
        features: &Features,
        step: Step,
        last: &Report,
        outcome_only: bool,
    ) -> Option<Report> {
        let solving = step.depth >= board.empties();
        let (score, square) = if outcome_only && solving {
            self.pvs(board, features, -1, 1, step.depth)
        } else {
            self.aspire(
                board,
                features,
                step,
                (last.depth > 0).then_some(last.score),
            )
        };
        if self.stopped() {
            return None;
        }
        let mut pv = self.known_line(board);
        let best = (square < 64).then_some(square);
        if best.is_some_and(|square| pv.first() != Some(&(square as u8))) {
            pv = vec![square as u8];
        }
        let moves = best
            .iter()
            .map(|&square| MoveReport {
                square,
                score,
                pv: pv.clone(),
            })
            .collect();
        let mut report = report_of(step, score, moves, solving && step.selectivity == EXACT);
        report.pv = pv;
        Some(report)
    }

    /// Searches with a narrow window around the expected score, widened where it fails.
    fn aspire(
        &mut self,
        board: Board,
        features: &Features,
        step: Step,
        expected: Option<i32>,
    ) -> (i32, usize) {
        let Some(expected) = expected else {
            return self.pvs(board, features, -64, 64, step.depth);
        };
        let solving = step.depth >= board.empties();
        let proof = solving && step.selectivity == EXACT;
        // Final scores are even: a window of two odd bounds holds exactly one of them.
        let mut width = if solving { 1 } else { 2 };
        let expected = if solving { expected & !1 } else { expected };
        let (mut alpha, mut beta) = ((expected - width).max(-65), (expected + width).min(65));
        loop {
            let (score, square) = self.pvs(board, features, alpha, beta, step.depth);
            if self.stopped() {
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
    fn every_move(
        &mut self,
        board: Board,
        features: &Features,
        step: Step,
        last: &Report,
    ) -> Option<Report> {
        let depth = step.depth.min(board.empties());
        let below = Step {
            depth: depth - 1,
            ..step
        };
        let mut moves = Vec::new();
        for known in &last.moves {
            let square = known.square;
            let flips = board.flips(square);
            let (child, next) = (board.after(square, flips), features.after(square, flips));
            let expected = (last.depth > 0).then_some(-known.score);
            let (score, _) = self.aspire(child, &next, below, expected);
            if self.stopped() {
                return None;
            }
            let mut pv = vec![square as u8];
            pv.extend(self.known_line(child));
            moves.push(MoveReport {
                square,
                score: -score,
                pv,
            });
        }
        moves.sort_by_key(|mv| Reverse(mv.score));
        let exact = depth >= board.empties() && step.selectivity == EXACT;
        Some(report_of(
            Step { depth, ..step },
            moves[0].score,
            moves,
            exact,
        ))
    }
}

fn report_of(step: Step, score: i32, moves: Vec<MoveReport>, exact: bool) -> Report {
    Report {
        score,
        best: moves.first().map(|mv| mv.square),
        pv: moves.first().map(|mv| mv.pv.clone()).unwrap_or_default(),
        nodes: 0,
        depth: step.depth,
        percent: PERCENT[usize::from(step.selectivity)],
        exact,
        moves,
    }
}
