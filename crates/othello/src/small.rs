//! Solving Othello on any board size: plain alpha-beta with a table.
//!
//! The engine proper knows 8x8 alone. This search follows the rules crate and is meant for 4x4,
//! which it solves from the start in no time, and for late positions of 6x6.

use papan_rules::othello::OthelloPosition;
use papan_rules::{Game, Move, Othello};
use papan_strategies::StopToken;
use std::collections::HashMap;

/// A solved position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmallReport {
    /// The difference in discs with best play, from the mover's side, empty squares going to
    /// the winner.
    pub score: i32,
    /// A best line, passes included.
    pub pv: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
}

/// The table is emptied when it has grown to this.
const MOST_ENTRIES: usize = 1 << 23;

struct Solver<'a> {
    game: &'a Othello,
    stop: &'a StopToken,
    /// Bounds for (mine, theirs).
    known: HashMap<(u64, u64), (i8, i8)>,
    nodes: u64,
}

/// Solves the position; `None` when it was stopped before.
///
/// ```
/// use papan_othello::solve_small;
/// use papan_rules::{Game, Othello};
///
/// let game = Othello::new(4)?;
/// let report = solve_small(&game, &game.start(), &Default::default()).expect("not stopped");
/// assert_eq!(report.score, -10);
/// # Ok::<(), papan_rules::OthelloError>(())
/// ```
pub fn solve_small(game: &Othello, pos: &OthelloPosition, stop: &StopToken) -> Option<SmallReport> {
    let mut solver = Solver { game, stop, known: HashMap::new(), nodes: 0 };
    let turn = game.turn(pos);
    let (mut mine, mut theirs) = (pos.discs(turn), pos.discs(turn.other()));
    let most = game.best_score();
    let score = solver.negamax(mine, theirs, -most, most)?;
    let (mut pv, mut expected) = (Vec::new(), score);
    // Follow the line: at each step the first move that keeps the score.
    while game.mobility(mine, theirs) != 0 || game.mobility(theirs, mine) != 0 {
        let mut step = None;
        for (mv, m, t) in solver.children(mine, theirs) {
            if -solver.negamax(m, t, -expected - 1, -expected + 1)? == expected {
                step = Some((mv, m, t));
                break;
            }
        }
        let (mv, m, t) = step.expect("a move keeps the exact score");
        pv.push(mv);
        (mine, theirs, expected) = (m, t, -expected);
    }
    Some(SmallReport { score, pv, nodes: solver.nodes })
}

impl Solver<'_> {
    /// The moves with the positions after them, the fewest answers first.
    fn children(&self, mine: u64, theirs: u64) -> Vec<(Move, u64, u64)> {
        let mut cells = self.game.mobility(mine, theirs);
        if cells == 0 {
            return vec![(Move::PASS, theirs, mine)];
        }
        let mut children = Vec::new();
        while cells != 0 {
            let cell = cells.trailing_zeros() as usize;
            cells &= cells - 1;
            let flips = self.game.flips(mine, theirs, cell);
            children.push((Move::on(cell), theirs & !flips, mine | flips | 1 << cell));
        }
        children.sort_by_key(|&(_, m, t)| self.game.mobility(m, t).count_ones());
        children
    }

    fn negamax(&mut self, mine: u64, theirs: u64, mut alpha: i32, mut beta: i32) -> Option<i32> {
        self.nodes += 1;
        if self.nodes % 1024 == 0 && self.stop.is_stopped() {
            return None;
        }
        if self.game.mobility(mine, theirs) == 0 && self.game.mobility(theirs, mine) == 0 {
            return Some(self.final_score(mine, theirs));
        }
        let before = (alpha, beta);
        let most = self.game.best_score();
        let (lower, upper) = match self.known.get(&(mine, theirs)) {
            Some(&(lower, upper)) => (i32::from(lower), i32::from(upper)),
            None => (-most, most),
        };
        if lower >= beta || lower == upper {
            return Some(lower);
        }
        if upper <= alpha {
            return Some(upper);
        }
        (alpha, beta) = (alpha.max(lower), beta.min(upper));
        let mut best = -most - 1;
        for (_, m, t) in self.children(mine, theirs) {
            let score = -self.negamax(m, t, -beta, -alpha.max(best))?;
            best = best.max(score);
            if best >= beta {
                break;
            }
        }
        if self.known.len() >= MOST_ENTRIES {
            self.known.clear();
        }
        let lower = if best > before.0.max(lower) || best >= beta { best.max(lower) } else { lower };
        let upper = if best < beta { best.min(upper) } else { upper };
        self.known.insert((mine, theirs), (lower as i8, upper as i8));
        Some(best)
    }

    fn final_score(&self, mine: u64, theirs: u64) -> i32 {
        let (m, t) = (mine.count_ones() as i32, theirs.count_ones() as i32);
        let empty = self.game.best_score() - m - t;
        m - t + empty * (m - t).signum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::Line;

    /// The score by the rules crate alone.
    fn plain(game: &Othello, pos: &OthelloPosition) -> i32 {
        let moves: Vec<Move> = game.legal_moves(pos).collect();
        if moves.is_empty() {
            return game.final_score(pos, game.turn(pos));
        }
        let value = |mv| {
            let mut next = *pos;
            game.play_unchecked(&mut next, mv);
            -plain(game, &next)
        };
        moves.into_iter().map(value).max().expect("there is a move")
    }

    #[test]
    fn four_by_four_ends_three_to_eleven_with_two_squares_empty() {
        let game = Othello::new(4).expect("4 is a side of Othello");
        let report = solve_small(&game, &game.start(), &StopToken::default()).expect("not stopped");
        assert_eq!(report.score, -10);
        let mut line = Line::new(&game);
        for &mv in &report.pv {
            line.play(&game, mv).expect("the line is legal");
        }
        let last = line.position();
        assert_eq!(game.final_score(last, game.turn(&game.start())), -10);
        assert_eq!(last.discs(papan_rules::Player::First).count_ones(), 3);
        assert_eq!(last.discs(papan_rules::Player::Second).count_ones(), 11);
    }

    #[test]
    fn positions_of_four_by_four_agree_with_plain_negamax() {
        let game = Othello::new(4).expect("4 is a side of Othello");
        let mut pos = game.start();
        for turn in 0..4 {
            let moves: Vec<Move> = game.legal_moves(&pos).collect();
            game.play_unchecked(&mut pos, moves[turn % moves.len()]);
        }
        let report = solve_small(&game, &pos, &StopToken::default()).expect("not stopped");
        assert_eq!(report.score, plain(&game, &pos));
    }

    #[test]
    fn a_set_stop_token_ends_the_solving() {
        let game = Othello::new(6).expect("6 is a side of Othello");
        let stop = StopToken::default();
        stop.stop();
        assert_eq!(solve_small(&game, &game.start(), &stop), None);
    }
}
