//! Search trees of minimax, alpha-beta and branch and bound on any game, from the end of a line.

use std::sync::Arc;

use papan_rules::Line;
use papan_solve::{ScoredTree, SearchKind, TreeNode, TreeOptions, search_tree_until};
use papan_strategies::{Limits, NoMove, StopToken};
use thiserror::Error;

use crate::{AnyLine, Family, GameVisitor, StrategySpec, Unplayable};

/// Maximum number of positions in the last row of a tree whose symmetric branches are not merged.
pub const MAX_LAST_ROW: usize = 20_000;

/// What to show of a search tree.
#[derive(Clone, Debug)]
pub struct TreeRequest {
    /// The strategy.
    pub strategy: StrategySpec,
    /// Number of plies.
    pub shown: u32,
    /// Whether symmetric branches are merged.
    pub merge: bool,
}

/// Why a strategy has no tree in a position.
#[derive(Debug, Error)]
pub enum TreeError {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// The strategy is none that searches a tree.
    #[error("only minimax, alphabeta and branch-and-bound have a tree")]
    NoTree,
    /// The tree shows values, and shorter wins have none of their own.
    #[error("the tree shows the values +1, 0 and -1: remove prefer=shortest")]
    Shortest,
    /// The pseudo-code as it was printed searches no tree that could be shown.
    #[error("trees show the corrected pseudo-code: remove pseudo-code=as-printed")]
    AsPrinted,
    /// The tree is too large.
    #[error("the tree would have {0} positions in its last row; the limit is {MAX_LAST_ROW}")]
    TooLarge(usize),
    /// The strategy cannot play the game.
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
    /// The strategy has no move.
    #[error(transparent)]
    NoMove(#[from] NoMove),
}

/// How a strategy makes its tree.
#[derive(Clone, Copy)]
enum Source {
    Search(SearchKind),
    /// Scores moves by a formula and follows the chosen one.
    Scores,
}

/// Returns the search tree of a strategy from the end of a line.
///
/// # Errors
/// When the game is over, the strategy has no tree or cannot play, or the tree is too large.
pub fn tree(line: &dyn AnyLine, request: &TreeRequest) -> Result<TreeNode, TreeError> {
    tree_until(line, request, &StopToken::default())
}

/// As [`tree`]. Once `stop` is set it returns early, with any tree.
///
/// # Errors
/// As [`tree`].
pub fn tree_until(
    line: &dyn AnyLine,
    request: &TreeRequest,
    stop: &StopToken,
) -> Result<TreeNode, TreeError> {
    if line.outcome().is_some() {
        return Err(TreeError::GameOver);
    }
    let strategy = &request.strategy;
    if strategy.as_guest().is_some() {
        return Err(TreeError::NoTree);
    }
    let source = match strategy.info().name {
        "minimax" => Source::Search(SearchKind::Minimax),
        "alphabeta" => Source::Search(SearchKind::AlphaBeta),
        "branch-and-bound" => Source::Scores,
        _ => return Err(TreeError::NoTree),
    };
    let arguments = strategy.arguments();
    if arguments.word("prefer") == Some("shortest") {
        return Err(TreeError::Shortest);
    }
    if arguments.word("pseudo-code") == Some("as-printed") {
        return Err(TreeError::AsPrinted);
    }
    let game = line.game();
    // For instance that a large board needs a depth.
    game.can_seat(strategy, &Limits::default())?;
    let last = last_row(line.legal_moves().len(), request.shown, source);
    if !request.merge && last > MAX_LAST_ROW {
        return Err(TreeError::TooLarge(last));
    }
    game.visit(TreeJob {
        position: &line.position_text(),
        request,
        source,
        stop,
    })
}

/// Estimates the number of positions in the last row of a tree. In a tree of scored moves only
/// the chosen move is followed.
fn last_row(moves: usize, shown: u32, source: Source) -> usize {
    let shown = shown as usize;
    let row = |ply: usize| match source {
        Source::Scores if ply.is_multiple_of(2) && ply + 1 < shown => 1,
        _ => moves.saturating_sub(ply).max(1),
    };
    (0..shown).map(row).fold(1, usize::saturating_mul)
}

struct TreeJob<'a> {
    position: &'a str,
    request: &'a TreeRequest,
    source: Source,
    stop: &'a StopToken,
}

impl GameVisitor for TreeJob<'_> {
    type Output = Result<TreeNode, TreeError>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let TreeRequest {
            strategy,
            shown,
            merge,
        } = self.request;
        let position = game.parse_position(self.position);
        let position = position.expect("a line prints its position as text that can be read");
        match self.source {
            Source::Search(search) => {
                let depth = strategy.arguments().number("depth");
                let options = TreeOptions {
                    search,
                    depth: depth.map(|depth| depth as u32),
                    shown: *shown,
                    merge: *merge,
                };
                Ok(search_tree_until(&**game, &position, &options, self.stop))
            }
            Source::Scores => {
                let mut strategy = game.strategy(strategy, &Limits::default())?;
                let mut tree = ScoredTree {
                    game: &**game,
                    strategy: &mut *strategy,
                    merge: *merge,
                    stop: self.stop.clone(),
                };
                Ok(tree.from(&Line::from_position(position), *shown)?)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AnyGame;

    fn request(strategy: &str, shown: u32) -> TreeRequest {
        TreeRequest {
            strategy: strategy.parse().unwrap(),
            shown,
            merge: false,
        }
    }

    #[test]
    fn strategies_without_a_tree_and_large_trees_are_refused() {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let line = game.line();
        let refused = |text, shown| tree(&*line, &request(text, shown)).unwrap_err();
        assert!(matches!(refused("greedy", 2), TreeError::NoTree));
        assert!(matches!(
            refused("minimax(prefer=shortest)", 2),
            TreeError::Shortest
        ));
        assert!(matches!(
            refused("alphabeta(pseudo-code=as-printed)", 2),
            TreeError::AsPrinted
        ));
        assert!(matches!(refused("minimax", 8), TreeError::TooLarge(_)));
        let found = tree(&*line, &request("minimax", 2)).unwrap();
        assert_eq!(found.children.len(), 9);
        assert_eq!(found.nodes, 549_946);
        let mut over = game.line();
        over.extend("1 4 2 5 3").unwrap();
        let refused = tree(&*over, &request("minimax", 2)).unwrap_err();
        assert!(matches!(refused, TreeError::GameOver));
    }
}
