//! Principal variation search over the moves near stones, with VCF at every node.
//!
//! Replies to fours do not count as depth, and replies to open threes are searched below the
//! horizon. Quiet nodes are pruned by the evaluation (futility, null move), late moves are searched
//! less deeply or, near the horizon, not at all, unless all moves before them lose.

use papan_rules::{Bits as _, GomokuRule, Player, Wide};
use papan_strategies::LimitChecker;

use super::board::Board;
use super::move_picker::{MoveHistory, MovePicker};
use super::tables::MoveClass;
use super::vcf::{VcfSearch, replies_to_four};
use crate::engine::alpha_beta::{MAX_EVAL, WIN, WIN_THRESHOLD, from_table, side_key, to_table};
use crate::engine::tt::{Bound, Entry, TranspositionTable};
use crate::lines::Cell;

/// Margin of futility pruning per ply: a quiet move is not expected to gain more.
const FUTILITY_MARGIN: i32 = 90;
/// Depth from which a VCF of the opponent is searched for.
const OTHER_VCF_DEPTH: i32 = 2;
/// Plies from the root at most.
pub(crate) const MAX_PLY: usize = 160;

/// The search of one thread.
pub(crate) struct Search<'a> {
    pub(crate) board: Board,
    table: &'a TranspositionTable,
    vcf: VcfSearch,
    pub(crate) limits: LimitChecker,
    history: MoveHistory,
    /// The principal variation of each ply.
    pub(super) lines: Vec<Vec<Cell>>,
    /// Static value of each ply, to see whether it improves.
    values: [i32; MAX_PLY + 2],
    pub(super) reductions: Vec<[u8; 64]>,
}

/// The window of a node and facts about it.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) side: Player,
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// Whether a null move led here.
    pub(super) after_null: bool,
}

impl Node {
    pub(super) fn is_pv(&self) -> bool {
        self.beta - self.alpha > 1
    }

    /// Returns the score of a win in `plies` from here.
    pub(super) fn win_in(&self, plies: usize) -> i32 {
        i32::from(WIN) - (self.ply + plies) as i32
    }

    /// Returns the node after a move, with a window seen from there.
    pub(super) fn child(&self, depth: i32, alpha: i32, beta: i32) -> Self {
        Self {
            side: self.side.other(),
            depth,
            ply: self.ply + 1,
            alpha: -beta,
            beta: -alpha,
            after_null: false,
        }
    }
}

impl<'a> Search<'a> {
    pub(crate) fn new(board: Board, table: &'a TranspositionTable, limits: LimitChecker) -> Self {
        let cells = board.geometry().cells();
        let reduction = |depth: usize, number: usize| {
            let product = ((depth.max(1)) as f32).ln() * ((number.max(1)) as f32).ln();
            (0.4 + product / 1.3) as u8
        };
        Self {
            board,
            table,
            vcf: VcfSearch::new(),
            limits,
            history: MoveHistory::new(cells),
            lines: vec![Vec::new(); MAX_PLY + 2],
            values: [0; MAX_PLY + 2],
            reductions: (0..64)
                .map(|depth| std::array::from_fn(|number| reduction(depth, number)))
                .collect(),
        }
    }

    /// Searches for a VCF of the player to move.
    pub(crate) fn vcf(&mut self, side: Player, max_nodes: u64) -> Option<Vec<Cell>> {
        self.vcf.win(&mut self.board, side, max_nodes)
    }

    /// Returns the nodes of the VCF searches so far.
    pub(crate) fn vcf_nodes(&self) -> u64 {
        self.vcf.nodes()
    }

    /// Searches a child, first with a null window and a reduced depth if it is not the first.
    pub(super) fn search_child(
        &mut self,
        node: Node,
        is_first: bool,
        depth: i32,
        reduction: i32,
    ) -> i32 {
        let (alpha, beta) = (node.alpha, node.beta);
        if is_first {
            return -self.search(node.child(depth, alpha, beta));
        }
        let mut score = -self.search(node.child(depth - reduction, alpha, alpha + 1));
        if score > alpha && reduction > 0 {
            score = -self.search(node.child(depth, alpha, alpha + 1));
        }
        if score > alpha && score < beta {
            score = -self.search(node.child(depth, alpha, beta));
        }
        score
    }

