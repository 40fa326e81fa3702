//! The engine as a player of gomoku and renju.

use papan_rules::{Bits as _, Game as _, Gomoku, GomokuPosition, Grid, Move, Player, Wide};
use papan_strategies::{Context, Decision, NoMove, Strategy, Turn};

use super::analysis::Analysis;
use super::options::GridEngineOptions;
use super::strategy::{GridEngine, choice_time};
use crate::five::FiveInARow;
use crate::lines::Cell;
use crate::state::State;

impl GridEngine {
    /// Creates an engine for a board of gomoku.
    ///
    /// # Panics
    /// Never: every board of gomoku is a grid.
    #[must_use]
    pub fn at_gomoku(game: &Gomoku, options: GridEngineOptions) -> Self {
        let sides = [game.side(); 2];
        let grid = Grid::<Wide>::new(&sides, 5).expect("a board of gomoku is a grid");
        Self::with_five(&grid, options, Some(FiveInARow::of_gomoku(game)))
    }

    /// Returns the best move and its score from the mover's side, without looking at other moves.
    /// A score of [`GridEngine::WIN`] or more is a win seen to the end.
    ///
    /// # Errors
    /// When the game is over.
    pub fn best_at_gomoku(
        &mut self,
        game: &Gomoku,
        position: &GomokuPosition,
        context: &Context,
    ) -> Result<(Move, i16), NoMove> {
        let analysis = self.choose_at_gomoku(game, position, context)?;
        let is_won = analysis.is_won();
        let best = analysis.moves.first();
        let best = best.ok_or_else(|| NoMove::Failed("no cell is left".into()))?;
        let score = if is_won { Self::WIN } else { best.score };
        Ok((best.as_move(), score))
    }

    fn gomoku_state(&self, position: &GomokuPosition) -> State {
        let mut state = State::new(std::sync::Arc::clone(self.lines()));
        for player in Player::BOTH {
            for cell in position.stones(player).cells() {
                state.put(cell as Cell, player);
            }
        }
        state
    }

    fn choose_at_gomoku(
        &mut self,
        game: &Gomoku,
        position: &GomokuPosition,
        context: &Context,
    ) -> Result<Analysis, NoMove> {
        if game.outcome(position).is_some() {
            return Err(NoMove::GameOver);
        }
        let state = self.gomoku_state(position);
        Ok(self.analyse_state(state, game.turn(position), context))
    }
}

impl Strategy<Gomoku> for GridEngine {
    fn choices(&mut self, turn: Turn<'_, Gomoku>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let analysis = self.choose_at_gomoku(turn.game, turn.line.position(), turn.context)?;
        out.clear();
        out.extend(analysis.moves.first().map(|mv| mv.as_move()));
        Ok(analysis.nodes)
    }

    fn decide(&mut self, turn: Turn<'_, Gomoku>) -> Result<Decision, NoMove> {
        let position = turn.line.position();
        let analysis = self.choose_at_gomoku(turn.game, position, &choice_time(turn.context))?;
        let state = self.gomoku_state(position);
        self.explain(state, turn.game.turn(position), turn.context, analysis)
    }

    fn forget(&mut self) {
        self.table.clear();
    }
}
