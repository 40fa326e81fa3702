//! The engine as a [`Strategy`] for Othello on 8x8.

use crate::board::Board;
use crate::board::square::Square;
use crate::engine::{Engine, EngineError, Options};
use crate::search::limits::SearchLimits;
use crate::search::result::{RootMove, SearchResult};
use papan_rules::{Move, Othello, OthelloPosition};
use papan_strategies::{
    Candidate, Context, Decision, Limits, NoMove, Progress, Score, Strategy, Term, Turn, Value,
};

/// Nodes per move without any other limit: about a tenth of a second.
const DEFAULT_NODES: u64 = 1_000_000;

/// The engine as a strategy.
///
/// It obeys the context's limits and its own. Without any it searches a fixed number of nodes, so
/// that its play is reproducible.
pub struct EngineStrategy {
    engine: Engine,
    depth: Option<u32>,
    nodes: Option<u64>,
}

impl EngineStrategy {
    /// Creates a strategy with the evaluation that comes with papan.
    ///
    /// # Errors
    /// When the engine cannot be created.
    pub fn new(options: &Options) -> Result<Self, EngineError> {
        Ok(Self {
            engine: Engine::new(options)?,
            depth: None,
            nodes: None,
        })
    }

    /// Adds limits that apply besides those of the context.
    #[must_use]
    pub fn with_limits(mut self, depth: Option<u32>, nodes: Option<u64>) -> Self {
        (self.depth, self.nodes) = (depth, nodes);
        self
    }

    /// Returns whether the strategy itself limits depth or nodes.
    pub(crate) fn has_own_limits(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some()
    }

    /// Returns the tighter of the context's limits and the strategy's own, or [`DEFAULT_NODES`] if
    /// there are none.
    fn search_limits(&self, context: &Context) -> SearchLimits {
        let given = context.limits();
        if *given == Limits::default() && self.depth.is_none() && self.nodes.is_none() {
            return SearchLimits {
                nodes: Some(DEFAULT_NODES),
                ..SearchLimits::default()
            };
        }
        SearchLimits {
            depth: self.depth.into_iter().chain(given.depth).min(),
            nodes: self.nodes.into_iter().chain(given.nodes).min(),
            budget: context.budget().clone(),
            ..SearchLimits::default()
        }
    }

    /// Returns the position to search, if it is on 8x8 and the game is not over.
    fn board(turn: Turn<'_, Othello>) -> Result<Board, NoMove> {
        let side = turn.game.side();
        if side != 8 {
            return Err(NoMove::Failed(format!(
                "this engine plays Othello on 8x8 only; for {side}x{side} use `papan solve`"
            )));
        }
        let board = board_of(turn.position());
        if board.is_over() {
            return Err(NoMove::GameOver);
        }
        Ok(board)
    }

    /// Searches for the move to play and reports progress.
    fn search(&mut self, board: Board, limits: &SearchLimits, context: &Context) -> SearchResult {
        // With an empty table the result depends only on the position and the limits.
        if !limits.budget.is_limited() {
            self.engine.clear();
        }
        let report = |result: &SearchResult| {
            let pv = moves_of(board, &result.pv);
            context.report(&Progress {
                depth: result.depth,
                nodes: result.nodes,
                score: Some(score_of(result, result.score, &pv)),
                pv,
                ..Progress::default()
            });
        };
        self.engine.search(board, limits, &context.stop, report)
    }
}

impl Strategy<Othello> for EngineStrategy {
    fn choices(&mut self, turn: Turn<'_, Othello>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let board = Self::board(turn)?;
        let limits = self.search_limits(turn.context);
        let result = self.search(board, &limits, turn.context);
        out.clear();
        out.push(move_of(result.best));
        Ok(result.nodes)
    }

    fn forget(&mut self) {
        self.engine.clear();
    }

    /// Chooses the move as [`Strategy::choices`] does, in seven eighths of the time, then scores the
    /// other moves at one depth in the rest of it, or with as many nodes again. The choice keeps the
    /// result of its own search, which bounds all others.
    fn decide(&mut self, turn: Turn<'_, Othello>) -> Result<Decision, NoMove> {
        let board = Self::board(turn)?;
        let limits = self.search_limits(turn.context);
        let choice_limits = SearchLimits {
            budget: limits.budget.first(7, 8),
            ..limits.clone()
        };
        let choice = self.search(board, &choice_limits, turn.context);
        let comparison_limits = SearchLimits {
            every_move: true,
            depth: Some(choice.depth.max(1)),
            confidence: Some(choice.confidence),
            ..limits
        };
        // Reuses the transposition table of the first search, and reports no progress.
        let stop = &turn.context.stop;
        let comparison = self.engine.search(board, &comparison_limits, stop, |_| {});
        Ok(Decision {
            best: move_of(choice.best),
            nodes: choice.nodes + comparison.nodes,
            candidates: candidates(board, &choice, comparison),
        })
    }
}

