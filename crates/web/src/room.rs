//! One live game and everybody who looks at it.

use std::collections::VecDeque;
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

/// What a reader who follows a game hears.
pub struct Following {
    /// What they missed, or the beginning of it.
    pub missed: VecDeque<News>,
    /// The version up to which they have to catch up by themselves.
    pub version: u64,
    /// What happens after it.
    pub news: broadcast::Receiver<News>,
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

    /// News from now on, and what a reader missed who saw everything up to `seen`:
    /// as much as a reader may be behind, and they ask again for the rest.
    ///
    /// # Errors
    /// When what is stored cannot be understood.
    pub fn follow(&self, seen: u64) -> Result<Following, Unreadable> {
        let now = self.now();
        let mut following = Following {
            missed: VecDeque::new(),
            version: now.live.version,
            news: self.news.subscribe(),
        };
        if now.live.version <= seen {
            return Ok(following);
        }
        let stored = now.stored.clone();
        drop(now);
        let mut live = LiveMatch::replay(&self.game, &stored, seen)?;
        for event in stored.events.iter().skip(seen as usize).take(BACKLOG) {
            let what = |what: String| Unreadable::Event {
                version: event.version,
                what,
            };
            let body: Event =
                serde_json::from_str(&event.body).map_err(|error| what(error.to_string()))?;
            live.apply(&body, event.at).map_err(what)?;
            following.missed.push_back(News::of(&body, &live));
        }
        Ok(following)
    }

    /// How many event streams are open.
    #[must_use]
    pub fn followers(&self) -> usize {
        self.news.receiver_count()
    }
}
