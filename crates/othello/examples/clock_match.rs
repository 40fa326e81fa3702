//! A clock for a whole game against a fixed time for every move:
//! `clock_match OPENINGS [games=100] [clock=1000]`, the clock in milliseconds for each side.
//!
//! Both sides are the same engine on one thread. One shares its clock among its moves, the other
//! takes an equal part of the same time for each. Time is the processor's of this thread, so that
//! a crowded machine disturbs neither. An opening is a line of moves, played once with each
//! colour.
#![allow(unsafe_code)]

use papan_othello::{Engine, Options, SearchLimits, board_of};
use papan_rules::{Game, Line, Move, Othello, Player};
use papan_strategies::{Budget, Clock, Limits, StopToken};
use std::error::Error;
use std::time::Duration;

/// The processor time of the thread that asks, where the system tells.
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
        // SAFETY: the call fills the structure that it is handed.
        unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    }
}

/// One side of a game: its engine and what is left of its time.
struct Side {
    engine: Engine,
    by_the_clock: bool,
    left: Duration,
    used: Duration,
}

impl Side {
    fn new(by_the_clock: bool) -> Result<Self, Box<dyn Error>> {
        let options = Options {
            threads: 1,
            hash_mib: 16,
        };
        Ok(Self {
            engine: Engine::new(&options)?,
            by_the_clock,
            left: Duration::ZERO,
            used: Duration::ZERO,
        })
    }

    fn choose(&mut self, line: &Line<Othello>, fixed: Duration) -> Move {
        let limits = if self.by_the_clock {
            Limits {
                clock: Some((self.left, Duration::ZERO)),
                ..Limits::default()
            }
        } else {
            Limits {
                time: Some(fixed.min(self.left)),
                ..Limits::default()
            }
        };
        let began = ThreadClock.now();
        let task = SearchLimits {
            budget: Budget::begin(&limits, &ThreadClock),
            ..SearchLimits::default()
        };
        let board = board_of(line.position());
        let never = StopToken::default();
        let report = self.engine.search(board, &task, &never, |_| {});
        let taken = ThreadClock.now().saturating_sub(began);
        self.left = self.left.saturating_sub(taken);
        self.used += taken;
        report
            .best
            .map_or(Move::PASS, |square| Move::on(square.index()))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let path = words
        .first()
        .ok_or("clock_match OPENINGS [games=100] [clock=1000]")?;
    let number = |key: &str, usual: u64| -> Result<u64, Box<dyn Error>> {
        let value = words
            .iter()
            .find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        Ok(value.map_or(Ok(usual), str::parse)?)
    };
    let games = number("games", 100)? as usize;
    let clock = Duration::from_millis(number("clock", 1000)?);
    let text = std::fs::read_to_string(path)?;
    let game = Othello::default();
    let mut sides = [Side::new(true)?, Side::new(false)?];
    let (mut won, mut drawn, mut lost, mut discs) = (0, 0, 0, 0);
    // Openings from all over the file.
    let openings: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    for at in 0..games {
        let opening = openings[(at / 2 * 7919) % openings.len()];
        let mut line = Line::parse(&game, opening.trim())?;
        let own_moves = (60 - line.moves().len() as u32).div_ceil(2).max(1);
        let first = usize::from(at % 2 == 1);
        for side in &mut sides {
            side.left = clock;
            side.engine.clear();
        }
        while game.outcome(line.position()).is_none() {
            let black = line.position().turn() == Player::First;
            let side = if black { first } else { 1 - first };
            let mv = sides[side].choose(&line, clock / own_moves);
            line.play(&game, mv)?;
        }
        let side = if first == 0 {
            Player::First
        } else {
            Player::Second
        };
        let score = game.final_score(line.position(), side);
        discs += score;
        match score {
            1.. => won += 1,
            0 => drawn += 1,
            _ => lost += 1,
        }
        if at % 20 == 19 || at + 1 == games {
            let played = at as f64 + 1.0;
            println!(
                "{} games: +{won} ={drawn} -{lost}, {:.1} %, {:+.2} discs; used {:?} and {:?} a game",
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
