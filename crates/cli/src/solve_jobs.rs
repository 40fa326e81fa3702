//! `papan solve --jobs`: job-level proof-number search, with leaves solved by workers.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use indicatif::ProgressBar;
use papan_analysis::leaf::{
    EarlierResults, JobLevelError, JobLevelObserver, JobLevelOptions, LeafRecord, prove_by_jobs,
};
use papan_catalog::{AnyGame, AnyLine, GridSolution};
use papan_jobs::Digest;
use papan_solve::TreeSize;
use papan_strategies::{Clock as _, SystemClock};
use papan_view::Messages;

use crate::exit_code::{INTERRUPTED, UNDECIDED};
use crate::job_server::{JobServer, command_line, notice};
use crate::leaf_journal::LeafJournal;
use crate::output::status;
use crate::solve_grid::GridSolver;

/// Effort per leaf, in rounds of iterative widening; 5 take some seconds.
pub(crate) const ROUNDS: u32 = 5;

/// Proves either that the player to move wins or that the opponent at least draws. The results in the
/// journal and on the job server determine the tree, so an interrupted proof continues when the command
/// is run again. The value is announced after the certificate of the whole tree has been checked.
pub(crate) fn solve(
    url: &str,
    game: &AnyGame,
    line: &dyn AnyLine,
    solver: &GridSolver<'_>,
) -> anyhow::Result<ExitCode> {
    let words = solver.words;
    let grid = game.as_grid().filter(|_| line.outcome().is_none());
    let grid = grid.ok_or(JobLevelError::Unsupported)?;
    let position = line.position_text();
    let path = journal_path(
        solver.options.certificate.as_deref(),
        &grid.name(),
        &position,
    );
    let path = path.with_context(|| words.text("solve-no-data"))?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let mut journal = LeafJournal::open(&path, &grid.name(), &position)?;
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
    let earlier = EarlierResults {
        leaves: std::mem::take(&mut journal.records),
        similar: Vec::new(),
    };
    let started = SystemClock.now();
    // Hidden if standard error is not a terminal.
    let mut observer = Observer {
        journal: &mut journal,
        spinner: ProgressBar::new_spinner(),
        words,
    };
    let proof = prove_by_jobs(game, line, options, &earlier, &mut observer);
    observer.spinner.finish_and_clear();
    let proof = match proof {
        Err(JobLevelError::Stopped) => {
            let values = [("file", path.display().to_string().into())];
            status(words.with("solve-jobs-stopped", values));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        proof => proof?.expect("the observer does not end the search"),
    };
    let is_start = position == game.line().position_text();
    let solution = GridSolution {
        // By strategy stealing the first player does not lose from the empty board.
        value: match (proof.wins, is_start) {
            (true, _) => Some(1),
            (false, true) => Some(0),
            (false, false) => None,
        },
        established: Some(proof.claims),
        certificate: Some(proof.certificate),
        pv: Vec::new(),
        replies: None,
        nodes: proof.size.nodes as u64,
    };
    solver.report(game, &position, &solution, SystemClock.now() - started)?;
    journal
        .remove()
        .with_context(|| path.display().to_string())?;
    Ok(match solution.value {
        Some(_) => ExitCode::SUCCESS,
        None => ExitCode::from(UNDECIDED),
    })
}

/// Returns the file of results: beside the certificate, or in the data directory.
fn journal_path(certificate: Option<&Path>, game: &str, position: &str) -> Option<PathBuf> {
    if let Some(path) = certificate.filter(|path| path.as_os_str() != "-") {
        let mut name = path.as_os_str().to_owned();
        name.push(".leaves");
        return Some(name.into());
    }
    let query = Digest::of(format!("{game} {position}").as_bytes());
    let folder = papan_catalog::dirs::data_dir()?.join("leaves");
    Some(folder.join(format!("{}.leaves", query.short())))
}

/// Writes results to the journal, and shows the size of the tree.
struct Observer<'a> {
    journal: &'a mut LeafJournal,
    spinner: ProgressBar,
    words: Messages,
}

impl JobLevelObserver for Observer<'_> {
    fn results(&mut self, records: &[LeafRecord]) -> io::Result<()> {
        self.journal.append(records)
    }

    fn progress(&mut self, size: &TreeSize) -> ControlFlow<()> {
        let values = [
            ("leaves", size.open_leaves.to_string().into()),
            ("positions", size.nodes.to_string().into()),
        ];
        let message = self.words.with("solve-jobs-progress", values);
        self.spinner.set_message(message);
        self.spinner.tick();
        ControlFlow::Continue(())
    }
}