    /// Returns the static value for the player to move.
    pub(super) fn evaluate(&self, side: Player) -> i32 {
        let max = i32::from(MAX_EVAL);
        self.board.value(side).clamp(-max, max)
    }

    pub(super) fn search(&mut self, mut node: Node) -> i32 {
        let (side, ply) = (node.side, node.ply);
        let other = side.other();
        self.lines[ply].clear();
        // Step 1. Wins, draws and replies to fours.
        if !self.limits.tick() {
            return 0;
        }
        if let Some(cell) = self.board.cells(side, MoveClass::Five).first() {
            self.lines[ply].push(cell as Cell);
            return node.win_in(1);
        }
        if self.board.empty().is_empty() {
            return 0;
        }
        if ply >= MAX_PLY {
            return self.evaluate(side);
        }
        let fives = self.board.count_of(other, MoveClass::Five);
        if fives > 0 {
            return self.reply_to_four(node, fives);
        }
        if let Some(cell) = self.board.cells(side, MoveClass::OpenFour).first() {
            self.lines[ply].push(cell as Cell);
            return node.win_in(3);
        }
        // No win is shorter than five plies from here, no loss shorter than four.
        node.beta = node.beta.min(node.win_in(5));
        node.alpha = node.alpha.max(-node.win_in(4));
        if node.alpha >= node.beta {
            return node.alpha;
        }
        // Step 2. Transposition table cutoff.
        let key = self.board.hash() ^ side_key(side);
        let entry = self.table.probe(key);
        if let Some(entry) = entry
            && i32::from(entry.depth) >= node.depth.max(0)
            && !node.is_pv()
        {
            let score = i32::from(from_table(entry.score, ply as i16));
            match entry.bound {
                Bound::Exact => return score,
                Bound::Lower if score >= node.beta => return score,
                Bound::Upper if score <= node.alpha => return score,
                _ => {}
            }
        }
        // Step 3. Pruning by the evaluation: a VCF could only raise the score.
        let value = self.evaluate(side);
        self.values[ply] = value;
        let is_threatened = self.board.count_of(other, MoveClass::OpenFour) > 0;
        if node.depth <= 0 && !is_threatened && value >= node.beta {
            return value;
        }
        if let Some(score) = self.fails_high(node, value, is_threatened) {
            return score;
        }
        // Step 4. VCF.
        let knows_none =
            entry.is_some_and(|entry| entry.no_vcf && i32::from(entry.depth) + 3 >= node.depth);
        if !knows_none && self.board.has_four(side) {
            let nodes = 30 + 20 * node.depth.clamp(0, 20) as u64;
            if let Some(line) = self.vcf.narrow_win(&mut self.board, side, nodes) {
                let score = node.win_in(line.len());
                self.store(key, line.first().copied(), score, 60, Bound::Exact, ply);
                self.lines[ply] = line;
                return score;
            }
        }
        let is_extended = node.depth <= 0;
        if is_extended {
            if !is_threatened {
                return value;
            }
            // An open three must be answered.
            node.depth = 1;
        }
        // Step 5. Pruning by razoring and by a null move.
        if let Some(score) = self.prune(node, value, is_threatened) {
            return score;
        }
        // A VCF of the opponent must be stopped by one's own fours or by a stone in its way.
        let mut zone = None;
        if !is_threatened
            && node.depth >= OTHER_VCF_DEPTH
            && self.board.has_four(other)
            && let Some(line) =
                self.vcf
                    .narrow_win(&mut self.board, other, 30 + 15 * node.depth as u64)
        {
            zone = Some(self.zone(side, &line));
        }
        if is_extended {
            // Own fours are tried only if all defences lose.
            zone = Some(self.defences(side));
        }
        // Internal iterative reduction.
        if node.depth >= 4 && entry.is_none() {
            node.depth -= 1;
        }
        self.search_moves(
            node,
            value,
            is_threatened,
            zone,
            entry.map(|entry| entry.cell),
        )
    }

