//! Runs a tournament: several games at once, each on disk before it counts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use papan_catalog::{Family, GameVisitor};
use papan_protocol::stop_waiting_by;
use papan_strategies::StopToken;

use crate::game::game_result::{DecodeError, GameResult};
use crate::game::player::{SeatError, SeatedPlayer};
use crate::game::referee::Referee;
use crate::game::spectate::LiveGames;
use crate::results::{Results, ResultsError};
use crate::statistics::Sprt;
use crate::tournament::Tournament;
use crate::tournament::game_set::GameSet;
use crate::tournament::schedule::Schedule;
use crate::tournament::scoreboard::Scoreboard;

/// How a tournament is played, as far as it does not matter for the result.
pub struct RunOptions<'a> {
    /// How many games at once.
    pub concurrency: usize,
    /// The question that ends it when it is answered.
    pub sprt: Option<Sprt>,
    /// Called with the standings after every commit.
    pub observer: &'a mut dyn FnMut(&Scoreboard),
    /// Live games for spectators, if there are any.
    pub live_games: Option<&'a LiveGames>,
    /// Ends the tournament early; the games that are being played do not count.
    pub stop: StopToken,
}

/// Why a tournament cannot be played, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// A player cannot take part.
    #[error("player `{player}`: {why}")]
    Player {
        /// Who.
        player: String,
        /// Why.
        why: SeatError,
    },
    /// Results cannot be kept.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The store holds something that is no game of this tournament.
    #[error("the results hold {0}")]
    Record(#[from] DecodeError),
    /// The job server refused a request.
    #[cfg(feature = "jobs")]
    #[error(transparent)]
    Jobs(#[from] papan_jobs::JobsError),
}

/// Plays the remaining games of a tournament and returns the final standings.
///
/// # Errors
/// When a player cannot take part (before the first game), or results cannot be stored.
pub fn run(
    tournament: &Tournament,
    store: &mut dyn Results,
    settings: RunOptions<'_>,
) -> Result<Scoreboard, ArenaError> {
    tournament.game.visit(Play {
        tournament,
        store,
        settings,
    })
}

struct Play<'a, 'b> {
    tournament: &'a Tournament,
    store: &'a mut dyn Results,
    settings: RunOptions<'b>,
}

/// State shared by the workers.
struct Shared<'a> {
    tournament: &'a Tournament,
    schedule: Schedule,
    next_pair: AtomicU64,
    /// Which games were played before.
    played: GameSet,
    /// Set when the question is answered or results cannot be kept.
    is_settled: AtomicBool,
    stop: StopToken,
    live_games: Option<&'a LiveGames>,
}

impl GameVisitor for Play<'_, '_> {
    type Output = Result<Scoreboard, ArenaError>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        let tournament = self.tournament;
        let mut scoreboard = Scoreboard::new(tournament, self.settings.sprt);
        let played = replay(tournament, self.store, &mut scoreboard)?;
        while scoreboard.draw_next_round(tournament) {}
        let left = tournament.pairs() * 2 - played.count();
        if left == 0 || scoreboard.is_decided() {
            return Ok(scoreboard);
        }
        let workers = self.settings.concurrency.max(1);
        let workers = workers.min(usize::try_from(left.div_ceil(2)).unwrap_or(workers));
        let mut seatings = (0..workers)
            .map(|_| seat_all(&**game, tournament))
            .collect::<Result<Vec<_>, _>>()?;
        let mut shared = Shared {
            tournament,
            schedule: scoreboard.standings().schedule().clone(),
            next_pair: AtomicU64::new(0),
            played,
            is_settled: AtomicBool::new(false),
            stop: self.settings.stop.clone(),
            live_games: self.settings.live_games,
        };
        loop {
            std::thread::scope(|scope| {
                let (sender, receiver) = sync_channel(4 * workers);
                for players in &mut seatings {
                    let (shared, sender) = (&shared, sender.clone());
                    scope.spawn(move || work(&**game, shared, players, &sender));
                }
                drop(sender);
                let observer = &mut *self.settings.observer;
                let kept = collect(self.store, &receiver, &shared, &mut scoreboard, observer);
                // Workers that wait for the collector must not wait for ever.
                if kept.is_err() {
                    shared.is_settled.store(true, Ordering::Relaxed);
                }
                drop(receiver);
                kept
            })?;
            // Workers look one pair beyond the last.
            let next = shared.schedule.pairs();
            let is_over = scoreboard.is_decided() || shared.stop.is_stopped();
            if is_over || !scoreboard.draw_next_round(tournament) {
                return Ok(scoreboard);
            }
            shared.schedule = scoreboard.standings().schedule().clone();
            shared.next_pair = AtomicU64::new(next);
        }
    }
}

