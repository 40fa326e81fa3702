//! Whole games against a random mover, the last part of the compliance check.

use std::time::{Duration, Instant};

use papan_catalog::{AnyGame, Seat, StrategySpec};
use papan_rules::{Move, Player};
use papan_strategies::{Context, Limits, SystemClock, format_time};

use super::{CheckResult, Compliance};
use crate::engine::{Engine, MoveRequest};
use crate::engine_command::EngineCommand;
use crate::forfeit::{Forfeit, ForfeitKind};
use crate::notation::ProtocolNotation;
use crate::time_control::AnnouncedTime;

/// Time per move that the engine is given. Some protocols cannot express an unlimited
/// move; the check itself only enforces its timeout.
const MOVE_TIME: Duration = Duration::from_millis(100);
/// Seed of the opponent's moves.
const SEED: u64 = 1;

/// Number of legal moves and the time spent on them.
#[derive(Default)]
struct Tally {
    moves: u32,
    time: Duration,
}

/// Plays one game from each seat against `random`, judged by papan's rules.
pub(super) fn play_both_seats(
    command: &EngineCommand,
    game: &AnyGame,
    timeout: Duration,
) -> Vec<CheckResult> {
    let expectation = |seat: Player| {
        let ordinal = match seat {
            Player::First => "first",
            Player::Second => "second",
        };
        format!("a whole game of {} with the {ordinal} move", game.name())
    };
    let mut command = command.clone();
    command.settings.start.get_or_insert(timeout);
    let limits = Limits {
        time: Some(MOVE_TIME),
        ..Limits::default()
    };
    let random: StrategySpec = "random".parse().expect("`random` is a strategy");
    let opponent = game.seat(&random, &limits).map_err(|e| e.to_string());
    let started = opponent.and_then(|opponent| {
        let engine = command.start(&ProtocolNotation::of_any(game));
        Ok((opponent, engine.map_err(|error| error.to_string())?))
    });
    let (opponent, engine) = match started {
        Ok(both) => both,
        Err(error) => {
            return vec![CheckResult {
                expectation: expectation(Player::First),
                sent: String::new(),
                observed: error,
                compliance: Compliance::Violated,
            }];
        }
    };
    let mut games = Games {
        command,
        game,
        limits,
        timeout,
        engine,
        opponent,
    };
    let both = Player::BOTH.map(|seat| {
        let (observed, compliance) = match games.play(seat) {
            Ok(Tally { moves, time }) => {
                let millis = time.as_secs_f64() * 1000.0 / f64::from(moves.max(1));
                let observed = format!("{moves} legal moves, {millis:.1} ms each");
                (observed, Compliance::Satisfied)
            }
            Err(forfeit) => (forfeit.to_string(), Compliance::Violated),
        };
        CheckResult {
            expectation: expectation(seat),
            sent: String::new(),
            observed,
            compliance,
        }
    });
    both.into()
}

struct Games<'a> {
    command: EngineCommand,
    game: &'a AnyGame,
    limits: Limits,
    timeout: Duration,
    engine: Box<dyn Engine>,
    opponent: Box<dyn Seat>,
}

impl Games<'_> {
    fn play(&mut self, seat: Player) -> Result<Tally, Forfeit> {
        self.new_game()?;
        let mut context = Context::with_seed(SEED).limited(self.limits, &SystemClock);
        context.round = seat.index() as u64;
        let mut line = self.game.line();
        let mut tally = Tally::default();
        while line.outcome().is_none() {
            let mv = if line.legal_moves() == [Move::PASS] {
                Move::PASS
            } else if line.turn() == seat {
                let begin = Instant::now();
                let mv = self.ask(line.moves())?;
                tally.moves += 1;
                tally.time += begin.elapsed();
                mv
            } else {
                let chosen = self.opponent.choose(&*line, &context);
                chosen.expect("`random` always has a move").0
            };
            line.play(mv).map_err(|why| {
                let detail = format!("`{}`: {why}", self.game.format_move(mv));
                Forfeit::new(ForfeitKind::Illegal, detail)
            })?;
        }
        Ok(tally)
    }

    /// Prepares the engine, with a new process if the old one fails to.
    fn new_game(&mut self) -> Result<(), Forfeit> {
        self.opponent.forget();
        if self.engine.new_game(&self.limits).is_ok() {
            return Ok(());
        }
        let engine = self.command.start(&ProtocolNotation::of_any(self.game));
        self.engine = engine.map_err(|why| Forfeit::new(ForfeitKind::Crash, why))?;
        self.engine.new_game(&self.limits)
    }

    fn ask(&mut self, moves: &[Move]) -> Result<Move, Forfeit> {
        let announced = match self.engine.announced(&self.limits) {
            AnnouncedTime::Move(time)
            | AnnouncedTime::Period { time, .. }
            | AnnouncedTime::Clock(time) => time,
            AnnouncedTime::Unlimited => Duration::ZERO,
        };
        let wait = announced + self.timeout;
        let answer = self.engine.choose(&MoveRequest {
            start: None,
            moves,
            limits: &self.limits,
            other_clock: None,
            deadline: Instant::now() + wait,
        });
        match answer {
            Ok(answer) => Ok(answer.mv),
            Err(forfeit) if forfeit.kind == ForfeitKind::Hang => {
                let detail = format!("{} within {}", forfeit.detail, format_time(wait));
                Err(Forfeit::new(ForfeitKind::Late, detail))
            }
            Err(forfeit) => Err(forfeit),
        }
    }
}
