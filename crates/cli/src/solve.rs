//! `papan solve`: computes the exact value of a position.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use papan_catalog::{AnyLine, SolveError, SolvedPosition};
use papan_othello::Options;
use papan_strategies::{Clock as _, Context, Score, SystemClock, Watch};
use papan_view::{Messages, json};

use crate::exit_code::{INTERRUPTED, UNDECIDED};
use crate::job_server;
use crate::output::{self, fields_text, status};
use crate::positions::positions;
use crate::progress::watched;
use crate::solve_grid::{GridOptions, GridSolver};
use crate::source::Source;
use crate::terminal_style::Appearance;
use crate::{solve_jobs, solve_replies};

#[derive(Args, Debug)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    grid: GridOptions,
    /// Print JSON, one object per position and line
    #[arg(long)]
    json: bool,
}

/// Options of the Othello engine.
#[derive(Args, Clone, Debug)]
pub(crate) struct EngineOptions {
    /// Number of search threads
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) threads: usize,
    /// Size of the transposition table in MiB
    #[arg(long, default_value_t = Options::SOLVER_HASH_MIB, value_name = "MIB")]
    pub(crate) hash: usize,
}

impl EngineOptions {
    pub(crate) fn options(&self) -> Options {
        Options {
            threads: self.threads,
            hash_mib: self.hash,
        }
    }
}

pub(crate) fn run(args: &SolveArgs, appearance: &Appearance) -> anyhow::Result<ExitCode> {
    let lines = positions(&args.source, appearance.words())?;
    let (game, words) = (&args.source.game, appearance.words());
    if let Some(folder) = &args.grid.replies {
        let [line] = &lines[..] else {
            anyhow::bail!(
                "--replies requires exactly one position, not {}",
                lines.len()
            );
        };
        let study = solve_replies::Study {
            folder,
            url: job_server::address(args.grid.jobs.as_deref()),
            time: args.grid.time,
            words,
        };
        return study.run(game, &**line);
    }
    let watch = Arc::new(Watch::default());
    let grid_solver = GridSolver {
        options: &args.grid,
        hash_mib: args.engine.hash,
        threads: args.engine.threads,
        watch: &watch,
        json: args.json,
        words,
    };
    if let Some(url) = job_server(args, &lines)? {
        return solve_jobs::solve(&url, game, &*lines[0], &grid_solver);
    }
    let solver = game.solver(&lines, &args.engine.options());
    // A board that is small enough to enumerate needs no proof search.
    let too_large = matches!(solver, Err(SolveError::TooMuchLeft { .. }));
    if (args.grid.are_given() || too_large)
        && let Some(code) = grid_solver.solve_all(game, &lines)?
    {
        return Ok(code);
    }
    if let Err(error @ SolveError::TooMuchLeft { .. }) = &solver {
        status(error);
        return Ok(ExitCode::from(UNDECIDED));
    }
    let mut solver = solver?;
    for line in &lines {
        let started = SystemClock.now();
        let context = Context::default().watched_by(&watch);
        match watched(&watch, game, words, || solver.solve(&**line, &context)) {
            Ok(solved) => {
                let elapsed = SystemClock.now() - started;
                let text = text(&**line, &solved, elapsed, args.json, words);
                output::print(&text)?;
            }
            Err(_) if watch.stop.is_stopped() => return Ok(ExitCode::from(INTERRUPTED)),
            Err(error) => return Err(error).context(line.position_text()),
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the job server for an unfinished position of k in a row: from `--jobs`, or from the
/// environment where one position is to be solved.
fn job_server(args: &SolveArgs, lines: &[Box<dyn AnyLine>]) -> anyhow::Result<Option<String>> {
    let option = args.grid.jobs.as_deref();
    if option.is_some() && lines.len() != 1 {
        anyhow::bail!("--jobs requires exactly one position, not {}", lines.len());
    }
    anyhow::ensure!(
        option.is_none() || args.grid.time.is_none(),
        "--time with --jobs is the limit for each reply of --replies"
    );
    let is_suitable = args.source.game.as_grid().is_some()
        && args.grid.time.is_none()
        && args.grid.resume.is_none()
        && matches!(lines, [line] if line.outcome().is_none());
    Ok(job_server::address(option).filter(|_| option.is_some() || is_suitable))
}

fn text(
    line: &dyn AnyLine,
    solved: &SolvedPosition,
    elapsed: Duration,
    as_json: bool,
    words: Messages,
) -> String {
    let game = line.game();
    let pv = json::moves(&game, &solved.pv);
    let seconds = elapsed.as_secs_f64();
    if as_json {
        let score = Score::from_final(game.properties().score_unit, solved.score);
        return json::line(&json::Solution {
            seconds,
            ..json::Solution::new(line, Some(score), &solved.pv, solved.nodes)
        });
    }
    let plus = if solved.score > 0 { "+" } else { "" };
    let fields = [
        ("position", line.position_text()),
        ("score", format!("{plus}{}", solved.score)),
        ("best", pv.first().cloned().unwrap_or("-".into())),
        ("line", pv.join(" ")),
        ("nodes", solved.nodes.to_string()),
        ("seconds", format!("{seconds:.3}")),
    ];
    fields_text(&fields, words)
}
