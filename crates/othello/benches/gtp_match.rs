//! Match between papan and another Othello program that speaks GTP.
//!
//! ```text
//! cargo bench -p papan-othello --bench gtp_match -- OPENINGS GAMES MILLISECONDS COMMAND…
//! ```
//!
//! Each opening is played twice, with colours reversed. The opponent manages its own strength; papan
//! gets the given time for every move. With 0 milliseconds papan moves at depth 1, which measures the
//! opponent's CPU time per move. Without arguments the program does nothing.

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
        let (program, args) = command.split_first().ok_or("no command")?;
        let mut child = Command::new(program)
            .args(args)
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

    /// Sends a command and returns the response.
    fn send(&mut self, command: &str) -> Result<String, Box<dyn Error>> {
        writeln!(self.input, "{command}")?;
        self.input.flush()?;
        let mut response = String::new();
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err("the opponent exited".into());
            }
            let line = line.trim();
            if let Some(text) = line.strip_prefix('=') {
                response = text.trim().to_owned();
            } else if line.starts_with('?') {
                return Err(format!("{command}: {line}").into());
            } else if line.is_empty() {
                return Ok(response);
            }
        }
    }

    /// Returns the user CPU time in seconds, where `/proc` provides it.
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

/// papan's side of the match.
struct Papan {
    engine: Engine,
    milliseconds: u64,
    seconds: f64,
    moves: u32,
}

impl Papan {
    /// Returns the limits of the next move; its time starts now.
    fn limits(&self) -> SearchLimits {
        if self.milliseconds == 0 {
            return SearchLimits {
                depth: Some(1),
                ..SearchLimits::default()
            };
        }
        let time_limit = Limits {
            time: Some(Duration::from_millis(self.milliseconds)),
            ..Limits::default()
        };
        SearchLimits {
            budget: Budget::begin(&time_limit, &SystemClock),
            ..SearchLimits::default()
        }
    }

    fn choose(&mut self, board: Board) -> Option<Square> {
        let start = Instant::now();
        let limits = self.limits();
        let result = self
            .engine
            .search(board, &limits, &StopToken::default(), |_| {});
        self.seconds += start.elapsed().as_secs_f64();
        self.moves += 1;
        result.best
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` adds `--bench`.
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let [openings, games, milliseconds, command @ ..] = &args[..] else {
        println!("usage: gtp_match OPENINGS GAMES MILLISECONDS COMMAND…");
        return Ok(());
    };
    let text = std::fs::read_to_string(openings)?;
    let games: usize = games.parse()?;
    let openings: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let stride = (openings.len() / games.max(1)).max(1);
    let mut opponent = Opponent::start(command)?;
    let mut papan = Papan {
        engine: Engine::new(&Options::default())?,
        milliseconds: milliseconds.parse()?,
        seconds: 0.0,
        moves: 0,
    };
    let (mut wins, mut draws, mut losses, mut discs) = (0, 0, 0, 0);
    for opening in openings.iter().step_by(stride).take(games) {
        for papan_is_black in [true, false] {
            let score = play(&mut opponent, &mut papan, opening, papan_is_black)?;
            discs += score;
            match score.signum() {
                1 => wins += 1,
                0 => draws += 1,
                _ => losses += 1,
            }
        }
        let played = f64::from(wins + draws + losses);
        println!(
            "+{wins} ={draws} -{losses}  {:.1} %  {:+.2} discs  papan {:.4} s/move, opponent {:.4} s/move",
            100.0 * (f64::from(wins) + 0.5 * f64::from(draws)) / played,
            f64::from(discs) / played,
            papan.seconds / f64::from(papan.moves.max(1)),
            opponent.user_seconds() / f64::from(opponent.moves.max(1)),
        );
    }
    opponent.send("quit").ok();
    opponent.child.wait()?;
    Ok(())
}

/// Plays one game; returns the final disc difference for papan.
fn play(
    opponent: &mut Opponent,
    papan: &mut Papan,
    opening: &str,
    papan_is_black: bool,
) -> Result<i32, Box<dyn Error>> {
    opponent.send("clear_board")?;
    papan.engine.clear();
    let (mut board, mut is_black) = (Board::START, true);
    let mut book = opening.trim();
    while !board.is_over() {
        let color = if is_black { "b" } else { "w" };
        if board.moves().is_empty() {
            opponent.send(&format!("play {color} pass"))?;
            (board, is_black) = (board.passed(), !is_black);
            continue;
        }
        let square: Square = if book.len() >= 2 {
            let (square, rest) = book.split_at(2);
            book = rest;
            opponent.send(&format!("play {color} {square}"))?;
            square.parse()?
        } else if is_black == papan_is_black {
            let square = papan.choose(board).ok_or("papan has no move")?;
            opponent.send(&format!("play {color} {square}"))?;
            square
        } else {
            opponent.moves += 1;
            opponent.send(&format!("genmove {color}"))?.parse()?
        };
        board = board.play(square).ok_or("illegal move")?;
        is_black = !is_black;
    }
    let score = board.final_score();
    Ok(if is_black == papan_is_black {
        score
    } else {
        -score
    })
}
