//! Search thread: the state of one thread, without the algorithms.
//!
//! The algorithms are free functions that take a `&mut SearchThread`: [`pvs`](super::pvs),
//! [`nws`](super::nws), [`shallow`](super::shallow) and the parallel schemes in
//! [`parallel`](crate::parallel). The endgame solver is a component with its own state.

use crate::board::Board;
use crate::endgame::EndgameSolver;
use crate::eval::evaluation::Evaluation;
use crate::eval::node::Node;
use crate::eval::score::from_eval;
use crate::parallel::currently_searching::CurrentlySearching;
use crate::parallel::split_point::{SplitParams, SplitPoint, SplitWork};
use crate::parallel::thread_pool::ThreadPool;
use crate::search::best::Best;
use crate::search::probcut::Margins;
use crate::search::selectivity::Selectivity;
use crate::search::shared::SharedState;
use crate::search::stop_checker::{SharedLimits, StopChecker};
use crate::tt::TranspositionTable;
use crate::tt::cluster::{Bound, Entry};
use std::sync::Arc;

/// Searches a part of a split point's work. Stored in the thread so that the YBWC code below the
/// search can call back into it.
pub(crate) type SplitHandler = fn(&mut SearchThread<'_>, &Arc<SplitPoint>);

/// One thread of a search.
pub(crate) struct SearchThread<'a> {
    shared: &'a SharedState<'a>,
    endgame: EndgameSolver<'a>,
    run_split: SplitHandler,
    /// Level of forward pruning in force.
    pub(super) selectivity: Selectivity,
    /// Number of ProbCut tests that the current node lies within.
    pub(super) probcut_nesting: u8,
    /// The ABDADA table while this thread takes part in such a search.
    currently_searching: Option<&'a CurrentlySearching>,
    /// The iteration that this thread searches from the root.
    pub(super) root: RootIteration,
}

/// State of the iteration in progress at the root.
pub(crate) struct RootIteration {
    board: Board,
    depth: u32,
    /// The best move so far, once one has been searched.
    best: Option<Best>,
}

impl RootIteration {
    pub(super) const fn new(board: Board, depth: u32) -> Self {
        Self {
            board,
            depth,
            best: None,
        }
    }

    /// Returns whether this is the root: no other node has the same board and depth.
    #[inline(always)]
    pub(super) fn is_root(&self, node: &Node, depth: u32) -> bool {
        (node.board, depth) == (self.board, self.depth)
    }

    pub(super) const fn set_best(&mut self, best: Best) {
        self.best = Some(best);
    }

    /// Returns the best move of an unfinished iteration.
    pub(super) const fn best(&self) -> Option<Best> {
        self.best
    }
}

impl<'a> SearchThread<'a> {
    pub(crate) fn new(shared: &'a SharedState<'a>, run_split: SplitHandler) -> Self {
        let checker = StopChecker::new(shared.limits());
        Self {
            shared,
            endgame: EndgameSolver::new(shared.tt(), checker),
            run_split,
            selectivity: Selectivity::Exact,
            probcut_nesting: 0,
            currently_searching: None,
            root: RootIteration::new(Board::BARE, 0),
        }
    }

    #[inline(always)]
    pub(crate) const fn tt(&self) -> &'a TranspositionTable {
        self.shared.tt()
    }

    #[inline(always)]
    pub(crate) const fn evaluation(&self) -> &'a Evaluation {
        self.shared.evaluation()
    }

    #[inline(always)]
    pub(super) const fn margins(&self) -> &'a Margins {
        self.shared.margins()
    }

    pub(super) const fn limits(&self) -> &'a SharedLimits<'a> {
        self.shared.limits()
    }

    #[inline(always)]
    pub(crate) const fn pool(&self) -> &'a ThreadPool {
        self.shared.pool()
    }

    #[inline(always)]
    pub(super) const fn endgame(&mut self) -> &mut EndgameSolver<'a> {
        &mut self.endgame
    }

    /// Evaluates a position statically.
    #[inline(always)]
    pub(super) fn evaluate(&self, node: &Node) -> i32 {
        from_eval(self.evaluation().evaluate(node))
    }

    #[inline(always)]
    pub(super) const fn count_node(&mut self) {
        self.endgame.checker_mut().count_node();
    }

    #[inline(always)]
    pub(super) fn count_nodes(&mut self, nodes: u32) {
        *self.endgame.checker_mut().nodes_mut() += u64::from(nodes);
    }

    /// Publishes the number of visited nodes; returns that of all threads.
    pub(crate) fn report_nodes(&self) -> u64 {
        self.endgame.checker().report_nodes()
    }

    /// Returns whether the current search must end. Its result is then meaningless and must not be
    /// stored.
    #[inline(always)]
    pub(crate) fn stopped(&self) -> bool {
        self.endgame.checker().stopped()
    }
}

