//! One live game and everybody who looks at it.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use papan_catalog::AnyGame;
use papan_rules::Player;
use papan_store::{NewGame, StoredGame};
use serde::Serialize;
use tokio::sync::watch;

use crate::game::event::Event;
use crate::game::snapshot::GameSnapshot;
use crate::game::state::{GameState, ReplayError};

/// News that are kept for readers who are behind; whoever missed more hears how
/// the game stands instead.
const KEPT: usize = 16;

/// A page without scripts asks again within this time.
const JUST_NOW: Duration = Duration::from_secs(10);

/// What the event stream tells of one version.
#[derive(Clone, Debug)]
pub(crate) struct News {
    /// The version.
    pub(crate) version: u64,
    /// The event and the state after it, as JSON on one line.
    pub(crate) data: Arc<str>,
}

#[derive(Serialize)]
struct Told<'a> {
    /// Nothing where only the state is told.
    event: Option<&'a Event>,
    state: GameSnapshot,
}

impl News {
    fn of(event: Option<&Event>, live: &GameState) -> Self {
        let state = GameSnapshot::of(live);
        let told = serde_json::to_string(&Told { event, state });
        Self {
            version: live.version,
            data: told.expect("plain data becomes JSON").into(),
        }
    }
}

/// The game now, and what it takes to tell others.
struct Now {
    live: Arc<GameState>,
    news: VecDeque<News>,
    /// The state alone, once somebody needed it.
    state: Option<News>,
    /// What came of requests that had a key, and at which version.
    answered: HashMap<String, (u64, Event)>,
}

/// One live game.
pub(crate) struct LiveGame {
    /// The rules.
    pub(crate) game: AnyGame,
    /// How it began.
    pub(crate) header: NewGame,
    /// Held from looking at the game until the next event is on the disk, so that
    /// nobody decides on what is about to change.
    pub(crate) order: tokio::sync::Mutex<()>,
    now: Mutex<Now>,
    version: watch::Sender<u64>,
    /// How many event streams each seat has open.
    presence: watch::Sender<[usize; 2]>,
    /// The address that the opponent thinks for: whoever made the game, or sat down
    /// or acted in it since.
    address: Mutex<IpAddr>,
    /// The version that a strategy is thinking about.
    thinking: Mutex<Option<u64>>,
    /// When somebody last looked, from each seat and from anywhere.
    looked: Mutex<Looked>,
}

#[derive(Default)]
struct Looked {
    from_seat: [Option<Duration>; 2],
    at_all: Option<Duration>,
}

/// Somebody who follows the game from a seat; dropping it says that they left.
pub(crate) struct Presence {
    room: Arc<LiveGame>,
    seats: Vec<Player>,
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.room.count(&self.seats, usize::wrapping_sub);
    }
}

impl LiveGame {
    /// The room of a stored game.
    ///
    /// # Errors
    /// When what is stored cannot be understood.
    pub(crate) fn new(
        game: AnyGame,
        stored: StoredGame,
        address: IpAddr,
    ) -> Result<Self, ReplayError> {
        let live = GameState::replay(&game, &stored, u64::MAX)?;
        let keyed = stored.events.into_iter().filter_map(|event| {
            let body = Event::parse(&event.body).ok()?;
            Some((event.key?, (event.version, body)))
        });
        Ok(Self {
            game,
            order: tokio::sync::Mutex::default(),
            version: watch::Sender::new(live.version),
            presence: watch::Sender::new([0; 2]),
            address: Mutex::new(address),
            thinking: Mutex::default(),
            looked: Mutex::default(),
            now: Mutex::new(Now {
                answered: keyed.collect(),
                live: Arc::new(live),
                news: VecDeque::new(),
                state: None,
            }),
            header: stored.game,
        })
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().expect("no panic inside")
    }

    /// The game as it is now.
    pub(crate) fn live(&self) -> Arc<GameState> {
        Arc::clone(&self.now().live)
    }

    /// What came of the request of this key, and at which version.
    pub(crate) fn answered(&self, key: &str) -> Option<(u64, Event)> {
        self.now().answered.get(key).cloned()
    }

    /// Shows what the game has become by an event that is on the disk.
    pub(crate) fn show(&self, event: &Event, key: Option<String>, after: GameState) {
        let mut now = self.now();
        if now.news.len() == KEPT {
            now.news.pop_front();
        }
        now.news.push_back(News::of(Some(event), &after));
        if let Some(key) = key {
            now.answered.insert(key, (after.version, event.clone()));
        }
        let version = after.version;
        now.state = None;
        now.live = Arc::new(after);
        // The order of news is the order of versions: still under the lock.
        self.version.send_replace(version);
    }

