//! Othello on 4x4 and 6x6: a search of its own, without patterns, that solves both from
//! their first positions.

mod board;
mod search;

use papan_rules::{Game as _, Line, Move, Othello};
use papan_strategies::{
    Candidate, Context, Decision, LimitChecker, Limits, NoMove, Progress, Score, StopToken,
    Strategy, Term, Turn,
};

use crate::board::Board;
use crate::board::square::{Square, Squares};
use crate::engine::{EngineError, Options};
use crate::tt::TranspositionTable;
use board::Field;
use search::{INFINITE, Search};

/// The engine for boards with fewer squares, as a strategy.
pub struct SmallEngine {
    field: Field,
    table: TranspositionTable,
    threads: usize,
    own: Limits,
}

/// What the engine came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmallResult {
    /// The final score for the mover: exact, or about what it will be.
    pub score: i32,
    /// Whether it is exact.
    pub exact: bool,
    /// Plies that were looked ahead.
    pub depth: u32,
    /// How play goes on, passes left in.
    pub pv: Vec<Move>,
    /// Nodes it took.
    pub nodes: u64,
}

/// Nodes per move when nobody says otherwise: about a tenth of a second.
const USUAL_NODES: u64 = 1_000_000;
/// Plies short of the end from which the search goes to the end at once.
const TO_THE_END: u32 = 9;

impl SmallEngine {
    /// An engine for a board of fewer squares than 8x8.
    ///
    /// # Errors
    /// When the hash table does not fit, or the threads are too many.
    pub fn new(game: &Othello, options: &Options) -> Result<Self, EngineError> {
        Ok(Self {
            field: Field::new(game.side()),
            table: options.allocate_tt()?,
            threads: options.threads,
            own: Limits::default(),
        })
    }

    /// With a depth and a number of nodes of its own, beside the context's limits.
    #[must_use]
    pub fn with_limits(mut self, depth: Option<u32>, nodes: Option<u64>) -> Self {
        (self.own.depth, self.own.nodes) = (depth, nodes);
        self
    }

    /// The exact value of a position, or what was found out before it was stopped.
    pub fn solve(&mut self, line: &Line<Othello>, context: &Context) -> SmallResult {
        let board = self.field.board(line.position());
        self.table.new_search();
        self.deepen(board, context, u32::MAX).0
    }

    /// The tighter of its own limits and the context's; where nobody sets any, a usual one.
    fn limited(&self, context: &Context) -> Context {
        let given = *context.limits();
        let tighter = |own: Option<u64>, given: Option<u64>| own.into_iter().chain(given).min();
        let mut limits = Limits {
            depth: tighter(self.own.depth.map(u64::from), given.depth.map(u64::from))
                .map(|depth| depth as u32),
            nodes: tighter(self.own.nodes, given.nodes),
            ..given
        };
        if limits == Limits::default() {
            limits.nodes = Some(USUAL_NODES);
        }
        context.with_limits(limits)
    }

    /// Looks deeper and deeper; what it came to, and the best move.
    fn deepen(&self, board: Board, context: &Context, most: u32) -> (SmallResult, Option<Square>) {
        if self.field.moves(board) == 0 {
            let (mut report, _) = self.deepen(board.passed(), context, most);
            report.score = -report.score;
            report.pv.insert(0, Move::PASS);
            return (report, None);
        }
        let done = Done(StopToken::default());
        std::thread::scope(|scope| {
            for helper in 1..self.threads as u32 {
                let mut context = context.clone();
                context.stop = done.0.clone();
                context.listener = None;
                scope.spawn(move || {
                    let salt = helper.wrapping_mul(0x9e37_79b9) | 1;
                    self.deepen_alone(board, &context, most, salt);
                });
            }
            let found = self.deepen_alone(board, context, most, 0);
            drop(done);
            found
        })
    }

