//! State shared by all threads of one search.

use crate::eval::evaluation::Evaluation;
use crate::parallel::thread_pool::ThreadPool;
use crate::search::probcut::Margins;
use crate::search::stop_checker::SharedLimits;
use crate::tt::TranspositionTable;

/// Everything that the threads of one search share.
pub(crate) struct SharedState<'a> {
    tt: &'a TranspositionTable,
    evaluation: &'a Evaluation,
    margins: &'a Margins,
    limits: SharedLimits<'a>,
    pool: ThreadPool,
}

impl<'a> SharedState<'a> {
    pub(crate) const fn new(
        tt: &'a TranspositionTable,
        evaluation: &'a Evaluation,
        margins: &'a Margins,
        limits: SharedLimits<'a>,
        pool: ThreadPool,
    ) -> Self {
        Self {
            tt,
            evaluation,
            margins,
            limits,
            pool,
        }
    }

    #[inline(always)]
    pub(crate) const fn tt(&self) -> &'a TranspositionTable {
        self.tt
    }

    #[inline(always)]
    pub(crate) const fn evaluation(&self) -> &'a Evaluation {
        self.evaluation
    }

    #[inline(always)]
    pub(crate) const fn margins(&self) -> &'a Margins {
        self.margins
    }

    #[inline(always)]
    pub(crate) const fn limits(&self) -> &SharedLimits<'a> {
        &self.limits
    }

    #[inline(always)]
    pub(crate) const fn pool(&self) -> &ThreadPool {
        &self.pool
    }
}
