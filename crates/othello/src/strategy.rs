//! The engine at the table: a [`Strategy`] for Othello on 8x8.

use crate::board::Board;
use crate::board::square::Square;
use crate::engine::{Engine, EngineError, Options};
use crate::search::limits::SearchLimits;
use crate::search::result::{RootMove, SearchResult};
use papan_rules::{Line, Move, Othello, OthelloPosition};
use papan_strategies::{
    Candidate, Context, Decision, Limits, NoMove, Progress, Score, Strategy, Term, Turn, Value,
};

/// The engine as a strategy.
///
/// It obeys the context's limits and its own. Without any, it looks at a usual number of nodes,
/// so that its play is the same every time.
pub struct EngineStrategy {
    engine: Engine,
    depth: Option<u32>,
    nodes: Option<u64>,
}

/// Nodes per move when nobody says otherwise: about a tenth of a second.
const USUAL_NODES: u64 = 1_000_000;

impl EngineStrategy {
    /// An engine with the weights that come with papan.
    ///
    /// # Errors
    /// When the engine cannot be set up.
    pub fn new(options: &Options) -> Result<Self, EngineError> {
        Ok(Self {
            engine: Engine::new(options)?,
            depth: None,
            nodes: None,
        })
    }

    /// With a depth and a number of nodes of its own, beside the context's limits.
    #[must_use]
    pub fn with_limits(mut self, depth: Option<u32>, nodes: Option<u64>) -> Self {
        (self.depth, self.nodes) = (depth, nodes);
        self
    }