    fn deepen_alone(
        &self,
        board: Board,
        context: &Context,
        most: u32,
        salt: u32,
    ) -> (SmallResult, Option<Square>) {
        let mut search = self.searching(context, salt);
        let left = self.field.empty(board).count_ones();
        let mut report = SmallResult {
            score: 0,
            exact: false,
            depth: 0,
            pv: Vec::new(),
            nodes: 0,
        };
        let mut moves: Vec<Square> = Squares(self.field.moves(board)).collect();
        let turned = salt as usize % moves.len().max(1);
        moves.rotate_left(turned);
        let mut depth = 0;
        while depth < left.min(most) {
            depth += 1;
            if depth + TO_THE_END > left && most >= left {
                depth = left;
            }
            let guess = report.score;
            let Some(score) = search_root(&mut search, board, &mut moves, depth, guess) else {
                break;
            };
            report = SmallResult {
                score,
                exact: depth >= left,
                depth,
                pv: self.line(context, board, moves.first().copied(), depth),
                nodes: search.pace.nodes(),
            };
            context.report(&Progress {
                depth,
                nodes: report.nodes,
                score: Some(score_of(&report)),
                pv: report.pv.clone(),
                ..Progress::default()
            });
            if context.budget().is_past(3, 5) && !report.exact {
                break;
            }
        }
        report.nodes = search.pace.nodes();
        if report.pv.is_empty() {
            report.pv = self.line(context, board, moves.first().copied(), 1);
        }
        (report, moves.first().copied())
    }

    fn searching(&self, context: &Context, salt: u32) -> Search<'_> {
        Search {
            field: &self.field,
            table: &self.table,
            pace: LimitChecker::new(context),
            salt,
        }
    }

    /// How play goes on as far as the table knows and the decision's time allows, passes put in
    /// where they are forced.
    fn line(&self, context: &Context, board: Board, first: Option<Square>, most: u32) -> Vec<Move> {
        let mut moves = Vec::new();
        let (mut board, mut next) = (board, first);
        let mut search = self.searching(&context.with_limits(Limits::default()), 0);
        while moves.len() < 64 {
            if self.field.moves(board) == 0 {
                if self.field.moves(board.passed()) == 0 {
                    break;
                }
                moves.push(Move::PASS);
                board = board.passed();
            }
            let Some(square) = next
                .take()
                .filter(|square| Squares(self.field.moves(board)).contains(*square))
            else {
                break;
            };
            moves.push(self.field.mv(square));
            board = board.child(square);
            let left = self.field.empty(board).count_ones();
            next = match most > left {
                // To the end: what the table lost is found again.
                true if self.field.moves(board) != 0 => best_reply(&mut search, board),
                true => best_reply(&mut search, board.passed()),
                false => None,
            };
            if search.pace.is_over() {
                break;
            }
        }
        moves
    }
}

/// The best move of a position whose value is known, or soon is.
fn best_reply(search: &mut Search<'_>, board: Board) -> Option<Square> {
    let left = search.field.empty(board).count_ones();
    let mut best: Option<(i32, Square)> = None;
    for square in Squares(search.field.moves(board)) {
        let alpha = best.map_or(-INFINITE, |(score, _)| score);
        let score = -search.search(board.child(square), left, -INFINITE, -alpha);
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, square));
        }
    }
    best.map(|(_, square)| square)
}

/// One iteration over the moves, whose best comes first afterwards: the score, `None` when
/// time ran out before it was sure.
fn search_root(
    search: &mut Search<'_>,
    board: Board,
    moves: &mut [Square],
    depth: u32,
    guess: i32,
) -> Option<i32> {
    let (mut low, mut high) = (guess - 2, guess + 2);
    loop {
        let score = root_within(search, board, moves, depth, (low, high))?;
        if score <= low && low > -INFINITE {
            low = -INFINITE;
        } else if score >= high && high < INFINITE {
            high = INFINITE;
        } else {
            return Some(score);
        }
    }
}

