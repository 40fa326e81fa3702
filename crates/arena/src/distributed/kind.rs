//! Tournament games as jobs for workers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use papan_catalog::{Family, GameVisitor};
use papan_jobs::{Digest, JobKind, Payload};
use papan_protocol::ForfeitKind;
use papan_strategies::{StopToken, Watch};

use super::batch::{Batch, PlayedBatch};
use super::verify;
use crate::entrant::EntrantKind;
use crate::game::game_result::GameResult;
use crate::game::player::SeatedPlayer;
use crate::game::referee::Referee;
use crate::tournament::Tournament;
use crate::tournament::runner::{ArenaError, seat_all};

/// The time limit of games that take no time.
const MIN_TIME_LIMIT: Duration = Duration::from_secs(600);

/// Batches of games of one tournament. The players stay seated between batches, so engines are
/// started once per thread.
pub struct TournamentGames;

impl JobKind for TournamentGames {
    const NAME: &'static str = "games";
    const TIME_LIMIT: Duration = Duration::from_secs(6 * 3600);
    type Group = Tournament;
    type Job = Batch;
    type Output = PlayedBatch;
    type Session = Box<dyn Table>;

    fn requirements(tournament: &Tournament) -> Vec<String> {
        let weights = Digest::of(papan_othello::eval::weights::shipped_file());
        let mut requirements = vec![
            format!("papan {}", papan_jobs::code_version()),
            format!("weights {}", weights.short()),
        ];
        for entrant in &tournament.entrants {
            if let EntrantKind::Engine(engine) = &entrant.kind {
                let digest = engine.digest();
                let program = digest.unwrap_or_else(|| "missing".into());
                requirements.push(format!("player `{entrant}` ({program})"));
            }
        }
        requirements
    }

    /// Where all players have time limits, a batch takes a pair of games or some seconds.
    fn time_limit(tournament: &Tournament) -> Duration {
        let cells = u32::try_from(tournament.game.cells()).unwrap_or(u32::MAX);
        let players = 0..tournament.entrants.len();
        let game_time = |player| {
            let limits = tournament.limits_of(player);
            let by_clock = limits
                .clock
                .map(|(time, increment)| time.saturating_add(increment.saturating_mul(cells)));
            by_clock.or_else(|| limits.time.map(|time| time.saturating_mul(cells)))
        };
        let times: Option<Vec<Duration>> = players.map(game_time).collect();
        let longest = times.and_then(|times| times.into_iter().max());
        // Two games of two players, and as much again: engines are started and waited for.
        longest.map_or(Self::TIME_LIMIT, |longest| {
            let twice = longest.saturating_mul(8);
            twice.clamp(MIN_TIME_LIMIT, 4 * Self::TIME_LIMIT)
        })
    }

    fn start(tournament: &Tournament) -> Result<Box<dyn Table>, String> {
        let tournament = Arc::new(tournament.clone());
        let game = tournament.game.clone();
        let table = game.visit(Seating { tournament });
        table.map_err(|error| error.to_string())
    }

    fn run(
        table: &mut Box<dyn Table>,
        batch: &Batch,
        watch: &Arc<Watch>,
    ) -> Result<PlayedBatch, String> {
        table.play(batch, &watch.stop)
    }

    fn verify(tournament: &Tournament, batch: &Batch, played: &PlayedBatch) -> Result<(), String> {
        verify::verify(tournament, batch, played)
    }

    fn is_deterministic(tournament: &Tournament) -> bool {
        tournament.is_repeatable()
    }

    /// A program that fails, or a clock that runs out, is seen by the worker alone. A resignation is
    /// a choice of the player like its moves, and a lack of moves is verified.
    fn doubt(_: &Tournament, played: &PlayedBatch) -> Option<String> {
        let failed = played.games.iter().find_map(|game| {
            let forfeit = game.forfeit.as_ref()?;
            let is_seen_by_all =
                matches!(forfeit.kind, ForfeitKind::Resigned | ForfeitKind::NoMove);
            (!is_seen_by_all).then_some((game.game, forfeit))
        });
        failed.map(|(number, forfeit)| {
            format!("game {number} was forfeited by `{}`", forfeit.kind.word())
        })
    }

    fn agree(one: &PlayedBatch, other: &PlayedBatch) -> bool {
        let untimed = |games: &[GameResult]| -> Vec<GameResult> {
            let mut games = games.to_vec();
            for game in &mut games {
                game.costs
                    .iter_mut()
                    .for_each(|cost| cost.time = Duration::ZERO);
                game.notes.iter_mut().for_each(|note| note.micros = 0);
            }
            games
        };
        untimed(&one.games) == untimed(&other.games)
    }
}

/// The parts of a tournament that its games depend on; the pairings are part of each job.
impl Payload for Tournament {
    fn to_bytes(&self) -> Vec<u8> {
        self.to_text().into_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        Self::from_text(text).map_err(|error| error.to_string())
    }
}

/// Seated players of a tournament, whatever its game is.
pub trait Table {
    /// Plays a batch. Returns early, with anything, once it is stopped.
    ///
    /// # Errors
    /// When the batch has games of another tournament.
    fn play(&mut self, batch: &Batch, stop: &StopToken) -> Result<PlayedBatch, String>;
}

struct Seating {
    tournament: Arc<Tournament>,
}

impl GameVisitor for Seating {
    type Output = Result<Box<dyn Table>, ArenaError>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
        Ok(Box::new(SeatedTable {
            players: seat_all(&**game, &self.tournament)?,
            game: Arc::clone(game),
            tournament: self.tournament,
        }))
    }
}

struct SeatedTable<G: Family> {
    game: Arc<G>,
    tournament: Arc<Tournament>,
    players: Vec<SeatedPlayer<G>>,
}

impl<G: Family> Table for SeatedTable<G> {
    fn play(&mut self, batch: &Batch, stop: &StopToken) -> Result<PlayedBatch, String> {
        if !batch.fits(&self.tournament) {
            return Err("the batch has games of another tournament".into());
        }
        let start = Instant::now();
        let mut referee = Referee::new(&*self.game, &self.tournament, None).stopped_by(stop);
        let mut games = Vec::with_capacity(batch.games.len());
        for planned in &batch.games {
            if stop.is_stopped() {
                break;
            }
            let seats = self.players.get_disjoint_mut(planned.seats);
            let seats = seats.expect("a batch that fits seats two players");
            games.push(referee.play(planned, seats));
        }
        Ok(PlayedBatch {
            games,
            time: start.elapsed(),
        })
    }
}
