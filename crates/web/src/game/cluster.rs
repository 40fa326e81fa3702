//! Several servers on one PostgreSQL, connected by `LISTEN`/`NOTIFY`.
//!
//! The database notifies of events, new and deleted games. Besides, each server broadcasts
//! what clients used of their limits, so that limits hold across servers. Notifications can
//! be lost; a periodic resync compares versions.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use papan_store::{GameStore, News};
use serde::{Deserialize, Serialize};

use crate::analysis::in_flight::{InFlightJobs, JobKind};
use crate::game::commands::Commands;
use crate::game::live_game::LiveGame;
use crate::game::registry::GameRegistry;
use crate::http::rate_limit::{RateLimits, TokenBuckets};
use crate::wall_clock::WallClock;

/// Interval between two resyncs.
const RESYNC: Duration = Duration::from_secs(30);
/// Interval between two broadcasts of usage.
const BROADCAST: Duration = Duration::from_secs(1);
/// Games per version query.
const RESYNC_BATCH: usize = 500;

/// A message between servers: one line of JSON. It may change with every version, because
/// servers are upgraded together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PeerMessage {
    /// A broadcast begins; it replaces the jobs of earlier broadcasts.
    Round(u64),
    /// A client's usage in a broadcast.
    Used {
        /// Number of the broadcast.
        round: u64,
        /// The client's address.
        address: IpAddr,
        /// The limit.
        usage: Usage,
        /// Tokens taken since the previous broadcast, or jobs in flight.
        count: usize,
    },
}

/// The limit that was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Usage {
    /// Tokens for state-changing requests.
    Changes,
    /// Tokens for engine requests.
    Analysis,
    /// Tokens for expensive pages.
    Pages,
    /// Proofs in flight.
    Proofs,
    /// Reviews in flight.
    Reviews,
}

/// The connection to the other servers.
pub(crate) struct Cluster {
    store: Arc<dyn GameStore>,
    clock: Arc<dyn WallClock>,
    commands: Arc<Commands>,
    games: Arc<GameRegistry>,
    limits: Arc<RateLimits>,
    jobs: Arc<InFlightJobs>,
    round: AtomicU64,
}

impl Cluster {
    pub(crate) fn new(
        commands: Arc<Commands>,
        games: Arc<GameRegistry>,
        limits: Arc<RateLimits>,
        jobs: Arc<InFlightJobs>,
    ) -> Self {
        Self {
            store: Arc::clone(&commands.store),
            clock: Arc::clone(&commands.clock),
            commands,
            games,
            limits,
            jobs,
            round: AtomicU64::new(0),
        }
    }

    /// Exchanges notifications until the database is closed. Returns at once if the database
    /// is not shared.
    pub(crate) async fn run_listener(&self) {
        let Some(mut notifications) = self.store.news() else {
            return;
        };
        let mut resync = tokio::time::interval(RESYNC);
        let mut broadcast = tokio::time::interval(BROADCAST);
        loop {
            tokio::select! {
                notification = notifications.recv() => match notification {
                    Some(notification) => self.handle(notification).await,
                    None => return,
                },
                _ = broadcast.tick() => self.broadcast_usage().await,
                _ = resync.tick() => self.resync().await,
            }
        }
    }

    async fn handle(&self, notification: News) {
        match notification {
            News::Changed { game, version } => {
                let game = self.games.find(&game);
                if let Some(game) = game.filter(|game| game.state().version < version) {
                    // A task of its own: a slow game must not delay the others.
                    let commands = Arc::clone(&self.commands);
                    tokio::spawn(async move { commands.resync(&game).await });
                }
            }
            News::Opened { game } => {
                // Load it, so that it is listed in the lobby.
                let _ = self.games.get(&game, Ipv4Addr::LOCALHOST.into()).await;
            }
            News::Gone { game } => self.games.evict(&[game]),
            News::Said { by, words } => self.apply_usage(&by, &words),
            News::Missed => self.resync().await,
        }
    }

    /// Compares the versions of all games in memory with the database.
    async fn resync(&self) {
        for batch in self.games.all().chunks(RESYNC_BATCH) {
            let ids: Vec<String> = batch.iter().map(|game| game.header.id.clone()).collect();
            // If the database is unavailable, the next resync repeats this.
            let Ok(versions) = self.store.versions(&ids).await else {
                return;
            };
            let versions: HashMap<String, u64> = versions.into_iter().collect();
            for game in batch {
                self.resync_game(game, versions.get(&game.header.id)).await;
            }
        }
    }

    async fn resync_game(&self, game: &Arc<LiveGame>, newest: Option<&u64>) {
        match newest {
            Some(newest) if *newest > game.state().version => {
                let _ = self.commands.resync(game).await;
            }
            // The server that searched for a strategy's move may have died.
            Some(_) => game.notify(),
            None => self.games.evict(std::slice::from_ref(&game.header.id)),
        }
    }

    /// Tells the other servers what clients have used here.
    async fn broadcast_usage(&self) {
        let round = self.round.fetch_add(1, Ordering::Relaxed);
        let limits = &self.limits;
        let used = [
            (Usage::Changes, limits.changes.drain_unreported()),
            (Usage::Analysis, limits.analysis.drain_unreported()),
            (Usage::Pages, limits.pages.drain_unreported()),
            (Usage::Proofs, self.jobs.by_address(JobKind::Proof)),
            (Usage::Reviews, self.jobs.by_address(JobKind::Review)),
        ];
        let mut messages = vec![PeerMessage::Round(round)];
        for (usage, counts) in used {
            messages.extend(
                counts
                    .into_iter()
                    .map(|(address, count)| PeerMessage::Used {
                        round,
                        address,
                        usage,
                        count,
                    }),
            );
        }
        let mut lines = String::new();
        for message in messages {
            lines += &serde_json::to_string(&message).expect("messages serialize to JSON");
            lines.push('\n');
        }
        if let Err(error) = self.store.say(&lines).await {
            tracing::debug!(%error, "cannot notify the other servers");
        }
    }

    /// Applies what clients have used at another server.
    fn apply_usage(&self, server: &str, lines: &str) {
        let now = self.clock.now();
        for line in lines.lines() {
            match serde_json::from_str(line) {
                Ok(PeerMessage::Round(round)) => self.jobs.begin_round(server, round, now),
                Ok(PeerMessage::Used {
                    round,
                    address,
                    usage,
                    count,
                }) => {
                    let charge = |buckets: &TokenBuckets| buckets.charge(address, count, now);
                    let in_flight = |kind| {
                        self.jobs.begin_round(server, round, now);
                        self.jobs.set_peer(server, kind, address, count);
                    };
                    match usage {
                        Usage::Changes => charge(&self.limits.changes),
                        Usage::Analysis => charge(&self.limits.analysis),
                        Usage::Pages => charge(&self.limits.pages),
                        Usage::Proofs => in_flight(JobKind::Proof),
                        Usage::Reviews => in_flight(JobKind::Review),
                    }
                }
                Err(error) => tracing::debug!(server, %error, "unknown peer message"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_of_json() {
        let message = PeerMessage::Used {
            round: 7,
            address: "192.0.2.1".parse().unwrap(),
            usage: Usage::Proofs,
            count: 3,
        };
        let line = serde_json::to_string(&message).unwrap();
        assert_eq!(
            line,
            r#"{"used":{"round":7,"address":"192.0.2.1","usage":"proofs","count":3}}"#
        );
        assert_eq!(serde_json::from_str::<PeerMessage>(&line).unwrap(), message);
    }
}
