//! `papan convert`: games and positions from one kind of file to another.

use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use papan_catalog::AnyGame;
use papan_files::Format;
use papan_rules::Record;
use papan_view::{Messages, messages};

use crate::game_file::{self, STANDARD};
use crate::output::{print, status};
use papan_view::messages::files;

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

pub(crate) fn run(args: &ConvertArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let format = format(args, words)?;
    let file = game_file::load(&args.from, args.game.as_ref(), words)?;
    game_file::tell_faults(&args.from, &file, words);
    if file.records.is_empty() {
        let reason = words.text("file-nothing-read");
        return Err(game_file::wrong(&args.from, words, &reason));
    }
    let text = match papan_files::write(&file.records, format) {
        Ok(text) => text,
        Err(error) => bail!(files::file(words, &error)),
    };
    for lost in lost(&file.records, format) {
        status(words.with(lost, [("format", format.name().into())]));
    }
    if args.to_path == STANDARD {
        // A pipe gets the file as it is, a terminal what it can show.
        match std::io::stdout().is_terminal() {
            true => print(&text)?,
            false => std::io::stdout().write_all(text.as_bytes())?,
        }
    } else {
        let path = Path::new(&args.to_path);
        if let Err(error) = papan_files::write_atomic(path, text.as_bytes()) {
            bail!(messages::in_file(
                words,
                path,
                messages::file(words, &error)
            ));
        }
        let values = [
            ("count", file.records.len().to_string().into()),
            ("file", args.to_path.clone().into()),
        ];
        status(words.with("file-written", values));
    }
    let code = if file.faults.is_empty() { 0 } else { 1 };
    Ok(ExitCode::from(code))
}

fn format(args: &ConvertArgs, words: Messages) -> anyhow::Result<Format> {
    if let Some(format) = args.to {
        return Ok(format);
    }
    let ending = Path::new(&args.to_path)
        .extension()
        .and_then(|ending| ending.to_str());
    let reason = match ending.map(str::parse) {
        Some(Ok(format)) => return Ok(format),
        Some(Err(error)) => {
            let reason = files::no_format(words, &error);
            words.with("file-give-kind", [("reason", reason.into())])
        }
        None => words.text("file-no-ending"),
    };
    bail!("{}: {reason}", args.to_path)
}

/// What some of the games have and this kind of file does not, as keys of the words.
fn lost(records: &[Record], format: Format) -> Vec<&'static str> {
    let any = |has: fn(&Record) -> bool| records.iter().any(has);
    let trees = matches!(format, Format::Record | Format::Sgf);
    let times = matches!(format, Format::Record | Format::Ggf | Format::Psq);
    let moves = !matches!(format, Format::Obf | Format::Position);
    let mut lost = Vec::new();
    if !trees && any(|record| !record.variations.is_empty()) {
        lost.push("file-lost-variations");
    }
    if !trees && format != Format::Obf && any(|record| !record.comments.is_empty()) {
        lost.push("file-lost-comments");
    }
    if !times && any(|record| !record.times.is_empty()) {
        lost.push("file-lost-times");
    }
    if !moves && any(|record| !record.moves.is_empty()) {
        lost.push("file-lost-moves");
    }
    lost
}
