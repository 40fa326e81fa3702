//! Every live game: finding it, acting in it, letting strategies answer.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use papan_catalog::AnyGame;
use papan_rules::Player;
use papan_store::games::{
    Appended, Digest, GameStore, Joined, Joining, NewGame, Run, StoredEvent, StoredGame,
};
use papan_strategies::{Decision, Limits};
use papan_view::Words;
use tokio::sync::{oneshot, watch};

use crate::engine_pool::{EnginePool, PoolLimits, Urgency};
use crate::event::Event;
use crate::live_match::LiveMatch;
use crate::metrics::Metrics;
use crate::proofs::Proofs;
use crate::rate::{Open, Rate, household};
use crate::refusal::{Conflict, Refusal};
use crate::room::Room;
use crate::rulebook::{Action, judge, strategy_to_move};
use crate::seats::Question;
use crate::secret::is_game_id;
use crate::settings::Settings;
use crate::state::MatchState;
use crate::studies::Studies;

/// Games of the catalog that are kept ready; building one costs its line tables.
const GAMES_KEPT: usize = 64;
/// Between two moves of a game that is only watched, so that it can be.
const WATCHED_PACE: Duration = Duration::from_millis(700);

/// What somebody asks for in a game.
#[derive(Clone, Debug)]
pub struct Request {
    /// Who asks, by the digest of their secret.
    pub visitor: Option<Digest>,
    /// What they want.
    pub action: Action,
    /// The version that they saw.
    pub version: Option<u64>,
    /// What they call this request, so that it can be sent twice.
    pub key: Option<String>,
    /// The language of an objection.
    pub words: Words,
}

/// What one address may do, and has open.
#[derive(Debug)]
pub struct Gates {
    /// Requests that change something.
    pub changes: Rate,
    /// Requests for engine work.
    pub studies: Rate,
    /// Open connections.
    pub connections: Open,
    /// Open event streams.
    pub streams: Open,
}

/// Every live game.
pub struct Hub {
    /// What an operator set.
    pub settings: Settings,
    /// Where games are kept.
    pub store: Arc<dyn GameStore>,
    /// The threads that think.
    pub pool: Arc<EnginePool>,
    /// What is counted.
    pub metrics: Metrics,
    /// What one address may do, and has open.
    pub gates: Gates,
    /// Long work that visitors come back to.
    pub studies: Studies,
    /// Proofs that visitors come back to.
    pub proofs: Proofs,
    rooms: Mutex<HashMap<String, Arc<Room>>>,
    games: Mutex<HashMap<String, AnyGame>>,
    runs: RwLock<Vec<Run>>,
    stopping: watch::Sender<bool>,
}

/// Milliseconds since 1970.
#[must_use]
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as i64)
}

