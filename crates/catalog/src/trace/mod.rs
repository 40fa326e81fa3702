//! Step-by-step runs of strategies on any game: the request, and how it is run.

mod growing_tree;
mod traced_run;

use std::sync::Arc;

use papan_solve::{
    Algorithm, Listing, Trace, TraceOptions, trace_answer, trace_as_printed, trace_playouts,
    trace_scores, trace_search, trace_table,
};
use papan_strategies::{Automaton, Context, Limits, Mcts, NoMove, StopToken, Turn};
use thiserror::Error;

pub use traced_run::TracedRun;

use crate::registry::{prefer, transition_table};
use crate::{AnyLine, Family, GameVisitor, StrategySpec, TypedLine, Unplayable};

/// Playouts of MCTS that are traced unless the strategy says how many.
const DEFAULT_PLAYOUTS: u64 = 20;

/// What to trace, and how much of it.
#[derive(Clone, Debug)]
pub struct TraceRequest {
    /// The strategy.
    pub strategy: StrategySpec,
    /// Plies of the search tree that are shown; deeper ones are collapsed.
    pub shown: u32,
    /// Maximum number of steps.
    pub steps: usize,
    /// Maximum number of positions that are searched.
    pub nodes: u64,
    /// Maximum number of playouts of MCTS: each keeps the numbers of all moves.
    pub playouts: u64,
    /// Seed of random choices.
    pub seed: u64,
}

