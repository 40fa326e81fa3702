//! Acting in a game: an event is on the disk before anybody hears of it.

use std::sync::Arc;

use papan_rules::Player;
use papan_store::{Appended, Digest, Joined, Joining, StoredEvent};
use papan_view::Messages;

use crate::game::command::{Action, judge};
use crate::game::event::Event;
use crate::game::live_game::LiveGame;
use crate::game::state::GameState;
use crate::http::client::Client;
use crate::http::rejection::{Conflict, Rejection};
use crate::http::secret::Secret;
use crate::state::AppState;

/// How often a request is judged while other servers are faster.
const ATTEMPTS: usize = 4;

/// What somebody asks for in a game.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// Who asks.
    pub client: Option<Secret>,
    /// What they want.
    pub action: Action,
    /// The version that they saw.
    pub version: Option<u64>,
    /// What they call this request, so that it can be sent twice.
    pub key: Option<String>,
    /// The language of an objection.
    pub words: Messages,
}

/// Somebody who takes the vacant seat.
struct Guest {
    player: Player,
    invitation: Digest,
    holder: Digest,
    visitor: Digest,
    name: Option<String>,
}

impl AppState {
    /// Does what a client asks for, if it is theirs to do.
    ///
    /// # Errors
    /// When it is rejected.
    pub(crate) async fn act(
        self: &Arc<Self>,
        room: &Arc<LiveGame>,
        request: Request,
    ) -> Result<Arc<GameState>, Rejection> {
        let (app, room) = (Arc::clone(self), Arc::clone(room));
        // A task of its own: a client who hangs up must not leave an event on the
        // disk that the room has not heard of.
        let task = tokio::spawn(async move { app.act_in_order(&room, request).await });
        task.await.map_err(|_| Rejection::Broken)?
    }

    async fn act_in_order(
        self: &Arc<Self>,
        room: &Arc<LiveGame>,
        request: Request,
    ) -> Result<Arc<GameState>, Rejection> {
        let order = room.order.lock().await;
        let mut attempts = 0;
        let live = loop {
            attempts += 1;
            let known = room.live().version;
            match self.judge_and_commit(room, &request).await {
                Ok(live) => break live,
                // By what was stored elsewhere meanwhile it may be right.
                Err(_) if attempts < ATTEMPTS && self.has_gone_on(room, known).await? => {}
                Err(rejection) => return Err(rejection),
            }
        };
        drop(order);
        self.let_strategy_move(room);
        Ok(live)
    }

    /// Whether a game has gone on beyond a version, here or at another server, of which
    /// nobody may have told yet. The caller holds the order.
    async fn has_gone_on(&self, room: &LiveGame, known: u64) -> Result<bool, Rejection> {
        if room.live().version == known && self.store.is_shared() {
            let versions = self.store.versions(std::slice::from_ref(&room.header.id));
            let newest = versions.await?.first().map_or(0, |(_, version)| *version);
            if newest > known {
                self.catch_up(room).await?;
            }
        }
        Ok(room.live().version != known)
    }

    /// Judges a request by what is known here, and makes it an event. The caller holds
    /// the order.
    async fn judge_and_commit(
        &self,
        room: &LiveGame,
        request: &Request,
    ) -> Result<Arc<GameState>, Rejection> {
        let live = room.live();
        let seats = live.seats_of(request.client.as_ref());
        let key = request_key(&seats, request.key.as_deref());
        if let Some(first) = self
            .first_answer(room, key.as_deref(), &request.action)
            .await?
        {
            return Ok(first);
        }
        if seats.is_empty() {
            return Err(Rejection::NotYourSeat);
        }
        let current = live.changed..=live.version;
        if request.version.is_some_and(|seen| !current.contains(&seen)) {
            return Err(Rejection::stale(Conflict::GoneOn, &live));
        }
        let charged = self.running(&live);
        let event = judge(&live, &seats, &request.action, charged, request.words)?;
        self.commit(room, &live, &event, key).await
    }

    /// What a request was answered the first time, if it comes a second time.
    async fn first_answer(
        &self,
        room: &LiveGame,
        key: Option<&str>,
        action: &Action,
    ) -> Result<Option<Arc<GameState>>, Rejection> {
        let Some((version, event)) = key.and_then(|key| room.answered(key)) else {
            return Ok(None);
        };
        if !action.caused(&event, &room.game) {
            return Err(Rejection::KeyReused);
        }
        let stored = self.store.load(&room.header.id).await?;
        let stored = stored.ok_or(Rejection::NotFound)?;
        let then = GameState::replay(&room.game, &stored, version)?;
        Ok(Some(Arc::new(then)))
    }

