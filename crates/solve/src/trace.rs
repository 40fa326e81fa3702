//! Step-by-step run of a strategy: the sequence of events that leads to its choice.
//!
//! Each step names the line of the pseudo-code that it executes (the view has its text), the path from the traced position, the window of alpha-beta and what was found there.
//! Subtrees below a depth can be collapsed: their result is one step.

use std::ops::ControlFlow;

use papan_rules::{Game, Move, Player};
use papan_strategies::{Bound, Candidate, Context, NoMove, Strategy, Turn};

use crate::tree_node::{Label, Window};

/// The algorithms that can be traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Document 002.
    Minimax,
    /// Document 002, with pruning.
    AlphaBeta,
    /// A strategy that scores every move by a formula, rule or table and takes the best.
    Scoring,
    /// Monte Carlo tree search, one step for each playout.
    Mcts,
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceStep {
    /// The line of the pseudo-code, from 1.
    pub code: u8,
    /// The moves from the traced position to this one.
    pub path: Vec<Move>,
    /// Whether the player of the traced position is to move here.
    pub maximising: bool,
    /// Plies that the search still looks ahead; `None` to the end of the game.
    pub depth: Option<u32>,
    /// The window of alpha-beta.
    pub window: Option<Window>,
    /// What happens.
    pub event: TraceEvent,
}

/// What happens in a step.
#[derive(Clone, Debug, PartialEq)]
pub enum TraceEvent {
    /// The search enters a position.
    Enter,
    /// The game is over, or the depth is used up.
    Leaf {
        /// The value for the player of the traced position.
        value: i32,
    },
    /// The positions below are not shown; this is their result.
    Collapsed {
        /// The value, or a bound on it.
        value: i32,
        /// Whether it is exact.
        bound: Bound,
        /// Positions visited.
        nodes: u64,
    },
    /// A move is the best so far.
    Better {
        /// The move.
        mv: Move,
        /// Its value, or a bound on it.
        value: i32,
        /// Whether it is exact.
        bound: Bound,
    },
    /// A move is not better than the best so far.
    NotBetter {
        /// The move.
        mv: Move,
        /// Its value, or a bound on it.
        value: i32,
        /// Whether it is exact.
        bound: Bound,
        /// The best so far.
        best: i32,
    },
    /// Alpha reached beta: the moves that are left cannot matter.
    Cut {
        /// The moves that are left out.
        left: Vec<Move>,
    },
    /// The value of the position is returned.
    Return {
        /// The value, or a bound on it.
        value: i32,
        /// Whether it is exact.
        bound: Bound,
    },
    /// A move is scored by the strategy's own numbers.
    Score {
        /// The move with its terms.
        candidate: Candidate,
        /// Whether it is the best so far.
        best: bool,
    },
    /// A playout has ended.
    Playout {
        /// Its number, from 1.
        number: u32,
        /// The move of the root through which it went.
        mv: Move,
        /// The moves of the root with their visits and means after it.
        candidates: Vec<Candidate>,
    },
    /// The choice.
    Choose {
        /// The move.
        mv: Move,
    },
}

/// How a run is traced.
#[derive(Clone, Copy, Debug)]
pub struct TraceOptions {
    /// Depth limit of the search in plies; `None` searches to the end.
    pub depth: Option<u32>,
    /// Plies that are shown; deeper ones are collapsed.
    pub shown: u32,
    /// Maximum number of steps.
    pub steps: usize,
}

/// A traced run.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The steps.
    pub steps: Vec<TraceStep>,
    /// Whether the run continued beyond the maximum number of steps.
    pub is_cut_short: bool,
}

/// Traces minimax or alpha-beta from a position.
///
/// The search is that of the strategies of these names: moves first to last, an infinite window at
/// the root that its moves narrow, values +1, 0 and -1 for the player to move there.
#[must_use]
pub fn trace_search<G: Game>(
    game: &G,
    position: &G::Position,
    prunes: bool,
    options: &TraceOptions,
) -> Trace {
    let mut tracer = Tracer {
        game,
        maximiser: game.turn(position),
        prunes,
        options,
        steps: Vec::new(),
        path: Vec::new(),
    };
    let depth = options.depth.unwrap_or(u32::MAX);
    let flow = tracer.node(position, depth, Window::FULL);
    Trace {
        steps: tracer.steps,
        is_cut_short: flow.is_break(),
    }
}

