//! Letting strategies think: opponents' moves, and what visitors ask.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use papan_strategies::{Decision, Limits};
use tokio::sync::oneshot;

use crate::analysis::engine_cache::{AnalysisRequest, EngineCache, REMEMBERED};
use crate::analysis::engine_pool::Priority;
use crate::analysis::strategy_failure::StrategyFailure;
use crate::game::command::strategy_to_move;
use crate::game::event::{Event, WrittenMove};
use crate::game::live_game::LiveGame;
use crate::http::rejection::Rejection;
use crate::state::AppState;

/// For how long a version is one server's to think about, without a word from it.
const LEASE_SECONDS: u32 = 10;
const LEASE: Duration = Duration::from_secs(LEASE_SECONDS as u64);

/// What only one server shall think about.
fn lease(id: &str, version: u64) -> String {
    format!("think {id} {version}")
}

impl AppState {
    /// If a strategy is to move, lets it think, then makes its move.
    pub(crate) fn let_strategy_move(self: &Arc<Self>, room: &Arc<LiveGame>) {
        let (question, player, version, watched) = {
            let live = room.live();
            let Some((player, strategy)) = strategy_to_move(&live) else {
                return;
            };
            let mut limits = Limits {
                time: Some(self.settings.move_time),
                memory: Some(REMEMBERED),
                ..Limits::default()
            };
            if let Some(clock) = &live.clock {
                let left = clock.left[player.index()];
                limits.clock = Some((
                    Duration::from_millis(left),
                    Duration::from_millis(clock.increment),
                ));
            }
            let question = AnalysisRequest {
                game: room.game.name(),
                start: room.header.start.clone(),
                moves: live.line.moves().to_vec(),
                strategy: strategy.clone(),
                limits,
                seed: seed(&live.id),
            };
            let watched = live.holders == [None, None];
            // A game without players goes on when somebody looks at it again.
            if watched && !room.is_watched(self.now()) || !room.begin_thinking(live.version) {
                return;
            }
            (question, player, live.version, watched)
        };
        let (app, room) = (Arc::clone(self), Arc::clone(room));
        tokio::spawn(async move {
            if watched {
                tokio::time::sleep(app.settings.watched_pace).await;
            }
            let game = room.game.clone();
            let id = room.header.id.clone();
            if !app.is_ours_to_think(&room, version).await {
                return;
            }
            let chosen = loop {
                let (answer, answered) = oneshot::channel();
                let question = question.clone();
                let work = move |seats: &mut EngineCache| {
                    let _ = answer.send(seats.choose(&question));
                };
                if watched && !room.is_watched(app.now()) {
                    room.end_thinking();
                    return;
                }
                let address = room.address();
                if app.pool.submit(address, Priority::Move, work).is_ok() {
                    match app.hold_while(&id, version, answered).await {
                        Ok(chosen) => break chosen,
                        Err(_) => break Err(StrategyFailure::BrokeDown),
                    }
                }
                tokio::time::sleep(Duration::from_millis(300)).await;
                if room.live().version != version {
                    return;
                }
            };
            let charged = app.running(&room.live());
            let event = match chosen {
                Ok(mv) => Event::Moved {
                    by: player.into(),
                    mv: WrittenMove::new(&game, mv),
                    charged,
                },
                Err(reason) => Event::GaveUp {
                    by: player.into(),
                    reason,
                },
            };
            match app.add(&room, version, event, None).await {
                // Somebody ended the game elsewhere, or took a move back.
                Ok(()) | Err(Rejection::Stale { .. }) => {}
                Err(error) => {
                    room.end_thinking();
                    tracing::error!(game = id, %error, "a strategy's move was not stored");
                }
            }
            let _ = app.store.end_lease(&lease(&id, version)).await;
        });
    }

    /// Whether this server thinks about a version; where another one does, it waits
    /// until that one is done, or takes its place when it has died.
    async fn is_ours_to_think(&self, room: &LiveGame, version: u64) -> bool {
        let name = lease(&room.header.id, version);
        while room.live().version == version && !self.is_stopping() {
            match self.store.lease(&name, LEASE_SECONDS).await {
                Ok(true) => return true,
                Ok(false) => tokio::time::sleep(LEASE / 10).await,
                Err(_) => {
                    // The database is away; whoever looks at the game asks again.
                    room.end_thinking();
                    return false;
                }
            }
        }
        false
    }

    /// Waits for an answer, and meanwhile says that this server is alive.
    async fn hold_while<T>(&self, id: &str, version: u64, answered: T) -> T::Output
    where
        T: Future + Unpin,
    {
        let mut answered = answered;
        loop {
            match tokio::time::timeout(LEASE / 3, &mut answered).await {
                Ok(answer) => return answer,
                Err(_) => {
                    let name = lease(id, version);
                    let _ = self.store.lease(&name, LEASE_SECONDS).await;
                }
            }
        }
    }

    /// Asks a strategy for a move with its reasons, for a client's study.
    ///
    /// # Errors
    /// When the client asks too often, the pool is full, or the strategy has no
    /// answer.
    pub(crate) async fn ask(
        &self,
        client: IpAddr,
        question: AnalysisRequest,
    ) -> Result<Decision, Rejection> {
        let decided = self
            .lend(client, move |seats| seats.decide(&question))
            .await;
        match decided {
            Ok(decided) => decided.map_err(Rejection::NoAnswer),
            Err(Rejection::Broken) => Err(Rejection::NoAnswer(StrategyFailure::BrokeDown)),
            Err(rejection) => Err(rejection),
        }
    }

    /// Engine work has a rate of its own.
    ///
    /// # Errors
    /// When an address asks for too much of it.
    pub(crate) fn study_rate(&self, client: IpAddr) -> Result<(), Rejection> {
        let taken = self.gates.studies.take(client, self.now());
        taken.map_err(|wait| Rejection::TooMany {
            seconds: wait.as_secs() + 1,
        })
    }

    /// Lends a thread of the pool to a client's work.
    ///
    /// # Errors
    /// When the client has enough waiting, or the pool is full.
    pub(crate) async fn lend<T: Send + 'static>(
        &self,
        client: IpAddr,
        work: impl FnOnce(&mut EngineCache) -> T + Send + 'static,
    ) -> Result<T, Rejection> {
        let (answer, answered) = oneshot::channel();
        let work = move |seats: &mut EngineCache| {
            let _ = answer.send(work(seats));
        };
        let submitted = self.pool.submit(client, Priority::AnalysisJob, work);
        submitted.map_err(|_| Rejection::Busy)?;
        match answered.await {
            Ok(done) => Ok(done),
            Err(_) if self.is_stopping() => Err(Rejection::Busy),
            Err(_) => Err(Rejection::Broken),
        }
    }

    /// The limits of a hint or of one position of an analysis.
    #[must_use]
    pub(crate) fn study_limits(&self) -> Limits {
        Limits {
            time: Some(self.settings.study_time),
            memory: Some(REMEMBERED),
            ..Limits::default()
        }
    }
}

/// What the lots of a game depend on: its address.
pub(crate) fn seed(id: &str) -> u64 {
    papan_rules::fnv::fnv1a(id.as_bytes())
}
