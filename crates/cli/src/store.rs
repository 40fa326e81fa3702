//! `papan store`: copies a server's database (SQLite or PostgreSQL) to another.

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
    /// Copy a database to an empty one and compare them
    ///
    /// An interrupted copy continues when the command is run again. Stop the servers of both
    /// databases first: the comparison fails if a database changes during the copy.
    Copy {
        /// Database to copy from: sqlite:FILE or postgres://USER@HOST/NAME
        #[arg(value_name = "FROM")]
        from: String,
        /// Database to copy to
        #[arg(value_name = "TO")]
        to: String,
    },
}

pub(crate) fn run(args: &StoreArgs) -> anyhow::Result<ExitCode> {
    let StoreCommand::Copy { from, to } = &args.command;
    let (from, to): (Address, Address) = (from.parse()?, to.parse()?);
    if let Address::Sqlite(file) = &from {
        // Opening a missing database would create it.
        anyhow::ensure!(file.is_file(), "{}: no such file", file.display());
    }
    let show_progress = std::io::stderr().is_terminal();
    let runtime = tokio::runtime::Runtime::new()?;
    let copied = runtime.block_on(papan_store::copy(&from, &to, &mut |progress| {
        if show_progress {
            eprint!("\r\x1b[K{}: {} rows", progress.table, progress.rows);
        }
    }));
    if show_progress {
        eprint!("\r\x1b[K");
    }
    let mut text = String::new();
    for table in copied? {
        let before = match table.before {
            0 => String::new(),
            before => format!(" ({before} copied before)"),
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
