//! papan: plays, solves and proves tic-tac-toe on any board, and Othello.

mod arena;
mod automaton;
mod bench;
mod book;
mod check;
mod command;
mod console;
mod convert;
mod count;
mod engine;
mod explain;
mod game_file;
mod games;
mod jobs;
mod list;
mod manual;
mod missed_wins;
mod output;
mod perft;
mod play;
mod positions;
mod posting;
mod progress;
mod prove;
mod queue_line;
mod review;
mod serve;
mod solve;
mod solve_grid;
mod solve_queue;
mod source;
mod store;
mod terminal_style;
mod wording;
mod worker;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    // Before anything that an older processor could not run.
    if let Err(error) = papan_othello::check_cpu() {
        output::status(error);
        return ExitCode::from(2);
    }
    let command = match command::Papan::try_parse() {
        Ok(command) => command,
        Err(error) => return output::wrong_arguments(&error),
    };
    match command.run() {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::status(format_args!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Whether somebody closed our output, as `head` does: no reason to complain.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}
