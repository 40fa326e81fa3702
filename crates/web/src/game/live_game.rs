//! A game in memory: current state, recent updates, followers, presence.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use papan_catalog::AnyGame;
use papan_rules::Player;
use papan_store::{NewGame, StoredGame};
use parking_lot::Mutex;
use serde::Serialize;
use tokio::sync::{mpsc, watch};

use crate::game::event::Event;
use crate::game::snapshot::GameSnapshot;
use crate::game::state::{GameState, ReplayError};
use papan_pages::programs::Programs;

/// Updates kept for event streams that resume. A stream that missed more gets the current
/// state instead.
const MAX_UPDATES: usize = 16;

/// A client is present for this long after a request. Pages without scripts reload more
/// often.
const PRESENCE_TIMEOUT: Duration = Duration::from_secs(10);

/// The channel that reports games whose state or audience changed.
pub(crate) type ChangeSender = mpsc::UnboundedSender<Arc<LiveGame>>;

/// One message of the event stream.
#[derive(Clone, Debug)]
pub(crate) struct Update {
    /// The version after the event.
    pub(crate) version: u64,
    /// The event and the state after it, as one line of JSON.
    pub(crate) json: Arc<str>,
}

#[derive(Serialize)]
struct UpdateBody<'a> {
    /// `null` if events were skipped.
    event: Option<&'a Event>,
    state: GameSnapshot,
}

impl Update {
    fn new(event: Option<&Event>, state: &GameState) -> Self {
        let body = UpdateBody {
            event,
            state: GameSnapshot::of(state),
        };
        let json = serde_json::to_string(&body).expect("snapshots serialize to JSON");
        Self {
            version: state.version,
            json: json.into(),
        }
    }
}

struct Inner {
    state: Arc<GameState>,
    updates: VecDeque<Update>,
    /// An update without event, created on demand.
    current: Option<Update>,
    /// Version and event of every request with an idempotency key.
    answered: HashMap<String, (u64, Event)>,
}

/// A game in memory.
pub(crate) struct LiveGame {
    /// The rules.
    pub(crate) rules: AnyGame,
    /// The stored header.
    pub(crate) header: NewGame,
    /// Serializes writers: held from reading the state until the next event is stored.
    pub(crate) write_lock: tokio::sync::Mutex<()>,
    inner: Mutex<Inner>,
    version: watch::Sender<u64>,
    /// Number of event streams of each player, by the seat that the player has without an exchange
    /// in a swap opening.
    presence: watch::Sender<[usize; 2]>,
    /// The address to which the opponent's engine time is charged: of the client that last
    /// created, joined or played the game.
    address: Mutex<IpAddr>,
    last_seen: Mutex<LastSeen>,
    changes: ChangeSender,
    deleted: AtomicBool,
}

/// Times of the last requests, from each player, like the event streams, and from any client.
#[derive(Default)]
struct LastSeen {
    players: [Option<Duration>; 2],
    any: Option<Duration>,
}

/// An event stream opened by players; dropping it ends the presence.
pub(crate) struct Presence {
    game: Arc<LiveGame>,
    /// Indices of the players, which an exchange of the seats does not change.
    players: Vec<usize>,
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.game.count_streams(&self.players, usize::wrapping_sub);
    }
}

impl LiveGame {
    /// Loads a stored game.
    ///
    /// # Errors
    /// If it cannot be replayed.
    pub(crate) fn new(
        rules: AnyGame,
        programs: &Programs,
        stored: StoredGame,
        address: IpAddr,
        changes: ChangeSender,
    ) -> Result<Self, ReplayError> {
        let state = GameState::replay(&rules, programs, &stored, u64::MAX)?;
        let answered = stored.events.into_iter().filter_map(|event| {
            let body = Event::from_json(&event.body).ok()?;
            Some((event.key?, (event.version, body)))
        });
        Ok(Self {
            rules,
            write_lock: tokio::sync::Mutex::default(),
            version: watch::Sender::new(state.version),
            presence: watch::Sender::new([0; 2]),
            address: Mutex::new(address),
            last_seen: Mutex::default(),
            inner: Mutex::new(Inner {
                answered: answered.collect(),
                state: Arc::new(state),
                updates: VecDeque::new(),
                current: None,
            }),
            header: stored.game,
            changes,
            deleted: AtomicBool::new(false),
        })
    }

    /// Returns the current state.
    pub(crate) fn state(&self) -> Arc<GameState> {
        Arc::clone(&self.inner.lock().state)
    }

    /// Returns the version and the event of the request with an idempotency key.
    pub(crate) fn answered(&self, key: &str) -> Option<(u64, Event)> {
        self.inner.lock().answered.get(key).cloned()
    }

