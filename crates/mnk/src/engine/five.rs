//! Analysis of five in a row on flat boards, by the rule of the game.

use papan_rules::{Bits as _, GomokuRule, Player};
use papan_strategies::{Context, LimitChecker, Progress, StopToken, usable_threads};

use super::alpha_beta::{RootMove, WIN, WIN_THRESHOLD, on};
use super::analysis::{Analysis, ROOT_WIDTH, StopOnDrop};
use super::candidates::score_of;
use super::multi_pv::order_compared;
use super::strategy::GridEngine;
use crate::five::{Board, FiveInARow, MoveClass, Search, move_score};
use crate::lines::Cell;
use crate::state::State;
use crate::threat_search::{NodeBudget, ThreatSearch};

/// Node limit of the VCF search at the root.
const ROOT_VCF_NODES: u64 = 4_000;
/// Half width of the first aspiration window.
const ASPIRATION: i32 = 60;
/// Depth from which there is an aspiration window.
const ASPIRATION_DEPTH: i32 = 5;
/// Node budget of the threat search at the root.
const BUDGET: NodeBudget = NodeBudget {
    vcf: 3_000,
    orders: [2_000, 100, 100],
};

impl GridEngine {
    /// Analyses a position: VCF, for freestyle also the threat search, then alpha-beta.
    pub(super) fn analyse_five(
        &self,
        five: &FiveInARow,
        state: &mut State,
        side: Player,
        context: &Context,
    ) -> Analysis {
        let mut board = five.board(state);
        let mut analysis = Analysis {
            depth: 1,
            ..Analysis::default()
        };
        analysis.moves = root_moves(&mut board, side);
        let nodes = self.nodes(context);
        let limits = LimitChecker::new(context);
        let mut search = Search::new(board.clone(), &self.table, limits);
        let vcf_nodes = nodes.map_or(ROOT_VCF_NODES, |nodes| ROOT_VCF_NODES.min(nodes / 4));
        if let Some(line) = search.vcf(side, vcf_nodes) {
            analysis.nodes = search.vcf_nodes();
            analysis.put_first(&line);
            analysis.winning_line = Some(line);
            return analysis;
        }
        analysis.nodes = search.vcf_nodes();
        if board.count_of(side.other(), MoveClass::Five) == 0
            && five.rule() == GomokuRule::Freestyle
        {
            let first = context.budget().first(1, 8);
            let stop = context.stop.clone();
            let halt = move || first.is_spent() || stop.is_stopped();
            let mut threats = ThreatSearch::new(BUDGET, Box::new(halt));
            threats.limit_nodes(nodes.map_or(u64::MAX, |nodes| nodes / 8));
            analysis.won = threats.win(state, side, 2);
            analysis.nodes += threats.nodes();
            if let Some(cell) = analysis.won.as_ref().and_then(|proof| proof.first()) {
                analysis.put_first(&[cell]);
                return analysis;
            }
        }
        if analysis.moves.len() > 1 {
            self.deepen_five(&board, side, context, &mut analysis);
        }
        analysis
    }

    /// Runs iterative deepening on all threads (lazy SMP: helpers share the transposition table).
    fn deepen_five(&self, board: &Board, side: Player, context: &Context, analysis: &mut Analysis) {
        let nodes = self.nodes(context);
        let left = nodes.map(|nodes| nodes.saturating_sub(analysis.nodes).max(1));
        let inner = left.map_or_else(|| context.clone(), |left| context.with_nodes(left));
        let max_depth = i32::from(self.depth(context));
        self.table.begin_search();
        let done = StopOnDrop(StopToken::default());
        std::thread::scope(|scope| {
            for helper in 1..usable_threads(self.options.threads) {
                let mut moves = analysis.moves.clone();
                let mut context = inner.clone();
                context.stop = done.0.clone();
                scope.spawn(move || {
                    let limits = LimitChecker::with_stride(&context, 64);
                    let mut search = Search::new(board.clone(), &self.table, limits);
                    for depth in 1 + helper as i32 % 2..=max_depth {
                        if !aspire(&mut search, side, &mut moves, depth) || search.limits.is_over()
                        {
                            break;
                        }
                    }
                });
            }
            let limits = LimitChecker::with_stride(&inner, 64);
            let mut search = Search::new(board.clone(), &self.table, limits);
            let mut moves = analysis.moves.clone();
            for depth in 1..=max_depth {
                if aspire(&mut search, side, &mut moves, depth) {
                    analysis.moves.clone_from(&moves);
                    analysis.depth = depth as u8;
                }
                let nodes = analysis.nodes + search.limits.nodes();
                if let Some(best) = analysis.moves.first() {
                    context.report(&Progress {
                        depth: u32::from(analysis.depth),
                        nodes,
                        score: Some(score_of(best.score)),
                        pv: best.line.iter().map(|&cell| on(cell)).collect(),
                        ..Progress::default()
                    });
                }
                let solved = moves.first().is_some_and(|mv| mv.score > WIN_THRESHOLD);
                let time_is_short = context.budget().is_past(17, 20);
                if search.limits.is_over() || solved || time_is_short {
                    break;
                }
            }
            analysis.nodes += search.limits.nodes();
            drop(done);
        });
    }
}

