//! A match between papan and another Othello program that speaks GTP:
//! `gtp_match OPENINGS GAMES MILLISECONDS COMMAND…`.
//!
//! Each opening is played twice, with colours changed. The other program manages its own
//! strength; papan gets the given time for every move. With 0 milliseconds, papan moves at
//! depth 1: that measures the other side's processor time per move.

use papan_othello::{Board, Engine, Options, SearchLimits, Square};
use papan_strategies::{Budget, Limits, StopToken, SystemClock};
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The other program.
struct Opponent {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    moves: u32,
}

impl Opponent {
    fn start(command: &[String]) -> Result<Self, Box<dyn Error>> {
        let mut child = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        Ok(Self {
            child,
            input,
            output,
            moves: 0,
        })
    }

    fn ask(&mut self, command: &str) -> Result<String, Box<dyn Error>> {
        writeln!(self.input, "{command}")?;
        self.input.flush()?;
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err("the other program ended".into());
            }
            let line = line.trim();
            if let Some(text) = line.strip_prefix('=') {
                answer = text.trim().to_owned();
            } else if line.starts_with('?') {
                return Err(format!("{command}: {line}").into());
            } else if line.is_empty() {
                return Ok(answer);
            }
        }
    }

    /// Processor seconds so far, outside the system.
    fn user_seconds(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let ticks = stat.ok().and_then(|text| {
            text.rsplit(')')
                .next()?
                .split_whitespace()
                .nth(11)?
                .parse::<f64>()
                .ok()
        });
        ticks.unwrap_or(0.0) / 100.0
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [openings, games, milliseconds, command @ ..] = &words[..] else {
        return Err("gtp_match OPENINGS GAMES MILLISECONDS COMMAND…".into());
    };
    let openings = std::fs::read_to_string(openings)?;
    let games: usize = games.parse()?;
    let milliseconds: u64 = milliseconds.parse()?;
    let list: Vec<&str> = openings
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let stride = (list.len() / games.max(1)).max(1);
    let mut opponent = Opponent::start(command)?;
    let mut engine = Engine::new(&Options {
        threads: 1,
        hash_mib: 64,
    })?;
    let (mut wins, mut draws, mut losses, mut discs) = (0, 0, 0, 0);
    let mut own_seconds = 0.0;
    let mut own_moves = 0u32;
    for opening in list.iter().step_by(stride).take(games) {
        for papan_is_black in [true, false] {
            let score = play(
                &mut opponent,
                &mut engine,
                milliseconds,
                opening,
                papan_is_black,
                &mut own_seconds,
                &mut own_moves,
            )?;
            discs += score;
            match score.signum() {
                1 => wins += 1,
                0 => draws += 1,
                _ => losses += 1,
            }
        }
        let played = f64::from(wins + draws + losses);
        println!(
            "+{wins} ={draws} -{losses}  {:.1} %  {:+.2} discs  papan {:.4} s/move, other {:.4} s/move",
            100.0 * (f64::from(wins) + 0.5 * f64::from(draws)) / played,
            f64::from(discs) / played,
            own_seconds / f64::from(own_moves.max(1)),
            opponent.user_seconds() / f64::from(opponent.moves.max(1)),
        );
    }
    opponent.ask("quit").ok();
    opponent.child.wait()?;
    Ok(())
}

/// One game; the final difference for papan.
/// The next move's task; its time begins now.
fn task(milliseconds: u64) -> SearchLimits {
    let limits = Limits {
        time: Some(Duration::from_millis(milliseconds)),
        ..Limits::default()
    };
    match milliseconds {
        0 => SearchLimits {
            depth: Some(1),
            ..SearchLimits::default()
        },
        _ => SearchLimits {
            budget: Budget::begin(&limits, &SystemClock),
            ..SearchLimits::default()
        },
    }
}

fn play(
    opponent: &mut Opponent,
    engine: &mut Engine,
    milliseconds: u64,
    opening: &str,
    papan_is_black: bool,
    own_seconds: &mut f64,
    own_moves: &mut u32,
) -> Result<i32, Box<dyn Error>> {
    opponent.ask("clear_board")?;
    engine.clear();
    let (mut board, mut black) = (Board::START, true);
    let mut book = opening.trim();
    while !board.is_over() {
        let name = if black { "b" } else { "w" };
        if board.moves().is_empty() {
            opponent.ask(&format!("play {name} pass"))?;
            (board, black) = (board.passed(), !black);
            continue;
        }
        let square = if book.len() >= 2 {
            let square: Square = book[..2].parse()?;
            book = &book[2..];
            opponent.ask(&format!("play {name} {}", square))?;
            square
        } else if black == papan_is_black {
            let started = Instant::now();
            let report = engine.search(board, &task(milliseconds), &StopToken::default(), |_| {});
            *own_seconds += started.elapsed().as_secs_f64();
            *own_moves += 1;
            let square = report.best.ok_or("papan has a move")?;
            opponent.ask(&format!("play {name} {}", square))?;
            square
        } else {
            opponent.moves += 1;
            let answer = opponent.ask(&format!("genmove {name}"))?;
            answer.parse()?
        };
        board = board.play(square).ok_or("an illegal move was played")?;
        black = !black;
    }
    let score = board.final_score();
    Ok(if black == papan_is_black {
        score
    } else {
        -score
    })
}