fn root_within(
    search: &mut Search<'_>,
    board: Board,
    moves: &mut [Square],
    depth: u32,
    (mut alpha, beta): (i32, i32),
) -> Option<i32> {
    let mut best = -INFINITE;
    for at in 0..moves.len() {
        let after = board.child(moves[at]);
        let mut score = if at == 0 {
            -search.search(after, depth - 1, -beta, -alpha)
        } else {
            -search.search(after, depth - 1, -alpha - 1, -alpha)
        };
        if at > 0 && score > alpha && score < beta && !search.pace.is_over() {
            score = -search.search(after, depth - 1, -beta, -alpha);
        }
        if search.pace.is_over() {
            return None;
        }
        if score > best {
            best = score;
            moves[..=at].rotate_right(1);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
    }
    Some(best)
}

/// Ends the other threads, however the search ends.
struct Done(StopToken);

impl Drop for Done {
    fn drop(&mut self) {
        self.0.stop();
    }
}

fn score_of(report: &SmallResult) -> Score {
    match report.exact {
        true => Score::discs(report.score).in_plies(report.pv.len() as u32),
        false => Score::about_discs(report.score as f32),
    }
}

impl Strategy<Othello> for SmallEngine {
    fn choices(&mut self, turn: Turn<'_, Othello>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        let (report, best) = self.think(game, line, context)?;
        out.clear();
        out.push(best.map_or(Move::PASS, |square| self.field.mv(square)));
        Ok(report.nodes)
    }

    /// The move is chosen as in [`Strategy::choices`]; then every other is weighed at the
    /// same depth.
    fn decide(&mut self, turn: Turn<'_, Othello>) -> Result<Decision, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        let (report, best) = self.think(game, line, context)?;
        let board = self.field.board(line.position());
        let mut search = self.searching(&context.with_limits(Limits::default()), 0);
        let mut candidates = Vec::new();
        for square in Squares(self.field.moves(board)) {
            let after = board.child(square);
            let rest = report.depth.saturating_sub(1);
            let score = -search.search(after, rest, -INFINITE, INFINITE);
            if search.pace.is_over() {
                break;
            }
            let row = SmallResult {
                score,
                pv: self.line(context, board, Some(square), report.depth),
                ..report.clone()
            };
            candidates.push(candidate(self.field.mv(square), &row));
        }
        let mv = best.map_or(Move::PASS, |square| self.field.mv(square));
        candidates.sort_by_key(|c: &Candidate| c.mv != mv);
        if candidates.first().is_none_or(|first| first.mv != mv) {
            candidates.insert(0, candidate(mv, &report));
        }
        Ok(Decision {
            best: mv,
            candidates,
            nodes: report.nodes + search.pace.nodes(),
        })
    }

    fn forget(&mut self) {
        self.table.clear(1);
    }
}

impl SmallEngine {
    fn think(
        &mut self,
        game: &Othello,
        line: &Line<Othello>,
        context: &Context,
    ) -> Result<(SmallResult, Option<Square>), NoMove> {
        if game.outcome(line.position()).is_some() {
            return Err(NoMove::GameOver);
        }
        let context = self.limited(context);
        // A fresh table makes an answer depend on nothing but the position and the limits.
        if !context.budget().is_limited() {
            self.table.clear(self.threads);
        }
        let most = context.limits().depth.unwrap_or(u32::MAX).max(1);
        let board = self.field.board(line.position());
        Ok(self.deepen(board, &context, most))
    }
}

fn candidate(mv: Move, report: &SmallResult) -> Candidate {
    Candidate {
        mv,
        score: Some(score_of(report)),
        pv: report.pv.clone(),
        terms: vec![
            Term::deciding("discs", report.score),
            Term::shown("depth", i64::from(report.depth)),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_looked_for_after_the_decisions_time() {
        let game = Othello::new(6).expect("6x6 can be played");
        let options = Options {
            threads: 1,
            hash_mib: 1,
        };
        let engine = SmallEngine::new(&game, &options).expect("1 MiB can be had");
        let mut board = engine.field.board(Line::new(&game).position());
        while engine.field.empty(board).count_ones() > 16 {
            board = match Squares(engine.field.moves(board)).next() {
                Some(square) => board.child(square),
                None => board.passed(),
            };
        }
        let first = Squares(engine.field.moves(board)).next();
        let context = Context::default();
        context.stop.stop();
        let stopped = engine.line(&context, board, first, u32::MAX);
        assert!(stopped.len() <= 2, "{stopped:?}");
        let whole = engine.line(&Context::default(), board, first, u32::MAX);
        assert!(whole.len() > 2, "{whole:?}");
    }
}
