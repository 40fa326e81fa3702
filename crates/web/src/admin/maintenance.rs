//! What has to be done from time to time: calling time, noting that the server is
//! up, forgetting what is old.

use std::sync::Arc;

use crate::game::event::Event;
use crate::game::live_game::LiveGame;
use crate::http::rejection::Rejection;
use crate::state::{AppState, RateLimits};

/// Proofs and reviews that are kept; the oldest go first.
const STUDIES: u32 = 2000;

impl AppState {
    /// Ends a game whose player to move has no time left.
    pub(crate) async fn call_time(self: &Arc<Self>, room: &Arc<LiveGame>) -> Result<(), Rejection> {
        let live = room.live();
        match (&live.clock, live.turn()) {
            (Some(clock), Some(turn)) if self.running(&live) > clock.left[turn.index()] => {
                let event = Event::TimedOut { by: turn.into() };
                self.add(room, live.version, event, None).await
            }
            _ => Ok(()),
        }
    }

    /// Ends games whose player to move has no time left.
    pub async fn sweep(self: &Arc<Self>) {
        let rooms: Vec<Arc<LiveGame>> = {
            let rooms = self.rooms.lock().expect("no panic inside");
            rooms.values().cloned().collect()
        };
        for room in rooms {
            if room.live().clock.is_some() && self.call_time(&room).await.is_err() {
                tracing::error!("a game could not be ended by its clock");
            }
        }
    }

    /// Notes that the server is up.
    pub async fn beat(&self) {
        let run = {
            let mut runs = self.runs.write().expect("no panic inside");
            let last = runs.last_mut().expect("the present run is there");
            last.alive_at = self.date();
            *last
        };
        if let Err(error) = self.store.beat(run).await {
            tracing::error!(%error, "the store failed");
        }
    }

    /// Forgets unfinished games in which nothing happened for long and studies that
    /// are old or many, and addresses that stay away, and leaves rooms that nobody
    /// looks at.
    pub async fn forget(&self) {
        let before = self.date() - self.settings.expire_after.as_millis() as i64;
        match self.store.expire(before).await {
            Ok(gone) => {
                self.leave_rooms(&gone);
                self.metrics.expired.add(gone.len() as u64);
            }
            Err(error) => tracing::error!(%error, "the store failed"),
        }
        if let Err(error) = self.store.forget_studies(before, STUDIES).await {
            tracing::error!(%error, "the store failed");
        }
        if let Some(workers) = &self.workers
            && let Err(error) = workers.forget().await
        {
            tracing::error!(%error, "the queue failed");
        }
        let now = self.now();
        let RateLimits {
            pages,
            changes,
            studies,
            ..
        } = &self.gates;
        for rate in [pages, changes, studies] {
            rate.forget(now);
        }
        let mut rooms = self.rooms.lock().expect("no panic inside");
        let quiet = self.date() - 10 * 60 * 1000;
        // A room that somebody holds may be about to change.
        rooms.retain(|_, room| Arc::strong_count(room) > 1 || room.live().at > quiet);
    }
}