    /// The tighter of its own limits and the context's; where nobody sets any, a usual one.
    fn task(&self, context: &Context) -> SearchLimits {
        let given = context.limits();
        if *given == Limits::default() && self.depth.is_none() && self.nodes.is_none() {
            return SearchLimits {
                nodes: Some(USUAL_NODES),
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

    /// The position for the engine, on a board of its size and not at the end of the game.
    fn board(game: &Othello, line: &Line<Othello>) -> Result<Board, NoMove> {
        if game.side() != 8 {
            let side = game.side();
            return Err(NoMove::Failed(format!(
                "the engine plays Othello on 8x8; for {side}x{side} there is `papan solve`"
            )));
        }
        let board = board_of(line.position());
        if board.is_over() {
            return Err(NoMove::GameOver);
        }
        Ok(board)
    }

    fn search(&mut self, board: Board, task: &SearchLimits, context: &Context) -> SearchResult {
        let tell = |report: &SearchResult| {
            context.report(&Progress {
                depth: report.depth,
                nodes: report.nodes,
                score: Some(score_of(report, report.score, &moves_of(board, &report.pv))),
                pv: moves_of(board, &report.pv),
                ..Progress::default()
            });
        };
        self.engine.search(board, task, &context.stop, tell)
    }

    /// The search that chooses the move.
    fn choice(&mut self, board: Board, task: &SearchLimits, context: &Context) -> SearchResult {
        // A fresh table makes an answer depend on nothing but the position and the task.
        if !task.budget.is_limited() {
            self.engine.clear();
        }
        self.search(board, task, context)
    }
}

impl Strategy<Othello> for EngineStrategy {
    fn choices(&mut self, turn: Turn<'_, Othello>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        let board = Self::board(game, line)?;
        let report = self.choice(board, &self.task(context), context);
        out.clear();
        out.push(move_of(report.best));
        Ok(report.nodes)
    }

    fn forget(&mut self) {
        self.engine.clear();
    }

    /// The move is chosen as in [`Strategy::choices`], in seven eighths of the decision's time;
    /// what is left of it, or as many nodes again, gives every move a score. Moves are compared
    /// at one depth only. Where that is less than the choice has seen and another move looks
    /// better there, the chosen one says what the deeper search found.
    fn decide(&mut self, turn: Turn<'_, Othello>) -> Result<Decision, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        let board = Self::board(game, line)?;
        let whole = self.task(context);
        let choosing = SearchLimits {
            budget: whole.budget.first(7, 8),
            ..whole.clone()
        };
        let choice = self.choice(board, &choosing, context);
        let comparing = SearchLimits {
            every_move: true,
            depth: Some(choice.depth.max(1)),
            confidence: Some(choice.confidence),
            ..whole
        };
        // It finds in the table what the choice has learned, and tells nobody of its steps.
        let silent = |_: &SearchResult| {};
        let compared = (self.engine).search(board, &comparing, &context.stop, silent);
        Ok(Decision {
            best: move_of(choice.best),
            nodes: choice.nodes + compared.nodes,
            candidates: candidates(board, &choice, compared),
        })
    }
}

/// Every legal move with its score, the chosen one first, then the best.
fn candidates(board: Board, choice: &SearchResult, mut compared: SearchResult) -> Vec<Candidate> {
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
    // What the choice has proven, or seen at the very depth of the others, holds for all.
    let alike = (compared.depth, compared.confidence) == (choice.depth, choice.confidence);
    let most = (choice.exact || alike).then_some(choice.score);
    let ahead = compared.score;
    compared.moves.sort_by_key(|mv| mv.square != best);
    let row = |mv: &RootMove| match most {
        Some(_) if mv.square == best => {
            let chosen = RootMove {
                square: best,
                score: choice.score,
                pv: choice.pv.clone(),
            };
            candidate(board, &chosen, choice)
        }
        Some(most) if mv.score > most => {
            let capped = RootMove {
                score: most,
                ..mv.clone()
            };
            let mut row = candidate(board, &capped, &compared);
            if choice.exact {
                row.score = Some(Score::discs(most).or_less());
                row.terms[0].value = Value::AtMost(most.into());
            }
            row
        }
        _ => {
            let mut row = candidate(board, mv, &compared);
            if mv.square == best && mv.score < ahead {
                row.terms.extend([
                    Term::shown("deeper", i64::from(choice.depth)),
                    Term::shown("found", choice.score),
                ]);
            }
            row
        }
    };
    compared.moves.iter().map(row).collect()
}

/// A move of `report`, with the numbers that it is compared by.
fn candidate(board: Board, mv: &RootMove, report: &SearchResult) -> Candidate {
    let pv = moves_of(board, &mv.pv);
    Candidate {
        mv: Move::on(mv.square.index()),
        score: Some(score_of(report, mv.score, &pv)),
        pv,
        terms: vec![
            Term::deciding("discs", mv.score),
            Term::shown("depth", i64::from(report.depth)),
            Term::shown("confidence", i64::from(report.confidence)),
        ],
    }
}

fn score_of(report: &SearchResult, score: i32, pv: &[Move]) -> Score {
    if report.exact {
        Score::discs(score).in_plies(pv.len() as u32)
    } else {
        Score::about_discs(score as f32)
    }
}

/// The engine's view of a position on 8x8.
pub fn board_of(pos: &OthelloPosition) -> Board {
    let (me, opp) = (pos.discs(pos.turn()), pos.discs(pos.turn().other()));
    Board::try_new(me, opp).expect("the rules keep the discs of the two players apart")
}

/// A move of the engine as the game's: no square is a pass.
fn move_of(best: Option<Square>) -> Move {
    best.map_or(Move::PASS, |square| Move::on(square.index()))
}

/// A line of squares as moves, passes put in where they are forced.
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
    use papan_rules::Game;
    use papan_strategies::ManualClock;
    use std::time::Duration;

    fn strategy() -> EngineStrategy {
        let options = Options {
            threads: 1,
            hash_mib: 4,
        };
        EngineStrategy::new(&options)
            .expect("4 MiB can be had")
            .with_limits(None, Some(20_000))
    }

    #[test]
    fn choosing_and_explaining_agree_and_every_move_has_a_score() {
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

    /// A decision by a clock that moves on by a millisecond with every look, and what it showed.
    fn timed(line: &Line<Othello>, limits: Limits) -> (Decision, Duration) {
        let clock = ManualClock::stepping(Duration::from_millis(1));
        let context = Context::default().limited(limits, &clock);
        let mut player = strategy().with_limits(None, None);
        let decision = player.decide(Turn::new(&Othello::default(), line, &context));
        (decision.expect("a move"), clock.shown())
    }

    #[test]
    fn a_decision_takes_its_time_once_and_compares_moves_of_one_depth() {
        let game = Othello::default();
        for moves in ["", "f5d6", "f5d6c3d3c4f4", "f5d6c4d3c3f4f6g5"] {
            let line = Line::parse(&game, moves).expect("the line is legal");
            for milliseconds in [0, 1, 5, 20, 60, 200, 700] {
                let time = Duration::from_millis(milliseconds);
                let own_time = Limits {
                    time: Some(time),
                    ..Limits::default()
                };
                let by_the_clock = Limits {
                    clock: Some((time, Duration::from_secs(1))),
                    ..Limits::default()
                };
                for limits in [own_time, by_the_clock] {
                    let (decision, taken) = timed(&line, limits);
                    let looks = Duration::from_millis(7);
                    assert!(taken <= time + looks, "{taken:?} of {time:?}");
                    let rows = &decision.candidates;
                    assert_eq!(rows.len(), game.legal_moves(line.position()).count());
                    let depth = term(&rows[0], "depth");
                    assert!(rows.iter().all(|row| term(row, "depth") == depth));
                    // Whoever is behind there has been seen from further away.
                    let most = rows.iter().filter_map(|row| term(row, "discs")).max();
                    assert_eq!(rows[0].mv, decision.best);
                    let deeper = term(&rows[0], "deeper");
                    if term(&rows[0], "discs") < most {
                        assert!(deeper > depth, "{deeper:?} and {depth:?}");
                    } else {
                        assert_eq!(deeper, None);
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_proven_of_the_choice_holds_for_every_other_move() {
        let (f5, d6): (Square, Square) = ("f5".parse().unwrap(), "d6".parse().unwrap());
        let row = |square, score| RootMove {
            square,
            score,
            pv: vec![square],
        };
        let report = |depth, exact, rows: Vec<RootMove>| SearchResult {
            score: rows[0].score,
            best: Some(rows[0].square),
            pv: rows[0].pv.clone(),
            nodes: 1,
            depth,
            confidence: if exact { 100 } else { 76 },
            exact,
            moves: rows,
        };
        let solved = report(60, true, vec![row(f5, 2)]);
        let guessed = report(8, false, vec![row(d6, 6), row(f5, 5)]);
        let rows = candidates(Board::START, &solved, guessed.clone());
        let scores: Vec<Score> = rows.iter().filter_map(|row| row.score).collect();
        assert_eq!(scores[0].proven(), Some(2));
        assert_eq!(scores[1], Score::discs(2).or_less());
        // Seen at one depth, the choice bounds the others too, though nothing is proven.
        let seen = report(8, false, vec![row(f5, 4)]);
        let rows = candidates(Board::START, &seen, guessed.clone());
        let discs: Vec<_> = rows.iter().map(|row| term(row, "discs")).collect();
        assert_eq!(discs, [Some(4), Some(4)]);
        // Seen further ahead, it says so.
        let further = report(9, false, vec![row(f5, 4)]);
        let rows = candidates(Board::START, &further, guessed);
        assert_eq!(term(&rows[0], "discs"), Some(5));
        assert_eq!(term(&rows[0], "deeper"), Some(9));
        assert_eq!(term(&rows[0], "found"), Some(4));
        assert_eq!(term(&rows[1], "discs"), Some(6));
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
    fn other_sizes_are_refused_with_the_reason() {
        let game = Othello::new(6).expect("6 is a side of Othello");
        let line = Line::new(&game);
        let error = strategy()
            .choose(
                Turn::new(&game, &line, &Context::default()),
                &mut Vec::new(),
            )
            .expect_err("6x6 is not for the engine");
        assert!(error.to_string().contains("8x8"), "{error}");
    }
}
