//! Acting in a game: an event is on the disk before anybody hears of it.

use std::sync::Arc;

use papan_rules::Player;
use papan_store::games::{Appended, Digest, Joined, Joining, StoredEvent};
use papan_view::Words;

use super::{Hub, now};
use crate::event::Event;
use crate::live_match::LiveMatch;
use crate::refusal::{Conflict, Refusal};
use crate::room::Room;
use crate::rulebook::{Action, judge};
use crate::secret::Secret;
use crate::state::MatchState;

/// What somebody asks for in a game.
#[derive(Clone, Debug)]
pub struct Request {
    /// Who asks.
    pub visitor: Option<Secret>,
    /// What they want.
    pub action: Action,
    /// The version that they saw.
    pub version: Option<u64>,
    /// What they call this request, so that it can be sent twice.
    pub key: Option<String>,
    /// The language of an objection.
    pub words: Words,
}

impl Hub {
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
        let seats = live.seats_of(request.visitor.as_ref());
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
    pub(super) async fn commit(
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
        visitor: &Secret,
    ) -> Result<String, Refusal> {
        let found = self.store.invitation(invitation).await?;
        let found = found.ok_or(Refusal::NoInvitation)?;
        let game = found.game.clone();
        let room = self.room(&game).await?;
        if found.spent {
            let mine = room.live().seats_of(Some(visitor));
            let player = Player::BOTH[found.player & 1];
            return match mine.contains(&player) {
                true => Ok(game),
                false => Err(Refusal::Spent { game }),
            };
        }
        let player = Player::BOTH[found.player & 1];
        let holder = visitor.seat(&room.now().live.salt);
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

    /// Adds an event that is no player's action, if the game is still at `version`.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn add(
        self: &Arc<Self>,
        room: &Arc<Room>,
        version: u64,
        event: Event,
        key: Option<String>,
    ) -> Result<(), Refusal> {
        let (hub, room) = (Arc::clone(self), Arc::clone(room));
        let task = tokio::spawn(async move {
            let order = room.order.lock().await;
            let live = room.live();
            if live.version == version {
                hub.commit(&room, &live, &event, key).await?;
            }
            drop(order);
            hub.let_strategy_move(&room);
            Ok(())
        });
        task.await.map_err(|_| Refusal::Broken)?
    }
}

/// A key belongs to whoever sent it.
pub(crate) fn request_key(seats: &[Player], key: Option<&str>) -> Option<String> {
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
