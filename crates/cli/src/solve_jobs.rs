//! `papan solve --jobs`: job-level proof-number search, with leaves solved by workers.

use std::path::Path;
use std::process::ExitCode;

use indicatif::ProgressBar;
use papan_analysis::leaf::{JobLevelError, JobLevelOptions, JobLevelProof, prove_by_jobs};
use papan_catalog::{AnyGame, AnyLine};

use crate::exit_code;
use crate::job_server::{JobServer, command_line, notice};
use crate::output::{self, status};

/// Effort per leaf, in rounds of iterative widening; 5 take some seconds.
pub(crate) const ROUNDS: u32 = 5;

/// Proves either that the player to move wins or that the opponent at least draws. The results on
/// the job server determine the tree, so an interrupted proof continues when the command is run
/// again. The value is announced after the certificate of the whole tree has been checked.
pub(crate) fn solve(
    url: &str,
    game: &AnyGame,
    line: &dyn AnyLine,
    certificate_path: Option<&Path>,
) -> anyhow::Result<ExitCode> {
    let server = JobServer::open(url)?;
    let options = JobLevelOptions {
        connection: &server.connection,
        command: &command_line(),
        rounds: ROUNDS,
        wins_only: false,
        at_once: 1,
        notice: notice(),
        stop: &server.stop,
    };
    // Hidden if standard error is not a terminal.
    let spinner = ProgressBar::new_spinner();
    let proof = prove_by_jobs(game, line, options, |size| {
        spinner.set_message(format!(
            "{} leaves open, {} positions",
            size.open_leaves, size.nodes
        ));
        spinner.tick();
    });
    spinner.finish_and_clear();
    let JobLevelProof {
        wins,
        certificate,
        size,
        ..
    } = match proof {
        Err(JobLevelError::Stopped) => {
            status("interrupted; the same command continues from the results on the server");
            return Ok(ExitCode::from(exit_code::INTERRUPTED));
        }
        proof => proof?,
    };
    if let Some(path) = certificate_path {
        output::write_file(path, &certificate)?;
    }
    let attacker = line.turn();
    let is_start = line.position_text() == game.line().position_text();
    let verdict = if wins {
        format!("{attacker} wins")
    } else if is_start {
        // By strategy stealing the first player does not lose from the empty board.
        "a draw".into()
    } else {
        format!(
            "{attacker} does not win: {} at least draws",
            attacker.other()
        )
    };
    let text = format!(
        "position  {}\n{verdict}\npositions {} in the upper tree\n",
        line.position_text(),
        size.nodes
    );
    output::print_beside(certificate_path, &text)?;
    Ok(exit_code::for_answer(wins))
}