/// Returns every legal move with its score: the chosen one first, then best first.
fn candidates(board: Board, choice: &SearchResult, mut comparison: SearchResult) -> Vec<Candidate> {
    let Some(best) = choice.best else {
        let pv = moves_of(board, &choice.pv);
        let score = score_of(choice, choice.score, &pv);
        let pass = Candidate::new(Move::PASS, Vec::new());
        return vec![Candidate {
            score: Some(score),
            pv,
            ..pass
        }];
    };
    comparison.moves.sort_by_key(|mv| mv.square != best);
    let to_candidate = |mv: &RootMove| {
        if mv.square == best {
            let chosen = RootMove {
                square: best,
                score: choice.score,
                pv: choice.pv.clone(),
            };
            return candidate(board, &chosen, choice);
        }
        if mv.score <= choice.score {
            return candidate(board, mv, &comparison);
        }
        // The search that chose found no move that is better than its choice: where the comparison,
        // which may be shallower, gives more, that result is the bound.
        let capped = RootMove {
            score: choice.score,
            ..mv.clone()
        };
        let mut candidate = candidate(board, &capped, choice);
        let bound = if choice.exact {
            Score::discs(choice.score)
        } else {
            Score::about_discs(choice.score as f32)
        };
        candidate.score = Some(bound.or_less());
        candidate.terms[0].value = Value::AtMost(choice.score.into());
        candidate
    };
    comparison.moves.iter().map(to_candidate).collect()
}

/// Converts a move of `result`.
fn candidate(board: Board, mv: &RootMove, result: &SearchResult) -> Candidate {
    let pv = moves_of(board, &mv.pv);
    Candidate {
        mv: Move::on(mv.square.index()),
        score: Some(score_of(result, mv.score, &pv)),
        pv,
        terms: vec![
            Term::deciding("discs", mv.score),
            Term::shown("depth", i64::from(result.depth)),
            Term::shown("confidence", i64::from(result.confidence)),
        ],
    }
}

fn score_of(result: &SearchResult, score: i32, pv: &[Move]) -> Score {
    if result.exact {
        Score::discs(score).in_plies(pv.len() as u32)
    } else {
        Score::about_discs(score as f32)
    }
}

/// Converts a position of the rules on 8x8 to the engine's board.
pub fn board_of(pos: &OthelloPosition) -> Board {
    let (me, opp) = (pos.discs(pos.turn()), pos.discs(pos.turn().other()));
    Board::try_new(me, opp).expect("the rules keep the discs of the two players apart")
}

/// Converts a move of the engine to the rules'; `None` is a pass.
fn move_of(best: Option<Square>) -> Move {
    best.map_or(Move::PASS, |square| Move::on(square.index()))
}

