//! `papan review`: analyses a played game move by move.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::Args;
use papan_catalog::review::{ReviewTime, Reviewer};
use papan_catalog::{AnyGame, AnyLine, StrategySpec};
use papan_rules::Record;
use papan_strategies::{SystemClock, Watch, parse_time};
use papan_view::review::{GameReview, html, text};
use papan_view::{Marks, Messages, json, messages};

use crate::output::{self, STANDARD};
use crate::progress::watched;
use crate::terminal_style::Appearance;
use crate::{exit_code, game_file};

#[derive(Args, Debug)]
pub(crate) struct ReviewArgs {
    /// Game, such as othello, tictactoe:4x4 or tictactoe:15x15:5
    #[arg(value_name = "GAME")]
    game: AnyGame,
    /// Moves, or a game file in any supported format; - is standard input
    #[arg(value_name = "MOVES|FILE", required = true)]
    played: Vec<String>,
    /// Number of the game in the file, starting at 1
    #[arg(long = "game", value_name = "N", default_value_t = 1)]
    number: usize,
    /// Time limit for the whole review
    #[arg(long, value_name = "TIME", default_value = "7s", value_parser = parse_time)]
    time: Duration,
    /// Time limit for each position, instead of the whole review
    #[arg(long, value_name = "TIME", value_parser = parse_time, conflicts_with = "time")]
    move_time: Option<Duration>,
    /// Strategy that analyses the game [default: the strongest for the game]
    #[arg(long, value_name = "STRATEGY")]
    strategy: Option<StrategySpec>,
    /// Number of search threads [default: the number of cores, at most 16]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write an interactive HTML page; - is standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Draw the score over the course of the game; - is standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Maximum number of threads by default; more gain little in a short search.
const MAX_DEFAULT_THREADS: usize = 16;

pub(crate) fn run(args: &ReviewArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    let PlayedGame { line, players } = played_game(args, words)?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args
        .threads
        .map_or_else(|| cores().min(MAX_DEFAULT_THREADS), usize::from);
    let mut reviewer = Reviewer::new(&args.game, args.strategy.as_ref(), threads)
        .map_err(|error| anyhow::anyhow!(messages::unplayable(words, &error)))?;
    let time = match args.move_time {
        Some(each) => ReviewTime::Each(each),
        None => ReviewTime::Whole(args.time),
    };
    let watch = Arc::new(Watch::default());
    let started = Instant::now();
    let insights = watched(&watch, &args.game, words, || {
        reviewer.review(&*line, time, &watch, &SystemClock)
    })
    .map_err(|error| anyhow::anyhow!(messages::no_move(words, &error)))?;
    let mut review = GameReview::new(&*line, reviewer.strategy().to_string(), &insights);
    review.players = players;
    review.elapsed = Some(started.elapsed());
    if let Some(path) = &args.svg {
        let title = format!("{}: {}", words.text("review-title"), args.game.name());
        output::write_file(path, review.curve(None).svg(&title).as_bytes())?;
    }
    if let Some(path) = &args.html {
        output::write_file(path, html(&review, words).as_bytes())?;
    }
    let text = if args.json {
        json::line(&json::Review::new(&review))
    } else {
        text(&review, words, appearance.style(Marks::XO).ascii)
    };
    let files = [&args.html, &args.svg].into_iter().flatten();
    let to_standard = files
        .map(PathBuf::as_path)
        .find(|path| output::is_standard(path));
    output::print_beside(to_standard, &text)?;
    Ok(exit_code::for_interrupt(watch.stop.is_stopped()))
}

/// The game to review.
struct PlayedGame {
    line: Box<dyn AnyLine>,
    /// Names of the players, empty if unknown.
    players: [String; 2],
}

/// Reads the game from a file if there is one of that name, else parses the arguments as moves.
fn played_game(args: &ReviewArgs, words: Messages) -> anyhow::Result<PlayedGame> {
    let text = args.played.join(" ");
    if text == STANDARD || Path::new(&text).is_file() {
        return from_file(args, &text, words);
    }
    let mut line = args.game.line();
    if let Err(error) = line.extend(&text) {
        let reason = messages::line(words, &*line, &error);
        let looks_like_path = text.contains(['/', '\\']) || Path::new(&text).extension().is_some();
        if looks_like_path {
            bail!("{text}: {}", words.text("review-no-file"));
        }
        bail!("{text:?}: {reason}");
    }
    if line.moves().is_empty() {
        bail!(words.text("review-no-moves"));
    }
    Ok(PlayedGame {
        line,
        players: Default::default(),
    })
}

fn from_file(args: &ReviewArgs, path: &str, words: Messages) -> anyhow::Result<PlayedGame> {
    let file = game_file::load(path, Some(&args.game), words)?;
    game_file::report_faults(path, &file, words);
    let count = file.records.len();
    let Some(record) = args
        .number
        .checked_sub(1)
        .and_then(|at| file.records.get(at))
    else {
        let values = [
            ("path", path.to_owned().into()),
            ("number", args.number.to_string().into()),
            ("count", count.to_string().into()),
        ];
        bail!(words.with("review-no-such-game", values));
    };
    let line = line_of(&args.game, record, path, words)?;
    if line.moves().is_empty() {
        bail!("{path}: {}", words.text("review-no-moves"));
    }
    Ok(PlayedGame {
        line,
        players: record.players.clone(),
    })
}

fn line_of(
    game: &AnyGame,
    record: &Record,
    path: &str,
    words: Messages,
) -> anyhow::Result<Box<dyn AnyLine>> {
    let of_file: AnyGame = record.game.parse()?;
    if of_file.name() != game.name() {
        let values = [
            ("path", path.to_owned().into()),
            ("found", of_file.name().into()),
            ("asked", game.name().into()),
        ];
        bail!(words.with("review-other-game", values));
    }
    game.line_of(record).with_context(|| path.to_owned())
}
