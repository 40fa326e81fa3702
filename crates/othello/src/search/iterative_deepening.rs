//! Iterative deepening: one report after another, each surer than the last.

use crate::board::Board;
use crate::board::square::Square;
use crate::eval::node::Node;
use crate::eval::score::{DISC, SCORE_MAX, to_discs};
use crate::parallel::aspiration::are_many;
use crate::search::limits::SearchLimits;
use crate::search::nws::Best;
use crate::search::probcut::{EXACT, PERCENT, SURER};
use crate::search::result::{RootMove, SearchResult};
use crate::search::schedule::{Step, schedule};
use crate::search::time_management::Course;
use crate::search::worker::Searcher;
use std::cmp::Reverse;

/// Up to this depth a step takes too little time to be worth saving.
const CHEAP: u32 = 6;

impl Searcher<'_> {
    /// Searches step by step until the limits are reached or the position is solved.
    pub(crate) fn deepen(
        &mut self,
        board: Board,
        task: &SearchLimits,
        progress: &mut impl FnMut(&SearchResult),
    ) -> SearchResult {
        let node = Node::new(board);
        let empties = board.empties();
        let mut report = self.first_report(&node, task.every_move);
        if board.is_over() {
            report.exact = true;
            report.score = board.final_score();
            return report;
        }
        let mut course = Course::new(board.moves().len());
        let many = are_many(self.crew.at_once);
        for step in schedule(empties, task.depth, task.percent, many) {
            let (parts, of) = course.worth();
            if self.stopped() || step.depth > CHEAP && self.budget.is_past(parts, of) {
                break;
            }
            self.selectivity = step.selectivity;
            let finished = if task.every_move && !board.moves().is_empty() {
                self.every_move(&node, step, &report)
            } else {
                let expected = course.expected(step.depth);
                self.one_move(&node, step, expected, task.outcome_only)
            };
            let Some(mut finished) = finished else {
                if let Some(better) = self.found_meanwhile(board, report.best) {
                    (report.score, report.best) = (better.score, Some(better.square));
                    report.pv.clone_from(&better.pv);
                    report.moves = vec![better];
                    progress(&report);
                }
                break;
            };
            finished.nodes = self.report_nodes();
            report = finished;
            course.add(&report);
            progress(&report);
        }
        if report.exact && !task.every_move && !task.outcome_only {
            let line = self.solved_line(board, report.score);
            if line.len() > report.pv.len() {
                report.best = line.first().copied().filter(|_| !board.moves().is_empty());
                report.pv = line;
                if let (Some(first), Some(best)) = (report.moves.first_mut(), report.best) {
                    (first.square, first.pv) = (best, report.pv.clone());
                }
            }
        }
        report.nodes = self.report_nodes();
        report
    }

    /// A better move than `best` that a step found before its time was up. Where nodes are
    /// limited only whole steps count: the strength of the levels was measured so.
    fn found_meanwhile(&self, board: Board, best: Option<Square>) -> Option<RootMove> {
        let (square, score) = self
            .leading
            .filter(|_| self.node_limit == u64::MAX)
            .filter(|&(square, _)| best != Some(square))?;
        let mut pv = vec![square];
        pv.extend(self.known_line(board.child(square)));
        let score = to_discs(score);
        Some(RootMove { square, score, pv })
    }

    /// The answer if there is no time at all: what the evaluation says.
    fn first_report(&mut self, node: &Node, every_move: bool) -> SearchResult {
        let mut moves: Vec<RootMove> = node
            .board
            .moves()
            .map(|square| {
                let score = -self.evaluate(&node.child(square));
                RootMove {
                    square,
                    score,
                    pv: vec![square],
                }
            })
            .collect();
        moves.sort_by_key(|mv| Reverse(mv.score));
        if !every_move {
            moves.truncate(1);
        }
        let score = moves
            .first()
            .map_or_else(|| self.evaluate(node), |mv| mv.score);
        let none = Step {
            depth: 0,
            selectivity: 0,
        };
        report_of(none, score, moves, false)
    }

    /// One step of the deepening, for the best move alone; `None` when it was stopped.
    fn one_move(
        &mut self,
        node: &Node,
        step: Step,
        expected: Option<i32>,
        outcome_only: bool,
    ) -> Option<SearchResult> {
        let solving = step.depth >= node.empties();
        self.root = (node.board, step.depth.min(node.empties()));
        self.leading = None;
        let (score, best) = if outcome_only && solving {
            self.pvs(node, -DISC, DISC, step.depth)
        } else {
            self.aspire(node, step, expected)
        };
        if self.stopped() {
            return None;
        }
        let mut pv = self.known_line(node.board);
        if best.is_some() && pv.first() != best.as_ref() {
            pv = best.into_iter().collect();
        }
        let moves = best
            .iter()
            .map(|&square| RootMove {
                square,
                score,
                pv: pv.clone(),
            })
            .collect();
        let mut report = report_of(step, score, moves, solving && step.selectivity == EXACT);
        report.pv = pv;
        Some(report)
    }

    /// Searches with a narrow window around the discs that are expected, widened where it fails.
    fn aspire(&mut self, node: &Node, step: Step, expected: Option<i32>) -> Best {
        let Some(expected) = expected else {
            return self.pvs(node, -SCORE_MAX, SCORE_MAX, step.depth);
        };
        let solving = step.depth >= node.empties();
        let proof = solving && step.selectivity == EXACT;
        // Final scores are even: a window of two odd bounds holds exactly one of them.
        let mut width = DISC * if solving { 1 } else { 2 };
        let expected = DISC * if solving { expected & !1 } else { expected };
        // Nothing lies outside: a wipe-out ends the search.
        let below = |score: i32, width: i32| (score - width).max(-SCORE_MAX);
        let above = |score: i32, width: i32| (score + width).min(SCORE_MAX);
        let (mut alpha, mut beta) = (below(expected, width), above(expected, width));
        // The surer the step, the wider its tree, and the more there is to share.
        let is_sure = step.selectivity == SURER;
        if is_sure
            && !solving
            && !node.board.moves().is_empty()
            && are_many(self.crew.at_once)
            && let Some(best) = self.bracket(node, expected, step.depth)
        {
            return best;
        }
        loop {
            let (score, mv) = if solving || is_sure {
                self.pvs(node, alpha, beta, step.depth)
            } else {
                self.pvs_together(node, alpha, beta, step.depth)
            };
            if self.stopped() {
                return (score, mv);
            }
            width *= 2;
            if score <= alpha && alpha > -SCORE_MAX {
                // A selective search may contradict itself, so there the window only grows.
                if proof {
                    beta = score + DISC;
                }
                alpha = below(score, width);
            } else if score >= beta && beta < SCORE_MAX {
                if proof {
                    alpha = score - DISC;
                }
                beta = above(score, width);
            } else {
                return (score, mv);
            }
        }
    }

    /// One step of the deepening with a score for every legal move.
    fn every_move(&mut self, node: &Node, step: Step, last: &SearchResult) -> Option<SearchResult> {
        let depth = step.depth.min(node.empties());
        let below = Step {
            depth: depth - 1,
            ..step
        };
        let mut moves = Vec::new();
        for known in &last.moves {
            let square = known.square;
            let child = node.child(square);
            let expected = (last.depth > 0).then_some(-known.score);
            let (score, _) = self.aspire(&child, below, expected);
            if self.stopped() {
                return None;
            }
            let mut pv = vec![square];
            pv.extend(self.known_line(child.board));
            moves.push(RootMove {
                square,
                score: -score,
                pv,
            });
        }
        moves.sort_by_key(|mv| Reverse(mv.score));
        let exact = depth >= node.empties() && step.selectivity == EXACT;
        Some(report_of(
            Step { depth, ..step },
            moves[0].score,
            moves,
            exact,
        ))
    }
}

/// What is told of a step: its scores in discs.
fn report_of(step: Step, score: i32, mut moves: Vec<RootMove>, exact: bool) -> SearchResult {
    for mv in &mut moves {
        mv.score = to_discs(mv.score);
    }
    SearchResult {
        score: to_discs(score),
        best: moves.first().map(|mv| mv.square),
        pv: moves.first().map(|mv| mv.pv.clone()).unwrap_or_default(),
        nodes: 0,
        depth: step.depth,
        percent: PERCENT[usize::from(step.selectivity)],
        exact,
        moves,
    }
}