pub(crate) fn seat_all<G: Family>(
    game: &G,
    tournament: &Tournament,
) -> Result<Vec<SeatedPlayer<G>>, ArenaError> {
    let players = tournament.entrants.iter().enumerate();
    players
        .map(|(number, entrant)| {
            let limits = tournament.limits_of(number);
            let seated = SeatedPlayer::take(game, entrant, &limits, tournament.swap);
            seated.map_err(|why| ArenaError::Player {
                player: entrant.to_string(),
                why,
            })
        })
        .collect()
}

/// Counts the games played earlier.
pub(crate) fn replay(
    tournament: &Tournament,
    store: &mut dyn Results,
    scoreboard: &mut Scoreboard,
) -> Result<GameSet, ArenaError> {
    let mut played = GameSet::new(tournament.pairs() * 2);
    let mut wrong = None;
    store.replay(&mut |record| match GameResult::decode(record) {
        // A game that is there twice is counted once.
        Ok(finished) if finished.game < played.length() => {
            if played.insert(finished.game) {
                scoreboard.add(tournament, finished);
            }
        }
        // More games were asked for once than are now.
        Ok(_) => {}
        Err(error) => wrong = Some(error),
    })?;
    match wrong {
        Some(error) => Err(error.into()),
        None => Ok(played),
    }
}

/// Maximum number of games that a worker buffers, and for how long.
const MAX_BUFFERED_GAMES: usize = 512;
const MAX_BUFFER_TIME: Duration = Duration::from_millis(5);

fn work<G: Family>(
    game: &G,
    shared: &Shared<'_>,
    players: &mut [SeatedPlayer<G>],
    sender: &SyncSender<Vec<GameResult>>,
) {
    stop_waiting_by(&shared.stop);
    let table = shared.live_games.map(LiveGames::board);
    let mut referee = Referee::new(game, shared.tournament, table).stopped_by(&shared.stop);
    let mut kept = Vec::new();
    let mut sent = Instant::now();
    while !shared.is_settled.load(Ordering::Relaxed) && !shared.stop.is_stopped() {
        let pair = shared.next_pair.fetch_add(1, Ordering::Relaxed);
        if pair >= shared.schedule.pairs() {
            break;
        }
        for number in [2 * pair, 2 * pair + 1] {
            if shared.played.contains(number) {
                continue;
            }
            let planned = shared.schedule.game(number);
            let planned = planned.expect("a game of a round that has been drawn");
            let seats = players.get_disjoint_mut(planned.seats);
            let seats = seats.expect("nobody plays against themselves");
            let finished = referee.play(&planned, seats);
            // A game that was stopped has no result of its own.
            if shared.stop.is_stopped() {
                break;
            }
            kept.push(finished);
        }
        if kept.len() >= MAX_BUFFERED_GAMES || sent.elapsed() >= MAX_BUFFER_TIME {
            if sender.send(std::mem::take(&mut kept)).is_err() {
                return;
            }
            sent = Instant::now();
        }
    }
    // If the receiver is gone, the collector has failed and reports it.
    let _ = sender.send(kept);
}

/// Makes games durable and then counts them, as many at a time as have come.
fn collect(
    store: &mut dyn Results,
    receiver: &Receiver<Vec<GameResult>>,
    shared: &Shared<'_>,
    scoreboard: &mut Scoreboard,
    observer: &mut dyn FnMut(&Scoreboard),
) -> Result<(), ResultsError> {
    let mut record = Vec::new();
    while let Ok(first) = receiver.recv() {
        let mut batch = first;
        while let Ok(more) = receiver.try_recv() {
            batch.extend(more);
        }
        for finished in &batch {
            record.clear();
            finished.encode(&mut record);
            store.append(&record);
        }
        store.commit()?;
        for finished in batch {
            scoreboard.add(shared.tournament, finished);
        }
        if scoreboard.is_decided() {
            shared.is_settled.store(true, Ordering::Relaxed);
        }
        observer(scoreboard);
    }
    Ok(())
}
