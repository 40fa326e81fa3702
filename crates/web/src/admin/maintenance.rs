//! Periodic tasks: heartbeat, clock timeouts, expiry of games and caches.

use std::time::Duration;

use crate::state::AppState;

/// Interval between two heartbeats.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// Interval between two checks for lost clocks.
const FLAG_TIMEOUTS: Duration = Duration::from_millis(250);
/// Interval between two expiry runs.
const EXPIRE: Duration = Duration::from_secs(60);
/// Games without events for this long leave the memory, in milliseconds.
const IDLE: i64 = 10 * 60 * 1000;
/// Maximum number of stored reviews and proofs.
const MAX_STORED_ANALYSES: u32 = 2000;

impl AppState {
    /// Runs the periodic tasks until the future is dropped.
    pub(crate) async fn run_maintenance(self) {
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        let mut timeouts = tokio::time::interval(FLAG_TIMEOUTS);
        let mut expire = tokio::time::interval(EXPIRE);
        loop {
            tokio::select! {
                _ = heartbeat.tick() => self.heartbeat().await,
                _ = timeouts.tick() => self.flag_timeouts().await,
                _ = expire.tick() => self.expire().await,
            }
        }
    }

    /// Records that the server is up.
    pub async fn heartbeat(&self) {
        let run = self.commands.uptime.extend(self.clock.unix_millis());
        if let Err(error) = self.store.beat(run).await {
            tracing::error!(%error, "cannot record the heartbeat");
        }
    }

    /// Ends games whose player to move has no time left.
    pub async fn flag_timeouts(&self) {
        for game in self.games.all() {
            if game.state().clock.is_some()
                && let Err(error) = self.commands.claim_timeout(&game).await
            {
                tracing::error!(%error, "cannot end a game on time");
            }
        }
    }

    /// Deletes expired games and analyses, and drops idle games and buckets from memory.
    pub async fn expire(&self) {
        let now = self.clock.unix_millis();
        let before = now - self.settings.expire_after.as_millis() as i64;
        match self.store.expire(before).await {
            Ok(ids) => {
                self.games.evict(&ids);
                self.metrics.games_expired(ids.len());
            }
            Err(error) => tracing::error!(%error, "cannot expire games"),
        }
        if let Err(error) = self.store.forget_studies(before, MAX_STORED_ANALYSES).await {
            tracing::error!(%error, "cannot expire analyses");
        }
        self.limits.evict_idle(self.clock.now());
        self.identity_links.evict_expired(self.clock.now());
        self.games.evict_idle(now - IDLE);
    }
}