/// Why a strategy cannot be traced in a position.
#[derive(Debug, Error)]
pub enum TraceError {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// The strategy has no steps to show.
    #[error("{0} cannot be traced")]
    NoSteps(&'static str),
    /// The strategy cannot play the game.
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
    /// The strategy has no move.
    #[error(transparent)]
    NoMove(#[from] NoMove),
}

/// The strategies that can be traced, beside programs.
pub const TRACEABLE: [&str; 9] = [
    "minimax",
    "alphabeta",
    "mcts",
    "branch-and-bound",
    "greedy",
    "greedy-points",
    "expert",
    "automaton",
    "lookup",
];

/// Returns the algorithm behind a strategy, if its run can be traced.
#[must_use]
pub fn traceable(strategy: &StrategySpec) -> Option<Algorithm> {
    if strategy.as_guest().is_some() {
        return Some(Algorithm::Program);
    }
    match strategy.info().name {
        "minimax" => Some(Algorithm::Minimax),
        "alphabeta" if is_as_printed(strategy) => Some(Algorithm::AlphaBetaAsPrinted),
        "alphabeta" => Some(Algorithm::AlphaBeta),
        "mcts" => Some(Algorithm::Mcts),
        "branch-and-bound" => Some(Algorithm::Scoring(Listing::BranchAndBound)),
        "greedy" => Some(Algorithm::Scoring(Listing::Greedy)),
        "greedy-points" => Some(Algorithm::Scoring(Listing::GreedyPoints)),
        "expert" => Some(Algorithm::Scoring(Listing::Expert)),
        "automaton" => Some(Algorithm::Scoring(Listing::Automaton)),
        "lookup" => Some(Algorithm::Scoring(Listing::Lookup)),
        _ => None,
    }
}

/// Returns whether the pseudo-code of alpha-beta runs as printed.
fn is_as_printed(strategy: &StrategySpec) -> bool {
    strategy.arguments().word("pseudo-code") == Some("as-printed")
}

/// Runs a strategy at the end of a line, step by step.
///
/// # Errors
/// When the game is over, or the strategy cannot play it or has no steps.
pub fn trace(line: &dyn AnyLine, request: &TraceRequest) -> Result<TracedRun, TraceError> {
    trace_until(line, request, &StopToken::default())
}

/// As [`trace`]. Once `stop` is set the run is cut short.
///
/// # Errors
/// As [`trace`].
pub fn trace_until(
    line: &dyn AnyLine,
    request: &TraceRequest,
    stop: &StopToken,
) -> Result<TracedRun, TraceError> {
    if line.outcome().is_some() {
        return Err(TraceError::GameOver);
    }
    let strategy = &request.strategy;
    let name = strategy.info().name;
    let algorithm = traceable(strategy).ok_or(TraceError::NoSteps(name))?;
    let game = line.game();
    // For instance that a large board needs a depth.
    game.can_seat(strategy, &Limits::default())?;
    let job = TraceJob {
        request,
        algorithm,
        line,
        stop,
    };
    Ok(TracedRun {
        trace: game.visit(job)?,
        strategy: strategy.clone(),
        algorithm,
        line: line.clone_line(),
    })
}

struct TraceJob<'a> {
    request: &'a TraceRequest,
    algorithm: Algorithm,
    line: &'a dyn AnyLine,
    stop: &'a StopToken,
}

impl GameVisitor for TraceJob<'_> {
    type Output = Result<Trace, TraceError>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let (request, spec) = (self.request, &self.request.strategy);
        let line = TypedLine::of(game, self.line).expect("the game of this line is visited");
        let context = Context::with_seed(request.seed).stopped_by(self.stop);
        let turn = Turn::new(&**game, line, &context);
        match self.algorithm {
            Algorithm::Minimax | Algorithm::AlphaBeta | Algorithm::AlphaBetaAsPrinted => {
                let options = TraceOptions {
                    prefer: prefer(spec.arguments()),
                    depth: spec.arguments().number("depth").map(|depth| depth as u32),
                    shown: request.shown,
                    steps: request.steps,
                    nodes: request.nodes,
                };
                let (position, prunes) = (line.position(), self.algorithm.prunes());
                if self.algorithm == Algorithm::AlphaBetaAsPrinted {
                    return Ok(trace_as_printed(&**game, position, &options, self.stop));
                }
                Ok(trace_search(&**game, position, prunes, &options, self.stop))
            }
            Algorithm::Scoring(Listing::Automaton) => {
                let mut strategy = game.strategy(spec, &Limits::default())?;
                let own = transition_table(spec.arguments())?;
                let table = own.unwrap_or_else(|| Automaton::default().table().clone());
                Ok(trace_table(&mut *strategy, turn, &table, request.steps)?)
            }
            Algorithm::Scoring(listing) => {
                let mut strategy = game.strategy(spec, &Limits::default())?;
                Ok(trace_scores(&mut *strategy, turn, listing)?)
            }
            Algorithm::Program => {
                let mut strategy = game.strategy(spec, &Limits::default())?;
                Ok(trace_answer(&mut *strategy, turn)?)
            }
            Algorithm::Mcts => {
                let arguments = spec.arguments();
                let playouts = arguments.number("playouts").unwrap_or(DEFAULT_PLAYOUTS);
                let mcts = Mcts {
                    playouts: Some(playouts as u32),
                    seed: Some(arguments.number("seed").unwrap_or(request.seed)),
                };
                let most = request.playouts;
                Ok(trace_playouts(&mcts, turn, most, request.steps)?)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::growing_tree::visits;
    use super::*;
    use crate::AnyGame;
    use papan_rules::Move;
    use papan_solve::{SearchKind, TraceEvent, TreeNode, TreeOptions, exceeds, search_tree};

    fn run(game: &str, moves: &str, strategy: &str, shown: u32) -> TracedRun {
        let game: AnyGame = game.parse().unwrap();
        let mut line = game.line();
        line.extend(moves).unwrap();
        let request = TraceRequest {
            strategy: strategy.parse().unwrap(),
            shown,
            steps: 100_000,
            nodes: u64::MAX,
            playouts: 30,
            seed: 0,
        };
        trace(&*line, &request).unwrap()
    }

    /// Every path of a recorded tree.
    fn paths(node: &TreeNode, path: &mut Vec<Move>, all: &mut Vec<Vec<Move>>) {
        all.push(path.clone());
        for child in &node.children {
            path.extend(child.mv);
            paths(child, path, all);
            path.pop();
        }
    }

    #[test]
    fn at_the_last_step_the_tree_is_that_of_the_search() {
        let game = papan_rules::tictactoe();
        for (strategy, search) in [
            ("minimax", SearchKind::Minimax),
            ("alphabeta", SearchKind::AlphaBeta),
        ] {
            let run = run("tictactoe", "1 5 9 3", strategy, 3);
            let line = papan_rules::Line::parse(&game, "1 5 9 3").unwrap();
            let options = TreeOptions {
                search,
                depth: None,
                shown: 3,
                merge: false,
            };
            let expected = search_tree(&game, line.position(), &options);
            let mut open = Vec::new();
            paths(&expected, &mut Vec::new(), &mut open);
            let last = run.trace.steps.len() - 1;
            assert_eq!(run.tree(last, &open), expected, "{strategy}");
        }
    }

    #[test]
    fn the_tree_grows_and_only_the_way_to_the_step_is_unfolded() {
        let run = run("tictactoe", "1 5 9 3", "alphabeta", 9);
        let mut before = 0;
        for at in 0..run.trace.steps.len() {
            let tree = run.tree(at, &[]);
            assert!(tree.nodes >= before);
            before = tree.nodes;
            let mut all = Vec::new();
            paths(&tree, &mut Vec::new(), &mut all);
            let current = &run.step(at).path;
            assert!(all.contains(current), "step {at}");
            for path in &all {
                let parent = &path[..path.len().saturating_sub(1)];
                assert!(current.starts_with(parent), "step {at}: {path:?}");
            }
        }
        // With the root: alpha-beta visits as many positions as the strategy does.
        let counted = run
            .trace
            .steps
            .iter()
            .filter(|s| s.event == TraceEvent::Enter);
        assert_eq!(before, counted.count() as u64);
    }

    #[test]
    fn the_queue_of_branch_and_bound_has_the_best_first() {
        let run = run("tictactoe", "1 5 9", "branch-and-bound", 3);
        let last = run.trace.steps.len() - 1;
        let queue = run.queue(last);
        assert_eq!(queue.len(), 6);
        assert_eq!(Some(queue[0].mv), run.trace.choice());
        for pair in queue.windows(2) {
            assert!(!exceeds(pair[1], pair[0]), "{pair:?}");
        }
        assert!(run.queue(0).is_empty());
        let tree = run.tree(last, &[]);
        let best: Vec<_> = tree.children.iter().filter(|c| c.best).collect();
        assert_eq!(best.len(), 1);
        assert_eq!(best[0].mv, run.trace.choice());
    }

    #[test]
    fn every_playout_is_in_the_tree() {
        let run = run("tictactoe", "5", "mcts(playouts=12)", 3);
        let last = run.trace.steps.len() - 1;
        let total: i64 = run.queue(last).iter().map(|c| visits(c)).sum();
        assert_eq!(total, 12);
        let tree = run.tree(last, &[]);
        assert!(!tree.children.is_empty());
    }

    #[test]
    fn other_strategies_and_finished_games_are_refused() {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let mut line = game.line();
        let mut request = TraceRequest {
            strategy: "random".parse().unwrap(),
            shown: 3,
            steps: 10,
            nodes: 10,
            playouts: 10,
            seed: 0,
        };
        let refused = trace(&*line, &request);
        assert!(matches!(refused, Err(TraceError::NoSteps("random"))));
        request.strategy = "minimax".parse().unwrap();
        line.extend("1 4 2 5 3").unwrap();
        assert!(matches!(trace(&*line, &request), Err(TraceError::GameOver)));
        let large: AnyGame = "tictactoe:15x15:5".parse().unwrap();
        let refused = trace(&*large.line(), &request);
        assert!(matches!(refused, Err(TraceError::Unplayable(_))));
    }

    #[test]
    fn the_marked_line_is_that_of_the_number_that_decides() {
        let codes = |moves: &str, strategy: &str| -> Vec<u8> {
            let run = run("tictactoe", moves, strategy, 3);
            let Algorithm::Scoring(listing) = run.algorithm else {
                panic!("{strategy}")
            };
            let codes: Vec<u8> = run.trace.steps.iter().map(|step| step.code).collect();
            assert_eq!(codes.first(), Some(&1));
            assert_eq!(codes.last(), Some(&listing.lines()));
            codes[1..codes.len() - 1].to_vec()
        };
        // 2: the first; 3: more cd; 4, 6: less cd; 7: as much, decided by ca; 8: less cd.
        assert_eq!(codes("1 5 9", "branch-and-bound"), [6, 6, 6, 6, 7, 6]);
        // 3 wins, and the others after it do not.
        let winning = codes("1 4 2 5", "branch-and-bound");
        assert_eq!(winning, [3, 3, 3, 3, 3]);
        assert!(codes("1 5 9", "greedy").iter().all(|&code| code == 6));
        assert!(codes("", "greedy(ties=reply)").contains(&7));
        assert!(codes("1 5", "greedy-points").iter().all(|&code| code == 6));
        // The rule that fits: 2 blocks a fork, 3 is a corner.
        assert_eq!(codes("1 5 9", "expert"), [5, 8, 5, 5, 8, 5]);
        // Two rows with another input, the row that is equal, its reply.
        assert_eq!(codes("9 6", "automaton"), [3, 3, 3, 4]);
        // The opening is no row.
        assert!(
            codes("", "automaton")
                .iter()
                .all(|&code| code == 3 || code == 4)
        );
    }
}
