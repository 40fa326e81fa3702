//! `papan review`: a played game, looked at move by move.

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

use crate::game_file::{self, STANDARD};
use crate::output::print;
use crate::progress::{INTERRUPTED, watched};
use crate::terminal_style::Appearance;

#[derive(Args, Debug)]
pub(crate) struct ReviewArgs {
    /// The game, such as othello, tictactoe:4x4 or tictactoe:15x15:5
    #[arg(value_name = "GAME")]
    game: AnyGame,
    /// The moves, or a file of games of any kind that papan reads; - is standard input
    #[arg(value_name = "MOVES|FILE", required = true)]
    played: Vec<String>,
    /// Which game of the file, counted from 1
    #[arg(long = "game", value_name = "N", default_value_t = 1)]
    number: usize,
    /// The time for the whole review
    #[arg(long, value_name = "TIME", default_value = "7s", value_parser = parse_time)]
    time: Duration,
    /// The time for each position, instead of the whole
    #[arg(long, value_name = "TIME", value_parser = parse_time, conflicts_with = "time")]
    move_time: Option<Duration>,
    /// Who is asked; without, whoever knows most of the game
    #[arg(long, value_name = "STRATEGY")]
    strategy: Option<StrategySpec>,
    /// Threads that search together; without, as many as there are cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write a page to walk through, in one file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Draw the course of the game
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Threads beyond this help a short search little.
const MOST_THREADS: usize = 16;

pub(crate) fn run(args: &ReviewArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    let (line, players) = played(args, words)?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args
        .threads
        .map_or_else(|| cores().min(MOST_THREADS), usize::from);
    let mut reviewer = Reviewer::new(&args.game, args.strategy.as_ref(), threads)
        .map_err(|error| anyhow::anyhow!(messages::unplayable(words, &error)))?;
    let time = match args.move_time {
        Some(each) => ReviewTime::Each(each),
        None => ReviewTime::Whole(args.time),
    };
    let watch = Arc::new(Watch::default());
    let began = Instant::now();
    let insights = watched(&watch, &args.game, words, || {
        reviewer.review(&*line, time, &watch, &SystemClock)
    })
    .map_err(|error| anyhow::anyhow!(messages::no_move(words, &error)))?;
    let mut review = GameReview::new(&*line, reviewer.strategy().to_string(), &insights);
    review.players = players;
    review.elapsed = began.elapsed();
    if let Some(path) = &args.svg {
        let title = format!("{}: {}", words.text("review-title"), args.game.name());
        save(path, &review.curve(None).svg(&title))?;
    }
    if let Some(path) = &args.html {
        save(path, &html(&review, words))?;
    }
    match args.json {
        true => print(&json::line(&json::Review::new(&review)))?,
        false => print(&text(&review, words, appearance.style(Marks::XO).ascii))?,
    }
    Ok(match watch.stop.is_stopped() {
        true => ExitCode::from(INTERRUPTED),
        false => ExitCode::SUCCESS,
    })
}

fn save(path: &Path, text: &str) -> anyhow::Result<()> {
    papan_files::write_atomic(path, text.as_bytes()).with_context(|| path.display().to_string())
}

/// The game that is meant: a file where there is one of that name, else moves.
fn played(args: &ReviewArgs, words: Messages) -> anyhow::Result<(Box<dyn AnyLine>, [String; 2])> {
    let text = args.played.join(" ");
    if text == STANDARD || Path::new(&text).is_file() {
        return from_file(args, &text, words);
    }
    let mut line = args.game.line();
    if let Err(error) = line.extend(&text) {
        let reason = messages::line(words, &*line, &error);
        // What looks like a path was meant as one.
        match text.contains(['/', '\\']) || Path::new(&text).extension().is_some() {
            true => bail!("{text}: {}", words.text("review-no-file")),
            false => bail!("{text:?}: {reason}"),
        }
    }
    if line.moves().is_empty() {
        bail!(words.text("review-no-moves"));
    }
    Ok((line, Default::default()))
}

fn from_file(
    args: &ReviewArgs,
    path: &str,
    words: Messages,
) -> anyhow::Result<(Box<dyn AnyLine>, [String; 2])> {
    let file = game_file::load(path, Some(&args.game), words)?;
    game_file::tell_faults(path, &file, words);
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
    Ok((line, record.players.clone()))
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
