//! [`GridEngine`], the engine as a [`Strategy`].

use std::sync::Arc;

use papan_rules::{Bits, Game as _, GomokuRule, Grid, Line, Move, Player};
use papan_strategies::{Context, Decision, Limits, NoMove, Strategy, Turn};

use super::alpha_beta::WIN_THRESHOLD;
use super::analysis::{Analysis, ROOT_WIDTH, opening};
use super::options::{GridEngineOptions, SearchMode};
use super::tt::TranspositionTable;
use crate::five::FiveInARow;
use crate::lines::Lines;
use crate::proof_lookup::{ProofLookup, ProvedValue};
use crate::state::State;

/// The engine as a strategy.
///
/// It respects the limits of the context and its own options. Without any limit it searches a fixed
/// number of nodes, so that its play is reproducible.
pub struct GridEngine {
    pub(super) options: GridEngineOptions,
    pub(super) lines: Arc<Lines>,
    pub(super) table: TranspositionTable,
    pub(super) proofs: Option<Arc<dyn ProofLookup>>,
    /// The rule and tables of five in a row, on flat boards.
    pub(super) five: Option<FiveInARow>,
}

/// Node limit if nothing else is limited; a few tenths of a second.
const DEFAULT_NODES: u64 = 200_000;
const MAX_DEPTH: u8 = 60;

impl GridEngine {
    /// Scores from here on are wins seen to the end.
    pub const WIN: i16 = WIN_THRESHOLD;

    /// Creates an engine for a board.
    #[must_use]
    pub fn new<B: Bits>(grid: &Grid<B>, options: GridEngineOptions) -> Self {
        Self::with_five(grid, options, FiveInARow::of_grid(grid))
    }

    pub(super) fn with_five<B: Bits>(
        grid: &Grid<B>,
        options: GridEngineOptions,
        five: Option<FiveInARow>,
    ) -> Self {
        Self {
            lines: Arc::new(Lines::new(grid)),
            table: TranspositionTable::new(options.hash_mib),
            options,
            proofs: None,
            five,
        }
    }

    /// Makes the engine play from proofs of this board.
    #[must_use]
    pub fn with_proofs(self, proofs: Arc<dyn ProofLookup>) -> Self {
        Self {
            proofs: Some(proofs),
            ..self
        }
    }

    /// Returns the smaller of the node limits of the context and the options.
    pub(super) fn nodes(&self, context: &Context) -> Option<u64> {
        let given = context.limits();
        let own = &self.options;
        if *given == Limits::default() && own.depth.is_none() && own.nodes.is_none() {
            return Some(DEFAULT_NODES);
        }
        own.nodes.into_iter().chain(given.nodes).min()
    }

    /// Returns the smaller of the depth limits of the context and the options.
    pub(super) fn depth(&self, context: &Context) -> u8 {
        let given = context.limits().depth;
        let limit = self.options.depth.into_iter().chain(given).min();
        let min_depth = u32::from(self.options.mode == SearchMode::Full);
        limit.map_or(MAX_DEPTH, |depth| {
            depth.clamp(min_depth, u32::from(MAX_DEPTH)) as u8
        })
    }

    /// Returns the proved value of a position.
    pub(super) fn probe(&self, state: &State, turn: Player) -> Option<ProvedValue> {
        let stones = Player::BOTH.map(|player| state.stones(player));
        self.proofs.as_ref()?.probe(stones, turn)
    }

    /// Returns the lines of the board.
    pub(super) fn lines(&self) -> &Arc<Lines> {
        &self.lines
    }

    fn choose_move<B: Bits>(
        &mut self,
        grid: &Grid<B>,
        line: &Line<Grid<B>>,
        context: &Context,
    ) -> Result<Analysis, NoMove> {
        let position = line.position();
        if grid.outcome(position).is_some() {
            return Err(NoMove::GameOver);
        }
        let state = State::from_position(&self.lines, grid, position);
        Ok(self.analyse_state(state, grid.turn(position), context))
    }

