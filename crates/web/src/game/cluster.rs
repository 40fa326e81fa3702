//! Other servers on the same database: what they do in games that are open here, and
//! what visitors have spent there.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use papan_store::{News, Run};

use crate::game::live_game::LiveGame;
use crate::http::rate_limit::network_of;
use crate::http::rejection::Rejection;
use crate::state::{AppState, RateLimits};

/// Between two looks whether anything was missed, although nothing broke.
const LOOK: Duration = Duration::from_secs(30);
/// Between two words to the other servers on what was spent here.
const TELL: Duration = Duration::from_secs(1);
/// A server of which nobody has heard for so long has nothing under way.
const SILENT: Duration = Duration::from_secs(10);
/// A server that was alive so short a time ago still is, in milliseconds: twice what
/// lies between two of its beats.
const ALIVE: i64 = 10_000;
/// Games that are asked about at once.
const AT_ONCE: usize = 500;

/// How much of what an address has under way.
type UnderWay = HashMap<(Kind, IpAddr), usize>;

/// What visitors have under way at other servers, and when each was last heard of.
#[derive(Debug, Default)]
pub(crate) struct PeerUsage(Mutex<HashMap<String, (Duration, UnderWay)>>);

/// What visitors have under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// Proofs.
    Proofs,
    /// Reviews.
    Reviews,
}

impl PeerUsage {
    /// How much of this kind an address has under way at other servers.
    pub(crate) fn count(&self, kind: Kind, address: IpAddr, now: Duration) -> usize {
        let key = (kind, network_of(address));
        let mut servers = self.0.lock().expect("no panic inside");
        servers.retain(|_, (heard, _)| now.saturating_sub(*heard) < SILENT);
        let counts = servers.values().filter_map(|(_, counts)| counts.get(&key));
        counts.sum()
    }
}

/// When the games were served by anybody, ending with the present run: servers that
/// were up at the same time count once, and those that are up now bridge the gap.
pub(crate) fn served(mut runs: Vec<Run>, own: Run) -> Vec<Run> {
    runs.retain(|run| run.began_at < own.began_at);
    runs.sort_by_key(|run| run.began_at);
    let mut served: Vec<Run> = Vec::new();
    for mut run in runs {
        if run.alive_at + ALIVE >= own.began_at {
            run.alive_at = own.began_at;
        }
        match served.last_mut() {
            Some(last) if run.began_at <= last.alive_at => {
                last.alive_at = last.alive_at.max(run.alive_at);
            }
            _ => served.push(run),
        }
    }
    served.push(own);
    served
}

impl AppState {
    /// Hears what other servers do and tells them what is spent here, until the store
    /// is closed. Where there can be no others, it ends at once.
    pub async fn hear_others(self: Arc<Self>) {
        let Some(mut news) = self.store.news() else {
            return;
        };
        let mut look = tokio::time::interval(LOOK);
        let mut tell = tokio::time::interval(TELL);
        loop {
            tokio::select! {
                heard = news.recv() => match heard {
                    Some(heard) => self.hear(heard).await,
                    None => return,
                },
                _ = tell.tick() => self.tell_others().await,
                _ = look.tick() => self.look_for_missed().await,
            }
        }
    }

    async fn hear(self: &Arc<Self>, news: News) {
        match news {
            News::Changed { game, version } => {
                let room = self.open_room(&game);
                if let Some(room) = room.filter(|room| room.live().version < version) {
                    // A slow game must not hold the others up.
                    let app = Arc::clone(self);
                    tokio::spawn(async move { app.catch_up_in_order(&room).await });
                }
            }
            News::Opened { game } => {
                // Whoever looks at the lobby finds it.
                let _ = self.room(&game, Ipv4Addr::LOCALHOST.into()).await;
            }
            News::Gone { game } => self.leave_rooms(&[game]),
            News::Said { by, words } => self.hear_spent(&by, &words),
            News::Missed => self.look_for_missed().await,
        }
    }

