//! The `papan` program: plays, solves and proves tic-tac-toe on any board, gomoku and Othello.
//!
//! Each command has a module of its own with its arguments ([`clap::Args`]) and a `run` function;
//! [`command`] lists them.

mod arena;
mod arena_messages;
mod automaton;
mod bench;
mod book;
mod check;
mod command;
mod console;
mod convert;
mod count;
mod csv_table;
mod demo;
mod engine;
mod exit_code;
mod explain;
mod game_file;
mod games;
mod grade;
mod job_server;
mod jobs;
mod jobs_table;
mod leaf_journal;
mod league;
mod list;
mod live_text;
mod localized_help;
mod manual;
mod output;
mod perft;
mod picture;
mod play;
mod player_arg;
mod positions;
mod progress;
mod prove;
mod puzzles;
mod review;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod serve_program;
mod solve;
mod solve_grid;
mod solve_jobs;
mod solve_replies;
mod source;
#[cfg(feature = "serve")]
mod store;
mod terminal_style;
mod trace;
mod worker;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use papan_view::Language;

fn main() -> ExitCode {
    // Must come before any code that needs the instruction set this build was compiled for.
    if let Err(error) = papan_othello::check_cpu() {
        output::status(error);
        return ExitCode::from(exit_code::ERROR);
    }
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    if is_brain(&arguments) {
        arguments.extend(["engine", "piskvork"].map(OsString::from));
    }
    start_faster_build(arguments.get(1..).unwrap_or_default());
    papan_os::enable_escape_sequences();
    let words = localized_help::words(&arguments);
    if words.language() != Language::English {
        arguments = localized_help::without_help_command(arguments);
    }
    let mut command = localized_help::localize(command::Papan::command(), words);
    let parsed = command
        .try_get_matches_from_mut(arguments)
        .and_then(|matches| command::Papan::from_arg_matches(&matches))
        .map_err(|error| error.format(&mut command));
    match parsed {
        Ok(command) => command
            .run()
            .unwrap_or_else(|error| output::report(&error, words)),
        Err(error) => output::report_arguments(&error, words),
    }
}

/// Replaces this program by the build for this processor, if that is installed with it.
fn start_faster_build(arguments: &[OsString]) {
    let Some(name) = papan_othello::faster_build() else {
        return;
    };
    let Ok(program) = std::env::current_exe() else {
        return;
    };
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let folder = program.parent().unwrap_or(Path::new("."));
    for path in [folder.join(&name), folder.join("../lib/papan").join(&name)] {
        if path.is_file() {
            // On an error this build continues, with the same results.
            let _ = papan_os::replace_process(&path, arguments);
        }
    }
}

/// Returns whether the program was started without arguments under a name that begins with
/// `pbrain`, as tournament managers of Gomocup start an engine.
fn is_brain(arguments: &[OsString]) -> bool {
    let [program] = arguments else { return false };
    let name = Path::new(program).file_name().unwrap_or_default();
    let name = name.to_string_lossy().to_ascii_lowercase();
    name.starts_with("pbrain")
}
