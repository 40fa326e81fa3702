//! `papan puzzles`: solve, list, generate and check puzzles.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, anyhow, bail};
use clap::{Args, Subcommand};
use papan_catalog::AnyGame;
use papan_catalog::puzzles::{self, Attempt, Puzzle, Theme, Verdict};
use papan_files::write_atomic;
use papan_view::{BoardView, Marks, Messages, json, messages, puzzle, text_board};

use crate::exit_code;
use crate::output::{print, status};
use crate::terminal_style::Appearance;

#[derive(Args, Debug)]
pub(crate) struct PuzzlesArgs {
    #[command(subcommand)]
    command: PuzzlesCommand,
}

#[derive(Debug, Subcommand)]
enum PuzzlesCommand {
    /// Show a puzzle, or check an answer
    Show(ShowArgs),
    /// List puzzles by game, theme and rating
    List(ListArgs),
    /// Generate puzzles from games of the computer
    Generate(GenerateArgs),
    /// Solve the puzzles of a file again
    Check(CheckArgs),
}

#[derive(Args, Debug)]
struct ShowArgs {
    /// Identifier of the puzzle [default: today's]
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Your moves; the replies are those of the solution
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Which puzzles are wanted.
#[derive(Args, Debug)]
struct Filter {
    /// Only puzzles with this theme: win, block, fork, open-three, fours, corner, parity or hold
    #[arg(long, value_name = "THEME")]
    theme: Option<Theme>,
    /// Only puzzles rated at least N
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_rating: u16,
    /// Only puzzles rated at most N
    #[arg(long, value_name = "N", default_value_t = u16::MAX, hide_default_value = true)]
    max_rating: u16,
}

impl Filter {
    fn accepts(&self, puzzle: &Puzzle) -> bool {
        let mut themes = puzzle.themes.iter();
        self.theme
            .is_none_or(|theme| themes.any(|one| *one == theme))
            && (self.min_rating..=self.max_rating).contains(&puzzle.rating)
    }
}

#[derive(Args, Debug)]
struct ListArgs {
    /// Only puzzles of this game
    #[arg(long, value_name = "GAME")]
    game: Option<AnyGame>,
    #[command(flatten)]
    filter: Filter,
    /// Show at most N puzzles
    #[arg(long, value_name = "N", default_value_t = 20)]
    count: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct GenerateArgs {
    /// Game: tictactoe, tictactoe:5x5:4, tictactoe:4x4x4, gomoku or othello
    #[arg(value_name = "GAME")]
    game: AnyGame,
    #[command(flatten)]
    filter: Filter,
    /// Number of puzzles
    #[arg(long, value_name = "N", default_value_t = 10)]
    count: usize,
    /// Seed of the first game; the next games have the next numbers
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Add the puzzles to a file and leave out those it has; - is standard output
    /// [default: print them]
    #[arg(long, value_name = "FILE")]
    add_to: Option<PathBuf>,
}

#[derive(Args, Debug)]
struct CheckArgs {
    /// File of puzzles [default: the puzzles in the program]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Check every Nth puzzle
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    every: u16,
}

/// Games without a new puzzle after which the generator gives up.
const MAX_BARREN_GAMES: u64 = 400;

pub(crate) fn run(args: &PuzzlesArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    match &args.command {
        PuzzlesCommand::Show(args) => show(args, appearance),
        PuzzlesCommand::List(args) => list(args, words),
        PuzzlesCommand::Generate(args) => generate(args, words),
        PuzzlesCommand::Check(args) => check(args, words),
    }
}

fn today() -> anyhow::Result<&'static Puzzle> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let days = now.map_or(0, |now| now.as_secs() / (24 * 3600));
    puzzles::of_day(days as i64).context("no puzzles are built in")
}

fn damaged(puzzle: &Puzzle) -> anyhow::Error {
    anyhow!(
        "{}: {}",
        puzzle.id(),
        puzzles::Fault::Moves(puzzle.game.clone())
    )
}

fn show(args: &ShowArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    let chosen = match &args.id {
        None => today()?,
        Some(id) => puzzles::find(id)
            .ok_or_else(|| anyhow!(words.with("puzzle-unknown", [("id", id.clone().into())])))?,
    };
    let line = chosen.line().ok_or_else(|| damaged(chosen))?;
    let game = line.game();
    let mut tried = Vec::new();
    for word in &args.moves {
        match game.parse_move(word) {
            Ok(mv) => tried.push(mv),
            Err(error) => bail!("{}", messages::notation(words, &game, &error)),
        }
    }
    let attempt = Attempt::new(chosen, &tried).ok_or_else(|| damaged(chosen))?;
    let right = !matches!(attempt.verdict, Verdict::Wrong(_));
    if args.json {
        print(&json::line(&json::PuzzleAttempt::new(
            chosen, &*line, &attempt,
        )))?;
        return Ok(exit_code::for_answer(right));
    }
    let mut text = match args.id {
        None => format!("{}: ", words.text("puzzle-today")),
        Some(_) => String::new(),
    };
    let values = [
        ("id", chosen.id().into()),
        ("game", game.name().into()),
        ("rating", chosen.rating.to_string().into()),
    ];
    text += &words.with("puzzle-heading", values);
    text += "\n\n";
    let style = appearance.style(Marks::default());
    text += &text_board::draw(&BoardView::of(&*attempt.line), style, words);
    text += &format!("\n{}\n", puzzle::task(words, chosen, &*line));
    match puzzle::verdict(words, &game, &attempt) {
        Some(verdict) => text += &format!("{verdict}\n"),
        None => {
            let answer = words.with("puzzle-answer", [("id", chosen.id().into())]);
            text += &format!("{answer}\n");
        }
    }
    print(&text)?;
    Ok(exit_code::for_answer(right))
}

fn list(args: &ListArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let name = args.game.as_ref().map(AnyGame::name);
    let matches = |puzzle: &&Puzzle| {
        name.as_ref().is_none_or(|name| *name == puzzle.game) && args.filter.accepts(puzzle)
    };
    let all: Vec<&Puzzle> = puzzles::collection().iter().filter(matches).collect();
    let shown = &all[..all.len().min(args.count)];
    if args.json {
        let one = |puzzle: &&Puzzle| {
            let line = puzzle.line().ok_or_else(|| damaged(puzzle))?;
            Ok(json::Puzzle::new(puzzle, &*line))
        };
        let shown: Vec<json::Puzzle> = shown.iter().map(one).collect::<anyhow::Result<_>>()?;
        print(&json::array(&shown))?;
        return Ok(exit_code::for_answer(!all.is_empty()));
    }
    if all.is_empty() {
        status(words.text("puzzle-none"));
        return Ok(exit_code::for_answer(false));
    }
    let mut text = String::new();
    for puzzle in shown {
        let themes: Vec<&str> = puzzle.themes.iter().map(|theme| theme.name()).collect();
        text += &format!(
            "{}  {:>4}  {:<15}  {:<9}  {}\n",
            puzzle.id(),
            puzzle.rating,
            puzzle.game,
            puzzle.goal.to_string(),
            themes.join(", ")
        );
    }
    let count = words.with("puzzle-count", [("count", all.len().to_string().into())]);
    print(&format!("{text}{count}\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn generate(args: &GenerateArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let mut known = HashSet::new();
    let mut all = match &args.add_to {
        Some(path) if path.exists() => read(path)?,
        _ => Vec::new(),
    };
    for puzzle in &all {
        let line = puzzle.line().ok_or_else(|| damaged(puzzle))?;
        known.insert(puzzles::key(&*line));
    }
    let before = all.len();
    let mut barren = 0;
    let mut seed = args.seed;
    while all.len() < before + args.count && barren < MAX_BARREN_GAMES {
        let mut found = puzzles::generate(&args.game, seed, &mut known);
        found.retain(|puzzle| args.filter.accepts(puzzle));
        barren = if found.is_empty() { barren + 1 } else { 0 };
        all.extend(found);
        seed += 1;
    }
    all.truncate(before + args.count);
    let values = [
        ("count", (all.len() - before).to_string().into()),
        ("games", (seed - args.seed).to_string().into()),
    ];
    let made = all.len() > before;
    match &args.add_to {
        Some(path) => {
            all.sort_by_key(|puzzle| puzzle.rating);
            write_atomic(path, puzzles::format(&all).as_bytes())
                .with_context(|| path.display().to_string())?;
        }
        None => print(&puzzles::format(&all))?,
    }
    status(words.with("puzzle-generated", values));
    Ok(exit_code::for_answer(made))
}

fn read(path: &PathBuf) -> anyhow::Result<Vec<Puzzle>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    puzzles::parse(&text).with_context(|| path.display().to_string())
}

fn check(args: &CheckArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let all = match &args.file {
        Some(path) => read(path)?,
        None => puzzles::collection().to_vec(),
    };
    let (mut count, mut faults) = (0, String::new());
    for puzzle in all.iter().step_by(usize::from(args.every)) {
        count += 1;
        if let Err(fault) = puzzle.verify() {
            let values = [
                ("id", puzzle.id().into()),
                ("fault", fault.to_string().into()),
            ];
            faults += &words.with("puzzle-faulty", values);
            faults += "\n";
        }
    }
    let right = faults.is_empty();
    if right {
        faults = words.with("puzzle-checked", [("count", count.to_string().into())]) + "\n";
    }
    print(&faults)?;
    Ok(exit_code::for_answer(right))
}
