//! One live game and everybody who looks at it.

use std::sync::{Arc, Mutex, MutexGuard};

use papan_catalog::AnyGame;
use papan_store::games::{StoredEvent, StoredGame};
use serde::Serialize;
use tokio::sync::broadcast;

use crate::event::Event;
use crate::live_match::{LiveMatch, Unreadable};
use crate::state::MatchState;

/// News that a slow reader may be behind before it has to catch up from the start.
const BACKLOG: usize = 64;

/// What the event stream tells of one version.
#[derive(Clone, Debug)]
pub struct News {
    /// The version.
    pub version: u64,
    /// The event and the state after it, as JSON on one line.
    pub data: Arc<str>,
}

#[derive(Serialize)]
struct Told<'a> {
    event: &'a Event,
    state: MatchState,
}

impl News {
    fn of(event: &Event, live: &LiveMatch) -> Self {
        let state = MatchState::of(live);
        let told = serde_json::to_string(&Told { event, state });
        Self {
            version: live.version,
            data: told.expect("plain data becomes JSON").into(),
        }
    }
}

/// The game now, and how it came about.
pub struct Now {
    /// The game.
    pub live: LiveMatch,
    /// Everything that is stored of it.
    pub stored: StoredGame,
}

/// One live game.
pub struct Room {
    /// The rules.
    pub game: AnyGame,
    /// Held from looking at the game until the next event is on the disk, so that
    /// nobody decides on what is about to change.
    pub order: tokio::sync::Mutex<()>,
    now: Mutex<Now>,
    news: broadcast::Sender<News>,
}

impl Room {
    /// The room of a stored game.
    ///
    /// # Errors
    /// When what is stored cannot be understood.
    pub fn new(game: AnyGame, stored: StoredGame) -> Result<Self, Unreadable> {
        let live = LiveMatch::replay(&game, &stored, u64::MAX)?;
        Ok(Self {
            game,
            order: tokio::sync::Mutex::default(),
            now: Mutex::new(Now { live, stored }),
            news: broadcast::channel(BACKLOG).0,
        })
    }

    /// The game now.
    pub fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().expect("no panic inside")
    }

    /// A copy of the game now, to be looked at at leisure.
    #[must_use]
    pub fn live(&self) -> LiveMatch {
        self.now().live.clone()
    }

    /// Makes an event that is on the disk part of the game, and tells everybody.
    ///
    /// # Errors
    /// When it makes no sense here.
    pub fn tell(&self, event: &Event, stored: StoredEvent) -> Result<LiveMatch, String> {
        let mut now = self.now();
        if let (Event::Joined { by }, None) = (event, now.live.vacant) {
            return Err(format!("the {by:?} seat is taken already"));
        }
        now.live.apply(event, stored.at)?;
        now.stored.events.push(stored);
        // The order of news is the order of versions: still under the lock.
        let _ = self.news.send(News::of(event, &now.live));
        Ok(now.live.clone())
    }

    /// News from now on, and what a reader missed who saw everything up to `seen`.
    ///
    /// # Errors
    /// When what is stored cannot be understood.
    pub fn follow(&self, seen: u64) -> Result<(Vec<News>, broadcast::Receiver<News>), Unreadable> {
        let now = self.now();
        let news = self.news.subscribe();
        let stored = (now.live.version > seen).then(|| now.stored.clone());
        drop(now);
        let Some(stored) = stored else {
            return Ok((Vec::new(), news));
        };
        let mut live = LiveMatch::replay(&self.game, &stored, seen)?;
        let mut missed = Vec::new();
        for event in stored.events.iter().skip(seen as usize) {
            let what = |what: String| Unreadable::Event {
                version: event.version,
                what,
            };
            let body: Event =
                serde_json::from_str(&event.body).map_err(|error| what(error.to_string()))?;
            live.apply(&body, event.at).map_err(what)?;
            missed.push(News::of(&body, &live));
        }
        Ok((missed, news))
    }

    /// How many event streams are open.
    #[must_use]
    pub fn followers(&self) -> usize {
        self.news.receiver_count()
    }
}