/// Lines of the pseudo-code of minimax and alpha-beta, as the view shows them.
mod code {
    pub(super) const ENTER: u8 = 1;
    pub(super) const LEAF: u8 = 2;
    pub(super) const SEARCH: u8 = 5;
    pub(super) const BETTER: u8 = 6;
    pub(super) const CUT: u8 = 8;
    pub(super) const RETURN: u8 = 9;
    pub(super) const CHOOSE: u8 = 10;
}

/// The result of a position.
#[derive(Clone, Copy)]
struct Found {
    value: i32,
    bound: Bound,
}

/// The steps are full.
struct Full;

struct Tracer<'a, G: Game> {
    game: &'a G,
    maximiser: Player,
    prunes: bool,
    options: &'a TraceOptions,
    steps: Vec<TraceStep>,
    path: Vec<Move>,
}

impl<G: Game> Tracer<'_, G> {
    fn step(
        &mut self,
        code: u8,
        position: &G::Position,
        depth: u32,
        window: Window,
        event: TraceEvent,
    ) -> ControlFlow<Full> {
        if self.steps.len() >= self.options.steps {
            return ControlFlow::Break(Full);
        }
        self.steps.push(TraceStep {
            code,
            path: self.path.clone(),
            maximising: self.game.turn(position) == self.maximiser,
            depth: (depth <= self.options.depth.unwrap_or(0)).then_some(depth),
            window: self.prunes.then_some(window),
            event,
        });
        ControlFlow::Continue(())
    }

    fn leaf(&self, position: &G::Position, depth: u32) -> Option<i32> {
        match self.game.outcome(position) {
            Some(outcome) => Some(outcome.value_for(self.maximiser)),
            None => (depth == 0).then_some(0),
        }
    }

    /// Searches a position and records its steps; returns its value.
    fn node(
        &mut self,
        position: &G::Position,
        depth: u32,
        entered: Window,
    ) -> ControlFlow<Full, Found> {
        let mut window = entered;
        self.step(code::ENTER, position, depth, window, TraceEvent::Enter)?;
        if let Some(value) = self.leaf(position, depth) {
            let leaf = TraceEvent::Leaf { value };
            self.step(code::LEAF, position, depth, window, leaf)?;
            let bound = Bound::Exact;
            return ControlFlow::Continue(Found { value, bound });
        }
        if self.path.len() as u32 >= self.options.shown {
            let mut nodes = 0;
            let value = self.value(position, depth, window, &mut nodes);
            let bound = self.bound(value, entered);
            let collapsed = TraceEvent::Collapsed {
                value,
                bound,
                nodes,
            };
            self.step(code::SEARCH, position, depth, window, collapsed)?;
            return ControlFlow::Continue(Found { value, bound });
        }
        let maximising = self.game.turn(position) == self.maximiser;
        let moves: Vec<Move> = self.game.legal_moves(position).collect();
        let mut best: Option<(i32, Move)> = None;
        for (index, &mv) in moves.iter().enumerate() {
            let next = self.game.after(position, mv);
            self.path.push(mv);
            let found = self.node(&next, depth - 1, self.child_window(window));
            self.path.pop();
            let Found { value, bound } = found?;
            let is_better = best.is_none_or(|(best, _)| is_better(value, best, maximising));
            if is_better {
                best = Some((value, mv));
            }
            if self.prunes {
                window.narrow(value, maximising);
            }
            let event = match best {
                Some((best, _)) if !is_better => TraceEvent::NotBetter {
                    mv,
                    value,
                    bound,
                    best,
                },
                _ => TraceEvent::Better { mv, value, bound },
            };
            self.step(code::BETTER, position, depth, window, event)?;
            let left = &moves[index + 1..];
            if self.prunes && window.is_closed() {
                if !left.is_empty() {
                    let left = left.to_vec();
                    self.step(code::CUT, position, depth, window, TraceEvent::Cut { left })?;
                }
                break;
            }
        }
        let (value, mv) = best.expect("an unfinished position has a move");
        let bound = self.bound(value, entered);
        if self.path.is_empty() {
            let choose = TraceEvent::Choose { mv };
            self.step(code::CHOOSE, position, depth, window, choose)?;
        } else {
            let end = TraceEvent::Return { value, bound };
            self.step(code::RETURN, position, depth, window, end)?;
        }
        ControlFlow::Continue(Found { value, bound })
    }

    fn child_window(&self, window: Window) -> Window {
        if self.prunes { window } else { Window::FULL }
    }

    fn bound(&self, value: i32, entered: Window) -> Bound {
        match entered.label(value) {
            Label::Value { bound, .. } if self.prunes => bound,
            _ => Bound::Exact,
        }
    }

    /// Searches a collapsed position.
    fn value(
        &self,
        position: &G::Position,
        depth: u32,
        mut window: Window,
        nodes: &mut u64,
    ) -> i32 {
        *nodes += 1;
        if let Some(value) = self.leaf(position, depth) {
            return value;
        }
        let maximising = self.game.turn(position) == self.maximiser;
        let mut best: Option<i32> = None;
        for mv in self.game.legal_moves(position) {
            let next = self.game.after(position, mv);
            let value = self.value(&next, depth - 1, self.child_window(window), nodes);
            if best.is_none_or(|best| is_better(value, best, maximising)) {
                best = Some(value);
            }
            if self.prunes {
                window.narrow(value, maximising);
                if window.is_closed() {
                    break;
                }
            }
        }
        best.expect("an unfinished position has a move")
    }
}

