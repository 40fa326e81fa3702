//! `papan trace`: the run of a strategy step by step: as text, as JSON lines, as pictures for slides, or
//! in a full-screen stepper.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use papan_catalog::StrategySpec;
use papan_catalog::trace::{TraceRequest, TracedRun, trace};
use papan_terminal::{Stepper, TraceAppearance};
use papan_view::{Marks, json, messages, trace as trace_text, trace_frame};

use crate::output;
use crate::player_arg;
use crate::source::Source;
use crate::terminal_style::Appearance;

#[derive(Args, Debug)]
pub(crate) struct TraceArgs {
    #[command(flatten)]
    source: Source,
    /// Strategy: minimax, alphabeta, mcts(playouts=20), one that scores its moves, or a program such
    /// as 'move:python3 student.py', of which only the answer is seen
    #[arg(long, value_name = "STRATEGY", value_parser = player_arg::strategy)]
    strategy: StrategySpec,
    /// Plies of the search tree that are shown; the rest is one step
    #[arg(long, value_name = "PLIES", default_value_t = 3)]
    shown: u32,
    /// Maximum number of steps
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    limit: u32,
    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
    /// Step through the run with keys, as at a terminal without this option
    #[arg(long, conflicts_with_all = ["json", "frames"])]
    interactive: bool,
    /// Ask for the move of the strategy before its run is shown
    #[arg(long, conflicts_with_all = ["json", "frames"])]
    predict: bool,
    /// Write a picture of each step to this folder
    #[arg(long, value_name = "FOLDER")]
    frames: Option<PathBuf>,
    /// Write the frames as PNG instead of SVG
    #[arg(long, requires = "frames")]
    png: bool,
    /// Write the frames as TikZ instead of SVG
    #[arg(long, requires = "frames", conflicts_with = "png")]
    tikz: bool,
}

/// Maximum number of traced playouts: each keeps the numbers of all moves.
const MAX_PLAYOUTS: u64 = 500;

pub(crate) fn run(args: &TraceArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let words = appearance.words();
    let line = args.source.line(words)?;
    let request = TraceRequest {
        strategy: args.strategy.clone(),
        shown: args.shown,
        steps: args.limit as usize,
        nodes: u64::MAX,
        playouts: MAX_PLAYOUTS,
        seed: args.seed,
    };
    let run =
        trace(&*line, &request).map_err(|error| anyhow::anyhow!(messages::trace(words, &error)))?;
    let style = appearance.style(Marks::deciding(&*line, &args.strategy));
    if let Some(folder) = &args.frames {
        let count = write_frames(args, folder, &run, words)?;
        let values = [
            ("count", count.to_string().into()),
            ("folder", folder.display().to_string().into()),
        ];
        output::print(&(words.with("trace-frames", values) + "\n"))?;
    } else if args.json {
        output::print(&json_lines(&run))?;
    } else if args.interactive || args.predict || appearance.is_full_screen() {
        if !appearance.is_full_screen() {
            anyhow::bail!(words.text("trace-no-terminal"));
        }
        let shown = TraceAppearance {
            messages: words,
            ascii: style.ascii,
            colour: style.colour,
        };
        papan_terminal::run_trace(Stepper::new(run, request, args.predict), shown)?;
    } else {
        output::print(&trace_text::text(&run, words, style.ascii))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Formats the steps as JSON lines, each with its position.
fn json_lines(run: &TracedRun) -> String {
    let steps = 0..run.trace.steps.len();
    steps
        .map(|at| json::line(&json::Step::new(run, at)))
        .collect()
}

/// Writes a picture of each step; returns their number.
fn write_frames(
    args: &TraceArgs,
    folder: &Path,
    run: &TracedRun,
    words: papan_view::Messages,
) -> anyhow::Result<usize> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let strategy = args.strategy.to_string();
    let count = run.trace.steps.len();
    let digits = count.to_string().len().max(3);
    for at in 0..count {
        let frame = trace_frame::draw(run, at, &strategy, words);
        let (bytes, extension) = if args.png {
            (frame.png(), "png")
        } else if args.tikz {
            (frame.tikz().into_bytes(), "tex")
        } else {
            (frame.svg().into_bytes(), "svg")
        };
        let file = folder.join(format!("step-{:0digits$}.{extension}", at + 1));
        output::write_file(&file, &bytes)?;
    }
    Ok(count)
}