/// Transposition table.
impl SearchThread<'_> {
    /// Returns the entry's bound if it decides whether the score exceeds `alpha`.
    #[inline(always)]
    pub(crate) fn tt_cutoff(&self, entry: Entry, alpha: i32, depth: u32) -> Option<i32> {
        let (lower, upper) = (entry.lower(), entry.upper());
        if !self.tt_usable(entry, depth) {
            None
        } else if lower > alpha {
            Some(lower)
        } else {
            (upper <= alpha).then_some(upper)
        }
    }

    /// Returns whether an entry is valid for a search of `depth` at the selectivity in force.
    #[inline(always)]
    pub(super) fn tt_usable(&self, entry: Entry, depth: u32) -> bool {
        u32::from(entry.depth) >= depth && entry.selectivity >= self.selectivity
    }

    /// Stores the result of a search with the window `alpha` to `beta`.
    #[inline(always)]
    pub(crate) fn tt_store(&self, board: Board, alpha: i32, beta: i32, best: Best, depth: u32) {
        if let Some(mv) = best.mv {
            let entry = Entry {
                score: best.score as i16,
                bound: Bound::of(best.score, alpha, beta),
                mv,
                depth: depth as u8,
                selectivity: self.selectivity,
            };
            self.tt().store(board, entry);
        }
    }
}

/// Split points.
impl<'a> SearchThread<'a> {
    /// Returns the innermost split point that this thread works under.
    #[inline(always)]
    pub(crate) const fn split(&self) -> Option<&Arc<SplitPoint>> {
        self.endgame.checker().split()
    }

    /// Creates a split point below the current one and enters it.
    pub(crate) fn open_split(
        &mut self,
        node: &Node,
        alpha: i32,
        depth: u32,
        work: SplitWork,
        best: Best,
    ) -> Arc<SplitPoint> {
        let checker = self.endgame.checker_mut();
        let parent = checker.replace_split(None);
        let params = SplitParams {
            node: *node,
            alpha,
            depth,
            selectivity: self.selectivity,
            probcut_nesting: self.probcut_nesting,
        };
        let split = Arc::new(SplitPoint::new(parent, params, work, best));
        checker.replace_split(Some(split.clone()));
        split
    }

    /// Leaves a split point that this thread opened.
    pub(crate) fn close_split(&mut self, split: &SplitPoint) {
        let parent = split.parent().cloned();
        self.endgame.checker_mut().replace_split(parent);
    }

    /// Searches a part of a split point that this thread opened.
    pub(crate) fn run_split(&mut self, split: &Arc<SplitPoint>) {
        (self.run_split)(self, split);
    }

    /// Helps at another thread's split point, with its selectivity.
    pub(crate) fn join(&mut self, split: &Arc<SplitPoint>) {
        let own_split = self
            .endgame
            .checker_mut()
            .replace_split(Some(split.clone()));
        let params = split.params();
        let own_selectivity = std::mem::replace(&mut self.selectivity, params.selectivity);
        let own_nesting = std::mem::replace(&mut self.probcut_nesting, params.probcut_nesting);
        self.run_split(split);
        self.endgame.checker_mut().replace_split(own_split);
        self.selectivity = own_selectivity;
        self.probcut_nesting = own_nesting;
        self.pool().leave(split);
    }

    /// Runs `search` as part of an ABDADA search.
    pub(crate) fn with_deferral<T>(&mut self, search: impl FnOnce(&mut Self) -> T) -> T {
        self.currently_searching = self.pool().currently_searching();
        let result = search(self);
        self.currently_searching = None;
        result
    }

    /// Returns the table of moves being searched, if moves at this depth may be deferred.
    #[inline(always)]
    pub(crate) fn currently_searching(&self, depth: u32) -> Option<&'a CurrentlySearching> {
        self.currently_searching
            .filter(|_| depth >= CurrentlySearching::MIN_DEFER_DEPTH)
    }

    /// Returns whether this thread takes part in an ABDADA search.
    #[inline(always)]
    pub(crate) const fn is_in_abdada(&self) -> bool {
        self.currently_searching.is_some()
    }
}