    /// Shows what has been stored since: other servers did it.
    ///
    /// # Errors
    /// When what is stored cannot be understood.
    pub(crate) fn catch_up(&self, stored: &StoredGame) -> Result<(), ReplayError> {
        let mut live = GameState::clone(&self.live());
        live.holders = stored.game.holders;
        live.names.clone_from(&stored.game.names);
        for event in stored.events.iter().skip(live.version as usize) {
            let broken = |what: String| ReplayError::Event {
                version: event.version,
                what,
            };
            let body = Event::parse(&event.body).map_err(|error| broken(error.to_string()))?;
            live.apply(&body, event.at).map_err(broken)?;
            self.show(&body, event.key.clone(), live.clone());
        }
        Ok(())
    }

    /// What a reader missed who saw everything up to `seen`: every event as long as
    /// they are kept, else the state alone. It costs the same however much it was.
    pub(crate) fn since(&self, seen: u64) -> Vec<News> {
        let mut now = self.now();
        if now.live.version <= seen {
            return Vec::new();
        }
        let missed = now.news.iter().filter(|news| news.version > seen);
        let missed: Vec<News> = missed.cloned().collect();
        if missed
            .first()
            .is_some_and(|first| first.version == seen + 1)
        {
            return missed;
        }
        let live = Arc::clone(&now.live);
        let state = now.state.get_or_insert_with(|| News::of(None, &live));
        vec![state.clone()]
    }

    /// The version, for whoever waits for the next.
    pub(crate) fn versions(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// Notes that somebody follows the game from these seats.
    pub(crate) fn enter(self: &Arc<Self>, seats: Vec<Player>) -> Presence {
        self.count(&seats, usize::wrapping_add);
        Presence {
            room: Arc::clone(self),
            seats,
        }
    }

    fn count(&self, seats: &[Player], change: fn(usize, usize) -> usize) {
        if !seats.is_empty() {
            self.presence.send_modify(|open| {
                for player in seats {
                    let open = &mut open[player.index()];
                    *open = change(*open, 1);
                }
            });
        }
    }

    /// The address that the opponent thinks for.
    pub(crate) fn address(&self) -> IpAddr {
        *self.address.lock().expect("no panic inside")
    }

    /// Says whether nobody thinks about this version yet, and that somebody does now.
    pub(crate) fn begin_thinking(&self, version: u64) -> bool {
        let mut thinking = self.thinking.lock().expect("no panic inside");
        let new = *thinking != Some(version);
        *thinking = Some(version);
        new
    }

    /// Nobody thinks about the game any more.
    pub(crate) fn end_thinking(&self) {
        *self.thinking.lock().expect("no panic inside") = None;
    }

    /// Notes that somebody looks at the game from these seats, now. Whoever sits
    /// there has the opponent think for them; where nobody does, whoever watches.
    pub(crate) fn look(&self, seats: &[Player], address: IpAddr, now: Duration) {
        if !seats.is_empty() || self.live().holders == [None, None] {
            *self.address.lock().expect("no panic inside") = address;
        }
        let mut looked = self.looked.lock().expect("no panic inside");
        looked.at_all = Some(now);
        for player in seats {
            looked.from_seat[player.index()] = looked.at_all;
        }
    }

    /// Whether whoever holds a seat is here: they follow the game, or their page
    /// asked for it a moment ago.
    pub(crate) fn is_here(&self, player: Player, now: Duration) -> bool {
        let looked = self.looked.lock().expect("no panic inside").from_seat[player.index()];
        self.presence.borrow()[player.index()] > 0
            || looked.is_some_and(|looked| now < looked + JUST_NOW)
    }

    /// Whether anybody follows the game, or looked at it a moment ago.
    pub(crate) fn is_watched(&self, now: Duration) -> bool {
        let looked = self.looked.lock().expect("no panic inside").at_all;
        self.followers() > 0 || looked.is_some_and(|looked| now < looked + JUST_NOW)
    }

    /// Who follows from which seat, for whoever waits for a change.
    pub(crate) fn presence(&self) -> watch::Receiver<[usize; 2]> {
        self.presence.subscribe()
    }

    /// How many event streams are open.
    pub(crate) fn followers(&self) -> usize {
        self.version.receiver_count()
    }
}
