//! Limit checker: counts nodes and polls clock and stop token at an adaptive interval.

use std::time::Duration;

use crate::{Budget, Context, StopToken};

/// Counts nodes and decides when to answer.
#[derive(Clone, Debug)]
pub struct LimitChecker {
    /// Nodes until the next look up.
    countdown: u64,
    /// Nodes counted when the countdown will have ended.
    target: u64,
    most_nodes: u64,
    budget: Budget,
    stop: StopToken,
    /// Nodes between two polls, current and maximum.
    stride: u64,
    longest: u64,
    /// When the clock was last looked at.
    looked: Duration,
    /// Whether the time is up, or a stop was requested.
    late: bool,
    /// Whether that, or the nodes are spent.
    over: bool,
}

impl LimitChecker {
    /// Maximum number of nodes between two polls: less than a millisecond of search.
    const MAX_STRIDE: u64 = 1024;

    /// The clock is looked at about this often, whatever a node costs.
    const POLL_INTERVAL: Duration = Duration::from_micros(500);

    /// Creates a checker for one decision; its time runs since the start of the context's budget.
    #[must_use]
    pub fn new(context: &Context) -> Self {
        Self::with_stride(context, Self::MAX_STRIDE)
    }

    /// For nodes that take longer: it looks up every `longest` of them at least.
    #[must_use]
    pub fn with_stride(context: &Context, longest: u64) -> Self {
        let budget = context.budget().clone();
        let most_nodes = context.limits().nodes.unwrap_or(u64::MAX).max(1);
        // How long a node takes is learned from the clock, carefully at first.
        let stride = if budget.is_limited() { 1 } else { longest };
        let first = stride.min(most_nodes);
        Self {
            countdown: first,
            target: first,
            most_nodes,
            looked: budget.elapsed().unwrap_or_default(),
            budget,
            stop: context.stop.clone(),
            stride,
            longest,
            late: false,
            over: false,
        }
    }

    /// Counts one node; `false` when it is time to answer.
    #[inline]
    pub fn tick(&mut self) -> bool {
        self.countdown -= 1;
        if self.countdown == 0 {
            self.look_up();
        }
        !self.over
    }

    /// Counts `nodes` at once, unless a poll is due in between: then it counts none and returns
    /// false.
    #[inline]
    pub fn tick_all(&mut self, nodes: u64) -> bool {
        let fits = nodes < self.countdown;
        if fits {
            self.countdown -= nodes;
        }
        fits
    }

    /// Returns the number of nodes.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.target - self.countdown
    }

    /// Whether it is time to answer.
    #[inline]
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Returns whether the search must stop at once. A search that is only out of nodes still
    /// unwinds, and counts its nodes.
    #[inline]
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.late
    }

    #[cold]
    fn look_up(&mut self) {
        self.late |= self.stop.is_stopped();
        if !self.late {
            self.look_at_the_clock();
        }
        self.over = self.late || self.target >= self.most_nodes;
        // Past the limit, nodes are still counted while the search winds up.
        let left = self.most_nodes.saturating_sub(self.target);
        self.countdown = if left == 0 {
            self.stride
        } else {
            self.stride.min(left)
        };
        self.target += self.countdown;
    }

    fn look_at_the_clock(&mut self) {
        let (Some(now), Some(lasts)) = (self.budget.elapsed(), self.budget.lasts()) else {
            return;
        };
        self.late = now >= lasts;
        let since = now.saturating_sub(self.looked);
        self.looked = now;
        if since > Self::POLL_INTERVAL {
            self.stride = (self.stride / 2).max(1);
        } else if since < Self::POLL_INTERVAL / 4 {
            self.stride = (self.stride * 2).min(self.longest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, ManualClock};

    fn timed(milliseconds: u64, clock: &ManualClock) -> Context {
        let limits = Limits {
            time: Some(Duration::from_millis(milliseconds)),
            ..Limits::default()
        };
        Context::default().limited(limits, clock)
    }

    #[test]
    fn the_clock_is_looked_at_often_whatever_a_node_costs() {
        for cost in [50, 1_000, 20_000, 300_000, 5_000_000] {
            let clock = ManualClock::default();
            let mut pace = LimitChecker::new(&timed(100, &clock));
            let cost = Duration::from_nanos(cost);
            while pace.tick() {
                clock.advance(cost);
            }
            let overshoot = clock.shown() - Duration::from_millis(100);
            let promise = LimitChecker::POLL_INTERVAL * 2 + cost;
            assert!(overshoot <= promise, "{cost:?}: {overshoot:?}");
        }
    }

    #[test]
    fn two_paces_of_one_decision_share_its_time() {
        let clock = ManualClock::default();
        let context = timed(100, &clock);
        let mut first = LimitChecker::new(&context);
        while first.tick() {
            clock.advance(Duration::from_millis(1));
        }
        assert!(
            !LimitChecker::new(&context).tick(),
            "nothing is left for a second"
        );
    }

    #[test]
    fn nodes_are_counted_to_the_limit_exactly() {
        for most in [1, 2, 1_023, 1_024, 1_025, 5_000] {
            let limits = Limits {
                nodes: Some(most),
                ..Limits::default()
            };
            let context = Context::default().limited(limits, &ManualClock::default());
            let mut pace = LimitChecker::new(&context);
            while pace.tick() {}
            assert_eq!(pace.nodes(), most);
        }
    }
}
