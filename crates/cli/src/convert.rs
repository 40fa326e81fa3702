//! `papan convert`: games and positions from one kind of file to another.

use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use papan_catalog::AnyGame;
use papan_files::Format;
use papan_rules::Record;

use crate::game_file::{self, STANDARD};
use crate::output::{print, tell};

#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    /// The file to read, its kind told by its content; - is standard input
    #[arg(value_name = "IN")]
    from: String,
    /// The file to write, its kind told by its ending (txt, record, obf, ggf, sgf, psq, pos);
    /// - is standard output, and needs --to
    #[arg(value_name = "OUT", default_value = STANDARD)]
    to_path: String,
    /// The kind of file to write, whatever its name
    #[arg(long, value_name = "KIND")]
    to: Option<Format>,
    /// The board of lists of moves and positions, which do not say it
    #[arg(long, value_name = "GAME")]
    game: Option<AnyGame>,
}

pub(crate) fn run(args: &ConvertArgs) -> anyhow::Result<ExitCode> {
    let format = format(args)?;
    let file = game_file::load(&args.from, args.game.as_ref())?;
    game_file::tell_faults(&args.from, &file);
    if file.records.is_empty() {
        bail!(
            "{}: nothing in it could be read, so nothing was written",
            args.from
        );
    }
    let text = papan_files::write(&file.records, format)?;
    for lost in lost(&file.records, format) {
        tell(format_args!(
            "{lost} are not kept: a {format} file has no place for them"
        ));
    }
    if args.to_path == STANDARD {
        // A pipe gets the file as it is, a terminal what it can show.
        match std::io::stdout().is_terminal() {
            true => print(&text)?,
            false => std::io::stdout().write_all(text.as_bytes())?,
        }
    } else {
        papan_files::write_whole(Path::new(&args.to_path), text.as_bytes())
            .with_context(|| args.to_path.clone())?;
        let count = file.records.len();
        tell(format_args!("{count} written to {}", args.to_path));
    }
    let code = if file.faults.is_empty() { 0 } else { 1 };
    Ok(ExitCode::from(code))
}

fn format(args: &ConvertArgs) -> anyhow::Result<Format> {
    if let Some(format) = args.to {
        return Ok(format);
    }
    let ending = Path::new(&args.to_path)
        .extension()
        .and_then(|ending| ending.to_str());
    match ending {
        Some(ending) => ending
            .parse()
            .with_context(|| format!("{}: give --to KIND", args.to_path)),
        None => bail!(
            "{}: no ending tells the kind of file; give --to KIND",
            args.to_path
        ),
    }
}

/// What some of the games have and this kind of file does not.
fn lost(records: &[Record], format: Format) -> Vec<&'static str> {
    let any = |has: fn(&Record) -> bool| records.iter().any(has);
    let trees = matches!(format, Format::Record | Format::Sgf);
    let times = matches!(format, Format::Record | Format::Ggf | Format::Psq);
    let moves = !matches!(format, Format::Obf | Format::Position);
    let mut lost = Vec::new();
    if !trees && any(|record| !record.variations.is_empty()) {
        lost.push("variations");
    }
    if !trees && format != Format::Obf && any(|record| !record.comments.is_empty()) {
        lost.push("comments");
    }
    if !times && any(|record| !record.times.is_empty()) {
        lost.push("times");
    }
    if !moves && any(|record| !record.moves.is_empty()) {
        lost.push("moves");
    }
    lost
}
