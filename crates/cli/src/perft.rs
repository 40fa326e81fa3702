//! `papan perft`: counting move paths.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Args;

use crate::source::Source;
use crate::terminal_style::Appearance;

#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    source: Source,
    /// Plies
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
    writeln!(std::io::stdout(), "{paths}")?;
    Ok(ExitCode::SUCCESS)
}
