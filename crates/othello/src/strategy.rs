//! The engine at the table: a [`Strategy`] for Othello on 8x8.

use crate::board::Board;
use crate::engine::{Engine, EngineError, Options};
use crate::report::{MoveReport, Report};
use crate::square::Square;
use crate::task::Task;
use papan_rules::othello::OthelloPosition;
use papan_rules::{Line, Move, Othello};
use papan_strategies::{
    Candidate, Context, Decision, Limits, NoMove, Progress, Score, Strategy, Term,
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
    pub fn with_own(mut self, depth: Option<u32>, nodes: Option<u64>) -> Self {
        (self.depth, self.nodes) = (depth, nodes);
        self
    }

    /// The tighter of its own limits and the context's; where nobody sets any, a usual one.
    fn task(&self, context: &Context) -> Task {
        let given = context.limits();
        if *given == Limits::default() && self.depth.is_none() && self.nodes.is_none() {
            return Task {
                nodes: Some(USUAL_NODES),
                ..Task::default()
            };
        }
        Task {
            depth: self.depth.into_iter().chain(given.depth).min(),
            nodes: self.nodes.into_iter().chain(given.nodes).min(),
            budget: context.budget().clone(),
            ..Task::default()
        }
    }

    fn search(
        &mut self,
        game: &Othello,
        line: &Line<Othello>,
        task: &Task,
        context: &Context,
    ) -> Result<(Board, Report), NoMove> {
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
        let tell = |report: &Report| {
            context.tell(&Progress {
                depth: report.depth,
                nodes: report.nodes,
                score: Some(score_of(report, report.score, &moves_of(board, &report.pv))),
                pv: moves_of(board, &report.pv),
            });
        };
        // A fresh table makes an answer depend on nothing but the position and the task.
        if !task.budget.is_limited() {
            self.engine.clear();
        }
        let report = self.engine.search(board, task, &context.stop, tell);
        Ok((board, report))
    }
}

impl Strategy<Othello> for EngineStrategy {
    fn choices(
        &mut self,
        game: &Othello,
        line: &Line<Othello>,
        context: &Context,
        out: &mut Vec<Move>,
    ) -> Result<u64, NoMove> {
        let (_, report) = self.search(game, line, &self.task(context), context)?;
        out.clear();
        out.push(move_of(report.best));
        Ok(report.nodes)
    }

    fn forget(&mut self) {
        self.engine.clear();
    }

    /// The move is chosen as in [`Strategy::choices`]; then every move gets a score by a search
    /// of the same depth, as far as the same limits reach. Both searches share the decision's
    /// time: three quarters of it are for the choice.
    fn decide(
        &mut self,
        game: &Othello,
        line: &Line<Othello>,
        context: &Context,
    ) -> Result<Decision, NoMove> {
        let mut task = self.task(context);
        let whole = task.budget.clone();
        task.budget = whole.first(3, 4);
        let (board, chosen) = self.search(game, line, &task, context)?;
        let best = move_of(chosen.best);
        task.budget = whole;
        task.every_move = true;
        task.depth = Some(chosen.depth.max(1));
        let (_, all) = self.search(game, line, &task, context)?;
        let mut candidates: Vec<Candidate> = all
            .moves
            .iter()
            .map(|mv| candidate(board, mv, &all))
            .collect();
        if let Some(place) = candidates.iter().position(|candidate| candidate.mv == best) {
            candidates[..=place].rotate_right(1);
        }
        if let (Some(first), Some(mv)) = (candidates.first_mut(), chosen.moves.first()) {
            *first = candidate(board, mv, &chosen);
        }
        if candidates.is_empty() {
            let pv = moves_of(board, &chosen.pv);
            let score = Some(score_of(&chosen, chosen.score, &pv));
            candidates.push(Candidate {
                mv: best,
                score,
                pv,
                terms: Vec::new(),
            });
        }
        Ok(Decision {
            best,
            candidates,
            nodes: chosen.nodes + all.nodes,
        })
    }
}

fn candidate(board: Board, mv: &MoveReport, report: &Report) -> Candidate {
    let pv = moves_of(board, &mv.pv);
    Candidate {
        mv: Move::on(mv.square.index()),
        score: Some(score_of(report, mv.score, &pv)),
        pv,
        terms: vec![
            Term::deciding("discs", mv.score),
            Term::shown("depth", i64::from(report.depth)),
            Term::shown("confidence", i64::from(report.percent)),
        ],
    }
}

fn score_of(report: &Report, score: i32, pv: &[Move]) -> Score {
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
            .with_own(None, Some(20_000))
    }

    #[test]
    fn choosing_and_explaining_agree_and_every_move_has_a_score() {
        let game = Othello::default();
        let line = Line::parse(&game, "f5d6c3d3c4f4").expect("the line is legal");
        let context = Context::default();
        let (mv, _) = strategy()
            .choose(&game, &line, &context, &mut Vec::new())
            .expect("a move");
        let decision = strategy().decide(&game, &line, &context).expect("a move");
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

    #[test]
    fn a_decision_takes_its_time_once_and_still_scores_every_move() {
        let game = Othello::default();
        let line = Line::parse(&game, "f5d6c3d3c4f4").expect("the line is legal");
        let (time, look) = (Duration::from_millis(200), Duration::from_millis(1));
        let own_time = Limits {
            time: Some(time),
            ..Limits::default()
        };
        let by_the_clock = Limits {
            clock: Some((time, Duration::from_secs(1))),
            ..Limits::default()
        };
        for limits in [own_time, by_the_clock] {
            // Every look at the clock costs a millisecond.
            let clock = ManualClock::stepping(look);
            let context = Context::default().limited(limits, &clock);
            let decision = strategy()
                .with_own(None, None)
                .decide(&game, &line, &context)
                .expect("a move");
            assert!(clock.shown() <= time + 5 * look, "{:?}", clock.shown());
            let legal = game.legal_moves(line.position()).count();
            assert_eq!(decision.candidates.len(), legal);
        }
    }

    #[test]
    fn a_whole_game_is_legal_to_its_end() {
        let game = Othello::default();
        let mut line = Line::new(&game);
        let mut player = strategy().with_own(Some(2), None);
        let mut choices = Vec::new();
        while game.outcome(line.position()).is_none() {
            let context = Context::default();
            let (mv, _) = player
                .choose(&game, &line, &context, &mut choices)
                .expect("a move");
            line.play(&game, mv).expect("the engine's moves are legal");
        }
        assert!(matches!(
            player.choose(&game, &line, &Context::default(), &mut choices),
            Err(NoMove::GameOver)
        ));
    }

    #[test]
    fn other_sizes_are_refused_with_the_reason() {
        let game = Othello::new(6).expect("6 is a side of Othello");
        let line = Line::new(&game);
        let error = strategy()
            .choose(&game, &line, &Context::default(), &mut Vec::new())
            .expect_err("6x6 is not for the engine");
        assert!(error.to_string().contains("8x8"), "{error}");
    }
}
