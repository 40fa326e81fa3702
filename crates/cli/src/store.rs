//! `papan store`: what servers keep, from one database to another.

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use papan_store::Address;

use crate::output;

#[derive(Args, Debug)]
pub(crate) struct StoreArgs {
    #[command(subcommand)]
    command: StoreCommand,
}

#[derive(Debug, Subcommand)]
enum StoreCommand {
    /// Copy everything from one database to another that is empty, and compare them
    ///
    /// Broken off, the same command goes on. End the servers of both first: a copy of what
    /// changes meanwhile is refused in the end.
    Copy {
        /// Where everything is: sqlite:FILE or postgres://USER@HOST/NAME
        #[arg(value_name = "FROM")]
        from: String,
        /// Where it shall be
        #[arg(value_name = "TO")]
        to: String,
    },
}

pub(crate) fn run(args: &StoreArgs) -> anyhow::Result<ExitCode> {
    let StoreCommand::Copy { from, to } = &args.command;
    let (from, to): (Address, Address) = (from.parse()?, to.parse()?);
    if let Address::Sqlite(file) = &from {
        // Opening would make an empty one.
        anyhow::ensure!(file.is_file(), "{}: there is no such file", file.display());
    }
    let shown = std::io::stderr().is_terminal();
    let runtime = tokio::runtime::Runtime::new()?;
    let copied = runtime.block_on(papan_store::copy(&from, &to, &mut |progress| {
        if shown {
            eprint!("\r\x1b[K{}: {} rows", progress.table, progress.rows);
        }
    }));
    if shown {
        eprint!("\r\x1b[K");
    }
    let mut text = String::new();
    for table in copied? {
        let before = match table.before {
            0 => String::new(),
            before => format!(" ({before} were there)"),
        };
        let (name, rows) = (table.table, table.rows);
        text += &format!(
            "{name:<12} {rows:>9}  sha256 {}{before}\n",
            &table.checksum[..16]
        );
    }
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