/// Converts a line of the engine to moves of the rules, inserting passes.
pub fn moves_of(mut board: Board, line: &[Square]) -> Vec<Move> {
    let mut moves = Vec::new();
    for &square in line {
        if board.moves().is_empty() {
            moves.push(Move::PASS);
            board = board.passed();
        }
        let Some(next) = board.play(square) else {
            break;
        };
        moves.push(Move::on(square.index()));
        board = next;
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::{Game, Line};
    use papan_strategies::ManualClock;
    use std::time::Duration;

    fn strategy() -> EngineStrategy {
        let options = Options {
            threads: 1,
            hash_mib: 4,
        };
        EngineStrategy::new(&options)
            .expect("4 MiB is available")
            .with_limits(None, Some(20_000))
    }

    #[test]
    fn choose_agrees_with_decide_and_every_move_has_a_score() {
        let game = Othello::default();
        let line = Line::parse(&game, "f5d6c3d3c4f4").expect("the line is legal");
        let context = Context::default();
        let (mv, _) = strategy()
            .choose(Turn::new(&game, &line, &context), &mut Vec::new())
            .expect("a move");
        let decision = strategy()
            .decide(Turn::new(&game, &line, &context))
            .expect("a move");
        assert_eq!(decision.best, mv);
        assert_eq!(decision.candidates[0].mv, mv);
        let legal = game.legal_moves(line.position()).count();
        assert_eq!(decision.candidates.len(), legal);
        assert!(
            decision
                .candidates
                .iter()
                .all(|c| c.score.is_some() && c.pv[0] == c.mv)
        );
    }

    fn term(candidate: &Candidate, name: &str) -> Option<i64> {
        let mut terms = candidate.terms.iter();
        terms
            .find(|term| term.name == name)
            .map(|term| match term.value {
                Value::Number(number) => number,
                ref other => panic!("{name} is {other:?}"),
            })
    }

    /// The shown number of discs, which may be a bound.
    fn discs(candidate: &Candidate) -> i64 {
        match candidate.terms[0].value {
            Value::Number(number) | Value::AtMost(number) => number,
            ref other => panic!("discs are {other:?}"),
        }
    }

    /// Decides with a clock that advances by a millisecond at every reading; returns the time used.
    fn timed(line: &Line<Othello>, limits: Limits) -> (Decision, Duration) {
        let clock = ManualClock::stepping(Duration::from_millis(1));
        let context = Context::default().limited(limits, &clock);
        let mut player = strategy().with_limits(None, None);
        let decision = player.decide(Turn::new(&Othello::default(), line, &context));
        (decision.expect("a move"), clock.shown())
    }

    #[test]
    fn a_decision_keeps_its_time_and_compares_moves_at_one_depth() {
        let game = Othello::default();
        for moves in ["", "f5d6", "f5d6c3d3c4f4", "f5d6c4d3c3f4f6g5"] {
            let line = Line::parse(&game, moves).expect("the line is legal");
            for milliseconds in [0, 1, 5, 20, 60, 200, 700] {
                let time = Duration::from_millis(milliseconds);
                let fixed_time = Limits {
                    time: Some(time),
                    ..Limits::default()
                };
                let game_clock = Limits {
                    clock: Some((time, Duration::from_secs(1))),
                    ..Limits::default()
                };
                for limits in [fixed_time, game_clock] {
                    let (decision, taken) = timed(&line, limits);
                    let overhead = Duration::from_millis(7);
                    assert!(taken <= time + overhead, "{taken:?} of {time:?}");
                    let rows = &decision.candidates;
                    assert_eq!(rows.len(), game.legal_moves(line.position()).count());
                    assert_eq!(rows[0].mv, decision.best);
                    // No other move shows more, and only the choice may be searched deeper.
                    let best = discs(&rows[0]);
                    assert!(rows.iter().all(|row| discs(row) <= best), "{rows:?}");
                    let depth = term(&rows[0], "depth");
                    let most = depth.max(Some(1));
                    assert!(rows.iter().all(|row| term(row, "depth") <= most));
                }
            }
        }
    }

    #[test]
    fn the_proven_score_of_the_choice_bounds_every_other_move() {
        let (f5, d6): (Square, Square) = ("f5".parse().unwrap(), "d6".parse().unwrap());
        let row = |square, score| RootMove {
            square,
            score,
            pv: vec![square],
        };
        let result = |depth, exact, rows: Vec<RootMove>| SearchResult {
            score: rows[0].score,
            best: Some(rows[0].square),
            pv: rows[0].pv.clone(),
            nodes: 1,
            depth,
            confidence: if exact { 100 } else { 76 },
            exact,
            moves: rows,
        };
        let solved = result(60, true, vec![row(f5, 2)]);
        let selective = result(8, false, vec![row(d6, 6), row(f5, 5)]);
        let rows = candidates(Board::START, &solved, selective.clone());
        let scores: Vec<Score> = rows.iter().filter_map(|row| row.score).collect();
        assert_eq!(scores[0].proven(), Some(2));
        assert_eq!(scores[1], Score::discs(2).or_less());
        // At the same depth the choice bounds the others although nothing is proven.
        let same_depth = result(8, false, vec![row(f5, 4)]);
        let rows = candidates(Board::START, &same_depth, selective.clone());
        assert_eq!(rows.iter().map(discs).collect::<Vec<_>>(), [4, 4]);
        // A deeper choice shows its own depth and score, and bounds the others.
        let deeper = result(9, false, vec![row(f5, 4)]);
        let rows = candidates(Board::START, &deeper, selective);
        assert_eq!(term(&rows[0], "discs"), Some(4));
        assert_eq!(term(&rows[0], "depth"), Some(9));
        assert_eq!(rows[1].terms[0].value, Value::AtMost(4));
        assert_eq!(term(&rows[1], "depth"), Some(9));
    }

    #[test]
    fn a_whole_game_is_legal_to_its_end() {
        let game = Othello::default();
        let mut line = Line::new(&game);
        let mut player = strategy().with_limits(Some(2), None);
        let mut choices = Vec::new();
        while game.outcome(line.position()).is_none() {
            let context = Context::default();
            let (mv, _) = player
                .choose(Turn::new(&game, &line, &context), &mut choices)
                .expect("a move");
            line.play(&game, mv).expect("the engine's moves are legal");
        }
        assert!(matches!(
            player.choose(Turn::new(&game, &line, &Context::default()), &mut choices),
            Err(NoMove::GameOver)
        ));
    }

    #[test]
    fn other_sizes_are_rejected() {
        let game = Othello::new(6).expect("6x6 is supported");
        let line = Line::new(&game);
        let error = strategy()
            .choose(
                Turn::new(&game, &line, &Context::default()),
                &mut Vec::new(),
            )
            .expect_err("the engine plays 8x8 only");
        assert!(error.to_string().contains("8x8"), "{error}");
    }
}
