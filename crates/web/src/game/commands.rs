//! The write path of a game: decide, store, publish, in this order.
//!
//! Writers of one game are serialized by its lock, and an event is published only after it is
//! stored. Versions make appends optimistic (compare-and-swap) across servers: a server that
//! loses the race catches up and decides again. Idempotency keys make retries safe
//! (draft-ietf-httpapi-idempotency-key-header).

use std::sync::Arc;

use papan_rules::Player;
use papan_store::{Appended, Digest, GameStore, Joined, Joining, StoredEvent};
use papan_view::Messages;

use crate::admin::metrics::Metrics;
use crate::game::command::{Command, decide};
use crate::game::event::Event;
use crate::game::live_game::LiveGame;
use crate::game::state::GameState;
use crate::game::uptime::Uptime;
use crate::http::rejection::{Conflict, Rejection};
use crate::http::secret::Secret;
use crate::wall_clock::WallClock;
use papan_pages::programs::Programs;

/// Attempts to decide a command while other servers write to the same game.
const MAX_ATTEMPTS: usize = 4;

/// A command with its sender.
#[derive(Clone, Debug)]
pub(crate) struct CommandRequest {
    /// Secret of the client.
    pub(crate) secret: Option<Secret>,
    /// The command.
    pub(crate) command: Command,
    /// The version that the client has seen, if it sent one.
    pub(crate) version: Option<u64>,
    /// Idempotency key.
    pub(crate) key: Option<String>,
    /// Messages in the client's language.
    pub(crate) words: Messages,
}

/// A client that takes the vacant seat.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    pub(crate) player: Player,
    pub(crate) invitation: Digest,
    pub(crate) secret: Secret,
    pub(crate) name: Option<String>,
}

/// Executes commands on live games.
pub(crate) struct Commands {
    pub(crate) store: Arc<dyn GameStore>,
    pub(crate) clock: Arc<dyn WallClock>,
    pub(crate) uptime: Uptime,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) programs: Arc<Programs>,
}

impl Commands {
    /// Returns the milliseconds used in the current turn of a game.
    pub(crate) fn elapsed(&self, state: &GameState) -> u64 {
        self.uptime.elapsed(state, self.clock.unix_millis())
    }

    /// Executes a client's command.
    ///
    /// # Errors
    /// If it is rejected.
    pub(crate) async fn execute(
        self: &Arc<Self>,
        game: &Arc<LiveGame>,
        request: CommandRequest,
    ) -> Result<Arc<GameState>, Rejection> {
        let (commands, game) = (Arc::clone(self), Arc::clone(game));
        // A task of its own, not cancelled when the client disconnects between storing and
        // publishing the event.
        let task = tokio::spawn(async move { commands.apply_serialized(&game, request).await });
        task.await.map_err(|_| Rejection::Internal)?
    }

    async fn apply_serialized(
        &self,
        game: &Arc<LiveGame>,
        request: CommandRequest,
    ) -> Result<Arc<GameState>, Rejection> {
        let _lock = game.write_lock.lock().await;
        let mut attempts = 0;
        loop {
            attempts += 1;
            let version = game.state().version;
            match self.decide_and_append(game, &request).await {
                Ok(state) => return Ok(state),
                // The command may be valid in the state that another server has stored.
                Err(_) if attempts < MAX_ATTEMPTS && self.is_stale(game, version).await? => {}
                Err(rejection) => return Err(rejection),
            }
        }
    }

    /// Returns whether the game has advanced beyond a version, here or at another server
    /// whose notification has not arrived. The caller holds the lock.
    async fn is_stale(&self, game: &Arc<LiveGame>, version: u64) -> Result<bool, Rejection> {
        if game.state().version == version && self.store.is_shared() {
            let id = std::slice::from_ref(&game.header.id);
            let versions = self.store.versions(id).await?;
            let newest = versions.first().map_or(0, |(_, newest)| *newest);
            if newest > version {
                self.catch_up(game).await?;
            }
        }
        Ok(game.state().version != version)
    }

    /// The caller holds the lock.
    async fn decide_and_append(
        &self,
        game: &Arc<LiveGame>,
        request: &CommandRequest,
    ) -> Result<Arc<GameState>, Rejection> {
        let state = game.state();
        let seats = state.seats_of(request.secret.as_ref());
        let key = scoped_key(&seats, request.key.as_deref());
        if let Some(key) = &key
            && let Some(first) = self.replayed_answer(game, key, &request.command).await?
        {
            return Ok(first);
        }
        if seats.is_empty() {
            return Err(Rejection::NotYourSeat);
        }
        let current = state.changed..=state.version;
        if request.version.is_some_and(|seen| !current.contains(&seen)) {
            return Err(Rejection::stale(Conflict::Outdated, &state));
        }
        let charged = self.elapsed(&state);
        let event = decide(&state, &seats, &request.command, charged, request.words)?;
        self.append(game, &state, &event, key).await
    }

    /// Returns the state after a request with this key, if it was executed before.
    async fn replayed_answer(
        &self,
        game: &LiveGame,
        key: &str,
        command: &Command,
    ) -> Result<Option<Arc<GameState>>, Rejection> {
        let Some((version, event)) = game.answered(key) else {
            return Ok(None);
        };
        if !command.leads_to(&event, &game.rules) {
            return Err(Rejection::KeyReused);
        }
        let stored = self.store.load(&game.header.id).await?;
        let stored = stored.ok_or(Rejection::NotFound)?;
        let state = GameState::replay(&game.rules, &self.programs, &stored, version)?;
        Ok(Some(Arc::new(state)))
    }

