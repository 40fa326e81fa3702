//! Match between time management and a fixed time per move.
//!
//! ```text
//! cargo bench -p papan-othello --bench clock_match -- OPENINGS [games=100] [clock=1000]
//! ```
//!
//! Both sides are the same engine on one thread. One manages a game clock of `clock` milliseconds,
//! the other spends an equal part of the same time on every move. Time is the CPU time of this
//! thread, so that a busy machine disturbs neither side. An opening is a line of moves; each is
//! played with both colours. Without arguments the program does nothing.
#![allow(unsafe_code)]

use papan_othello::{Engine, Options, SearchLimits, board_of};
use papan_rules::{Game, Line, Move, Othello, Player};
use papan_strategies::{Budget, Clock, Limits, StopToken};
use std::error::Error;
use std::time::Duration;

/// The CPU time of the calling thread, where the system provides it.
#[cfg(unix)]
#[derive(Clone, Copy)]
struct ThreadClock;

#[cfg(not(unix))]
use papan_strategies::SystemClock as ThreadClock;

#[cfg(unix)]
impl Clock for ThreadClock {
    fn now(&self) -> Duration {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: the call fills the struct that it is given.
        unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    }
}

/// One side of a match: its engine and its clock.
struct Side {
    engine: Engine,
    manages_time: bool,
    left: Duration,
    used: Duration,
}

impl Side {
    fn new(manages_time: bool) -> Result<Self, Box<dyn Error>> {
        let options = Options {
            threads: 1,
            hash_mib: 16,
        };
        Ok(Self {
            engine: Engine::new(&options)?,
            manages_time,
            left: Duration::ZERO,
            used: Duration::ZERO,
        })
    }

    fn choose(&mut self, line: &Line<Othello>, time_per_move: Duration) -> Move {
        let time_limit = if self.manages_time {
            Limits {
                clock: Some((self.left, Duration::ZERO)),
                ..Limits::default()
            }
        } else {
            Limits {
                time: Some(time_per_move.min(self.left)),
                ..Limits::default()
            }
        };
        let start = ThreadClock.now();
        let limits = SearchLimits {
            budget: Budget::begin(&time_limit, &ThreadClock),
            ..SearchLimits::default()
        };
        let board = board_of(line.position());
        let result = self
            .engine
            .search(board, &limits, &StopToken::default(), |_| {});
        let taken = ThreadClock.now().saturating_sub(start);
        self.left = self.left.saturating_sub(taken);
        self.used += taken;
        result
            .best
            .map_or(Move::PASS, |square| Move::on(square.index()))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` adds `--bench`.
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with("--"))
        .collect();
    let Some(path) = args.first() else {
        println!("usage: clock_match OPENINGS [games=100] [clock=1000]");
        return Ok(());
    };
    let number = |key: &str, default: u64| -> Result<u64, Box<dyn Error>> {
        let value = args
            .iter()
            .find_map(|arg| arg.strip_prefix(key)?.strip_prefix('='));
        Ok(value.map_or(Ok(default), str::parse)?)
    };
    let games = number("games", 100)? as usize;
    let clock = Duration::from_millis(number("clock", 1000)?);
    let text = std::fs::read_to_string(path)?;
    let openings: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let game = Othello::default();
    let mut sides = [Side::new(true)?, Side::new(false)?];
    let (mut won, mut drawn, mut lost, mut discs) = (0, 0, 0, 0);
    for at in 0..games {
        // A prime stride spreads the openings over the file.
        let opening = openings[(at / 2 * 7919) % openings.len()];
        let mut line = Line::parse(&game, opening.trim())?;
        let own_moves = (60 - line.moves().len() as u32).div_ceil(2).max(1);
        let first = usize::from(at % 2 == 1);
        for side in &mut sides {
            side.left = clock;
            side.engine.clear();
        }
        while game.outcome(line.position()).is_none() {
            let is_black = line.position().turn() == Player::First;
            let side = if is_black { first } else { 1 - first };
            let mv = sides[side].choose(&line, clock / own_moves);
            line.play(&game, mv)?;
        }
        let managing_player = if first == 0 {
            Player::First
        } else {
            Player::Second
        };
        let score = game.final_score(line.position(), managing_player);
        discs += score;
        match score {
            1.. => won += 1,
            0 => drawn += 1,
            _ => lost += 1,
        }
        if at % 20 == 19 || at + 1 == games {
            let played = at as f64 + 1.0;
            println!(
                "{} games: +{won} ={drawn} -{lost}, {:.1} %, {:+.2} discs; used {:?} and {:?} per game",
                at + 1,
                100.0 * (f64::from(won) + f64::from(drawn) / 2.0) / played,
                f64::from(discs) / played,
                sides[0].used / (at as u32 + 1),
                sides[1].used / (at as u32 + 1),
            );
        }
    }
    Ok(())
}
