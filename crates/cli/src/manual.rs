//! `papan man` and `papan completions`: man pages and shell completions, generated from the
//! command line definition.

use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use papan_view::Messages;

use crate::{exit_code, localized_help, output};

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// Print the page of this command, such as `arena` or `book show` [default: all of papan]
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// Shell to print completions for
    shell: clap_complete::Shell,
}

/// Prints a man page.
pub(crate) fn man(args: &ManArgs, papan: Command, words: Messages) -> anyhow::Result<ExitCode> {
    let mut papan = localized_help::localize(papan, words);
    papan.build();
    let mut command = &papan;
    for name in &args.command {
        command = command
            .find_subcommand(name)
            .with_context(|| format!("papan has no command `{}`", args.command.join(" ")))?;
    }
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    exit_status(words).to_writer(&mut page)?;
    let page = String::from_utf8(page)?;
    output::print_bytes(words.phrase(&page).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn exit_status(words: Messages) -> Roff {
    let mut section = Roff::new();
    section.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in exit_code::MEANINGS {
        section.control("TP", []);
        section.text([bold(code.to_string())]);
        section.text([roman(words.phrase(meaning))]);
    }
    section
}

/// Prints a completion script.
pub(crate) fn completions(args: &CompletionsArgs, mut papan: Command) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut papan, "papan", &mut script);
    output::print_bytes(&script)?;
    Ok(ExitCode::SUCCESS)
}