    /// Analyses a position with `side` to move.
    pub(super) fn analyse_state(
        &mut self,
        mut state: State,
        side: Player,
        context: &Context,
    ) -> Analysis {
        // Without a time limit, a cleared table makes the result depend on the position and the
        // limits alone.
        if !context.budget().is_limited() {
            self.table.clear();
        }
        let is_start = state.empty().count() as usize == self.lines.cells();
        let is_loaded = |proofs: &Arc<dyn ProofLookup>| proofs.load(&context.stop);
        let proved = self.proofs.as_ref().is_some_and(is_loaded);
        let proved = proved.then(|| self.probe(&state, side)).flatten();
        let mut analysis = match self.options.mode {
            SearchMode::Plain => match &self.five {
                // Levels are calibrated with the line counts where they know the rule.
                Some(five) if five.rule() != GomokuRule::Freestyle => {
                    self.score_all_fives(five, &state, side, context)
                }
                _ => self.score_all_moves(&state, side, context),
            },
            SearchMode::Full if matches!(proved, Some(ProvedValue::Win { .. })) => {
                Analysis::default()
            }
            SearchMode::Full if is_start => opening(&state),
            SearchMode::Full => match &self.five {
                Some(five) => self.analyse_five(five, &mut state, side, context),
                None => self.analyse(&mut state, side, context),
            },
        };
        if let Some(proved) = proved {
            let longest = match proved {
                ProvedValue::Loss { .. } if self.options.mode == SearchMode::Full => {
                    self.longest_resistance(&mut state, side)
                }
                _ => None,
            };
            analysis.apply_proof(&state, side, proved, longest);
        }
        analysis
    }

    /// Explains an analysis: scores of the other moves, then the candidates.
    pub(super) fn explain(
        &mut self,
        mut state: State,
        side: Player,
        context: &Context,
        mut analysis: Analysis,
    ) -> Result<Decision, NoMove> {
        let is_start = state.empty().count() as usize == self.lines.cells();
        analysis.moves.truncate(ROOT_WIDTH);
        // The plain search gives every move a score of the same depth already.
        if self.options.mode == SearchMode::Full && !is_start {
            let first = usize::from(analysis.is_won());
            // A proof may have put another move first.
            let is_choice = !analysis.is_won() && analysis.proved.is_none();
            let (depth, moves) = (analysis.depth, &mut analysis.moves[first..]);
            analysis.nodes += match &self.five {
                Some(five) => {
                    self.compare_fives(five, &state, side, context, moves, depth, is_choice)
                }
                None => self.compare(&state, side, context, moves, depth, is_choice),
            };
        }
        let candidates = self.candidates(&mut state, side, &analysis);
        let best = candidates.first().map(|candidate| candidate.mv);
        Ok(Decision {
            best: best.ok_or_else(|| NoMove::Failed("no cell is left".into()))?,
            candidates,
            nodes: analysis.nodes,
        })
    }
}

/// Returns the context of the choice in a decision with reasons: a quarter of its time is left to
/// compare the other moves.
pub(super) fn choice_time(context: &Context) -> Context {
    context.first(3, 4)
}

impl<B: Bits> Strategy<Grid<B>> for GridEngine {
    fn choices(&mut self, turn: Turn<'_, Grid<B>>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let Turn {
            game: grid,
            line,
            context,
        } = turn;
        let analysis = self.choose_move(grid, line, context)?;
        out.clear();
        out.extend(analysis.moves.first().map(|mv| mv.as_move()));
        Ok(analysis.nodes)
    }

    fn decide(&mut self, turn: Turn<'_, Grid<B>>) -> Result<Decision, NoMove> {
        let Turn {
            game: grid,
            line,
            context,
        } = turn;
        let analysis = self.choose_move(grid, line, &choice_time(context))?;
        let state = State::from_position(&self.lines, grid, line.position());
        self.explain(state, grid.turn(line.position()), context, analysis)
    }

    fn forget(&mut self) {
        self.table.clear();
    }
}