impl GridEngine {
    /// Scores every promising move with a plain search of fixed depth.
    pub(super) fn score_all_fives(
        &self,
        five: &FiveInARow,
        state: &State,
        side: Player,
        context: &Context,
    ) -> Analysis {
        let mut board = five.board(state);
        let mut moves = root_moves(&mut board, side);
        moves.truncate(ROOT_WIDTH);
        let nodes = self.nodes(context).unwrap_or(u64::MAX);
        let limits = LimitChecker::with_stride(&context.with_nodes(nodes), 64);
        let mut search = Search::new(board, &self.table, limits);
        let mut depth = 0;
        // Iterative deepening: when a limit stops the search, the last full iteration counts.
        for next in 0..=self.depth(context) {
            if !search.score_all(side, &mut moves, next) {
                break;
            }
            depth = next;
        }
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.score));
        Analysis {
            moves,
            depth,
            nodes: search.limits.nodes(),
            ..Analysis::default()
        }
    }

    /// Scores every move with a full window, as [`GridEngine::compare`] does.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn compare_fives(
        &self,
        five: &FiveInARow,
        state: &State,
        side: Player,
        context: &Context,
        moves: &mut [RootMove],
        max_depth: u8,
        is_choice: bool,
    ) -> u64 {
        let choice = moves.first().filter(|mv| is_choice && mv.exact).cloned();
        let board = five.board(state);
        // The first iteration is not limited: it only evaluates every move.
        let limits = LimitChecker::new(&Context::default());
        let mut search = Search::new(board, &self.table, limits);
        let mut nodes = 0;
        for depth in 1..=max_depth {
            let mut scored = moves.to_vec();
            for mv in &mut scored {
                mv.score = search.score(side, mv, i32::from(depth)) as i16;
                mv.exact = true;
            }
            nodes += search.limits.nodes();
            if search.limits.is_over() {
                break;
            }
            moves.clone_from_slice(&scored);
            let left = self.nodes(context).map(|max| max.saturating_sub(nodes));
            if left == Some(0) || context.is_over() {
                break;
            }
            let inner = left.map_or_else(|| context.clone(), |left| context.with_nodes(left));
            search.limits = LimitChecker::with_stride(&inner, 64);
        }
        order_compared(moves, choice, is_choice);
        nodes
    }
}

/// Searches the root moves with a window around the last score, widened until the score is inside.
fn aspire(search: &mut Search, side: Player, moves: &mut [RootMove], depth: i32) -> bool {
    let (mut low, mut high) = (-i32::from(WIN), i32::from(WIN));
    let last = moves.first().map_or(0, |mv| i32::from(mv.score));
    let mut width = ASPIRATION;
    if depth >= ASPIRATION_DEPTH && last.abs() < i32::from(WIN_THRESHOLD) {
        (low, high) = (last - width, last + width);
    }
    loop {
        let is_complete = search.root(side, moves, depth, [low, high]);
        if search.limits.is_over() {
            return is_complete;
        }
        let score = moves.first().map_or(0, |mv| i32::from(mv.score));
        width *= 4;
        if score <= low && low > -i32::from(WIN) {
            low = if width > 1000 {
                -i32::from(WIN)
            } else {
                score - width
            };
        } else if score >= high && high < i32::from(WIN) {
            high = if width > 1000 {
                i32::from(WIN)
            } else {
                score + width
            };
        } else {
            return true;
        }
    }
}

/// Returns the moves of the root, in static order: a five, the replies to a four, or all moves near
/// stones.
fn root_moves(board: &mut Board, side: Player) -> Vec<RootMove> {
    let fives = board.cells(side, MoveClass::Five);
    let replies = crate::five::replies(board, side.other());
    let near = board.near();
    let wanted = [fives, replies, near, board.empty()];
    for cells in wanted {
        let mut moves: Vec<(i32, Cell)> = Vec::new();
        for cell in cells.cells() {
            let cell = cell as Cell;
            if !board.is_forbidden(side, cell) {
                moves.push((move_score(board, side, cell), cell));
            }
        }
        if !moves.is_empty() {
            moves.sort_unstable_by_key(|&(score, cell)| (std::cmp::Reverse(score), cell));
            return moves
                .into_iter()
                .map(|(_, cell)| RootMove::new(cell))
                .collect();
        }
    }
    Vec::new()
}
