//! The live page in a build without the feature `serve`: there is none.

use papan_arena::{LiveGames, Scoreboard, Tournament};

/// A page that cannot be opened.
pub(crate) enum LiveSite {}

impl LiveSite {
    pub(crate) fn live_games(&self) -> &LiveGames {
        match *self {}
    }

    pub(crate) fn update(&self, _: &Tournament, _: &Scoreboard) {
        match *self {}
    }
}
