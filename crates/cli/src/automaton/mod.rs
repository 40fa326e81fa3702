//! `papan automaton`: strategies as finite automata, in the file format of document 000.

mod check;
mod compile;
mod minimize;
mod smallest;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use papan_rules::Player;
use papan_solve::automaton::{MealyMachine, Side};
use papan_strategies::TransitionTable;
use papan_view::{Messages, automaton_graph, messages};

use crate::picture::PictureArgs;
use crate::terminal_style::Appearance;
use crate::{game_file, output};
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
    /// Write a deterministic strategy on 3x3 as a table
    Compile(CompileArgs),
    /// List the errors of a table, and report whether it can lose
    Check(FileArgs),
    /// Compute the minimal automaton equivalent to a table
    Minimize(MinimizeArgs),
    /// Draw a table as a state graph
    Draw(DrawArgs),
    /// Find a strategy that never loses and needs the fewest table entries
    Smallest(SmallestArgs),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Seat {
    /// The strategy moves first
    First,
    /// The strategy moves second
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
    /// Table file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct DrawArgs {
    /// Table file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    picture: PictureArgs,
    /// Write a Graphviz graph to this file; - is standard output
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Side of the table, if it has two
    #[arg(long = "as", value_name = "SEAT")]
    seat: Option<Seat>,
}

pub(crate) fn run(args: &AutomatonArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    match &args.command {
        AutomatonCommand::Compile(args) => compile::run(args, words),
        AutomatonCommand::Check(args) => check::run(args, words),
        AutomatonCommand::Minimize(args) => minimize::run(args, words),
        AutomatonCommand::Draw(args) => draw_table(args, words),
        AutomatonCommand::Smallest(args) => smallest::run(args, words),
    }
}

fn read(path: &Path, words: Messages) -> anyhow::Result<TransitionTable> {
    let file = path.display();
    let text = game_file::text(&file.to_string(), words)?;
    TransitionTable::parse(&text)
        .map_err(|cause| anyhow::anyhow!("{file}: {}", messages::table(words, &cause)))
}

/// Returns the requested side of a table, or its only one.
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
    if !args.picture.is_given() && args.dot.is_none() {
        anyhow::bail!(words.text("draw-nothing"));
    }
    let name = args.file.file_name().unwrap_or_default().to_string_lossy();
    args.picture
        .write(&automaton_graph::draw(&machine, &name, words))?;
    if let Some(path) = &args.dot {
        output::write_file(path, automaton_graph::dot(&machine).as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}