fn is_better(value: i32, best: i32, maximising: bool) -> bool {
    if maximising {
        value > best
    } else {
        value < best
    }
}

/// Traces a strategy that scores its moves: a step for each move, then the choice.
///
/// # Errors
/// When the strategy has no move.
pub fn trace_scores<G: Game>(
    strategy: &mut dyn Strategy<G>,
    turn: Turn<'_, G>,
) -> Result<Trace, NoMove> {
    let decision = strategy.decide(turn)?;
    let step = |code, event| TraceStep {
        code,
        path: Vec::new(),
        maximising: true,
        depth: None,
        window: None,
        event,
    };
    let mut steps = vec![step(1, TraceEvent::Enter)];
    let mut best: Option<&Candidate> = None;
    for candidate in &decision.candidates {
        let is_best = best.is_none_or(|best| exceeds(candidate, best));
        if is_best {
            best = Some(candidate);
        }
        let event = TraceEvent::Score {
            candidate: candidate.clone(),
            best: is_best,
        };
        steps.push(step(3, event));
    }
    steps.push(step(5, TraceEvent::Choose { mv: decision.best }));
    Ok(Trace {
        steps,
        is_cut_short: false,
    })
}

/// Returns whether a move is better than another by the terms that decide.
fn exceeds(candidate: &Candidate, best: &Candidate) -> bool {
    let deciding = |candidate: &Candidate| -> Vec<_> {
        let terms = candidate.terms.iter().filter(|term| term.decides);
        terms.map(|term| term.value.clone()).collect()
    };
    for (mine, theirs) in deciding(candidate).iter().zip(&deciding(best)) {
        match mine.compare(theirs) {
            Some(std::cmp::Ordering::Equal) | None => {}
            Some(order) => return order.is_gt(),
        }
    }
    false
}

