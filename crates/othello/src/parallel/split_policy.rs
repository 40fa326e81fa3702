//! When a node is shared with the other threads ([`crate::parallel::ybwc`]), and when its first move comes first.

use crate::parallel::aspiration::are_many;
use crate::search::worker::Searcher;

/// The least depth at which a node is worth sharing: with few threads, with many, who have enough to
/// do and would only get in each other's way, and in solving.
const SHARE: u32 = 5;
const SHARE_AMONG_MANY: u32 = 7;
const SHARE_SOLVING: u32 = 14;

/// The least depth at which a node is offered before anybody asks, and in solving. Its owner may be at one of its
/// moves for long; who is free meanwhile would have to wait for the next small node instead.
const OFFER: u32 = 9;
const OFFER_SOLVING: u32 = 17;

/// The least depth at which a node that was found too low before, and will need all its moves, is
/// shared before the first of them has been searched.
const SHARE_ALL: u32 = 7;

impl Searcher<'_> {
    /// Whether the moves that a node has left after the first are shared now.
    #[inline(always)]
    pub(crate) fn shares_rest(&self, depth: u32, empties: u32) -> bool {
        self.is_worth_sharing(depth, empties)
            && (self.has_company() || self.is_offered(depth, empties))
    }

    /// Whether a node that should need all its moves is shared before the first of them. In solving, what the
    /// first leaves in the table is worth waiting for where only one thread is free.
    #[inline(always)]
    pub(crate) fn shares_all(&self, depth: u32, empties: u32) -> bool {
        let few = usize::from(depth == empties);
        depth >= SHARE_ALL
            && self.is_worth_sharing(depth, empties)
            && (self.free_threads() > few || self.is_offered(depth, empties))
    }

    /// Whether a node has work enough for several threads.
    #[inline(always)]
    fn is_worth_sharing(&self, depth: u32, empties: u32) -> bool {
        let least = if depth == empties {
            SHARE_SOLVING
        } else if are_many(self.crew.at_once) {
            SHARE_AMONG_MANY
        } else {
            SHARE
        };
        !self.together && depth >= least
    }

    /// Whether it has so much that nobody need ask.
    #[inline(always)]
    fn is_offered(&self, depth: u32, empties: u32) -> bool {
        let solving = depth == empties;
        depth >= if solving { OFFER_SOLVING } else { OFFER } && self.crew.at_once > 1
    }
}
