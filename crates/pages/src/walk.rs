//! Links that step through a line of play: first, back, forward, last.

use papan_view::Messages;

/// A step; without a link it is disabled.
pub struct Step {
    /// The sign on it.
    pub sign: &'static str,
    /// Label for screen readers.
    pub label: String,
    /// Link relation; our script binds keys to `first`, `prev`, `next` and `last`.
    pub relation: &'static str,
    /// Its URL.
    pub link: Option<String>,
}

/// Creates steps whose links are given by `link`.
pub struct StepBuilder<F> {
    /// Messages in the visitor's language.
    pub words: Messages,
    /// Returns the URL of a ply.
    pub link: F,
}

impl<F: Fn(usize) -> String> StepBuilder<F> {
    /// Returns a step to a ply.
    pub fn step(
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
    pub fn steps(&self, ply: usize, last: usize) -> [Step; 4] {
        [
            self.step("«", "web-walk-start", "first", (ply > 0).then_some(0)),
            self.step("‹", "web-walk-back", "prev", ply.checked_sub(1)),
            self.step("›", "web-walk-on", "next", (ply < last).then_some(ply + 1)),
            self.step("»", "web-walk-end", "last", (ply < last).then_some(last)),
        ]
    }
}
