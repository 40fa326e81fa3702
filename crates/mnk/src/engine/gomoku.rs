//! Gomoku and renju players: move ordering by the freestyle search, tactics by the rule.
//!
//! The search knows one rule, five or more. Under the other rules only its order of moves is kept.
//! The rules determine legal moves, immediate wins and forced blocks, and no result of the search is
//! reported as a proof.

use papan_rules::{
    Bits as _, Game as _, Gomoku, GomokuPosition, GomokuRule, Grid, Move, Player, Wide,
};
use papan_strategies::{Context, Decision, NoMove, Strategy, Turn};

use super::alpha_beta::RootMove;
use super::analysis::Analysis;
use super::options::GridEngineOptions;
use super::strategy::GridEngine;
use crate::lines::Cell;
use crate::move_ordering::score_cell;
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
        Self::new(&grid, options)
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
        let mut analysis = self.analyse_state(state.clone(), game.turn(position), context);
        if game.rule() != GomokuRule::Freestyle {
            apply_rule(game, position, &state, &mut analysis);
        }
        Ok(analysis)
    }
}

/// Puts the moves in an order that respects the rule of the game.
fn apply_rule(game: &Gomoku, position: &GomokuPosition, state: &State, analysis: &mut Analysis) {
    let side = game.turn(position);
    let legal = game
        .legal_moves(position)
        .filter_map(Move::cell)
        .fold(Wide::EMPTY, |set, cell| set | Wide::single(cell));
    let wins = game.completing_cells(position, side);
    let blocks = game.completing_cells(position, side.other()) & legal;
    let wanted = [wins, blocks, legal]
        .into_iter()
        .find(|set| !set.is_empty())
        .unwrap_or(legal);
    // A line that the search would complete without winning is not worth a move.
    let useless = state.completing_cells(side).without(wins);
    let mut moves = std::mem::take(&mut analysis.moves);
    moves.retain(|mv| wanted.contains(usize::from(mv.cell)));
    if moves.is_empty() {
        let mut cells: Vec<Cell> = wanted.cells().map(|cell| cell as Cell).collect();
        cells.sort_by_key(|&cell| std::cmp::Reverse(score_cell(state, side, cell)));
        moves = cells.into_iter().map(RootMove::new).collect();
    }
    moves.sort_by_key(|mv| useless.contains(usize::from(mv.cell)));
    for mv in &mut moves {
        mv.exact = false;
    }
    (analysis.moves, analysis.won, analysis.proved) = (moves, None, None);
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
        let analysis = self.choose_at_gomoku(turn.game, position, turn.context)?;
        let mut state = self.gomoku_state(position);
        let side = turn.game.turn(position);
        if turn.game.rule() == GomokuRule::Freestyle {
            return self.explain(state, side, turn.context, analysis);
        }
        let mut candidates = self.candidates(&mut state, side, &analysis);
        for candidate in &mut candidates {
            // Variations of the search may be illegal under the rule.
            candidate.pv.truncate(1);
        }
        let best = candidates.first().map(|candidate| candidate.mv);
        Ok(Decision {
            best: best.ok_or_else(|| NoMove::Failed("no cell is left".into()))?,
            candidates,
            nodes: analysis.nodes,
        })
    }

    fn forget(&mut self) {
        self.table.clear();
    }
}
