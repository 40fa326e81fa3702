//! `papan convert`: converts games and positions between file formats.

use std::io::IsTerminal as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use papan_catalog::AnyGame;
use papan_files::Format;
use papan_rules::Record;
use papan_view::{Messages, messages};

use crate::output::{STANDARD, print, print_bytes, status};
use crate::{exit_code, game_file};
use papan_view::messages::files;

#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    /// File to read, in any supported format; - is standard input
    #[arg(value_name = "IN")]
    from: String,
    /// File to write, in the format of its extension (txt, record, obf, ggf, sgf, psq, pos);
    /// - is standard output, which requires --to
    #[arg(value_name = "OUT", default_value = STANDARD)]
    to_path: String,
    /// Format to write, regardless of the file extension
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Game of plain move lists and positions, which do not name it
    #[arg(long, value_name = "GAME")]
    game: Option<AnyGame>,
}

pub(crate) fn run(args: &ConvertArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let format = format(args, words)?;
    let file = game_file::load(&args.from, args.game.as_ref(), words)?;
    game_file::report_faults(&args.from, &file, words);
    if file.records.is_empty() {
        let reason = words.text("file-nothing-read");
        return Err(game_file::error(&args.from, words, &reason));
    }
    let text = match papan_files::write(&file.records, format) {
        Ok(text) => text,
        Err(error) => bail!(files::file(words, &error)),
    };
    for key in lost(&file.records, format) {
        status(words.with(key, [("format", format.name().into())]));
    }
    if args.to_path == STANDARD {
        // Control characters are only escaped for a terminal.
        if std::io::stdout().is_terminal() {
            print(&text)?;
        } else {
            print_bytes(text.as_bytes())?;
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
    Ok(exit_code::for_answer(file.faults.is_empty()))
}

fn format(args: &ConvertArgs, words: Messages) -> anyhow::Result<Format> {
    if let Some(format) = args.to {
        return Ok(format);
    }
    let extension = Path::new(&args.to_path)
        .extension()
        .and_then(|extension| extension.to_str());
    let reason = match extension.map(str::parse) {
        Some(Ok(format)) => return Ok(format),
        Some(Err(error)) => {
            let reason = files::no_format(words, &error);
            words.with("file-give-kind", [("reason", reason.into())])
        }
        None => words.text("file-no-ending"),
    };
    bail!("{}: {reason}", args.to_path)
}

/// Returns the message keys for information that some games have and the format cannot store.
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