    /// Stores an event and publishes the state after it. The caller holds the lock.
    async fn append(
        &self,
        game: &Arc<LiveGame>,
        state: &GameState,
        event: &Event,
        key: Option<String>,
    ) -> Result<Arc<GameState>, Rejection> {
        let stored = self.stored_event(state, event, key.clone());
        let mut after = state.clone();
        after.apply(event, stored.at).map_err(|what| {
            tracing::error!(what, game = state.id, "cannot apply an event");
            Rejection::Internal
        })?;
        let appended = self.store.append(&state.id, stored, after.standing());
        if appended.await? == Appended::Stale {
            return Err(self.resync_and_reject(game).await);
        }
        self.metrics.event(event);
        game.publish(event, key, after);
        Ok(game.state())
    }

    fn stored_event(&self, state: &GameState, event: &Event, key: Option<String>) -> StoredEvent {
        StoredEvent {
            version: state.version + 1,
            at: self.clock.unix_millis(),
            body: event.to_json(),
            key,
        }
    }

    /// Catches up after another server stored an event first. The caller holds the lock.
    async fn resync_and_reject(&self, game: &Arc<LiveGame>) -> Rejection {
        match self.catch_up(game).await {
            Ok(()) => Rejection::stale(Conflict::Outdated, &game.state()),
            Err(rejection) => rejection,
        }
    }

    /// Publishes the events that other servers have stored. The caller holds the lock.
    ///
    /// # Errors
    /// If the game is deleted or cannot be replayed; it is then marked as deleted.
    async fn catch_up(&self, game: &Arc<LiveGame>) -> Result<(), Rejection> {
        let result = match self.store.load(&game.header.id).await? {
            Some(stored) => game.catch_up(&stored).map_err(Rejection::from),
            None => Err(Rejection::NotFound),
        };
        if result.is_err() {
            game.mark_deleted();
        }
        result
    }

    /// Takes the lock and catches up.
    ///
    /// # Errors
    /// If the game is deleted or cannot be replayed.
    pub(crate) async fn resync(&self, game: &Arc<LiveGame>) -> Result<(), Rejection> {
        let _lock = game.write_lock.lock().await;
        self.catch_up(game).await
    }

    /// Gives the vacant seat to a client.
    ///
    /// # Errors
    /// If the seat is taken, or the client holds the other one.
    pub(crate) async fn join(
        self: &Arc<Self>,
        game: &Arc<LiveGame>,
        guest: Guest,
    ) -> Result<(), Rejection> {
        let state = game.state();
        if state
            .seats_of(Some(&guest.secret))
            .contains(&guest.player.other())
        {
            return Err(Rejection::stale(Conflict::OwnInvitation, &state));
        }
        let (commands, game) = (Arc::clone(self), Arc::clone(game));
        let task = tokio::spawn(async move {
            let _lock = game.write_lock.lock().await;
            commands.append_join(&game, guest).await
        });
        task.await.map_err(|_| Rejection::Internal)?
    }

    /// The caller holds the lock.
    async fn append_join(&self, game: &Arc<LiveGame>, guest: Guest) -> Result<(), Rejection> {
        let state = game.state();
        let used = || Rejection::InvitationUsed {
            game: state.id.clone(),
        };
        if state.vacant.is_none() {
            return Err(used());
        }
        let (player, holder) = (guest.player, guest.secret.seat(&game.header.salt));
        let event = Event::Joined { by: player.into() };
        let stored = self.stored_event(&state, &event, None);
        let mut after = GameState::clone(&state);
        after.holders[player.index()] = Some(holder);
        after.names[player.index()].clone_from(&guest.name);
        after
            .apply(&event, stored.at)
            .map_err(|_| Rejection::Internal)?;
        let joining = Joining {
            invitation: guest.invitation,
            holder,
            visitor: guest.secret.visitor(),
            name: guest.name,
            event: stored,
            standing: after.standing(),
        };
        match self.store.join(&state.id, joining).await? {
            Joined::Done => {}
            Joined::Spent => return Err(used()),
            Joined::Stale => return Err(self.resync_and_reject(game).await),
        }
        self.metrics.event(&event);
        game.publish(&event, None, after);
        Ok(())
    }

    /// Appends an event that is not a client's command, if the game is still at `version`.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub(crate) async fn append_at(
        self: &Arc<Self>,
        game: &Arc<LiveGame>,
        version: u64,
        event: Event,
        key: Option<String>,
    ) -> Result<(), Rejection> {
        let (commands, game) = (Arc::clone(self), Arc::clone(game));
        let task = tokio::spawn(async move {
            let _lock = game.write_lock.lock().await;
            let state = game.state();
            if state.version == version {
                commands.append(&game, &state, &event, key).await?;
            }
            Ok(())
        });
        task.await.map_err(|_| Rejection::Internal)?
    }

    /// Ends the game if the player to move has no time left.
    ///
    /// # Errors
    /// If the event cannot be stored.
    pub(crate) async fn claim_timeout(
        self: &Arc<Self>,
        game: &Arc<LiveGame>,
    ) -> Result<(), Rejection> {
        let state = game.state();
        let Some(turn) = state.turn() else {
            return Ok(());
        };
        let used = self.elapsed(&state);
        if state.time_left(turn).is_none_or(|left| used <= left) {
            return Ok(());
        }
        let event = Event::TimedOut { by: turn.into() };
        self.append_at(game, state.version, event, None).await
    }
}

/// Scopes an idempotency key to the sender's seat.
pub(crate) fn scoped_key(seats: &[Player], key: Option<&str>) -> Option<String> {
    let seat = seats.first()?;
    key.map(|key| format!("{seat}:{key}"))
}