    /// Between loading a game and opening its room nobody heard of it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn look_again(
        self: &Arc<Self>,
        room: &Arc<LiveGame>,
    ) -> Result<(), Rejection> {
        let id = room.header.id.clone();
        let versions = self.store.versions(&[id]).await?;
        let newest = versions.first().map_or(0, |(_, version)| *version);
        if newest > room.live().version {
            self.catch_up_in_order(room).await;
        }
        Ok(())
    }

    fn open_room(&self, id: &str) -> Option<Arc<LiveGame>> {
        self.rooms.lock().expect("no panic inside").get(id).cloned()
    }

    async fn catch_up_in_order(self: &Arc<Self>, room: &Arc<LiveGame>) {
        let order = room.order.lock().await;
        let caught = self.catch_up(room).await;
        drop(order);
        if caught.is_ok() {
            self.let_strategy_move(room);
        }
    }

    /// Shows what has happened in a game without this server. The caller holds the
    /// order.
    ///
    /// # Errors
    /// When the game is gone or cannot be read.
    pub(crate) async fn catch_up(&self, room: &LiveGame) -> Result<(), Rejection> {
        let id = &room.header.id;
        let caught = match self.store.load(id).await? {
            Some(stored) => room.catch_up(&stored).map_err(Rejection::from),
            None => Err(Rejection::NotFound),
        };
        if caught.is_err() {
            self.leave_rooms(std::slice::from_ref(id));
        }
        caught
    }

    /// Looks whether anything happened in the games that are open here of which
    /// nobody told.
    async fn look_for_missed(self: &Arc<Self>) {
        let rooms: Vec<Arc<LiveGame>> = {
            let rooms = self.rooms.lock().expect("no panic inside");
            rooms.values().cloned().collect()
        };
        for part in rooms.chunks(AT_ONCE) {
            let ids: Vec<String> = part.iter().map(|room| room.header.id.clone()).collect();
            // The database is away: there will be another look.
            let Ok(versions) = self.store.versions(&ids).await else {
                return;
            };
            let versions: HashMap<String, u64> = versions.into_iter().collect();
            for room in part {
                match versions.get(&room.header.id) {
                    Some(version) if *version > room.live().version => {
                        self.catch_up_in_order(room).await;
                    }
                    // A computer's move may not have been stored.
                    Some(_) => self.let_strategy_move(room),
                    None => self.leave_rooms(std::slice::from_ref(&room.header.id)),
                }
            }
        }
    }

    /// Tells the other servers what was spent and is under way here.
    async fn tell_others(&self) {
        let RateLimits {
            pages,
            changes,
            studies,
            ..
        } = &self.gates;
        let mut words = String::new();
        let mut say = |letter: char, counts: Vec<(IpAddr, usize)>| {
            for (address, count) in counts {
                words += &format!("{letter} {address} {count}\n");
            }
        };
        say('c', changes.untold());
        say('t', studies.untold());
        say('g', pages.untold());
        say('p', self.proofs.by_address());
        say('r', self.studies.by_address());
        if let Err(error) = self.store.say(&words).await {
            tracing::debug!(%error, "the other servers were not told");
        }
    }

    /// Charges visitors for what they have spent at another server.
    fn hear_spent(&self, server: &str, words: &str) {
        let now = self.now();
        let mut under_way = UnderWay::new();
        for line in words.lines() {
            let mut parts = line.split(' ');
            let letter = parts.next();
            let address = parts.next().and_then(|address| address.parse().ok());
            let count = parts.next().and_then(|count| count.parse::<usize>().ok());
            let (Some(letter), Some(address), Some(count)) = (letter, address, count) else {
                continue;
            };
            match letter {
                "c" => self.gates.changes.charge(address, count, now),
                "t" => self.gates.studies.charge(address, count, now),
                "g" => self.gates.pages.charge(address, count, now),
                "p" => drop(under_way.insert((Kind::Proofs, address), count)),
                "r" => drop(under_way.insert((Kind::Reviews, address), count)),
                _ => {}
            }
        }
        let mut servers = self.elsewhere.0.lock().expect("no panic inside");
        servers.insert(server.into(), (now, under_way));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::clock::up_between;

    fn run(began_at: i64, alive_at: i64) -> Run {
        Run { began_at, alive_at }
    }

    #[test]
    fn servers_that_were_up_together_count_once_and_those_that_are_bridge_the_gap() {
        let own = run(200_000, 200_000);
        let runs = vec![
            run(0, 40_000),
            run(30_000, 60_000),
            own,
            run(100_000, 195_000),
            run(120_000, 130_000),
        ];
        let served = served(runs, own);
        let expected = [run(0, 60_000), run(100_000, 200_000), own];
        assert_eq!(served, expected);
        assert_eq!(up_between(0, 210_000, &served), 60_000 + 110_000);
    }
}
