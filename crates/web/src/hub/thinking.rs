//! Letting strategies think: opponents' moves, and what visitors ask.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use papan_strategies::{Decision, Limits};
use tokio::sync::oneshot;

use super::Hub;
use crate::engine_pool::Urgency;
use crate::event::Event;
use crate::fault::Fault;
use crate::rate::household;
use crate::refusal::Refusal;
use crate::room::Room;
use crate::rulebook::strategy_to_move;
use crate::seats::{Question, Seats};

/// Between two moves of a game that is only watched, so that it can be.
const WATCHED_PACE: Duration = Duration::from_millis(700);

impl Hub {
    /// If a strategy is to move, lets it think, then makes its move.
    pub(super) fn let_strategy_move(self: &Arc<Self>, room: &Arc<Room>) {
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
                let work = move |seats: &mut Seats| {
                    let _ = answer.send(seats.choose(&question));
                };
                // The game is the visitor here: each has one move waiting at most.
                if hub.pool.submit(&id, Urgency::Move, work).is_ok() {
                    match answered.await {
                        Ok(chosen) => break chosen,
                        Err(_) => break Err(Fault::BrokeDown),
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
            if hub.add(&room, version, event, None).await.is_err() {
                tracing::error!(game = id, "a strategy's move was not stored");
            }
        });
    }

    /// Asks a strategy for a move with its reasons, for a visitor's study.
    ///
    /// # Errors
    /// When the visitor asks too often, the pool is full, or the strategy has no
    /// answer.
    pub async fn ask(&self, visitor: IpAddr, question: Question) -> Result<Decision, Refusal> {
        let decided = self
            .lend(visitor, move |seats| seats.decide(&question))
            .await;
        match decided {
            Ok(decided) => decided.map_err(Refusal::NoAnswer),
            Err(Refusal::Broken) => Err(Refusal::NoAnswer(Fault::BrokeDown)),
            Err(refusal) => Err(refusal),
        }
    }

    /// Engine work has a rate of its own.
    ///
    /// # Errors
    /// When an address asks for too much of it.
    pub fn study_rate(&self, visitor: IpAddr) -> Result<(), Refusal> {
        let taken = self.gates.studies.take(visitor);
        taken.map_err(|wait| Refusal::TooMany {
            seconds: wait.as_secs() + 1,
        })
    }

    /// Lends a thread of the pool to a visitor's work.
    ///
    /// # Errors
    /// When the visitor has enough waiting, or the pool is full.
    pub(crate) async fn lend<T: Send + 'static>(
        &self,
        visitor: IpAddr,
        work: impl FnOnce(&mut Seats) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let (answer, answered) = oneshot::channel();
        let work = move |seats: &mut Seats| {
            let _ = answer.send(work(seats));
        };
        let visitor = household(visitor).to_string();
        let submitted = self.pool.submit(&visitor, Urgency::Study, work);
        submitted.map_err(|_| Refusal::Busy)?;
        match answered.await {
            Ok(done) => Ok(done),
            Err(_) if self.is_stopping() => Err(Refusal::Busy),
            Err(_) => Err(Refusal::Broken),
        }
    }

    /// The limits of a hint or of one position of an analysis.
    #[must_use]
    pub fn study_limits(&self) -> Limits {
        Limits {
            time: Some(self.settings.study_time),
            ..Limits::default()
        }
    }
}

/// What the lots of a game depend on: its address.
fn seed(id: &str) -> u64 {
    id.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
