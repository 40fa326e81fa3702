//! `papan automaton`: strategies as finite automata, in the file format of
//! document 000.

mod compile;
mod findings;
mod minimize;
mod smallest;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use papan_rules::Player;
use papan_solve::automaton::{MealyMachine, Side};
use papan_strategies::TransitionTable;
use papan_view::{Messages, automaton_graph};

use crate::game_file;
use crate::terminal_style::Appearance;
use compile::CompileArgs;
use minimize::MinimizeArgs;
use smallest::SmallestArgs;

#[derive(Args, Debug)]
pub(crate) struct AutomatonArgs {
    #[command(subcommand)]
    command: AutomatonCommand,
}

#[derive(Debug, Subcommand)]
enum AutomatonCommand {
    /// Write any deterministic strategy on 3x3 as a table
    Compile(CompileArgs),
    /// Find what is wrong with a table, line by line, and whether it ever loses
    Check(FileArgs),
    /// Find the smallest machine that behaves as a table does
    Minimize(MinimizeArgs),
    /// Draw a table: states as small boards, transitions between them
    Draw(DrawArgs),
    /// Find a strategy that never loses, with the fewest positions to look up
    Smallest(SmallestArgs),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Seat {
    /// The computer begins
    First,
    /// The person begins
    Second,
}

impl Seat {
    const fn player(self) -> Player {
        match self {
            Self::First => Player::First,
            Self::Second => Player::Second,
        }
    }
    const fn side(self) -> Side {
        match self {
            Self::First => Side::Attack,
            Self::Second => Side::Defence,
        }
    }
}

#[derive(Args, Debug)]
struct FileArgs {
    /// A table
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct DrawArgs {
    /// A table
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the picture here
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a graph for Graphviz here
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Which side of the table, where it has two
    #[arg(long = "as", value_name = "SEAT")]
    seat: Option<Seat>,
}

pub(crate) fn run(args: &AutomatonArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    match &args.command {
        AutomatonCommand::Compile(args) => compile::run(args, words),
        AutomatonCommand::Check(args) => findings::run(args, words),
        AutomatonCommand::Minimize(args) => minimize::run(args, words),
        AutomatonCommand::Draw(args) => draw_table(args, words),
        AutomatonCommand::Smallest(args) => smallest::run(args, words),
    }
}

fn read(path: &Path, words: Messages) -> anyhow::Result<TransitionTable> {
    let file = path.display();
    let text = game_file::text(&file.to_string(), words)?;
    TransitionTable::parse(&text).map_err(|cause| anyhow::anyhow!("{file}: {cause}"))
}

/// Writes a file whole, or to standard output.
fn deliver(path: Option<&Path>, text: &str) -> anyhow::Result<()> {
    match path {
        None => std::io::stdout().write_all(text.as_bytes())?,
        Some(path) => papan_files::write_atomic(path, text.as_bytes())
            .map_err(|cause| anyhow::anyhow!("{}: {cause}", path.display()))?,
    }
    Ok(())
}

/// The side of a table that was asked for, or its only one.
fn machine(
    table: &TransitionTable,
    seat: Option<Seat>,
    words: Messages,
) -> anyhow::Result<MealyMachine> {
    let side = match (seat, &Side::of(table)[..]) {
        (Some(seat), _) => seat.side(),
        (None, [side, ..]) => *side,
        (None, []) => anyhow::bail!(words.text("inspect-no-start")),
    };
    MealyMachine::of(table, side).ok_or_else(|| anyhow::anyhow!(words.text("automaton-other-side")))
}

fn draw_table(args: &DrawArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let table = read(&args.file, words)?;
    let machine = machine(&table, args.seat, words)?;
    if args.svg.is_none() && args.dot.is_none() {
        anyhow::bail!(words.text("draw-nothing"));
    }
    let name = args.file.file_name().unwrap_or_default().to_string_lossy();
    if let Some(path) = &args.svg {
        deliver(Some(path), &automaton_graph::draw(&machine, &name, words))?;
    }
    if let Some(path) = &args.dot {
        deliver(Some(path), &automaton_graph::dot(&machine))?;
    }
    Ok(ExitCode::SUCCESS)
}
