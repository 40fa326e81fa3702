//! `papan perft`: counts move paths, a test of move generation.
//!
//! See <https://www.chessprogramming.org/Perft>.

use std::process::ExitCode;

use clap::Args;

use crate::output::print;
use crate::source::Source;
use crate::terminal_style::Appearance;

#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    source: Source,
    /// Depth in plies
    #[arg(value_name = "DEPTH")]
    depth: u32,
}

pub(crate) fn run(args: &PerftArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let line = args.source.line(appearance.words())?;
    let paths = args
        .source
        .game
        .perft(&*line, args.depth, &mut || true)
        .unwrap_or(0);
    print(&format!("{paths}\n"))?;
    Ok(ExitCode::SUCCESS)
}