    /// Searches the replies to a four of the opponent, without reducing the depth.
    fn reply_to_four(&mut self, node: Node, fives: u16) -> i32 {
        let (side, other) = (node.side, node.side.other());
        let lost = -node.win_in(2);
        if fives > 1 && self.board.rule() != GomokuRule::Caro {
            return lost;
        }
        let (mut best, mut alpha) = (lost, node.alpha);
        for cell in replies_to_four(&self.board, other).cells() {
            let cell = cell as Cell;
            if self.board.is_forbidden(side, cell) {
                continue;
            }
            self.board.put(cell, side);
            let score = if self.board.count_of(other, MoveClass::Five) > 0 {
                lost
            } else {
                -self.search(node.child(node.depth, alpha, node.beta))
            };
            self.board.undo();
            if self.limits.is_over() {
                return 0;
            }
            if score > best || self.lines[node.ply].is_empty() {
                best = best.max(score);
                alpha = alpha.max(score);
                self.update_line(node.ply, cell);
                if alpha >= node.beta {
                    break;
                }
            }
        }
        best
    }

    fn update_line(&mut self, ply: usize, cell: Cell) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(cell);
        line.extend_from_slice(&after[0]);
    }

    fn store(
        &self,
        key: u64,
        cell: Option<Cell>,
        score: i32,
        depth: i32,
        bound: Bound,
        ply: usize,
    ) {
        let entry = Entry {
            cell: cell.unwrap_or(Cell::MAX),
            score: to_table(score as i16, ply as i16),
            depth: depth.clamp(0, 255) as u8,
            bound,
            no_vcf: bound != Bound::Exact || score < i32::from(WIN_THRESHOLD),
        };
        self.table.store(key, entry);
    }

    fn search_moves(
        &mut self,
        node: Node,
        value: i32,
        is_threatened: bool,
        zone: Option<Wide>,
        first: Option<Cell>,
    ) -> i32 {
        let Node {
            side,
            depth,
            ply,
            beta,
            ..
        } = node;
        let mut alpha = node.alpha;
        let cells = if is_threatened {
            self.defences(side) | self.board.fours(side)
        } else {
            self.board.near()
        };
        let improves = ply >= 2 && value > self.values[ply - 2];
        let mut picker = MovePicker::new(&self.board, side, cells, first, &self.history, ply);
        let (mut best, mut best_cell, mut number) = (-i32::from(WIN), None, 0);
        let mut tried: Vec<Cell> = Vec::new();
        let threshold = i32::from(WIN_THRESHOLD);
        while let Some(cell) = picker.next() {
            let class = self.board.class(side, cell);
            if self.board.is_forbidden(side, cell) {
                continue;
            }
            // A four alone wins nothing where there is no VCF.
            let is_threat = class >= MoveClass::OpenThree && class != MoveClass::Four;
            if let Some(zone) = zone
                && best > -threshold
                && number > 0
                && !zone.contains(usize::from(cell))
            {
                continue;
            }
            // Late moves near the horizon are not searched unless all others lose.
            if !node.is_pv() && !is_threatened && best > -threshold {
                let most = 6 + (3 + i32::from(improves)) * depth;
                if number >= most && !is_threat {
                    continue;
                }
                if depth <= 3
                    && !is_threat
                    && number > 2
                    && value + FUTILITY_MARGIN * (1 + depth) <= alpha
                {
                    continue;
                }
            }
            let mut reduction = 0;
            if depth >= 2 && number >= 2 + usize::from(node.is_pv()) as i32 && !is_threatened {
                reduction =
                    i32::from(self.reductions[(depth as usize).min(63)][(number as usize).min(63)]);
                reduction -= i32::from(is_threat) + i32::from(node.is_pv());
                reduction += i32::from(!improves);
                reduction -= self.history.of(side, cell) / 6000;
                reduction = reduction.clamp(0, depth - 1);
            }
            let window = Node { alpha, ..node };
            self.board.put(cell, side);
            let score = self.search_child(window, number == 0, depth - 1, reduction);
            self.board.undo();
            if self.limits.is_over() {
                return 0;
            }
            number += 1;
            if score > best {
                best = score;
                if score > alpha {
                    (alpha, best_cell) = (score, Some(cell));
                    if node.is_pv() {
                        self.update_line(ply, cell);
                    }
                }
            }
            if alpha >= beta {
                self.history
                    .reward(&self.board, side, ply, cell, &tried, depth);
                break;
            }
            tried.push(cell);
        }
        if number == 0 {
            // Every defence is forbidden, or the board has no legal move left.
            return if is_threatened { -node.win_in(4) } else { 0 };
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > node.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let key = self.board.hash() ^ side_key(side);
        self.store(key, best_cell.or(first), best, depth, bound, ply);
        best
    }
}