impl Hub {
    /// A hub over a store. It notes that the server is up from now on.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub async fn open(settings: Settings, store: Arc<dyn GameStore>) -> Result<Arc<Self>, Refusal> {
        let began_at = now();
        store
            .beat(Run {
                began_at,
                alive_at: began_at,
            })
            .await?;
        let runs = store.runs().await?;
        let pool = EnginePool::new(PoolLimits {
            threads: settings.engine_threads,
            waiting: 1024,
            per_visitor: settings.engine_waiting_per_visitor,
        });
        Ok(Arc::new(Self {
            store,
            pool: Arc::new(pool),
            metrics: Metrics::default(),
            gates: Gates {
                changes: Rate::new(settings.changes_per_second),
                studies: Rate::new(settings.studies_per_second),
                connections: Open::default(),
                streams: Open::default(),
            },
            studies: Studies::default(),
            proofs: Proofs::default(),
            settings,
            rooms: Mutex::default(),
            games: Mutex::default(),
            runs: RwLock::new(runs),
            stopping: watch::Sender::new(false),
        }))
    }

    /// A game of the catalog. Different rooms share one value.
    ///
    /// # Errors
    /// When there is no game of that name.
    pub fn game(&self, name: &str) -> Result<AnyGame, papan_catalog::GameError> {
        if let Some(game) = self.games.lock().expect("no panic inside").get(name) {
            return Ok(game.clone());
        }
        let game: AnyGame = name.parse()?;
        let mut games = self.games.lock().expect("no panic inside");
        if games.len() >= GAMES_KEPT {
            games.clear();
        }
        Ok(games.entry(name.to_owned()).or_insert(game).clone())
    }

    /// Begins a game.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn create(self: &Arc<Self>, game: NewGame) -> Result<Arc<Room>, Refusal> {
        self.store.create(game.clone()).await?;
        self.metrics.games.add(1);
        let stored = StoredGame {
            game,
            events: Vec::new(),
        };
        self.install(stored)
    }

    fn install(self: &Arc<Self>, stored: StoredGame) -> Result<Arc<Room>, Refusal> {
        let id = stored.game.id.clone();
        let game = self.game(&stored.game.rules).map_err(|error| {
            tracing::error!(%error, game = id, "a stored game has unknown rules");
            Refusal::Broken
        })?;
        let room = Arc::new(Room::new(game, stored)?);
        let mut rooms = self.rooms.lock().expect("no panic inside");
        // Whoever loaded the same game a moment earlier was first.
        let room = Arc::clone(rooms.entry(id).or_insert(room));
        drop(rooms);
        self.let_strategy_move(&room);
        Ok(room)
    }

    /// The room of a game.
    ///
    /// # Errors
    /// When there is no such game.
    pub async fn room(self: &Arc<Self>, id: &str) -> Result<Arc<Room>, Refusal> {
        let found = self.rooms.lock().expect("no panic inside").get(id).cloned();
        let room = match found {
            Some(room) => room,
            None => {
                if !is_game_id(id) {
                    return Err(Refusal::NotFound);
                }
                let stored = self.store.load(id).await?.ok_or(Refusal::NotFound)?;
                self.install(stored)?
            }
        };
        self.call_time(&room).await?;
        Ok(room)
    }

    /// What the present turn has cost so far.
    #[must_use]
    pub fn running(&self, live: &LiveMatch) -> u64 {
        let runs = self.runs.read().expect("no panic inside");
        match (&live.clock, live.turn()) {
            (Some(clock), Some(_)) => clock.running(now(), &runs),
            _ => 0,
        }
    }

    /// Does what a visitor asks for, if it is theirs to do.
    ///
    /// # Errors
    /// When it is refused.
    pub async fn act(
        self: &Arc<Self>,
        room: &Arc<Room>,
        request: Request,
    ) -> Result<LiveMatch, Refusal> {
        let (hub, room) = (Arc::clone(self), Arc::clone(room));
        // A task of its own: a visitor who hangs up must not leave an event on the
        // disk that the room has not heard of.
        let task = tokio::spawn(async move { hub.act_in_order(&room, &request).await });
        task.await.map_err(|_| Refusal::Broken)?
    }

    async fn act_in_order(
        self: &Arc<Self>,
        room: &Arc<Room>,
        request: &Request,
    ) -> Result<LiveMatch, Refusal> {
        let order = room.order.lock().await;
        let live = room.live();
        let seats = live.seats_of(request.visitor);
        let key = request_key(&seats, request.key.as_deref());
        if let Some(first) = first_answer(room, key.as_deref(), &request.action)? {
            return Ok(first);
        }
        if seats.is_empty() {
            return Err(Refusal::NotYourSeat);
        }
        if request.version.is_some_and(|seen| seen != live.version) {
            return Err(Refusal::Stale {
                why: Conflict::GoneOn,
                now: Box::new(MatchState::of(&live)),
            });
        }
        let charged = self.running(&live);
        let event = judge(&live, &seats, &request.action, charged, request.words)?;
        let live = self.commit(room, &live, &event, key).await?;
        drop(order);
        self.let_strategy_move(room);
        Ok(live)
    }

    /// Puts an event on the disk, then into the room. The caller holds the order.
    async fn commit(
        &self,
        room: &Room,
        live: &LiveMatch,
        event: &Event,
        key: Option<String>,
    ) -> Result<LiveMatch, Refusal> {
        let stored = StoredEvent {
            version: live.version + 1,
            at: now(),
            body: serde_json::to_string(event).expect("plain data becomes JSON"),
            key,
        };
        let mut after = live.clone();
        after.apply(event, stored.at).map_err(|what| {
            tracing::error!(what, game = live.id, "an event makes no sense");
            Refusal::Broken
        })?;
        let written = self
            .store
            .append(&live.id, stored.clone(), after.is_over())
            .await?;
        if written == Appended::Stale {
            return Err(self.overtaken(live).await);
        }
        self.metrics.event(event);
        room.tell(event, stored).map_err(|what| {
            tracing::error!(what, game = live.id, "an event makes no sense");
            Refusal::Broken
        })
    }

    /// Another process was faster: the room is forgotten, to be loaded anew.
    async fn overtaken(&self, live: &LiveMatch) -> Refusal {
        self.rooms.lock().expect("no panic inside").remove(&live.id);
        let stored = self.store.load(&live.id).await;
        let now = match stored {
            Ok(Some(stored)) => LiveMatch::replay(&live.line.game(), &stored, u64::MAX).ok(),
            _ => None,
        };
        match now {
            Some(now) => Refusal::Stale {
                why: Conflict::GoneOn,
                now: Box::new(MatchState::of(&now)),
            },
            None => Refusal::NotFound,
        }
    }

    /// Seats a visitor at the vacant seat, for an invitation.
    ///
    /// # Errors
    /// When the invitation is unknown or used.
    pub async fn join(
        self: &Arc<Self>,
        invitation: Digest,
        holder: Digest,
    ) -> Result<String, Refusal> {
        let found = self.store.invitation(invitation).await?;
        let found = found.ok_or(Refusal::NotFound)?;
        let game = found.game.clone();
        let room = self.room(&game).await?;
        if found.spent {
            let mine = room.live().seats_of(Some(holder));
            let player = Player::BOTH[found.player & 1];
            return match mine.contains(&player) {
                true => Ok(game),
                false => Err(Refusal::Spent { game }),
            };
        }
        let player = Player::BOTH[found.player & 1];
        let hub = Arc::clone(self);
        let id = game.clone();
        let task = tokio::spawn(async move {
            let _order = room.order.lock().await;
            let event = Event::Joined { by: player.into() };
            let stored = StoredEvent {
                version: room.live().version + 1,
                at: now(),
                body: serde_json::to_string(&event).expect("plain data becomes JSON"),
                key: None,
            };
            let joining = Joining {
                invitation,
                holder,
                event: stored.clone(),
            };
            match hub.store.join(&id, joining).await? {
                Joined::Done => {}
                Joined::Spent => return Err(Refusal::Spent { game: id }),
                Joined::Stale => return Err(hub.overtaken(&room.live()).await),
            }
            {
                let mut now = room.now();
                now.live.holders[player.index()] = Some(holder);
                now.stored.game.holders[player.index()] = Some(holder);
                now.stored.game.invitation = None;
            }
            hub.metrics.event(&event);
            room.tell(&event, stored).map_err(|_| Refusal::Broken)?;
            hub.let_strategy_move(&room);
            Ok(id)
        });
        task.await.map_err(|_| Refusal::Broken)?
    }

    /// Adds an event that nobody asked for, if the game is still at `version`.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn add(
        self: &Arc<Self>,
        room: &Arc<Room>,
        version: u64,
        event: Event,
    ) -> Result<(), Refusal> {
        let (hub, room) = (Arc::clone(self), Arc::clone(room));
        let task = tokio::spawn(async move {
            let order = room.order.lock().await;
            let live = room.live();
            if live.version == version {
                hub.commit(&room, &live, &event, None).await?;
            }
            drop(order);
            hub.let_strategy_move(&room);
            Ok(())
        });
        task.await.map_err(|_| Refusal::Broken)?
    }

    /// Ends a game whose player to move has no time left.
    async fn call_time(self: &Arc<Self>, room: &Arc<Room>) -> Result<(), Refusal> {
        let (version, late) = {
            let now = room.now();
            let live = &now.live;
            let late = match (&live.clock, live.turn()) {
                (Some(clock), Some(turn)) => {
                    (self.running(live) > clock.left[turn.index()]).then_some(turn)
                }
                _ => None,
            };
            (live.version, late)
        };
        match late {
            Some(late) => {
                self.add(room, version, Event::TimedOut { by: late.into() })
                    .await
            }
            None => Ok(()),
        }
    }

    /// If a strategy is to move, lets it think, then makes its move.
    fn let_strategy_move(self: &Arc<Self>, room: &Arc<Room>) {
        let (question, player, version, watched) = {
            let now = room.now();
            let Some((player, strategy)) = strategy_to_move(&now.live) else {
                return;
            };
            let live = &now.live;
            let mut limits = Limits {
                time: Some(self.settings.move_time),
                ..Limits::default()
            };
            if let Some(clock) = &live.clock {
                let left = clock.left[player.index()];
                limits.clock = Some((
                    Duration::from_millis(left),
                    Duration::from_millis(clock.increment),
                ));
            }
            let question = Question {
                game: room.game.name(),
                start: now.stored.game.start.clone(),
                moves: live.line.moves().to_vec(),
                strategy: strategy.clone(),
                limits,
                seed: seed(&live.id),
            };
            let watched = live.holders == [None, None];
            (question, player, live.version, watched)
        };
        let (hub, room) = (Arc::clone(self), Arc::clone(room));
        tokio::spawn(async move {
            if watched {
                tokio::time::sleep(WATCHED_PACE).await;
            }
            let game = room.game.clone();
            let id = room.live().id;
            let chosen = loop {
                let (answer, answered) = oneshot::channel();
                let question = question.clone();
                let work = move |seats: &mut crate::seats::Seats| {
                    let _ = answer.send(seats.choose(&question));
                };
                // The game is the visitor here: each has one move waiting at most.
                if hub.pool.submit(&id, Urgency::Move, work).is_ok() {
                    match answered.await {
                        Ok(chosen) => break chosen,
                        Err(_) => break Err("the strategy broke down".into()),
                    }
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
                if room.now().live.version != version {
                    return;
                }
            };
            let charged = hub.running(&room.live());
            let event = match chosen {
                Ok(mv) => Event::Moved {
                    by: player.into(),
                    mv: game.format_move(mv),
                    charged,
                },
                Err(reason) => Event::GaveUp {
                    by: player.into(),
                    reason,
                },
            };
            if hub.add(&room, version, event).await.is_err() {
                tracing::error!(game = id, "a strategy's move was not stored");
            }
        });
    }

    /// Tells everything that lasts, such as event streams, to end.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
        self.proofs.stop();
    }

    /// Waits until everything that lasts shall end.
    pub fn stopped(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut stopping = self.stopping.subscribe();
        async move {
            // The sender lives as long as the hub; without it all is over too.
            let _ = stopping.wait_for(|stopping| *stopping).await;
        }
    }

    /// Ends games whose player to move has no time left.
    pub async fn sweep(self: &Arc<Self>) {
        let rooms: Vec<Arc<Room>> = {
            let rooms = self.rooms.lock().expect("no panic inside");
            rooms.values().cloned().collect()
        };
        for room in rooms {
            if room.now().live.clock.is_some() && self.call_time(&room).await.is_err() {
                tracing::error!("a game could not be ended by its clock");
            }
        }
    }

    /// Notes that the server is up.
    pub async fn beat(&self) {
        let run = {
            let mut runs = self.runs.write().expect("no panic inside");
            let last = runs.last_mut().expect("the present run is there");
            last.alive_at = now();
            *last
        };
        if let Err(error) = self.store.beat(run).await {
            tracing::error!(%error, "the store failed");
        }
    }

    /// Asks a strategy for a move with its reasons, for a visitor's study.
    ///
    /// # Errors
    /// When the visitor asks too often, the pool is full, or the strategy has no
    /// answer.
    pub async fn ask(&self, visitor: IpAddr, question: Question) -> Result<Decision, Refusal> {
        let (answer, answered) = oneshot::channel();
        let work = move |seats: &mut crate::seats::Seats| {
            let _ = answer.send(seats.decide(&question));
        };
        let visitor = household(visitor).to_string();
        let submitted = self.pool.submit(&visitor, Urgency::Study, work);
        submitted.map_err(|_| Refusal::Busy)?;
        let decided = answered.await.map_err(|_| Refusal::Busy)?;
        decided.map_err(Refusal::Unusable)
    }

    /// The limits of a hint or of one position of an analysis.
    #[must_use]
    pub fn study_limits(&self) -> Limits {
        Limits {
            time: Some(self.settings.study_time),
            ..Limits::default()
        }
    }

    /// Forgets unfinished games in which nothing happened for long, and leaves
    /// rooms that nobody looks at.
    pub async fn forget(&self) {
        let before = now() - self.settings.expire_after.as_millis() as i64;
        match self.store.expire(before).await {
            Ok(gone) => {
                let mut rooms = self.rooms.lock().expect("no panic inside");
                for id in &gone {
                    rooms.remove(id);
                }
                self.metrics.expired.add(gone.len() as u64);
            }
            Err(error) => tracing::error!(%error, "the store failed"),
        }
        let mut rooms = self.rooms.lock().expect("no panic inside");
        let quiet = now() - 10 * 60 * 1000;
        // A room that somebody holds may be about to change.
        rooms.retain(|_, room| Arc::strong_count(room) > 1 || room.now().live.at > quiet);
    }

    /// How many rooms are open, and how many event streams.
    #[must_use]
    pub fn open_rooms(&self) -> (usize, usize) {
        let rooms = self.rooms.lock().expect("no panic inside");
        (
            rooms.len(),
            rooms.values().map(|room| room.followers()).sum(),
        )
    }
}

/// A key belongs to whoever sent it.
fn request_key(seats: &[Player], key: Option<&str>) -> Option<String> {
    let seat = seats.first()?;
    key.map(|key| format!("{seat}:{key}"))
}

/// What a request was answered the first time, if it comes a second time.
fn first_answer(
    room: &Room,
    key: Option<&str>,
    action: &Action,
) -> Result<Option<LiveMatch>, Refusal> {
    let Some(key) = key else {
        return Ok(None);
    };
    let now = room.now();
    let events = &now.stored.events;
    let Some(first) = events
        .iter()
        .find(|event| event.key.as_deref() == Some(key))
    else {
        return Ok(None);
    };
    let event = serde_json::from_str(&first.body);
    if !event.is_ok_and(|event| action.caused(&event)) {
        return Err(Refusal::KeyReused);
    }
    Ok(Some(LiveMatch::replay(
        &room.game,
        &now.stored,
        first.version,
    )?))
}

/// What the lots of a game depend on: its address.
fn seed(id: &str) -> u64 {
    id.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
