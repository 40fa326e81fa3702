//! The engine at the table: a [`Strategy`] for Othello on 8x8.

use crate::board::Board;
use crate::engine::{Engine, EngineError, Options};
use crate::limits::Limits;
use crate::report::{MoveReport, Report};
use papan_rules::othello::OthelloPosition;
use papan_rules::{Line, Move, Othello};
use papan_strategies::{Candidate, Context, Decision, NoMove, Progress, Score, Strategy, Term};

/// The engine as a strategy.
///
/// It obeys the context's limits and its own. Without any, it looks at a usual number of nodes,
/// so that its play is the same every time.
pub struct EngineStrategy {
    engine: Engine,
    own: Limits,
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
            own: Limits::default(),
        })
    }

    /// With limits of its own, beside the context's.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.own = limits;
        self
    }

    /// The tighter of its own limits and the context's; where nobody sets any, a usual one.
    fn limits(&self, context: &Context) -> Limits {
        let given = &context.limits;
        if *given == papan_strategies::Limits::default() && self.own == Limits::default() {
            return Limits {
                nodes: Some(USUAL_NODES),
                ..Limits::default()
            };
        }
        let tighter = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        let depth = tighter(self.own.depth.map(u64::from), given.depth.map(u64::from));
        Limits {
            depth: depth.map(|depth| depth as u32),
            nodes: tighter(self.own.nodes, given.nodes),
            time: self.own.time.into_iter().chain(given.time).min(),
            game_time: given.clock.map(|(left, _)| left),
            increment: given
                .clock
                .map_or_else(Default::default, |(_, increment)| increment),
            ..Limits::default()
        }
    }

    fn search(
        &mut self,
        game: &Othello,
        line: &Line<Othello>,
        limits: &Limits,
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
        // A fresh table makes an answer depend on nothing but the position and the limits.
        if limits.time.is_none() && limits.game_time.is_none() {
            self.engine.clear();
        }
        Ok((
            board,
            self.engine.search(board, limits, &context.stop, tell),
        ))
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
        let limits = self.limits(context);
        let (_, report) = self.search(game, line, &limits, context)?;
        out.clear();
        out.push(report.best.map_or(Move::PASS, Move::on));
        Ok(report.nodes)
    }

    fn forget(&mut self) {
        self.engine.clear();
    }

    /// The move is chosen as in [`Strategy::choices`]; then every move gets a score by a search
    /// of the same depth, as far as the same limits reach.
    fn decide(
        &mut self,
        game: &Othello,
        line: &Line<Othello>,
        context: &Context,
    ) -> Result<Decision, NoMove> {
        let mut limits = self.limits(context);
        let (board, chosen) = self.search(game, line, &limits, context)?;
        let best = chosen.best.map_or(Move::PASS, Move::on);
        limits.every_move = true;
        limits.depth = Some(chosen.depth.max(1));
        let (_, all) = self.search(game, line, &limits, context)?;
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
        mv: Move::on(mv.square),
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
        Score::Proven {
            value: score,
            plies: pv.len() as u32,
        }
    } else {
        Score::Estimate(score as f32)
    }
}

/// The engine's view of a position on 8x8.
pub fn board_of(pos: &OthelloPosition) -> Board {
    Board {
        me: pos.discs(pos.turn()),
        opp: pos.discs(pos.turn().other()),
    }
}

/// A line of squares as moves, passes put in where they are forced.
pub fn moves_of(mut board: Board, line: &[u8]) -> Vec<Move> {
    let mut moves = Vec::new();
    for &square in line {
        if board.moves() == 0 {
            moves.push(Move::PASS);
            board = board.passed();
        }
        let Some(next) = board.play(usize::from(square)) else {
            break;
        };
        moves.push(Move::on(usize::from(square)));
        board = next;
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::Game;

    fn strategy() -> EngineStrategy {
        let usual = Limits {
            nodes: Some(20_000),
            ..Limits::default()
        };
        let options = Options {
            threads: 1,
            hash_mib: 4,
        };
        EngineStrategy::new(&options)
            .expect("4 MiB can be had")
            .with_limits(usual)
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
    fn a_whole_game_is_legal_to_its_end() {
        let game = Othello::default();
        let mut line = Line::new(&game);
        let mut player = strategy().with_limits(Limits {
            depth: Some(2),
            ..Limits::default()
        });
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
