//! Links that step through a line of play: first, back, forward, last.

use papan_view::Messages;

/// A step; without a link it is disabled.
pub(crate) struct Step {
    pub(crate) sign: &'static str,
    pub(crate) label: String,
    /// Link relation; our script binds keys to `first`, `prev`, `next` and `last`.
    pub(crate) relation: &'static str,
    pub(crate) link: Option<String>,
}

/// Creates steps whose links are given by `link`.
pub(crate) struct StepBuilder<F> {
    pub(crate) words: Messages,
    pub(crate) link: F,
}

impl<F: Fn(usize) -> String> StepBuilder<F> {
    /// Returns a step to a ply.
    pub(crate) fn step(
        &self,
        sign: &'static str,
        key: &str,
        relation: &'static str,
        ply: Option<usize>,
    ) -> Step {
        Step {
            sign,
            label: self.words.text(key),
            relation,
            link: ply.map(&self.link),
        }
    }

    /// Returns the four steps from a ply of a line with `last` moves.
    pub(crate) fn steps(&self, ply: usize, last: usize) -> [Step; 4] {
        [
            self.step("«", "web-walk-start", "first", (ply > 0).then_some(0)),
            self.step("‹", "web-walk-back", "prev", ply.checked_sub(1)),
            self.step("›", "web-walk-on", "next", (ply < last).then_some(ply + 1)),
            self.step("»", "web-walk-end", "last", (ply < last).then_some(last)),
        ]
    }
}