/// Traces Monte Carlo tree search by running it with one playout more at a time: its random numbers
/// are a function of the seed, so each run continues the one before.
///
/// # Errors
/// When the strategy has no move.
pub fn trace_playouts<G: Game>(
    with_playouts: &mut dyn FnMut(u32) -> Box<dyn Strategy<G>>,
    turn: Turn<'_, G>,
    playouts: u32,
) -> Result<Trace, NoMove> {
    let mut steps = Vec::new();
    let mut before: Vec<Candidate> = Vec::new();
    let mut choice = None;
    for number in 1..=playouts {
        let context = Context::with_seed(turn.context.seed);
        let turn = turn.with_context(&context);
        let decision = with_playouts(number).decide(turn)?;
        let visits = |candidate: &Candidate| candidate.terms.first().map(|term| term.value.clone());
        let was = |mv: Move| before.iter().find(|c| c.mv == mv).and_then(visits);
        let changed = decision.candidates.iter().find(|c| visits(c) != was(c.mv));
        let mv = changed.map_or(decision.best, |candidate| candidate.mv);
        steps.push(TraceStep {
            code: 5,
            path: vec![mv],
            maximising: true,
            depth: None,
            window: None,
            event: TraceEvent::Playout {
                number,
                mv,
                candidates: decision.candidates.clone(),
            },
        });
        before = decision.candidates;
        choice = Some(decision.best);
    }
    if let Some(mv) = choice {
        steps.push(TraceStep {
            code: 6,
            path: Vec::new(),
            maximising: true,
            depth: None,
            window: None,
            event: TraceEvent::Choose { mv },
        });
    }
    Ok(Trace {
        steps,
        is_cut_short: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::{Grid, Line, tictactoe};
    use papan_strategies::{AlphaBeta, BranchAndBound, Mcts, Minimax};

    const ALL: TraceOptions = TraceOptions {
        depth: None,
        shown: u32::MAX,
        steps: usize::MAX,
    };

    type Position = <Grid<u64> as Game>::Position;

    /// The notes of a plain implementation: the path with the window at its entry, and its value.
    #[derive(Debug, PartialEq)]
    enum Note {
        Enter(Vec<usize>, i32, i32),
        Cut(Vec<usize>, usize),
        Value(Vec<usize>, i32),
    }

    const INFINITY: i32 = 99;

    /// Alpha-beta from the textbook, in two halves, on a board of nine letters.
    fn plain(
        cells: &mut [char; 9],
        me: char,
        path: &mut Vec<usize>,
        mut alpha: i32,
        mut beta: i32,
        notes: &mut Vec<Note>,
    ) -> i32 {
        notes.push(Note::Enter(path.clone(), alpha, beta));
        let lines = [
            [0, 1, 2],
            [3, 4, 5],
            [6, 7, 8],
            [0, 3, 6],
            [1, 4, 7],
            [2, 5, 8],
            [0, 4, 8],
            [2, 4, 6],
        ];
        let has_won = |mark: char| {
            lines
                .iter()
                .any(|line| line.iter().all(|&c| cells[c] == mark))
        };
        let stones = cells.iter().filter(|c| **c != '-').count();
        let mover = if stones % 2 == 0 { 'X' } else { 'O' };
        let other = if me == 'X' { 'O' } else { 'X' };
        let end = match (has_won(me), has_won(other)) {
            (true, _) => Some(1),
            (_, true) => Some(-1),
            _ => (stones == 9).then_some(0),
        };
        if let Some(value) = end {
            notes.push(Note::Value(path.clone(), value));
            return value;
        }
        let empty: Vec<usize> = (0..9).filter(|&cell| cells[cell] == '-').collect();
        let mut best = if mover == me { -INFINITY } else { INFINITY };
        for (index, &cell) in empty.iter().enumerate() {
            cells[cell] = mover;
            path.push(cell);
            let value = plain(cells, me, path, alpha, beta, notes);
            path.pop();
            cells[cell] = '-';
            if mover == me {
                best = best.max(value);
                alpha = alpha.max(best);
            } else {
                best = best.min(value);
                beta = beta.min(best);
            }
            if alpha >= beta {
                let left = empty.len() - index - 1;
                if left > 0 {
                    notes.push(Note::Cut(path.clone(), left));
                }
                break;
            }
        }
        notes.push(Note::Value(path.clone(), best));
        best
    }

    fn notes(trace: &Trace) -> Vec<Note> {
        let mut notes = Vec::new();
        for step in &trace.steps {
            let path: Vec<usize> = step.path.iter().map(|mv| mv.cell().unwrap()).collect();
            let window = step.window.unwrap();
            match &step.event {
                TraceEvent::Enter => notes.push(Note::Enter(
                    path,
                    window.alpha().unwrap_or(-INFINITY),
                    window.beta().unwrap_or(INFINITY),
                )),
                TraceEvent::Cut { left } => notes.push(Note::Cut(path, left.len())),
                TraceEvent::Leaf { value } | TraceEvent::Return { value, .. } => {
                    notes.push(Note::Value(path, *value));
                }
                _ => {}
            }
        }
        notes
    }

    #[test]
    fn alpha_beta_is_traced_step_by_step_as_a_plain_implementation_runs() {
        let game = tictactoe();
        for moves in ["1 5 9 3", "1 2 4 3", "5", "1 5 9 3 7 4", "2 1 9"] {
            let line = Line::parse(&game, moves).unwrap();
            let trace = trace_search(&game, line.position(), true, &ALL);
            let mut cells = ['-'; 9];
            for (index, mv) in line.moves().iter().enumerate() {
                cells[mv.cell().unwrap()] = if index % 2 == 0 { 'X' } else { 'O' };
            }
            let me = if line.ply() % 2 == 0 { 'X' } else { 'O' };
            let mut expected = Vec::new();
            plain(
                &mut cells,
                me,
                &mut Vec::new(),
                -INFINITY,
                INFINITY,
                &mut expected,
            );
            // The root chooses instead of returning.
            expected.pop();
            assert_eq!(notes(&trace), expected, "{moves}");
        }
    }

    fn entered(trace: &Trace) -> u64 {
        let is_enter = |step: &&TraceStep| step.event == TraceEvent::Enter;
        trace.steps.iter().filter(is_enter).count() as u64
    }

    fn choice(trace: &Trace) -> Move {
        match trace.steps.last().map(|step| &step.event) {
            Some(TraceEvent::Choose { mv }) => *mv,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_trace_enters_the_nodes_of_the_strategy_and_chooses_its_move() {
        let game = tictactoe();
        for moves in ["1 5 9 3", "5 1", "1 2 4 3"] {
            let line = Line::parse(&game, moves).unwrap();
            let context = Context::default();
            let turn = Turn::new(&game, &line, &context);
            let minimax = Minimax::default().decide(turn).unwrap();
            let trace = trace_search(&game, line.position(), false, &ALL);
            assert_eq!(
                (entered(&trace), choice(&trace)),
                (minimax.nodes, minimax.best)
            );
            let alphabeta = AlphaBeta::default().decide(turn).unwrap();
            let trace = trace_search(&game, line.position(), true, &ALL);
            assert_eq!(
                (entered(&trace), choice(&trace)),
                (alphabeta.nodes, alphabeta.best)
            );
        }
    }

    #[test]
    fn a_long_run_is_collapsed_or_cut_short() {
        let game = tictactoe();
        let start: Position = game.start();
        let shown = TraceOptions { shown: 1, ..ALL };
        let trace = trace_search(&game, &start, true, &shown);
        assert!(trace.steps.len() < 60, "{}", trace.steps.len());
        let below: u64 = trace
            .steps
            .iter()
            .map(|step| match step.event {
                TraceEvent::Collapsed { nodes, .. } => nodes,
                _ => 0,
            })
            .sum();
        // With the root; the empty board costs alpha-beta 18,297 nodes.
        assert_eq!(below + 1, 18_297);
        assert_eq!(choice(&trace), Move::on(0));
        let short = TraceOptions { steps: 100, ..ALL };
        let trace = trace_search(&game, &start, false, &short);
        assert_eq!((trace.steps.len(), trace.is_cut_short), (100, true));
    }

    #[test]
    fn scores_and_playouts_end_in_the_choice_of_the_strategy() {
        let game = tictactoe();
        let line = Line::parse(&game, "1 5 9").unwrap();
        let context = Context::with_seed(3);
        let turn = Turn::new(&game, &line, &context);
        let best = BranchAndBound.decide(turn).unwrap().best;
        let trace = trace_scores(&mut BranchAndBound, turn).unwrap();
        assert_eq!(choice(&trace), best);
        let last_best = trace.steps.iter().rev().find_map(|step| match &step.event {
            TraceEvent::Score {
                candidate,
                best: true,
            } => Some(candidate.mv),
            _ => None,
        });
        assert_eq!(last_best, Some(best));
        let mut mcts = |playouts| -> Box<dyn Strategy<Grid<u64>>> {
            Box::new(Mcts {
                playouts: Some(playouts),
                seed: Some(3),
            })
        };
        let best = mcts(40).decide(turn).unwrap().best;
        let trace = trace_playouts(&mut mcts, turn, 40).unwrap();
        assert_eq!(choice(&trace), best);
        assert_eq!(trace.steps.len(), 41);
    }
}
