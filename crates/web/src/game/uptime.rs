//! Server uptime: game clocks are not charged while no server was up.

use papan_store::Run;
use parking_lot::RwLock;

use crate::game::clock::{merge_runs, uptime_between};
use crate::game::state::GameState;

/// A server whose last heartbeat is at most this old is up: twice the heartbeat interval,
/// in milliseconds.
const ALIVE_WITHIN: i64 = 10_000;

/// The intervals during which some server was up, ending with the present run.
#[derive(Debug)]
pub(crate) struct Uptime(RwLock<Vec<Run>>);

impl Uptime {
    /// Creates it from the stored runs and the present one. With a `shared` database the
    /// runs of other servers overlap.
    pub(crate) fn new(stored: Vec<Run>, own: Run, shared: bool) -> Self {
        let runs = if shared {
            merge_runs(stored, own, ALIVE_WITHIN)
        } else {
            stored
        };
        Self(RwLock::new(runs))
    }

    /// Extends the present run to `now` and returns it.
    pub(crate) fn extend(&self, now: i64) -> Run {
        let mut runs = self.0.write();
        let last = runs.last_mut().expect("the present run is always included");
        last.alive_at = now;
        *last
    }

    /// Returns the milliseconds used in the current turn of a game.
    #[must_use]
    pub(crate) fn elapsed(&self, state: &GameState, now: i64) -> u64 {
        if state.clock.is_none() || !state.clock_runs() {
            return 0;
        }
        uptime_between(state.turn_started, now, &self.0.read())
    }
}