    /// Publishes the state after an event that has been stored.
    pub(crate) fn publish(self: &Arc<Self>, event: &Event, key: Option<String>, after: GameState) {
        let mut inner = self.inner.lock();
        if inner.updates.len() == MAX_UPDATES {
            inner.updates.pop_front();
        }
        inner.updates.push_back(Update::new(Some(event), &after));
        if let Some(key) = key {
            inner.answered.insert(key, (after.version, event.clone()));
        }
        let version = after.version;
        let is_exchanged = after.player_in(Player::First) != inner.state.player_in(Player::First);
        inner.current = None;
        inner.state = Arc::new(after);
        // Under the lock, so that followers see versions in order.
        self.version.send_replace(version);
        drop(inner);
        if is_exchanged {
            // The seats of the players have changed, not their number of streams.
            self.presence.send_modify(|_| ());
        }
        self.notify();
    }

    /// Publishes the events that other servers have stored.
    ///
    /// # Errors
    /// If an event cannot be replayed.
    pub(crate) fn catch_up(self: &Arc<Self>, stored: &StoredGame) -> Result<(), ReplayError> {
        let mut state = GameState::clone(&self.state());
        state.holders = stored.game.holders;
        state.names.clone_from(&stored.game.names);
        for event in stored.events.iter().skip(state.version as usize) {
            let body = state.apply_stored(event)?;
            self.publish(&body, event.key.clone(), state.clone());
        }
        Ok(())
    }

    /// Returns the updates after version `seen`: every event if they are still kept, else the
    /// current state alone. The cost does not depend on how much was missed.
    pub(crate) fn updates_since(&self, seen: u64) -> Vec<Update> {
        let mut inner = self.inner.lock();
        if inner.state.version <= seen {
            return Vec::new();
        }
        let missed: Vec<Update> = inner
            .updates
            .iter()
            .filter(|update| update.version > seen)
            .cloned()
            .collect();
        if missed
            .first()
            .is_some_and(|first| first.version == seen + 1)
        {
            return missed;
        }
        let state = Arc::clone(&inner.state);
        let current = inner
            .current
            .get_or_insert_with(|| Update::new(None, &state));
        vec![current.clone()]
    }

    /// Subscribes to the version; the subscriber counts as a follower.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// Subscribes to changes of [`LiveGame::has_stream`].
    pub(crate) fn subscribe_presence(&self) -> watch::Receiver<[usize; 2]> {
        self.presence.subscribe()
    }

    /// Registers an event stream from these seats of a state of the game.
    pub(crate) fn enter(self: &Arc<Self>, state: &GameState, seats: &[Player]) -> Presence {
        let players: Vec<usize> = seats.iter().map(|&seat| state.player_in(seat)).collect();
        self.count_streams(&players, usize::wrapping_add);
        Presence {
            game: Arc::clone(self),
            players,
        }
    }

    fn count_streams(&self, players: &[usize], change: fn(usize, usize) -> usize) {
        if !players.is_empty() {
            self.presence.send_modify(|streams| {
                for &player in players {
                    streams[player] = change(streams[player], 1);
                }
            });
        }
    }

    /// Returns whether the holder of a seat follows the game.
    pub(crate) fn has_stream(&self, seat: Player) -> bool {
        let player = self.state().player_in(seat);
        self.presence.borrow()[player] > 0
    }

    /// Returns the number of event streams.
    pub(crate) fn followers(&self) -> usize {
        self.version.receiver_count()
    }

    /// Returns the address to which the opponent's engine time is charged.
    pub(crate) fn address(&self) -> IpAddr {
        *self.address.lock()
    }

    /// Records a request from these seats. Spectators are charged only for games between two
    /// strategies.
    pub(crate) fn touch(self: &Arc<Self>, seats: &[Player], address: IpAddr, now: Duration) {
        let state = self.state();
        if !seats.is_empty() || state.holders == [None, None] {
            *self.address.lock() = address;
        }
        let mut last_seen = self.last_seen.lock();
        last_seen.any = Some(now);
        for &seat in seats {
            last_seen.players[state.player_in(seat)] = last_seen.any;
        }
        drop(last_seen);
        self.notify();
    }

    /// Returns whether the holder of a seat follows the game or made a request recently.
    pub(crate) fn is_present(&self, seat: Player, now: Duration) -> bool {
        let last = self.last_seen.lock().players[self.state().player_in(seat)];
        self.has_stream(seat) || is_recent(last, now)
    }

    /// Returns whether any client follows the game or made a request recently.
    pub(crate) fn is_watched(&self, now: Duration) -> bool {
        let last = self.last_seen.lock().any;
        self.followers() > 0 || is_recent(last, now)
    }

    /// Reports the game to the bot reconciler.
    pub(crate) fn notify(self: &Arc<Self>) {
        // The receiver is gone only on shutdown.
        let _ = self.changes.send(Arc::clone(self));
    }

    /// Marks the game as no longer stored.
    pub(crate) fn mark_deleted(&self) {
        self.deleted.store(true, Ordering::Relaxed);
    }

    /// Returns whether the game is no longer stored.
    pub(crate) fn is_deleted(&self) -> bool {
        self.deleted.load(Ordering::Relaxed)
    }
}

fn is_recent(last: Option<Duration>, now: Duration) -> bool {
    last.is_some_and(|last| now < last + PRESENCE_TIMEOUT)
}