    /// Puts an event on the disk, then shows what the game has become by it. The
    /// caller holds the order.
    pub(crate) async fn commit(
        &self,
        room: &LiveGame,
        live: &GameState,
        event: &Event,
        key: Option<String>,
    ) -> Result<Arc<GameState>, Rejection> {
        let stored = StoredEvent {
            version: live.version + 1,
            at: self.date(),
            body: event.body(),
            key: key.clone(),
        };
        let mut after = live.clone();
        after.apply(event, stored.at).map_err(|what| {
            tracing::error!(what, game = live.id, "an event makes no sense");
            Rejection::Broken
        })?;
        let written = self.store.append(&live.id, stored, after.standing());
        if written.await? == Appended::Stale {
            return Err(self.overtaken(room).await);
        }
        self.metrics.event(event);
        room.show(event, key, after);
        Ok(room.live())
    }

    /// Another server was faster: what it did is shown. The caller holds the order.
    async fn overtaken(&self, room: &LiveGame) -> Rejection {
        match self.catch_up(room).await {
            Ok(()) => Rejection::stale(Conflict::GoneOn, &room.live()),
            Err(rejection) => rejection,
        }
    }

    /// Seats a client at the vacant seat, for an invitation.
    ///
    /// # Errors
    /// When the invitation is unknown or used.
    pub(crate) async fn join(
        self: &Arc<Self>,
        invitation: Digest,
        client: &Client,
        secret: &Secret,
    ) -> Result<String, Rejection> {
        let found = self.store.invitation(invitation).await?;
        let found = found.ok_or(Rejection::NoInvitation)?;
        let room = self.room(&found.game, client.address).await?;
        let player = Player::BOTH[found.player & 1];
        if found.spent {
            let mine = room.live().seats_of(Some(secret));
            return match mine.contains(&player) {
                true => Ok(found.game),
                false => Err(Rejection::Spent { game: found.game }),
            };
        }
        let live = room.live();
        if live.seats_of(Some(secret)).contains(&player.other()) {
            return Err(Rejection::stale(Conflict::OwnInvitation, &live));
        }
        let guest = Guest {
            player,
            invitation,
            holder: secret.seat(&room.header.salt),
            visitor: secret.visitor(),
            name: client.shown_name(),
        };
        let app = Arc::clone(self);
        let task = tokio::spawn(async move {
            let _order = room.order.lock().await;
            app.seat(&room, guest).await?;
            app.let_strategy_move(&room);
            Ok(found.game)
        });
        task.await.map_err(|_| Rejection::Broken)?
    }

    /// Gives the vacant seat to whoever brings the invitation. The caller holds the
    /// order.
    async fn seat(&self, room: &LiveGame, guest: Guest) -> Result<(), Rejection> {
        let live = room.live();
        let spent = || Rejection::Spent {
            game: live.id.clone(),
        };
        if live.vacant.is_none() {
            return Err(spent());
        }
        let player = guest.player;
        let event = Event::Joined { by: player.into() };
        let stored = StoredEvent {
            version: live.version + 1,
            at: self.date(),
            body: event.body(),
            key: None,
        };
        let mut after = GameState::clone(&live);
        after.holders[player.index()] = Some(guest.holder);
        after.names[player.index()].clone_from(&guest.name);
        after
            .apply(&event, stored.at)
            .map_err(|_| Rejection::Broken)?;
        let joining = Joining {
            invitation: guest.invitation,
            holder: guest.holder,
            visitor: guest.visitor,
            name: guest.name,
            event: stored,
            standing: after.standing(),
        };
        match self.store.join(&live.id, joining).await? {
            Joined::Done => {}
            Joined::Spent => return Err(spent()),
            Joined::Stale => return Err(self.overtaken(room).await),
        }
        self.metrics.event(&event);
        room.show(&event, None, after);
        Ok(())
    }

    /// Adds an event that is no player's action, if the game is still at `version`.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub(crate) async fn add(
        self: &Arc<Self>,
        room: &Arc<LiveGame>,
        version: u64,
        event: Event,
        key: Option<String>,
    ) -> Result<(), Rejection> {
        let (app, room) = (Arc::clone(self), Arc::clone(room));
        let task = tokio::spawn(async move {
            let order = room.order.lock().await;
            let live = room.live();
            if live.version == version {
                app.commit(&room, &live, &event, key).await?;
            }
            drop(order);
            app.let_strategy_move(&room);
            Ok(())
        });
        task.await.map_err(|_| Rejection::Broken)?
    }
}

/// A key belongs to whoever sent it.
pub(crate) fn request_key(seats: &[Player], key: Option<&str>) -> Option<String> {
    let seat = seats.first()?;
    key.map(|key| format!("{seat}:{key}"))
}
